// The stepper `ode`: the order of each integrator on smooth motion, rows at acceleration and at velocity level, contacts at rest, friction,
// limits, drives and fields. What happens within a step: ode_events_test.cpp.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/steppers/ode_worlds.hpp"

using namespace vertebra;
using test::ode;
using test::push;

namespace {

// Pose after a second of three rods hanging from the world, bent at the start.
Vec3 tip(const WorldSettings& s) {
  world::World w(s);
  const test::Chain c = test::addChain(w, 3, 0.4, 1);
  const double start[3] = {1.2, 0.5, -0.3}, rate = 0.4;
  for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setJointState(c.joints[k], start + k, &rate));
  test::advance(w, static_cast<int>(std::lround(1 / s.timeStep)));
  return w.bodyPose(c.bodies[2]).p;
}

double jointError(const world::World& w, const std::vector<int>& joints) {
  double worst = 0;
  for (int j : joints) {
    const JointDefinition& d = w.joint(j);
    const Vec3 a = d.a < 0 ? d.frameA.p : w.bodyPose(d.a) * d.frameA.p;
    worst = std::max(worst, (a - w.bodyPose(d.b) * d.frameB.p).norm());
  }
  return worst;
}

}  // namespace

TEST_CASE("ode: each integrator moves a chain with its own order", "[step][ode]") {
  const Vec3 exact = tip(ode(8000, Integrator::DormandPrince));
  struct Case {
    Integrator integrator;
    double rate, order;
  };
  for (const TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse})
    for (const Case& c :
         {Case{Integrator::ExplicitEuler, 4000, 1}, Case{Integrator::SymplecticEuler, 4000, 1}, Case{Integrator::ImplicitEuler, 4000, 1},
          Case{Integrator::Midpoint, 1000, 2}, Case{Integrator::RungeKutta4, 120, 4}, Case{Integrator::DormandPrince, 160, 5}}) {
      if (treeSolver == TreeSolver::Sparse && c.integrator == Integrator::ImplicitEuler) continue;
      WorldSettings coarse = ode(c.rate, c.integrator), fine = ode(2 * c.rate, c.integrator);
      coarse.treeSolver = fine.treeSolver = treeSolver;
      const double a = (tip(coarse) - exact).norm(), b = (tip(fine) - exact).norm();
      INFO("integrator " << static_cast<int>(c.integrator) << " tree solver " << static_cast<int>(treeSolver) << " errors " << a << " "
                         << b);
      CHECK(std::log2(a / b) == Approx(c.order).margin(c.order > 4 ? 0.5 : 0.25));
    }
}

TEST_CASE("ode: adaptive steps keep their error bound", "[step][ode]") {
  const Vec3 exact = tip(ode(8000, Integrator::DormandPrince));
  for (const auto& [integrator, control] :
       {std::pair(Integrator::RungeKutta4, StepControl::Doubling), std::pair(Integrator::Midpoint, StepControl::Doubling),
        std::pair(Integrator::DormandPrince, StepControl::Embedded)}) {
    double last = kInf;
    for (double tolerance : {1e-5, 1e-8}) {
      WorldSettings s = ode(10, integrator, control);
      s.odeTolerance = tolerance;
      const double error = (tip(s) - exact).norm();
      INFO("integrator " << static_cast<int>(integrator) << " tolerance " << tolerance << " error " << error);
      CHECK(error < 3e3 * tolerance);
      CHECK(error < 0.1 * last);
      last = error;
    }
  }
}

TEST_CASE("ode: the three Eulers in adaptive steps err by the root of their bound", "[step][ode]") {
  // The error of a step is of second order and is kept at the bound: step lengths are proportional to the bound's root, and so is the error
  // after a second.
  const Vec3 exact = tip(ode(8000, Integrator::DormandPrince));
  for (Integrator integrator : {Integrator::ExplicitEuler, Integrator::SymplecticEuler, Integrator::ImplicitEuler}) {
    double last = 0;
    for (double tolerance : {1e-4, 1e-6}) {
      WorldSettings s = ode(10, integrator, StepControl::Doubling);
      s.odeTolerance = tolerance;
      const double error = (tip(s) - exact).norm();
      INFO("integrator " << static_cast<int>(integrator) << " tolerance " << tolerance << " error " << error << " after " << last);
      CHECK(error < 0.3 * std::sqrt(tolerance));
      if (last > 0) CHECK(last / error == Approx(10).margin(2));
      last = error;
    }
  }
}

