// Continuous collision: fast bodies do not pass thin ones, free ones that miss are not affected, and bounces happen at the right time.
#include "engine/geometry/heightfield.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings settings(double h, bool continuous = true) {
  WorldSettings s;
  s.gravity.setZero();
  s.timeStep = h;
  s.sleeping = false;
  s.continuous = continuous;
  return s;
}

int addMesh(world::World& w, const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles) {
  auto mesh = std::make_shared<geometry::TriangleMesh>();
  mesh->vertices = vertices;
  mesh->triangles = triangles;
  geometry::Shape s;
  s.geometry.type = geometry::ShapeType::Mesh;
  s.geometry.mesh = mesh;
  int id = -1;
  REQUIRE_FALSE(w.createShape(-1, s, -1, id));
  return id;
}

// A rod of 1 m along x on a hinge about z through the origin.
int addSpinner(world::World& w, BodyKind kind, double radius, double rate) {
  BodyDefinition d;
  d.kind = kind;
  d.omega = Vec3(0, 0, rate);
  const int rod = w.createBody(d);
  const Pose along{Vec3(0.5, 0, 0), quatFromAxisAngle(Vec3::UnitY(), 0.5 * kPi)};
  test::addShape(w, rod, geometry::ShapeType::Cylinder, Vec3(radius, 0, 0.5), 0.3, 0, along);
  if (kind == BodyKind::Dynamic) {
    REQUIRE_FALSE(w.setBodyMassFromShapes(rod, 0, 1));
    test::addJoint(w, dynamics::JointType::Revolute, -1, rod, Vec3::Zero(), Vec3::Zero(), Vec3::UnitZ());
    double rates[6] = {rate};
    REQUIRE_FALSE(w.setJointState(0, nullptr, rates));
  }
  return rod;
}

double angleOf(const world::World& w, int rod) {
  const Vec3 x = w.bodyPose(rod).q * Vec3::UnitX();
  return std::atan2(x.y(), x.x());
}

}  // namespace

TEST_CASE("a ball of 2.5 or 5 cm at 100 m/s does not pass a wall of 2 cm at 1/60 s", "[step]") {
  for (double radius : {0.025, 0.05})
    for (double restitution : {0.0, 0.5})
      for (int k = 0; k < 20; k++) {
        INFO("radius " << radius << " e " << restitution << " start " << k);
        world::World w(settings(1.0 / 60));
        test::addShape(w, -1, geometry::ShapeType::Box, Vec3(0.01, 1, 1), 0.5, restitution);
        const double start = -3 - 0.09 * k;
        const int ball = test::addBall(w, radius, 0.1, Vec3(start, 0.1, 0.2), 0.5, restitution);
        REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(100, 0, 0), Vec3::Zero(), nullptr));
        int impacts = 0;
        double deepest = -kInf;
        for (int i = 0; i < 20; i++) {
          test::advance(w, 1);
          impacts += w.statistics().speculative;
          deepest = std::max(deepest, w.bodyPose(ball).p.x() + radius + 0.01);
        }
        CHECK(impacts == 1);
        CHECK(deepest < 1e-3);
        CHECK(std::fabs(w.bodyPose(ball).p.y() - 0.1) < 1e-9);
        // It met the wall after (-start - radius - 0.01) / 100 s and left with e times the speed.
        const double meeting = (-start - radius - 0.01) / 100, left = 20.0 / 60 - meeting;
        CHECK(w.bodyPose(ball).p.x() == Approx(-radius - 0.01 - restitution * 100 * left).margin(2e-3));
      }
}

TEST_CASE("without continuous collision that ball passes; slow scenes never foresee impacts", "[step]") {
  world::World w(settings(1.0 / 60, false));
  test::addShape(w, -1, geometry::ShapeType::Box, Vec3(0.01, 1, 1), 0.5, 0);
  const int ball = test::addBall(w, 0.025, 0.1, Vec3(-4, 0, 0), 0.5, 0);
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(100, 0, 0), Vec3::Zero(), nullptr));
  test::advance(w, 20);
  CHECK(w.bodyPose(ball).p.x() > 10);

  WorldSettings s;
  world::World slow(s);
  test::addGround(slow, 0.5, 0);
  for (int i = 0; i < 5; i++) test::addBox(slow, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.02 * i, 0, 0.15 + 0.25 * i), 0.5, 0);
  for (int i = 0; i < 240; i++) {
    test::advance(slow, 1);
    CHECK(slow.statistics().speculative == 0);
  }
}

