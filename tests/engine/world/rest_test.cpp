// Bodies come to rest after a fall: neither restitution nor contact points that change from step to step keep them trembling.
#include <cmath>

#include "engine/geometry/convex_hull.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// A slab whose underside sags by `sag` over its half length, like the hulls of real shells: it rocks from vertex to vertex.
int addSaggingSlab(world::World& w, const Vec3& half, double sag, double mass, const Pose& pose) {
  std::vector<Vec3> points;
  for (int i = -1; i <= 1; i++)
    for (int k = -1; k <= 1; k++) {
      const double x = i, y = k;
      points.push_back({x * half.x(), y * half.y(), -half.z() + sag * 0.5 * (x * x + y * y)});
      points.push_back({x * half.x(), y * half.y(), half.z()});
    }
  auto hull = std::make_shared<geometry::ConvexHull>();
  REQUIRE(geometry::makeConvexHull(points, *hull).empty());
  BodyDefinition d;
  d.pose = pose;
  d.mass = mass;
  const int body = w.createBody(d);
  geometry::Shape s;
  s.geometry.type = geometry::ShapeType::Convex;
  s.geometry.hull = hull;
  s.surface = {0.5, 0};
  int id = -1;
  REQUIRE_FALSE(w.createShape(body, s, -1, id));
  REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, mass));
  return body;
}

double kineticEnergy(const world::World& w) { return w.energy().kinetic; }

}  // namespace

TEST_CASE("a slab with a sagging underside stops rocking", "[step]") {
  WorldSettings s;
  s.timeStep = 1.0 / 240;
  s.sleeping = false;
  world::World w(s);
  test::addGround(w, 0.5, 0);
  Pose pose;
  pose.p = Vec3(0, 0, 0.06);
  pose.q = quatFromAxisAngle(Vec3(1, 2, 0), 0.08);
  addSaggingSlab(w, Vec3(0.2, 0.1, 0.02), 2e-3, 1.5, pose);
  double penetration = 0, kinetic = 0;
  for (int i = 0; i < 6 * 240; i++) {
    w.resetStatistics();
    REQUIRE_FALSE(w.step());
    if (i < 5 * 240) continue;
    penetration = std::max(penetration, w.statistics().maxPenetration);
    kinetic = std::max(kinetic, kineticEnergy(w));
  }
  CHECK(penetration < 1e-4);
  CHECK(kinetic < 1e-8);
}

TEST_CASE("linked bodies that bounce come to rest", "[step]") {
  for (double restitution : {0.3, 0.5, 0.8}) {
    WorldSettings s;
    s.timeStep = 1.0 / 240;
    s.sleeping = false;
    world::World w(s);
    test::addGround(w, 0.5, restitution);
    int last = -1;
    for (int i = 0; i < 5; i++) {
      const int body = test::addBox(w, Vec3(0.1, 0.03, 0.02), 0.4, Vec3(0.22 * i, 0, 0.1 + 0.01 * i), 0.5, restitution);
      if (last >= 0) test::addJoint(w, dynamics::JointType::Revolute, last, body, Vec3(0.11, 0, 0), Vec3(-0.11, 0, 0));
      last = body;
    }
    double penetration = 0, kinetic = 0;
    for (int i = 0; i < 8 * 240; i++) {
      w.resetStatistics();
      REQUIRE_FALSE(w.step());
      if (i < 7 * 240) continue;
      penetration = std::max(penetration, w.statistics().maxPenetration);
      kinetic = std::max(kinetic, kineticEnergy(w));
    }
    INFO("restitution " << restitution);
    CHECK(penetration < 1e-4);
    CHECK(kinetic < 1e-8);
  }
}

TEST_CASE("boxes made half inside each other part without leaving faster than 1 m/s", "[step]") {
  for (double shift : {0.2, 0.1, 0.05}) {  // along x, of boxes 0.4 m wide
    WorldSettings s;
    s.gravity.setZero();
    s.sleeping = false;
    world::World w(s);
    const int a = test::addBox(w, Vec3(0.2, 0.2, 0.2), 2, Vec3::Zero(), 0.5, 0);
    const int b = test::addBox(w, Vec3(0.2, 0.2, 0.2), 2, Vec3(shift, 0.02, 0.01), 0.5, 0);
    double fastest = 0;
    for (int i = 0; i < 480; i++) {
      test::advance(w, 1);
      for (int body : {a, b}) {
        Vec3 v, omega;
        w.bodyTwist(body, v, omega);
        fastest = std::max(fastest, v.norm() + 0.35 * omega.norm());
      }
    }
    INFO("shift " << shift << " fastest " << fastest);
    CHECK(fastest <= 1);
    CHECK(w.contacts().empty());
  }
}