TEST_CASE("ode: evaluations are those of the integrator, for every tree system, within the smallest step", "[step][ode]") {
  struct Case {
    Integrator integrator;
    StepControl control;
    int evaluations;
  };
  const auto fall = [](const WorldSettings& s, int balls) {
    world::World w(s);
    for (int k = 0; k < balls; k++) test::addBall(w, 0.1, 1, Vec3(2 * k, 0, 0), 0, 0);
    test::advance(w, 1);
    return w.statistics().evaluations;
  };
  for (const Case& c : {Case{Integrator::ExplicitEuler, StepControl::Fixed, 1}, Case{Integrator::SymplecticEuler, StepControl::Fixed, 2},
                        Case{Integrator::Midpoint, StepControl::Fixed, 2}, Case{Integrator::RungeKutta4, StepControl::Fixed, 4},
                        Case{Integrator::DormandPrince, StepControl::Fixed, 6},
                        // Free fall is exact from the second order on: as one step, as two halves, or with the stage of the lower order.
                        Case{Integrator::Midpoint, StepControl::Doubling, 6}, Case{Integrator::RungeKutta4, StepControl::Doubling, 12},
                        Case{Integrator::DormandPrince, StepControl::Embedded, 7}})
    for (int balls : {1, 3}) {
      INFO("integrator " << static_cast<int>(c.integrator) << " control " << static_cast<int>(c.control) << " balls " << balls);
      CHECK(fall(ode(60, c.integrator, c.control), balls) == balls * c.evaluations);
    }
  // Euler's step and its two halves are g h^2 / 4 apart: 1e-6 m gives steps of 0.64 ms, three evaluations each. Rejected steps are counted
  // too, and steps stay somewhat below the bound.
  WorldSettings s = ode(60, Integrator::ExplicitEuler, StepControl::Doubling);
  const double steps = 1.0 / 60 / std::sqrt(4 * s.odeTolerance / 9.81);
  CHECK(fall(s, 1) >= 3 * steps);
  CHECK(fall(s, 1) <= 3 * 1.5 * steps);
  // A bound that would take a million of them ends at the smallest step.
  s.odeTolerance = 1e-15;
  s.odeSmallest = 2e-3;
  const int least = 3 * static_cast<int>(std::ceil(1.0 / 60 / s.odeSmallest));
  CHECK(fall(s, 1) >= least);
  CHECK(fall(s, 1) <= least + 3 * 3);
}

TEST_CASE("ode: a free body keeps its momenta and turns as Euler's equations say", "[step][ode]") {
  world::World w([] {
    WorldSettings s = ode(500);
    s.gravity.setZero();
    return s;
  }());
  BodyDefinition d;
  d.mass = 2;
  d.inertia = Vec3(0.1, 0.2, 0.35).asDiagonal();
  const int body = w.createBody(d);
  push(w, body, Vec3(1, 2, 3), Vec3(0.1, 4, 0.1));
  const auto momentum = [&] {
    Vec3 v, omega;
    w.bodyTwist(body, v, omega);
    const Quat q = w.bodyPose(body).q;
    return Vec3(q * d.inertia * (q.conjugate() * omega));
  };
  const Vec3 before = momentum();
  test::advance(w, 1000);
  CHECK((momentum() - before).norm() < 1e-8);
  CHECK((w.bodyPose(body).p - 2 * Vec3(1, 2, 3)).norm() < 1e-12);
}

