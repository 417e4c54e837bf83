// Collision queries allocate nothing: counted with a replaced operator new.
#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/geometry/broad_phase.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/geometry/mesh_bvh.hpp"
#include "engine/geometry/raycast.hpp"
#include "tests/engine/geometry/samples.hpp"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace test;

TEST_CASE("collide, raycast and a warm broad phase allocate nothing") {
  Random r(81);
  const ShapeType types[] = {ShapeType::Sphere, ShapeType::Capsule, ShapeType::Box, ShapeType::Cylinder,
                             ShapeType::Convex, ShapeType::Plane,   ShapeType::Mesh};
  std::vector<Geometry> shapes;
  for (ShapeType type : types) shapes.push_back(randomGeometry(r, type));
  shapes.back().mesh = boxMesh({1, 1, 1});
  auto bvh = makeMeshBvh(*shapes.back().mesh);
  std::vector<Aabb> boxes(300);
  BroadPhase broad;
  auto run = [&](Random random) {
    int contacts = 0, hits = 0;
    for (int i = 0; i < 3000; ++i) {
      const Geometry &a = shapes[random.below(7)], &b = shapes[random.below(7)];
      Collider ca(a, {randomVector(random, 1), randomRotation(random)}, bvh.get()),
          cb(b, {randomVector(random, 1), randomRotation(random)}, bvh.get());
      Manifold m;
      collide(ca, cb, 0.1, m);
      contacts += m.count;
      RayHit hit;
      hits += raycast(ca, {randomVector(random, 3), randomUnit(random)}, 10, hit);
    }
    for (int step = 0; step < 5; ++step) {
      for (Aabb& box : boxes) {
        Vec3 c = randomVector(random, 3);
        box = {c - Vec3::Constant(0.3), c + Vec3::Constant(0.3)};
      }
      broad.update(boxes.data(), nullptr, static_cast<int>(boxes.size()));
    }
    return contacts > 100 && hits > 100 && !broad.pairs().empty();
  };
  REQUIRE(run(Random(5)));
  long before = allocations;
  bool good = run(Random(5));
  long after = allocations;
  CHECK(good);
  CHECK(after == before);
}
