// Spatial queries: cast shapes against closed forms and against small steps, overlaps and closest shapes against queries of each shape
// alone, masks, order.
#include <algorithm>

#include "engine/geometry/bounds.hpp"
#include "engine/geometry/distance.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/geometry/samples.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

constexpr std::uint32_t kAll = 0xffffffffu;

geometry::Geometry ball(double radius) {
  geometry::Geometry g;
  g.size.x() = radius;
  return g;
}

// Random solids of all kinds, some on bodies, over a plane.
struct Scattered {
  world::World w{WorldSettings()};
  std::vector<int> shapes;
  explicit Scattered(test::Random& r) {
    test::addGround(w, 0.5, 0);
    for (int i = 0; i < 40; i++) {
      const geometry::ShapeType types[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                           geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};
      geometry::Shape s;
      s.geometry = test::randomGeometry(r, types[i % 5]);
      s.local.q = test::randomRotation(r);
      s.category = i % 2 ? 1 : 2;
      BodyDefinition d;
      d.kind = BodyKind::Static;
      d.pose = {Vec3(r.range(-4, 4), r.range(-4, 4), r.range(1, 5)), test::randomRotation(r)};
      const int body = i % 3 ? w.createBody(d) : -1;
      if (body < 0) s.local = d.pose * s.local;
      int id = -1;
      REQUIRE_FALSE(w.createShape(body, s, -1, id));
      shapes.push_back(id);
    }
  }
  Pose poseOf(int shape) const {
    const int body = w.shapeBody(shape);
    return body < 0 ? w.shapeInBody(shape) : w.bodyPose(body) * w.shapeInBody(shape);
  }
};

}  // namespace

TEST_CASE("a cast ball meets a box, its edge, its corner and a plane at the computed points", "[step]") {
  world::World w{WorldSettings()};
  const int ground = test::addGround(w, 0.5, 0);
  const int box = test::addShape(w, -1, geometry::ShapeType::Box, Vec3(1, 1, 1), 0.5, 0, Pose{Vec3(0, 0, 2), Quat::Identity()});
  RayCastResult hit;
  REQUIRE_FALSE(w.shapeCast(ball(0.5), Pose{Vec3(0.2, 0.3, 9), Quat::Identity()}, Vec3(0, 0, -20), kAll, hit));
  CHECK(hit.shape == box);
  CHECK(hit.distance == Approx(5.5));
  CHECK((hit.normal - Vec3::UnitZ()).norm() < 1e-6);
  CHECK((hit.position - Vec3(0.2, 0.3, 3)).norm() < 1e-6);
  REQUIRE_FALSE(w.shapeCast(ball(0.5), Pose{Vec3(1.3, 0, 9), Quat::Identity()}, Vec3(0, 0, -20), kAll, hit));  // over the edge
  CHECK(hit.shape == box);
  CHECK(hit.distance == Approx(9 - 3 - 0.4));
  REQUIRE_FALSE(w.shapeCast(ball(0.5), Pose{Vec3(1.2, 1.3, 9), Quat::Identity()}, Vec3(0, 0, -20), kAll, hit));  // over the corner
  CHECK(hit.shape == box);
  CHECK(hit.distance == Approx(9 - 3 - std::sqrt(0.25 - 0.13)));
  REQUIRE_FALSE(w.shapeCast(ball(0.5), Pose{Vec3(1.6, 0, 9), Quat::Identity()}, Vec3(0, 0, -20), kAll, hit));  // past it
  CHECK(hit.shape == ground);
  CHECK(hit.distance == Approx(8.5));
  REQUIRE_FALSE(w.shapeCast(ball(0.5), Pose{Vec3(1.6, 0, 9), Quat::Identity()}, Vec3(0, 0, -8.4), kAll, hit));  // too short
  CHECK(hit.shape == -1);
  REQUIRE_FALSE(w.shapeCast(ball(0.5), Pose{Vec3(0, 0, 3.4), Quat::Identity()}, Vec3(0, 0, 1), kAll, hit));  // inside it from the start
  CHECK(hit.shape == box);
  CHECK(hit.distance == 0);
  geometry::Geometry plane;
  plane.type = geometry::ShapeType::Plane;
  CHECK(w.shapeCast(plane, Pose(), Vec3(0, 0, 1), kAll, hit).kind() == Failure::Unsupported);
}

TEST_CASE("cast shapes stop where the first touch comes, and nowhere before", "[step]") {
  test::Random r(101);
  Scattered s(r);
  int hits = 0;
  for (int i = 0; i < 60; i++) {
    const geometry::ShapeType types[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                         geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};
    geometry::Geometry g = test::randomGeometry(r, types[i % 5]);
    if (g.type != geometry::ShapeType::Convex) g.size *= 0.5;
    const Pose start{Vec3(r.range(-5, 5), r.range(-5, 5), r.range(6.5, 8)), test::randomRotation(r)};
    const Vec3 path(r.range(-4, 4), r.range(-4, 4), -10);
    RayCastResult hit;
    REQUIRE_FALSE(s.w.shapeCast(g, start, path, kAll, hit));
    REQUIRE(hit.shape >= 0);  // at least the plane
    const double along = hit.distance / path.norm();
    ClosestResult c;
    INFO("cast " << i << " along " << along);
    REQUIRE_FALSE(s.w.closest(g, {start.p + along * path, start.q}, 1, kAll, c));
    CHECK(std::fabs(c.distance) < 1e-5);
    for (int k = 0; k <= 50; k++) {
      REQUIRE_FALSE(s.w.closest(g, {start.p + (0.999 * along * k / 50) * path, start.q}, kInf, kAll, c));
      CHECK(c.distance > 0);
    }
    hits += hit.shape != 0;
  }
  CHECK(hits > 15);
}