// A symmetric top on a ball joint that precesses steadily (Goldstein, Classical Mechanics, 5.7). It turns by 1.25 and 5 rad a step.
TEST_CASE("ode: a fast top keeps its energy and tilt at any step", "[step][ode]") {
  for (double rate : {240.0, 60.0})
    for (double spin : {100.0, 300.0}) {
      CAPTURE(rate, spin);
      world::World w(ode(rate));
      const double m = 0.5, radius = 0.1, length = 0.15, tilt = 0.5, axial = 0.5 * m * radius * radius, across = 0.5 * axial;
      BodyDefinition d;
      d.mass = m;
      d.inertia = Vec3(across, across, axial).asDiagonal();
      d.pose.q = quatFromAxisAngle(Vec3::UnitY(), tilt);
      d.pose.p = d.pose.q * Vec3(0, 0, length);
      const int top = w.createBody(d);
      test::addJoint(w, dynamics::JointType::Spherical, -1, top, Vec3::Zero(), Vec3(0, 0, -length));
      const double about = across + m * length * length, angular = axial * spin;
      const double turn =
          (angular - std::sqrt(angular * angular - 4 * about * std::cos(tilt) * m * 9.81 * length)) / (2 * about * std::cos(tilt));
      const Vec3 axis = d.pose.q * Vec3::UnitZ(), omega = spin * axis + turn * (Vec3::UnitZ() - std::cos(tilt) * axis);
      REQUIRE_FALSE(w.setBodyTwist(top, omega.cross(d.pose.p), omega, nullptr));
      const double start = test::totalEnergy(w);
      test::advance(w, static_cast<int>(3 * rate));
      CHECK(test::totalEnergy(w) == Approx(start).epsilon(1e-3));
      CHECK(std::acos((w.bodyPose(top).q * Vec3::UnitZ()).z()) == Approx(tilt).margin(3e-3));
    }
}

TEST_CASE("ode: chains of free poses drift by the order of the integrator, less with rows in velocity", "[step][ode]") {
  const auto drift = [](Integrator integrator, bool accelerations, Stabilisation stabilisation = Stabilisation::None) {
    WorldSettings s = ode(500, integrator);
    s.freePoses = true;
    s.bilateralAccelerations = accelerations;
    s.stabilisation = stabilisation;
    world::World w(s);
    const test::Chain c = test::addChain(w, 4, 0.25, 1);
    push(w, c.bodies[3], Vec3(1, 0, 0), Vec3::Zero());
    test::advance(w, 500);
    return jointError(w, c.joints);
  };
  const double euler = drift(Integrator::ExplicitEuler, true), velocity = drift(Integrator::ExplicitEuler, false),
               midpoint = drift(Integrator::Midpoint, true), fourth = drift(Integrator::RungeKutta4, true),
               held = drift(Integrator::Midpoint, true, Stabilisation::Baumgarte),
               closed = drift(Integrator::RungeKutta4, true, Stabilisation::Newton);
  INFO("Euler " << euler << ", in velocity " << velocity << ", midpoint " << midpoint << ", RK4 " << fourth << ", Baumgarte " << held
                << ", Newton " << closed);
  CHECK(midpoint < 0.1 * euler);
  CHECK(fourth < 0.01 * midpoint);
  CHECK(velocity < euler);
  CHECK(held < midpoint);
  CHECK(closed < 1e-12);
}

TEST_CASE("ode: a box rests, sticks and slides by Coulomb's law at acceleration level and in velocity", "[step][ode]") {
  for (bool accelerations : {true, false})
    for (double slope : {0.2, 0.6}) {
      WorldSettings s = ode(240);
      s.unilateralAccelerations = accelerations;
      s.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
      world::World w(s);
      test::addGround(w, 0.4, 0);
      const int box = test::addBox(w, Vec3(0.1, 0.1, 0.05), 2, Vec3(0, 0, 0.05), 0.4, 0);
      test::advance(w, 240);
      INFO("accelerations " << accelerations << " slope " << slope << " height " << w.bodyPose(box).p.z());
      const double along = std::max(0.0, 9.81 * (std::sin(slope) - 0.4 * std::cos(slope)));
      Vec3 v, omega;
      w.bodyTwist(box, v, omega);
      CHECK(v.x() == Approx(along).margin(accelerations ? 1e-3 : 0.01));
      CHECK(w.bodyPose(box).p.x() == Approx(0.5 * along).margin(0.02));
      CHECK(w.bodyPose(box).p.z() == Approx(0.05).margin(accelerations ? 5e-5 : 2e-3));
      double normal = 0;
      for (const Contact& c : w.contacts()) normal += c.force.dot(c.normal);
      CHECK(std::fabs(normal) == Approx(2 * 9.81 * std::cos(slope)).epsilon(0.01));
    }
}