TEST_CASE("walls of triangles, terrain, planes and other bodies stop it too, at any angle", "[step]") {
  test::Random r(91);
  for (int k = 0; k < 120; k++) {
    world::World w(settings(1.0 / 60));
    const int kind = k % 4;
    if (kind == 0) addMesh(w, {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}}, {{0, 1, 2}, {0, 2, 3}});
    if (kind == 1) {
      auto grid = std::make_shared<geometry::HeightGrid>();
      REQUIRE(geometry::makeHeightGrid(21, 21, 0.5, 0.5, std::vector<double>(441, 0.0), *grid) == "");
      geometry::Shape s;
      s.geometry.type = geometry::ShapeType::Heightfield;
      s.geometry.grid = grid;
      s.geometry.size.z() = 0.05;
      s.local.p = Vec3(-5, -5, 0);
      int id = -1;
      REQUIRE_FALSE(w.createShape(-1, s, -1, id));
    }
    if (kind == 2) test::addGround(w, 0.5, 0);
    if (kind == 3) test::addBox(w, Vec3(5, 5, 0.005), 1e6, Vec3(0, 0, -0.005), 0.5, 0);  // a heavy plate, free
    const double sideways = r.range(0, 80);
    const Vec3 at(r.range(-1, 1), r.range(-1, 1), r.range(0.3, 2.5));
    const bool ball = k % 3 != 0;
    const int body = ball ? test::addBall(w, 0.025, 0.1, at, 0, 0) : test::addBox(w, Vec3(0.04, 0.04, 0.04), 0.1, at, 0, 0);
    REQUIRE_FALSE(w.setBodyTwist(body, Vec3(r.range(-1, 1) * sideways, 0, -r.range(60, 100)), Vec3::Zero(), nullptr));
    INFO("case " << k);
    double lowest = kInf;
    for (int i = 0; i < 6; i++) {
      test::advance(w, 1);
      lowest = std::min(lowest, w.bodyPose(body).p.z());
      if (std::fabs(w.bodyPose(body).p.x()) > 4.5) break;  // beyond the edge of the wall
    }
    CHECK(lowest > (ball ? 0.024 : 0.039));
    if (kind < 3) CHECK(std::fabs(w.bodyPose(body).p.z()) < 3);
  }
}

TEST_CASE("continuous collision does not affect bodies that miss", "[step]") {
  // Past a post, through a frame, along a floor: the motion is unchanged to the last digit.
  world::World with(settings(1.0 / 60)), without(settings(1.0 / 60, false));
  for (world::World* w : {&with, &without}) {
    test::addShape(*w, -1, geometry::ShapeType::Cylinder, Vec3(0.05, 0, 1), 0.5, 0, Pose{Vec3(3, 0.09, 0), Quat::Identity()});
    test::addShape(*w, -1, geometry::ShapeType::Cylinder, Vec3(0.05, 0, 1), 0.5, 0, Pose{Vec3(3, -0.09, 0), Quat::Identity()});
    test::addShape(*w, -1, geometry::ShapeType::Box, Vec3(9, 9, 0.05), 0.5, 0, Pose{Vec3(3, 0, -0.16), Quat::Identity()});
    const int ball = test::addBall(*w, 0.025, 0.1, Vec3(-3, 0, 0), 0.5, 0);
    REQUIRE_FALSE(w->setBodyTwist(ball, Vec3(90, 0, 0), Vec3(0, 0, 50), nullptr));
    test::advance(*w, 8);
  }
  CHECK(with.statistics().speculative == 0);
  CHECK(with.hash() == without.hash());
  CHECK(with.bodyPose(0).p.x() == Approx(-3 + 90 * 8.0 / 60));
}

TEST_CASE("a rod of 1 cm turning at 30 rad/s stops at a post", "[step]") {
  for (int k = 0; k < 40; k++) {
    world::World w(settings(1.0 / 60));
    const int rod = addSpinner(w, BodyKind::Dynamic, 0.005, 30);
    const double at = 0.7 + 0.05 * k, distance = 0.3 + 0.015 * k;
    test::addShape(w, -1, geometry::ShapeType::Cylinder, Vec3(0.005, 0, 0.3), 0.3, 0,
                   Pose{Vec3(distance * std::cos(at), distance * std::sin(at), 0), Quat::Identity()});
    INFO("post at " << at << " rad, " << distance << " m");
    double largest = -kInf;
    for (int i = 0; i < 30; i++) {
      test::advance(w, 1);
      largest = std::max(largest, angleOf(w, rod));
      REQUIRE(angleOf(w, rod) > -0.5);
    }
    CHECK(largest < at);
    CHECK(largest > at - 0.02 / distance - 0.1);
  }
}

