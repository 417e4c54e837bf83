// Rays against marching along the ray with the shapes' own inequalities, and against triangles of the tessellated shape.
#include "engine/geometry/raycast.hpp"

#include "engine/geometry/mesh_bvh.hpp"
#include "engine/geometry/tessellate.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

TEST_CASE("rays hit every solid where its fine tessellation is hit") {
  Random r(31);
  geometry::TessellationOptions fine;
  fine.segments = 400;
  for (geometry::ShapeType type : {geometry::ShapeType::Sphere, geometry::ShapeType::Box, geometry::ShapeType::Cylinder,
                                   geometry::ShapeType::Capsule, geometry::ShapeType::Convex}) {
    int hits = 0;
    for (int shape = 0; shape < 3; ++shape) {
      geometry::Geometry g = randomGeometry(r, type), m;
      m.type = geometry::ShapeType::Mesh;
      m.mesh = std::make_shared<geometry::TriangleMesh>(geometry::tessellate(g, fine));
      auto bvh = geometry::makeMeshBvh(*m.mesh);
      for (int i = 0; i < 300; ++i) {
        Pose pose{randomVector(r, 2), randomRotation(r)};
        geometry::Collider solid(g, pose), mesh(m, pose, bvh.get());
        geometry::Ray ray{pose.p + 4 * randomUnit(r), Vec3::Zero()};
        ray.direction = (pose.p + randomVector(r, 0.8) - ray.origin).normalized();
        geometry::RayHit a, b;
        bool hitA = geometry::raycast(solid, ray, 100, a), hitB = geometry::raycast(mesh, ray, 100, b);
        if (hitA != hitB) {  // allowed only at a grazing ray
          CHECK(std::abs((hitA ? a : b).normal.dot(ray.direction)) < 0.03);
          continue;
        }
        if (!hitA) continue;
        ++hits;
        CHECK(a.t == Approx(b.t).margin(1e-3 / std::max(0.05, std::abs(a.normal.dot(ray.direction)))));
        CHECK((a.point - (ray.origin + a.t * ray.direction)).norm() < 1e-12);
        CHECK(a.normal.norm() == Approx(1));
        CHECK(a.normal.dot(ray.direction) <= 1e-12);
        // The surface: the support plane at the hit touches it from outside.
        CHECK(std::abs(width(g, pose, a.normal) - a.normal.dot(a.point)) < 1e-9);
        geometry::RayHit none;
        CHECK_FALSE(geometry::raycast(solid, ray, a.t * 0.999, none));
      }
    }
    CHECK(hits > 150);
  }
}

TEST_CASE("rays that start inside, point away, or meet a plane") {
  geometry::Geometry g;
  g.type = geometry::ShapeType::Box;
  g.size = {1, 1, 1};
  geometry::RayHit hit;
  CHECK(geometry::raycast(geometry::Collider(g, {}), {{0.5, 0, 0}, Vec3::UnitX()}, 10, hit));
  CHECK(hit.t == 0);
  CHECK(hit.normal == -Vec3::UnitX());
  CHECK_FALSE(geometry::raycast(geometry::Collider(g, {}), {{1.5, 0, 0}, Vec3::UnitX()}, 10, hit));
  g.type = geometry::ShapeType::Plane;
  Pose tilted{{0, 0, 1}, quatFromRpy(0.5, 0, 0)};
  REQUIRE(geometry::raycast(geometry::Collider(g, tilted), {{0, 0, 5}, -Vec3::UnitZ()}, 10, hit));
  CHECK(hit.t == Approx(4));
  CHECK((hit.normal - tilted.q * Vec3::UnitZ()).norm() < 1e-12);
  CHECK_FALSE(geometry::raycast(geometry::Collider(g, tilted), {{0, 0, 5}, Vec3::UnitZ()}, 10, hit));
  CHECK_FALSE(geometry::raycast(geometry::Collider(g, tilted), {{0, 0, std::nan("")}, Vec3::UnitZ()}, 10, hit));
}

TEST_CASE("the tree finds the triangle brute force finds") {
  Random r(32);
  geometry::TriangleMesh mesh;
  for (int i = 0; i < 500; ++i) {
    Vec3 c = randomVector(r, 3);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(c + randomVector(r, 0.5));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  mesh.triangles.push_back({0, 0, 1});
  mesh.triangles.push_back({-1, 7, 5000});
  geometry::MeshBvh tree(mesh);
  CHECK(tree.triangles().size() == 500);
  for (int i = 0; i < 300; ++i) {
    Vec3 o = randomVector(r, 5), d = i % 5 == 0 ? Vec3(Vec3::Unit(i % 3)) : randomUnit(r);
    double best = 100;
    int index = -1;
    for (const auto& t : tree.triangles()) {
      double x = t.normal.dot(t.corner[0] - o) / t.normal.dot(d);
      Vec3 p = o + x * d;
      bool in = x >= 0 && x < best;
      for (int k = 0; k < 3 && in; ++k) in = (t.corner[(k + 1) % 3] - t.corner[k]).cross(p - t.corner[k]).dot(t.normal) >= 0;
      if (in) {
        best = x;
        index = t.index;
      }
    }
    double t = 100;
    const geometry::MeshBvh::Triangle* hit = tree.raycast(o, d, t);
    REQUIRE((hit ? hit->index : -1) == index);
    if (hit) CHECK(t == Approx(best));
  }
}
