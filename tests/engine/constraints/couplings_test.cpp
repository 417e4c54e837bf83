// Rotors, couplings of many axes and user constraints, against closed forms; user_rows_test.cpp has the latter under every stepper.
#include <cmath>

#include "tests/engine/constraints/rotors.hpp"
#include "tests/engine/constraints/written.hpp"

using namespace vertebra;
using test::angle, test::rotor, test::speed, test::twist, test::Written;

namespace {

WorldSettings fine() {
  WorldSettings s;
  s.timeStep = 1e-3;
  s.sleeping = false;
  return s;
}
int couple(world::World& w, const CouplingDefinition& c) {
  int id = -1;
  const Failure f = w.createCoupling(c, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}

}  // namespace

TEST_CASE("rotors turn by their torque and tell their energy", "[step][couplings]") {
  world::World w(fine());
  const int shaft = rotor(w, 0.5);
  twist(w, shaft, 2);
  test::advance(w, 1000);
  CHECK(speed(w, shaft) == Approx(4).epsilon(1e-9));
  CHECK(angle(w, shaft) == Approx(2).epsilon(2e-3));
  CHECK(w.energy().kinetic == Approx(0.5 * 0.5 * 16).epsilon(1e-9));
  const double faster = 5;
  REQUIRE_FALSE(w.setJointState(shaft, nullptr, &faster));
  rotor(w, 1);  // an edit: the energy is unchanged
  CHECK(w.energy().kinetic == Approx(0.5 * 0.5 * 25).epsilon(1e-9));
  CHECK(w.statistics().bodies == 0);
  CHECK_FALSE(w.bodyAlive(w.joint(shaft).b));
  w.destroyJoint(shaft);
  CHECK_FALSE(w.jointAlive(shaft));
  test::advance(w, 1);
}

TEST_CASE("a gear between rotors adds the inertia times the ratio squared", "[step][couplings]") {
  world::World w(fine());
  const int a = rotor(w, 0.5), b = rotor(w, 2);
  const int gear = couple(w, ratioCoupling(a, b, 0.25, 0));
  twist(w, a, 3);
  test::advance(w, 1000);
  CHECK(speed(w, a) == Approx(3 / (0.5 + 2.0 / 16)).epsilon(1e-9));
  CHECK(speed(w, b) == Approx(0.25 * speed(w, a)).epsilon(1e-12));
  CHECK(w.couplingForce(gear) == Approx(2 * 0.25 * 3 / (0.5 + 2.0 / 16)).epsilon(1e-6));  // the force that accelerates b
  CouplingDefinition c = ratioCoupling(a, b, -1, 0);                                      // reversed, in velocity only
  c.velocityLevel = true;
  REQUIRE_FALSE(w.setCoupling(gear, c));
  test::advance(w, 100);
  CHECK(speed(w, b) == Approx(-speed(w, a)).epsilon(1e-12));
}

TEST_CASE("a differential gives both sides the same torque", "[step][couplings]") {
  world::World w(fine());
  const int in = rotor(w, 0.1), left = rotor(w, 1), right = rotor(w, 3);
  CouplingDefinition c;
  c.terms = {{in, 0, -1}, {left, 0, 0.5}, {right, 0, 0.5}};
  const int gear = couple(w, c);
  twist(w, in, 2);
  test::advance(w, 500);
  CHECK(speed(w, left) == Approx(3 * speed(w, right)).epsilon(1e-9));
  CHECK(speed(w, in) == Approx(0.5 * (speed(w, left) + speed(w, right))).epsilon(1e-12));
  CHECK(0.5 * w.couplingForce(gear) == Approx(1 * speed(w, left) / 0.5).epsilon(1e-6));
}

TEST_CASE("a clutch slips at its largest torque until both sides turn alike", "[step][couplings]") {
  world::World w(fine());
  const int a = rotor(w, 1), b = rotor(w, 2);
  const double v[1] = {30};
  REQUIRE_FALSE(w.setJointState(a, nullptr, v));
  CouplingDefinition c = ratioCoupling(a, b, 1, 0);
  c.velocityLevel = true;
  c.maxForce = 10;
  couple(w, c);
  test::advance(w, 1000);  // 10 N m for 1 s
  CHECK(speed(w, a) == Approx(20).epsilon(1e-6));
  CHECK(speed(w, b) == Approx(5).epsilon(1e-6));
  test::advance(w, 2000);
  CHECK(speed(w, a) == Approx(10).epsilon(1e-6));
  CHECK(speed(w, b) == Approx(10).epsilon(1e-6));
}

TEST_CASE("a soft shaft swings at its frequency", "[step][couplings]") {
  WorldSettings s = fine();
  s.timeStep = 1e-4;
  world::World w(s);
  const int a = rotor(w, 1), b = rotor(w, 3);
  const double q[1] = {0.1};
  REQUIRE_FALSE(w.setJointState(a, q, nullptr));
  CouplingDefinition c = ratioCoupling(a, b, 1, 0);
  c.softness = {300, 0};
  couple(w, c);
  const double omega = std::sqrt(300 * (1.0 + 1.0 / 3));
  test::advance(w, 1000);
  const double together = 0.1 / 4;
  CHECK(angle(w, a) == Approx(together + 0.075 * std::cos(omega * 0.1)).margin(2e-3));
}

TEST_CASE("a rack turns a pinion", "[step][couplings]") {
  world::World w(fine());
  BodyDefinition d;
  d.inertia = 0.02 * Mat3::Identity();
  const int wheel = w.createBody(d), bar = w.createBody(d);
  const int hinge = test::addJoint(w, dynamics::JointType::Revolute, -1, wheel, Vec3::Zero(), Vec3::Zero(), Vec3::UnitY());
  const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, bar, Vec3(0, 0, 0.1), Vec3::Zero(), Vec3::UnitX());
  couple(w, ratioCoupling(hinge, slide, 0.1, 0));
  twist(w, hinge, 0.5);
  test::advance(w, 400);
  CHECK(speed(w, hinge) == Approx(0.4 * 0.5 / (0.02 + 0.01)).epsilon(1e-9));
  CHECK(angle(w, slide) == Approx(0.1 * angle(w, hinge)).margin(1e-12));
}

