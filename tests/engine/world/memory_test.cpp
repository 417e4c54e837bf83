// Memory of a world's things: live memory and bytes of a snapshot, by figure and by box. Operators new and delete count live memory, so
// this is a program of its own.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "engine/figure/figure.hpp"
#include "tests/engine/world/scenes.hpp"

namespace {
std::size_t living = 0;  // bytes

void* counted(void* p) {
  if (!p) throw std::bad_alloc();
  living += malloc_usable_size(p);
  return p;
}
void released(void* p) {
  living -= malloc_usable_size(p);
  std::free(p);
}
}  // namespace

void* operator new(std::size_t n) { return counted(std::malloc(n ? n : 1)); }
void* operator new(std::size_t n, std::align_val_t a) {
  const std::size_t align = static_cast<std::size_t>(a);
  return counted(std::aligned_alloc(align, (n + align - 1) / align * align));
}
void operator delete(void* p) noexcept { released(p); }
void operator delete(void* p, std::size_t) noexcept { released(p); }
void operator delete(void* p, std::align_val_t) noexcept { released(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { released(p); }

using namespace vertebra;

namespace {

// A chain of hinges with limits, a ball on each link.
std::shared_ptr<const figure::FigureModel> figureModel(int links) {
  auto s = std::make_shared<figure::Skeleton>();
  for (int i = 0; i < links; i++) {
    figure::LinkDescription l;
    l.mass = 1;
    l.inertia = 0.01 * Mat3::Identity();
    geometry::Shape shape;
    shape.geometry.type = geometry::ShapeType::Sphere;
    shape.geometry.size = Vec3(0.05, 0, 0);
    l.shapes.push_back(shape);
    s->links.push_back(l);
    if (i == 0) continue;
    figure::JointDescription j;
    j.type = dynamics::JointType::Revolute;
    j.parent = i - 1;
    j.child = i;
    j.inParent.p = Vec3(0, 0, -0.2);
    j.axes[0].lower = -1;
    j.axes[0].upper = 1;
    s->joints.push_back(j);
  }
  return figure::makeFigureModel(s, figure::BaseKind::Floating);
}

struct Cost {
  double memory, snapshot;  // bytes each
};
template <class Make>
Cost costOf(int count, int steps, const Make& make) {
  const std::size_t before = living;
  world::World w{WorldSettings()};
  test::addGround(w, 0.5, 0);
  make(w);
  test::advance(w, steps);
  const double memory = static_cast<double>(living - before) / count;
  std::vector<std::uint8_t> saved;
  w.save(saved);
  return {memory, static_cast<double>(saved.size()) / count};
}

}  // namespace

TEST_CASE("memory and snapshot of a figure of 30 links") {
  constexpr int kCount = 200;
  const auto model = figureModel(30);
  std::vector<figure::Figure> figures(kCount);
  const Cost cost = costOf(kCount, 2, [&](world::World& w) {
    for (int i = 0; i < kCount; i++) {
      figure::FigureDefinition d;
      d.model = model;
      d.pose.p = Vec3(3 * i, 0, 10);
      REQUIRE_FALSE(figure::Figure::create(w, d, figures[i]));
    }
  });
  INFO("figure: " << cost.memory << " bytes, snapshot " << cost.snapshot);
  CHECK(cost.memory < 56e3);
  CHECK(cost.snapshot < 8.2e3);
}

TEST_CASE("memory and snapshot of a resting box") {
  constexpr int kCount = 400;
  const Cost cost = costOf(kCount, 30, [&](world::World& w) {
    for (int i = 0; i < kCount; i++) test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.5 * (i % 20), 0.5 * (i / 20), 0.1), 0.5, 0);
  });
  INFO("box: " << cost.memory << " bytes, snapshot " << cost.snapshot);
  CHECK(cost.memory < 3.0e3);  // contacts of two steps take 0.8 kB of it
  CHECK(cost.snapshot < 1.0e3);
}