TEST_CASE("overlaps and the closest shape are those found by asking each shape", "[step]") {
  test::Random r(102);
  Scattered s(r);
  std::vector<int> found;
  int many = 0;
  for (int i = 0; i < 80; i++) {
    const geometry::ShapeType types[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                         geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};
    const geometry::Geometry g = test::randomGeometry(r, types[i % 5]);
    const Pose pose{Vec3(r.range(-4, 4), r.range(-4, 4), r.range(1, 5)), test::randomRotation(r)};
    const std::uint32_t mask = i % 4 == 0 ? 2 : i % 4 == 1 ? 1 : kAll;
    std::vector<int> expected;
    geometry::ClosestPoints best;
    best.distance = kInf;
    int nearest = -1;
    for (int id = 0; id <= s.shapes.back(); id++) {
      if (!(s.w.shape(id).category & mask)) continue;
      geometry::ClosestPoints c;
      REQUIRE(geometry::closestPoints(geometry::Collider(g, pose), geometry::Collider(s.w.shape(id).geometry, s.poseOf(id)), kInf, c));
      if (c.distance < 0) expected.push_back(id);
      if (c.distance < best.distance) best = c, nearest = id;
    }
    REQUIRE_FALSE(s.w.overlap(g, pose, mask, found));
    CHECK(found == expected);
    many += expected.size() > 1;
    ClosestResult c;
    REQUIRE_FALSE(s.w.closest(g, pose, kInf, mask, c));
    CHECK(c.shape == nearest);
    CHECK(c.distance == Approx(best.distance).margin(1e-9));
    CHECK((c.b - c.a).dot(c.normal) == Approx(c.distance).margin(1e-6));
    if (best.distance > 0.01) {
      REQUIRE_FALSE(s.w.closest(g, pose, 0.99 * best.distance, mask, c));
      CHECK(c.shape == -1);
    }
    const geometry::Aabb box = geometry::bounds(g, pose, 0);
    s.w.overlapBox(box.lo, box.hi, mask, found);
    for (int id : expected) CHECK(std::count(found.begin(), found.end(), id) == 1);
    CHECK(std::is_sorted(found.begin(), found.end()));
  }
  CHECK(many > 10);
}

TEST_CASE("a ray through many shapes enters each of them once, nearest first", "[step]") {
  test::Random r(103);
  Scattered s(r);
  std::vector<RayCastResult> hits;
  std::size_t most = 0;
  for (int i = 0; i < 100; i++) {
    const Vec3 from(r.range(-4, 4), r.range(-4, 4), 9), direction(r.range(-0.4, 0.4), r.range(-0.4, 0.4), -1);
    s.w.rayCastAll(from, direction, kInf, kAll, hits);
    const RayCastResult first = s.w.rayCast(from, direction, kInf, kAll);
    REQUIRE(hits.size() >= 1);
    CHECK(hits[0].shape == first.shape);
    CHECK(hits[0].distance == first.distance);
    most = std::max(most, hits.size());
    for (std::size_t k = 1; k < hits.size(); k++) CHECK(hits[k].distance >= hits[k - 1].distance);
    for (const RayCastResult& h : hits) CHECK((h.position - from - h.distance * direction.normalized()).norm() < 1e-9);
  }
  CHECK(most >= 4);
}

TEST_CASE("distance of two shapes of the world, planes and moving bodies included", "[step]") {
  world::World w{WorldSettings()};
  const int ground = test::addGround(w, 0.5, 0);
  const int one = test::addBall(w, 0.3, 1, Vec3(0, 0, 2), 0.5, 0), two = test::addBox(w, Vec3(0.5, 0.5, 0.5), 1, Vec3(2, 0, 2), 0.5, 0);
  ClosestResult c;
  REQUIRE_FALSE(w.closest(1, 2, kInf, c));
  CHECK(c.body == two);
  CHECK(c.distance == Approx(1.2));
  CHECK((c.a - Vec3(0.3, 0, 2)).norm() < 1e-9);
  CHECK((c.normal - Vec3::UnitX()).norm() < 1e-9);
  REQUIRE_FALSE(w.closest(ground, 1, kInf, c));
  CHECK(c.body == one);
  CHECK(c.distance == Approx(1.7));
  CHECK((c.normal - Vec3::UnitZ()).norm() < 1e-9);
  const int other = test::addGround(w, 0.5, 0);
  CHECK(w.closest(ground, other, kInf, c).kind() == Failure::Unsupported);
}