TEST_CASE("users' rows push, pull, are soft and are bounded", "[step][couplings]") {
  world::World w(fine());
  BodyDefinition d;
  d.pose.p = Vec3(0, 0, 0.1);
  const int body = w.createBody(d);
  Written floor;
  double lower = 0, upper = kInf, stiffness = kInf, damping = 0;
  floor.rows = [&](UserRow* r) {
    r->error = w.bodyPose(body).p.z();
    r->bodies[2] = 1;
    r->lower = lower;
    r->upper = upper;
    r->softness = {stiffness, damping};
    return 1;
  };
  floor.create(w, {body}, {}, 1);
  test::advance(w, 100);
  CHECK(w.bodyPose(body).p.z() == Approx(0.1 - 0.5 * 9.81 * 0.01).margin(1e-3));
  test::advance(w, 500);
  CHECK(w.bodyPose(body).p.z() == Approx(0).margin(1e-6));
  CHECK(w.constraintForces(floor.id)[0] == Approx(9.81).epsilon(1e-6));
  stiffness = 1000;
  damping = 20;
  test::advance(w, 3000);
  CHECK(w.bodyPose(body).p.z() == Approx(-9.81e-3).epsilon(1e-4));
  upper = 5;  // too weak to hold it
  const double from = w.bodyPose(body).p.z();
  test::advance(w, 200);
  CHECK(w.bodyPose(body).p.z() - from == Approx(-0.5 * (9.81 - 5) * 0.04).epsilon(0.02));
}

TEST_CASE("a user's row that is no number fails the step, which is undone", "[step][couplings]") {
  world::World w(fine());
  BodyDefinition d;
  const int body = w.createBody(d);
  Written bad;
  bool spoil = false;
  bad.rows = [&](UserRow*) { return spoil ? -1 : 0; };
  bad.create(w, {body}, {}, 1);
  test::advance(w, 10);
  const double z = w.bodyPose(body).p.z(), t = w.time();
  spoil = true;
  const Failure f = w.step();
  CHECK(f.kind() == Failure::Argument);
  CHECK(w.bodyPose(body).p.z() == z);
  CHECK(w.time() == t);
  spoil = false;
  test::advance(w, 1);
  w.destroyBody(body);
  CHECK_FALSE(w.constraintAlive(bad.id));
}

TEST_CASE("a soft row is the penalty force of its function: -J^T (k C + c C')", "[step][couplings]") {
  // C(x) = |x|^2 - r^2 of a point mass, J = 2 x^T: by the equation of motion, integrated beside it.
  const double stiffness = 30, damping = 0.4;
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode}) {
    WorldSettings s;
    s.stepper = stepper;
    s.timeStep = 1.0 / 8000;
    s.sleeping = false;
    world::World w(s);
    BodyDefinition d;
    d.mass = 2;
    d.inertia = 0.01 * Mat3::Identity();
    d.pose.p = Vec3(1.1, 0, 0);
    d.velocity = Vec3(0, 0.5, 0.4);
    const int body = w.createBody(d);
    Written sphere;
    sphere.rows = [&](UserRow* rows) {
      const Vec3 p = w.bodyPose(body).p;
      rows[0].error = p.squaredNorm() - 1;
      rows[0].softness = {stiffness, damping};
      for (int k = 0; k < 3; k++) rows[0].bodies[k] = 2 * p[k];
      return 1;
    };
    sphere.create(w, {body}, {}, 1);
    test::advance(w, 8000);
    Vec3 x = d.pose.p, v = d.velocity;
    const int steps = 400000;
    for (int i = 0; i < steps; i++) {  // symplectic Euler, fine enough
      const double C = x.squaredNorm() - 1, rate = 2 * x.dot(v);
      v += 1.0 / steps * (Vec3(0, 0, -9.81) - 2 * (stiffness * C + damping * rate) / d.mass * x);
      x += 1.0 / steps * v;
    }
    INFO("stepper " << static_cast<int>(stepper) << " " << w.bodyPose(body).p.transpose() << " and " << x.transpose());
    CHECK((w.bodyPose(body).p - x).norm() < 2e-3);
    CHECK((x - d.pose.p).norm() > 0.5);
  }
}