TEST_CASE("ode: separate tree systems each report their contact forces", "[step][ode]") {
  for (bool accelerations : {true, false}) {
    WorldSettings s = ode(240);
    s.unilateralAccelerations = accelerations;
    world::World w(s);
    test::addGround(w, 0.5, 0);
    std::vector<int> boxes;
    for (int k = 0; k < 3; k++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1 + k, Vec3(2 * k, 0, 0.1), 0.5, 0));
    test::advance(w, 100);
    for (int k = 0; k < 3; k++) {
      double normal = 0;
      for (const Contact& c : w.contacts())
        if (c.bodyA == boxes[k] || c.bodyB == boxes[k]) normal += std::fabs(c.force.dot(c.normal));
      INFO("accelerations " << accelerations << ", box " << k << ": " << normal << " N");
      CHECK(normal == Approx((1 + k) * 9.81).epsilon(5e-3));
    }
  }
}

TEST_CASE("ode: joints stop at their limits, bounce there, and stick by dry friction", "[step][ode]") {
  world::World w(ode(240));
  const test::Chain c = test::addChain(w, 1, 1, 1);
  dynamics::AxisParameters axis = w.axis(c.joints[0], 0);
  axis.lower = -0.5;
  axis.upper = 0.5;
  REQUIRE_FALSE(w.setAxis(c.joints[0], 0, axis));
  double q = 0, v = 4;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &q, &v));
  double most = 0;
  for (int k = 0; k < 480; k++) {
    test::advance(w, 1);
    w.jointState(c.joints[0], &q, &v);
    most = std::max(most, std::fabs(q));
  }
  CHECK(most <= 0.5 + 2e-4);
  CHECK(most > 0.499);
  // Perfectly elastic limits keep the energy of a joint without gravity.
  world::World bouncing([] {
    WorldSettings s = ode(240);
    s.gravity.setZero();
    return s;
  }());
  const test::Chain other = test::addChain(bouncing, 1, 1, 1);
  axis.restitution = 1;
  REQUIRE_FALSE(bouncing.setAxis(other.joints[0], 0, axis));
  q = 0, v = 4;
  REQUIRE_FALSE(bouncing.setJointState(other.joints[0], &q, &v));
  test::advance(bouncing, 480);
  bouncing.jointState(other.joints[0], &q, &v);
  CHECK(std::fabs(v) == Approx(4).epsilon(1e-6));
  // Eight radians: there and back four times.
  CHECK(q == Approx(0).margin(0.02));
  // Friction of 0.5 N m over an inertia of 1/3 kg m^2 stops 1 rad/s within 2/3 s, for good.
  world::World stuck([] {
    WorldSettings s = ode(240);
    s.gravity.setZero();
    return s;
  }());
  const test::Chain third = test::addChain(stuck, 1, 1, 1);
  dynamics::AxisParameters dry = stuck.axis(third.joints[0], 0);
  dry.friction = 0.5;
  REQUIRE_FALSE(stuck.setAxis(third.joints[0], 0, dry));
  q = 0, v = 1;
  REQUIRE_FALSE(stuck.setJointState(third.joints[0], &q, &v));
  test::advance(stuck, 120);
  stuck.jointState(third.joints[0], &q, &v);
  CHECK(v == Approx(0.25).margin(2e-3));
  test::advance(stuck, 120);
  stuck.jointState(third.joints[0], &q, &v);
  CHECK(std::fabs(v) < 1e-6);
  CHECK(q == Approx(1.0 / 3).margin(3e-3));
}

