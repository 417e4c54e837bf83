// Drives of limited force on the joints of a tree: each gives the force of its law at the velocity at the end of the step, clamped at its
// bound.
#include <algorithm>
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace test;

namespace {

constexpr double kStep = 1.0 / 240;

// Heavy and light rods in turn, so that a drive may accelerate a light one by hundreds of radians a second in a step.
Chain drivenChain(world::World& w, test::Random& r, dynamics::JointType type, bool springs) {
  Chain c;
  const int n = 6 + r.below(12);
  for (int i = 0; i < n; i++) {
    c.bodies.push_back(addRod(w, 0.2, r.below(2) ? 10 : 0.05, Pose{Vec3(0, 0, -0.2 * (i + 0.5)), Quat::Identity()}));
    c.joints.push_back(addJoint(w, type, i ? c.bodies[i - 1] : -1, c.bodies[i], i ? Vec3(0, 0, -0.1) : Vec3::Zero(), Vec3(0, 0, 0.1)));
    MotorSettings m;
    m.mode = springs ? MotorMode::Position : MotorMode::Velocity;
    m.stiffness = springs ? std::pow(10, r.range(1, 3.5)) : 0;
    m.damping = std::pow(10, r.range(0, 2));
    m.maxForce = std::pow(10, r.range(0, 2.5));
    for (int k = 0; k < (type == dynamics::JointType::Revolute ? 1 : 3); k++) REQUIRE_FALSE(w.setMotor(c.joints.back(), k, m));
  }
  for (const int joint : c.joints) {
    double q[4] = {0, 0, 0, 1}, v[3] = {};
    for (double& rate : v) rate = r.range(-20, 20);
    if (type == dynamics::JointType::Revolute) q[0] = r.range(-0.3, 0.3);
    REQUIRE_FALSE(w.setJointState(joint, q, v));
  }
  return c;
}

}  // namespace

TEST_CASE("drives pushed beyond their bounds give the force of their law at the new velocity") {
  for (int seed = 0; seed < 60; seed++) {
    CAPTURE(seed);
    test::Random r(static_cast<std::uint64_t>(seed));
    WorldSettings s;
    s.timeStep = kStep;
    s.maxAngularSpeed = s.maxSpeed = kInf;  // the drives would not see a capped speed
    world::World w(s);
    const Chain c = drivenChain(w, r, dynamics::JointType::Revolute, true);
    for (int step = 0; step < 20; step++) {
      advance(w, 1);
      double worst = 0;
      for (const int joint : c.joints) {
        double q[7], v[6];
        w.jointState(joint, q, v);
        const MotorSettings& m = w.motor(joint, 0);
        JointForces f;
        w.jointForces(joint, f);
        // The force of the state at the end, where the step is of second order; else of that after another step.
        double off = kInf;
        for (const double ahead : {0.0, kStep}) {
          const double law = -m.stiffness * (q[0] + ahead * v[0]) - m.damping * v[0];
          off = std::min(off, std::fabs(f.motor[0] - std::min(m.maxForce, std::max(-m.maxForce, law))) / m.maxForce);
        }
        worst = std::max(worst, off);
      }
      REQUIRE(worst < 1e-6);
    }
  }
}

TEST_CASE("braking drives add no energy, at any bounds") {
  for (int seed = 0; seed < 40; seed++) {
    CAPTURE(seed);
    test::Random r(static_cast<std::uint64_t>(seed));
    WorldSettings s;
    s.timeStep = kStep;
    s.gravity = Vec3::Zero();
    world::World w(s);
    (void)drivenChain(w, r, seed % 2 ? dynamics::JointType::Spherical : dynamics::JointType::Revolute, false);
    const double start = w.energy().kinetic;
    double most = 0;
    for (int step = 0; step < 60; step++) {
      advance(w, 1);
      most = std::max(most, w.energy().kinetic);
    }
    CHECK(most <= start);
    CHECK(w.energy().kinetic < start);
  }
}