TEST_CASE("a turning rod sweeps balls along, and balls do not fly through it", "[step]") {
  for (BodyKind kind : {BodyKind::Kinematic, BodyKind::Dynamic})
    for (int k = 0; k < 40; k++) {
      world::World w(settings(1.0 / 60));
      const int rod = addSpinner(w, kind, 0.005, 30);
      const double at = 0.3 + 0.05 * k, distance = 0.3 + 0.015 * k;
      const Vec3 side(-std::sin(at), std::cos(at), 0);
      const int ball =
          test::addBall(w, 0.025, 0.02, distance * Vec3(std::cos(at), std::sin(at), 0) + (0.031 + 0.002 * (k % 5)) * side, 0.3, 0);
      INFO("kind " << static_cast<int>(kind) << " ball at " << at << " rad, " << distance << " m");
      // The ball stays on its side: it is ahead of the rod until the rod has turned farther than the ball flies.
      for (int i = 0; i < 8; i++) {
        const Vec3 before = w.bodyPose(rod).q.conjugate() * w.bodyPose(ball).p;
        test::advance(w, 1);
        const Vec3 after = w.bodyPose(rod).q.conjugate() * w.bodyPose(ball).p;
        INFO("step " << i << " before " << before.transpose() << " after " << after.transpose());
        if (before.x() < 1 && after.x() < 1 && before.x() > 0 && after.x() > 0 && std::fabs(before.y()) < 0.6)
          CHECK_FALSE((before.y() > 0 && after.y() < 0));
      }
    }
  test::Random r(92);
  int met = 0;
  for (int k = 0; k < 100; k++) {
    world::World w(settings(1.0 / 60));
    const int rod = addSpinner(w, BodyKind::Dynamic, 0.005, 30);
    const double reach = r.range(0.2, 0.8), time = r.range(0.02, 0.1), turn = 30 * time, speed = r.range(20, 60);
    const Vec3 meeting(reach * std::cos(turn), reach * std::sin(turn), 0), against(std::sin(turn), -std::cos(turn), 0);
    const int ball = test::addBall(w, 0.025, 0.02, meeting - time * speed * against, 0.3, 0);
    REQUIRE_FALSE(w.setBodyTwist(ball, speed * against, Vec3::Zero(), nullptr));
    bool through = false;
    for (int i = 0; i < 10; i++) {
      const Vec3 before = w.bodyPose(rod).q.conjugate() * w.bodyPose(ball).p;
      test::advance(w, 1);
      met += w.statistics().speculative;
      const Vec3 after = w.bodyPose(rod).q.conjugate() * w.bodyPose(ball).p;
      through |=
          before.y() > 0 && after.y() < 0 && before.x() > 0.1 && after.x() > 0.1 && after.x() < 0.9 && before.x() < 0.9 && after.y() > -1;
    }
    INFO("ball " << k);
    CHECK_FALSE(through);
  }
  CHECK(met > 50);
}

TEST_CASE("displacement: impacts that were foreseen are forgotten after their step", "[step]") {
  WorldSettings s = settings(1.0 / 60);
  s.stepper = Stepper::Displacement;
  world::World w(s);
  test::addShape(w, -1, geometry::ShapeType::Box, Vec3(0.01, 1, 1), 0.5, 0);
  const int ball = test::addBall(w, 0.05, 0.1, Vec3(-1, 0, 0), 0.5, 0);
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(100, 0, 0), Vec3::Zero(), nullptr));
  test::advance(w, 1);
  CHECK(w.bodyPose(ball).p.x() < 0);
  REQUIRE(w.contacts().size() == 1);
  CHECK(w.contacts()[0].speculative == -1);
  s.continuous = false;
  REQUIRE_FALSE(w.setSettings(s));
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(-100, 0, 0), Vec3::Zero(), nullptr));
  test::advance(w, 2);
  CHECK(w.bodyPose(ball).p.x() < -3);
  CHECK(w.contacts().empty());
}

