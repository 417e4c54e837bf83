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
  const geometry::ShapeType types[] = {geometry::ShapeType::Sphere,   geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                       geometry::ShapeType::Cylinder, geometry::ShapeType::Convex,  geometry::ShapeType::Plane,
                                       geometry::ShapeType::Mesh};
  std::vector<geometry::Geometry> shapes;
  for (geometry::ShapeType type : types) shapes.push_back(randomGeometry(r, type));
  shapes.back().mesh = boxMesh({1, 1, 1});
  auto bvh = geometry::makeMeshBvh(*shapes.back().mesh);
  std::vector<geometry::Aabb> boxes(300);
  const std::vector<std::uint8_t> passive(boxes.size(), 0);
  geometry::BroadPhase broad;
  auto run = [&](Random random) {
    int contacts = 0, hits = 0;
    for (int i = 0; i < 3000; ++i) {
      const geometry::Geometry &a = shapes[random.below(7)], &b = shapes[random.below(7)];
      geometry::Collider ca(a, {randomVector(random, 1), randomRotation(random)}, bvh.get()),
          cb(b, {randomVector(random, 1), randomRotation(random)}, bvh.get());
      geometry::Manifold m;
      geometry::collide(ca, cb, 0.1, m);
      contacts += m.count;
      geometry::RayHit hit;
      hits += geometry::raycast(ca, {randomVector(random, 3), randomUnit(random)}, 10, hit);
    }
    for (int step = 0; step < 5; ++step) {
      for (geometry::Aabb& box : boxes) {
        Vec3 c = randomVector(random, 3);
        box = {c - Vec3::Constant(0.3), c + Vec3::Constant(0.3)};
      }
      broad.search(boxes.data(), passive.data(), static_cast<int>(boxes.size()));
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
