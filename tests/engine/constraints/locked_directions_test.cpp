// Directions that joints lock: rows along them are round-off, and may neither throw nor hold. Lengths that end at 0. Units: m, s, J.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

constexpr Stepper kExact[] = {Stepper::Impulse, Stepper::Variational, Stepper::Ode};

Vec3 turnOf(const world::World& w, int body) {
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  return omega;
}

}  // namespace

TEST_CASE("a contact across a direction that a joint locks throws nothing", "[step][locked]") {
  for (const Stepper stepper : kExact)
    for (const double yaw : {0.0, 0.3, 1.1})
      for (const double depth : {0.0, 1e-9, 1e-3}) {
        // A pendulum beside a wall, whose normal is the axis of its hinge.
        world::World w(test::awake(stepper, 240));
        const Quat turn = quatFromAxisAngle(Vec3::UnitZ(), yaw);
        const Vec3 axis = turn * Vec3(Vec3::UnitY());
        test::addShape(w, -1, geometry::ShapeType::Plane, Vec3::Zero(), 0.3, 0,
                       {(depth - 0.1) * axis, turn * quatFromAxisAngle(Vec3::UnitX(), -0.5 * kPi)});
        BodyDefinition d;
        d.pose.q = turn;
        d.mass = 2;
        d.com = Vec3(0, 0, -0.5);
        d.inertia = Vec3(0.05, 0.05, 0.01).asDiagonal();
        const int body = w.createBody(d);
        test::addShape(w, body, geometry::ShapeType::Box, Vec3(0.1, 0.1, 0.5), 0.3, 0, {Vec3(0, 0, -0.5), Quat::Identity()});
        JointDefinition j;
        j.b = body;
        j.axis = axis;
        j.asTheyStand = true;
        int hinge = -1;
        REQUIRE_FALSE(w.createJoint(j, hinge));
        const double level = 0.5;
        REQUIRE_FALSE(w.setJointState(hinge, &level, nullptr));
        const double start = test::totalEnergy(w);
        double most = -1, least = 1;
        for (int i = 0; i < 480; i++) {
          test::advance(w, 1);
          const double change = test::totalEnergy(w) - start;
          most = std::max(most, change), least = std::min(least, change);
        }
        INFO("stepper " << static_cast<int>(stepper) << ", yaw " << yaw << ", depth " << depth << ": " << least << " to " << most << " J");
        CHECK(most < 0.02);
        CHECK(least > -0.1);  // of 1.2: steps of first order
      }
}

TEST_CASE("a body on two hinges of one axis turns", "[step][locked]") {
  for (const Stepper stepper : kExact)
    for (const double roll : {0.0, 0.4})
      for (const dynamics::JointType second : {dynamics::JointType::Revolute, dynamics::JointType::Spherical}) {
        WorldSettings s = test::awake(stepper, 240);
        s.gravity.setZero();
        world::World w(s);
        const Quat turn = quatFromAxisAngle(Vec3::UnitX(), roll) * quatFromAxisAngle(Vec3::UnitZ(), 0.3);
        const Vec3 axis = turn * Vec3(Vec3::UnitZ());
        BodyDefinition d;
        d.pose = {turn * Vec3(0.4, 0, 0), turn};
        d.mass = 2;
        d.inertia = Vec3(0.1, 0.1, 0.2).asDiagonal();
        const int door = w.createBody(d);
        for (const double height : {-0.4, 0.4}) {
          JointDefinition j;
          j.type = height < 0 ? dynamics::JointType::Revolute : second;
          j.b = door;
          j.frameA.p = height * axis;
          j.axis = axis;
          j.asTheyStand = true;
          int id = -1;
          REQUIRE_FALSE(w.createJoint(j, id));
        }
        const double torque = 0.5, inertia = 0.2 + 2 * 0.4 * 0.4;
        for (int i = 0; i < 240; i++) {
          w.addTorque(door, torque * axis, false);
          test::advance(w, 1);
        }
        INFO("stepper " << static_cast<int>(stepper) << ", roll " << roll);
        CHECK(turnOf(w, door).dot(axis) == Approx(torque / inertia).epsilon(5e-3));
      }
}

TEST_CASE("a slack rope that may be as short as nothing lets a ball pass its end", "[step][locked]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook, Stepper::Ode}) {
    WorldSettings s = test::awake(stepper, 240);
    s.gravity.setZero();
    world::World w(s);
    const int ball = test::addBall(w, 0.1, 1, Vec3(-0.3, 1e-3, 0), 0.5, 0);
    JointDefinition d;
    d.constraint = ConstraintType::Distance;
    d.b = ball;
    int rope = -1;
    REQUIRE_FALSE(w.createJoint(d, rope));
    dynamics::AxisParameters axis;
    axis.lower = 0, axis.upper = 2;
    REQUIRE_FALSE(w.setAxis(rope, 0, axis));
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(3, 0, 0), Vec3::Zero(), nullptr));
    test::advance(w, 48);
    INFO("stepper " << static_cast<int>(stepper));
    CHECK(w.bodyPose(ball).p.x() == Approx(0.3).epsilon(1e-6));
  }
}

TEST_CASE("what lies on a body that is moved away, or on a surface that changes, wakes", "[step][locked]") {
  world::World w{WorldSettings()};
  test::addGround(w, 1, 0);
  const int below = test::addBox(w, Vec3(0.2, 0.2, 0.1), 1, Vec3(0, 0, 0.1), 1, 0);
  const int above = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.3), 1, 0);
  test::advance(w, 480);
  REQUIRE(w.statistics().sleepingBodies == 2);
  REQUIRE_FALSE(w.setBodyPose(below, {Vec3(3, 0, 0.1), Quat::Identity()}, nullptr));
  test::advance(w, 240);
  CHECK(w.bodyPose(above).p.z() == Approx(0.1).margin(2e-3));

  WorldSettings tilted;
  tilted.gravity = Vec3(3, 0, -9);
  world::World slope(tilted);
  const int ground = test::addGround(slope, 1, 0), box = test::addBox(slope, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 1, 0);
  test::advance(slope, 480);
  REQUIRE(slope.statistics().sleepingBodies == 1);
  slope.setShapeSurface(ground, {0, 0});
  test::advance(slope, 240);
  CHECK(slope.bodyPose(box).p.x() > 1);
}