// Torques stand beside contacts: where foreseen contacts come between them, as here the bullets' before the top's, both lists grow.
TEST_CASE("displacement: foreseen contacts leave the torques of other contacts theirs", "[step]") {
  for (int threads : {1, 2}) {
    WorldSettings s;
    s.stepper = Stepper::Displacement;
    s.sleeping = false;
    s.threads = threads;
    world::World w(s);
    test::addShape(w, -1, geometry::ShapeType::Box, Vec3(0.01, 5, 5), 0.5, 0, Pose{Vec3(2, 0, 0), Quat::Identity()});
    std::vector<int> bullets;
    for (int k = 0; k < 40; k++) bullets.push_back(test::addBall(w, 0.02, 0.1, Vec3(0, 0.1 * (k - 20), 1), 0, 0));
    test::addGround(w, 0.5, 0);
    const int top = test::addBall(w, 0.1, 2, Vec3(-1, 0, 0.1), 0.5, 0);
    const double torsion = 0.01, spin = 40;
    for (int id = 0; id < 43; id++) {
      geometry::Surface surface = w.shape(id).surface;
      surface.torsionalFriction = torsion;
      w.setShapeSurface(id, surface);
    }
    REQUIRE_FALSE(w.setBodyTwist(top, Vec3::Zero(), Vec3(0, 0, spin), nullptr));
    int told = 0;
    for (int step = 0; step < 60; step++) {
      for (const int b : bullets) {
        REQUIRE_FALSE(w.setBodyPose(b, Pose{Vec3(0, w.bodyPose(b).p.y(), 1), Quat::Identity()}, nullptr));
        REQUIRE_FALSE(w.setBodyTwist(b, Vec3(600, 0, 0), Vec3::Zero(), nullptr));
      }
      test::advance(w, 1);
      for (std::size_t i = 0; i < w.contacts().size(); i++)
        if (w.contacts()[i].bodyA == top || w.contacts()[i].bodyB == top) {
          told++;
          CHECK(w.contactTorque(i).norm() == Approx(torsion * 2 * 9.81).epsilon(0.05));
        }
    }
    CHECK(told >= 55);
    CHECK(w.statistics().speculative > 0);
  }
}

TEST_CASE("a ball that a swinging arm strikes within a step keeps their momentum with the arm", "[step]") {
  for (int k = 0; k < 20; k++) {
    world::World w(settings(1.0 / 60));
    const int base = test::addBox(w, Vec3(0.1, 0.1, 0.1), 2, Vec3::Zero(), 0, 0);
    BodyDefinition d;
    d.pose.p = Vec3(0.2, 0, 0);
    const int arm = w.createBody(d);
    test::addShape(w, arm, geometry::ShapeType::Cylinder, Vec3(0.01, 0, 0.4), 0.3, 0,
                   {Vec3(0.4, 0, 0), quatFromAxisAngle(Vec3::UnitY(), 0.5 * kPi)});
    REQUIRE_FALSE(w.setBodyMassFromShapes(arm, 0, 0.5));
    test::addJoint(w, dynamics::JointType::Revolute, base, arm, Vec3(0.2, 0, 0), Vec3::Zero(), Vec3::UnitZ());
    double rate[6] = {30.0 + k};
    REQUIRE_FALSE(w.setJointState(0, nullptr, rate));
    const int ball = test::addBall(w, 0.03, 0.1, Vec3(0.7, 0.25 + 0.01 * k, 0), 0.3, 0);
    Vec3 start, now, angular, v, omega;
    w.momentum(start, angular);
    for (int i = 0; i < 6; i++) {
      test::advance(w, 1);
      w.momentum(now, angular);
      REQUIRE((now - start).norm() < 1e-9);
    }
    w.bodyTwist(ball, v, omega);
    CHECK(v.norm() > 5);  // it was struck
  }
}

TEST_CASE("momentum of free bodies that meet within a step is kept, and reruns are equal", "[step]") {
  world::World a(settings(1.0 / 60)), b(settings(1.0 / 60));
  Vec3 linear, angular, linearThen;
  for (world::World* w : {&a, &b}) {
    const int one = test::addBox(*w, Vec3(0.05, 0.3, 0.02), 1, Vec3(0, 0, 0), 0, 0);
    const int two = test::addBall(*w, 0.03, 0.3, Vec3(2, 0.2, 0.02), 0, 0);
    REQUIRE_FALSE(w->setBodyTwist(one, Vec3(30, 0, 0), Vec3(0, 0, 4), nullptr));
    REQUIRE_FALSE(w->setBodyTwist(two, Vec3(-60, 0, -1), Vec3::Zero(), nullptr));
    w->momentum(linear, angular);
    int impacts = 0;
    for (int i = 0; i < 6; i++) {
      test::advance(*w, 1);
      impacts += w->statistics().speculative;
    }
    CHECK(impacts >= 1);
    w->momentum(linearThen, angular);
  }
  CHECK((linearThen - linear).norm() < 1e-9);
  CHECK(a.hash() == b.hash());
}
