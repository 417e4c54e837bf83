// What a step of `ode` begins with: bases that got another velocity, bodies that were written to elsewhere; and dry friction of axes.
// Units: m, rad, s, J.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

TEST_CASE("ode: what hangs on a prescribed body stays behind where that jumps", "[step][ode]") {
  for (const double rate : {60.0, 240.0})
    for (const dynamics::JointType type : {dynamics::JointType::Revolute, dynamics::JointType::Spherical}) {
      WorldSettings s = test::awake(Stepper::Ode, rate);
      s.gravity.setZero();
      world::World w(s);
      BodyDefinition d;
      d.kind = BodyKind::Kinematic;
      const int base = w.createBody(d);
      d.kind = BodyKind::Dynamic;
      d.pose.p = Vec3(0, 0, -1);
      d.inertia = 1e-6 * Mat3::Identity();
      const int bob = w.createBody(d);
      test::addJoint(w, type, base, bob, Vec3::Zero(), Vec3(0, 0, 1));
      test::advance(w, 6);
      REQUIRE_FALSE(w.setBodyTwist(base, Vec3(1, 0, 0), Vec3::Zero(), nullptr));
      test::advance(w, static_cast<int>(std::lround(0.2 * rate)));
      Vec3 v, omega;
      w.bodyTwist(bob, v, omega);
      INFO("1/" << rate << " s");
      CHECK(v.x() == Approx(1 - std::cos(0.2)).margin(1e-5));  // about the base a circle at 1 m/s
    }
}

TEST_CASE("ode: writing to one body leaves others as they would be", "[step][ode]") {
  // A rod with a motor at its bound, one on a soft hinge; far away a ball, written to or struck before each step.
  Vec3 ends[3];
  double angles[3];
  for (int how = 0; how < 3; how++) {
    WorldSettings s = test::awake(Stepper::Ode, 240);
    world::World w(s);
    const test::Chain chain = test::addChain(w, 1, 0.5, 1);
    MotorSettings m;
    m.mode = MotorMode::Velocity;
    m.velocity = 20;
    m.damping = 5;
    m.maxForce = 1;
    REQUIRE_FALSE(w.setMotor(chain.joints[0], 0, m));
    const int rotor = test::addRod(w, 0.5, 1, Pose{Vec3(3, 0, -0.25), Quat::Identity()});
    JointDefinition j;
    j.b = rotor;
    j.frameA.p = Vec3(3, 0, 0);
    j.frameB.p = Vec3(0, 0, 0.25);
    j.axis = Vec3::UnitY();
    j.linear = {1e-3, 0.1};
    int id = -1;
    REQUIRE_FALSE(w.createJoint(j, id));
    const int ball = test::addBall(w, 0.1, 1, Vec3(50, 0, 0), 0, 0);
    for (int i = 0; i < 240; i++) {
      if (how == 1) REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(1, 0, 0), Vec3::Zero(), nullptr));
      if (how == 2) w.addImpulse(ball, Vec3(0, 0, 0.1), nullptr);
      test::advance(w, 1);
    }
    ends[how] = w.bodyPose(rotor).p;
    w.jointState(chain.joints[0], &angles[how], nullptr);
  }
  for (int how : {1, 2}) {
    CHECK((ends[how] - ends[0]).norm() < 1e-9);
    CHECK(angles[how] == Approx(angles[0]).margin(1e-9));
  }
}

TEST_CASE("ode: dry friction of axes takes what it says, and turns back without energy of nothing", "[step][ode]") {
  WorldSettings s = test::awake(Stepper::Ode, 240);
  s.gravity.setZero();
  s.energyAccount = true;
  {
    world::World w(s);
    BodyDefinition d;
    const int body = w.createBody(d);
    const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3::UnitX());
    dynamics::AxisParameters axis;
    axis.friction = 2;
    REQUIRE_FALSE(w.setAxis(slide, 0, axis));
    const double speed = 3;
    REQUIRE_FALSE(w.setJointState(slide, nullptr, &speed));
    test::advance(w, 480);
    CHECK(w.energy().lostFriction == Approx(4.5).epsilon(2e-3));
    CHECK(w.energy().kinetic < 1e-9);
  }
  for (const double friction : {0.1, 1.5, 3.0})
    for (const double rate : {60.0, 240.0}) {
      s.timeStep = 1 / rate;
      world::World w(s);
      BodyDefinition d;
      const int body = w.createBody(d);
      const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3::UnitX());
      dynamics::AxisParameters axis;
      axis.friction = friction;
      axis.stiffness = 100;
      REQUIRE_FALSE(w.setAxis(slide, 0, axis));
      const double drawn = 0.1;
      REQUIRE_FALSE(w.setJointState(slide, &drawn, nullptr));
      // Coulomb: each half swing of pi / 10 s ends 2 F / k nearer to the middle, until the spring no longer overcomes the friction.
      double size = drawn, q, worst = 0;
      for (int half = 1; half <= 6; half++) {
        const double next = 100 * size > friction ? 2 * friction / 100 - size : -size;
        size = 100 * size > friction ? std::fabs(next) : size;
        const double until = half * kPi / 10;
        while (w.time() < until - 1e-9) test::advance(w, 1);
        w.jointState(slide, &q, nullptr);
        worst = std::max(worst, std::fabs(std::fabs(q) - size));
      }
      INFO("friction " << friction << ", 1/" << rate << " s");
      CHECK(worst < (rate > 100 ? 2e-3 : 8e-3));
    }
}