TEST_CASE("ode: drives push with their gains and bounds, and infinite gains are refused", "[step][ode]") {
  WorldSettings s = ode(1000);
  s.gravity.setZero();
  world::World w(s);
  const test::Chain c = test::addChain(w, 1, 1, 3);  // 1 kg m^2 about its hinge
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.position = 1;
  m.stiffness = 25;
  m.damping = 6;
  REQUIRE_FALSE(w.setMotor(c.joints[0], 0, m));
  test::advance(w, 500);
  double q, v;
  w.jointState(c.joints[0], &q, &v);
  // x'' + 6 x' + 25 x = 25 from rest at 0: 1 - exp(-3 t) (cos 4 t + 3/4 sin 4 t).
  CHECK(q == Approx(1 - std::exp(-1.5) * (std::cos(2) + 0.75 * std::sin(2))).epsilon(1e-8));
  m.stiffness = kInf;
  REQUIRE_FALSE(w.setMotor(c.joints[0], 0, m));
  CHECK(w.step().kind() == Failure::Unsupported);
}

TEST_CASE("ode: bodies that attract each other keep energy and momentum to the integrator's order", "[step][ode]") {
  const auto energyError = [](double rate) {
    WorldSettings s = ode(rate);
    s.gravity.setZero();
    world::World w(s);
    FieldDefinition f;
    f.type = FieldType::Pairwise;
    f.strength = 1;
    int id;
    REQUIRE_FALSE(w.createField(f, id));
    BodyDefinition d;
    d.mass = 1;
    d.inertia = 0.01 * Mat3::Identity();
    d.pose.p = Vec3(1, 0, 0);
    const int a = w.createBody(d);
    d.pose.p = Vec3(-1, 0, 0);
    const int b = w.createBody(d);
    push(w, a, Vec3(0, 0.3, 0), Vec3::Zero());
    push(w, b, Vec3(0, -0.3, 0), Vec3::Zero());
    const auto energy = [&] { return w.energy().kinetic - 1 / (w.bodyPose(a).p - w.bodyPose(b).p).norm(); };
    const double before = energy();
    test::advance(w, static_cast<int>(2 * rate));
    CHECK((w.bodyPose(a).p + w.bodyPose(b).p).norm() < 1e-12);
    return std::fabs(energy() - before);
  };
  const double coarse = energyError(20), fine = energyError(40);
  INFO(coarse << " " << fine);
  CHECK(std::log2(coarse / fine) > 3.5);
}

// A ball joint between bodies that is open and moves: at acceleration level its error obeys C'' + 2 a C' + a^2 C = 0.
TEST_CASE("ode: Baumgarte's stabilisation closes a joint as a critically damped spring", "[step][ode]") {
  const double a = 20, open = 0.02;
  WorldSettings s = ode(240);
  s.gravity.setZero();
  s.stabilisation = Stabilisation::Baumgarte;
  s.baumgarte = a;
  world::World w(s);
  BodyDefinition b;
  b.mass = 2;
  b.inertia = Mat3::Identity();
  const int body = w.createBody(b);
  JointDefinition d;
  d.type = dynamics::JointType::Spherical;
  d.b = body;
  d.auxiliary = true;
  int joint = -1;
  REQUIRE_FALSE(w.createJoint(d, joint));
  REQUIRE_FALSE(w.setBodyPose(body, Pose{Vec3(open, 0, 0), Quat::Identity()}, nullptr));
  test::advance(w, 1);
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  const double x = w.bodyPose(body).p.x(), rate = v.x();
  CHECK(x > 0.9 * open);
  for (int k = 1; k <= 60; k++) {
    test::advance(w, 1);
    const double t = k / 240.0;
    INFO("step " << k);
    REQUIRE(w.bodyPose(body).p.x() == Approx((x + (rate + a * x) * t) * std::exp(-a * t)).margin(1e-5));
  }
}
