// The energy account with active limits: losses by closed forms, and the energy gained by the error of first-order steps has an entry of
// its own.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace test;

namespace {

WorldSettings accounted(double step) {
  WorldSettings s;
  s.timeStep = step;
  s.sleeping = false;
  s.energyAccount = true;
  return s;
}
double unexplained(const world::World& w, double start) {
  const EnergyAccount e = w.energy();
  return e.kinetic + e.potential - e.workDrives - e.workApplied + e.lostDamping + e.lostFriction + e.lostImpact + e.lostClamp -
         e.corrected - e.discretisation - start;
}

// A slider that falls on its limit until it rests there.
EnergyAccount droppedOnStop(double step, double stiffness, double& left) {
  world::World w(accounted(step));
  BodyDefinition b;
  b.mass = 2;
  b.pose.p = Vec3(0, 0, 1);
  const int slide = addJoint(w, dynamics::JointType::Prismatic, -1, w.createBody(b), Vec3::Zero(), Vec3::Zero(), Vec3::UnitZ());
  dynamics::AxisParameters p;
  p.lower = 0;
  p.upper = kInf;
  p.restitution = 0.5;
  p.stiffness = stiffness;
  REQUIRE_FALSE(w.setAxis(slide, 0, p));
  const double height = 1;
  REQUIRE_FALSE(w.setJointState(slide, &height, nullptr));
  const double start = totalEnergy(w);
  advance(w, static_cast<int>(4 / step));
  left = unexplained(w, start);
  return w.energy();
}

// Arms of a hinge and a slider each; the rotation drives the slider onto its limit; released level.
EnergyAccount whirled(double step, double& left) {
  world::World w(accounted(step));
  int last = -1;
  for (int i = 0; i < 4; i++) {
    const int arm = addRod(w, 0.5, 1), sleeve = addRod(w, 0.5, 1);
    addJoint(w, dynamics::JointType::Revolute, last, arm, last < 0 ? Vec3::Zero() : Vec3(0, 0, -0.25), Vec3(0, 0, 0.25));
    const int slide = addJoint(w, dynamics::JointType::Prismatic, arm, sleeve, Vec3(0, 0, -0.25), Vec3(0, 0, 0.25), Vec3::UnitZ());
    dynamics::AxisParameters p;
    p.lower = -0.05;
    p.upper = 0.02;
    p.stiffness = 100;
    REQUIRE_FALSE(w.setAxis(slide, 0, p));
    const double level = i == 0 ? 1.5 : 0.2;
    REQUIRE_FALSE(w.setJointState(slide - 1, &level, nullptr));
    last = sleeve;
  }
  const double start = totalEnergy(w);
  advance(w, static_cast<int>(3 / step));
  left = unexplained(w, start);
  return w.energy();
}

}  // namespace

TEST_CASE("account: a slider dropped on its stop loses all its height there") {
  for (double step : {1.0 / 240, 1.0 / 960}) {
    double left = 0;
    const EnergyAccount e = droppedOnStop(step, 0, left);
    CAPTURE(step, e.lostImpact, e.discretisation, left);
    CHECK(e.lostImpact == Approx(2 * 9.81).epsilon(6 * step));
    CHECK(std::fabs(left) < 1e-3);
  }
  double left = 0;  // with a spring that is at rest on the stop: m g h + k h^2 / 2
  const EnergyAccount e = droppedOnStop(1.0 / 240, 10, left);
  CAPTURE(e.lostImpact, e.discretisation, left);
  CHECK(e.lostImpact == Approx(2 * 9.81 + 5).epsilon(0.025));
  CHECK(std::fabs(left) < 1e-3);
}

TEST_CASE("account: the energy gained by first-order steps has an entry and vanishes with the step") {
  double coarseLeft = 0, fineLeft = 0;
  const EnergyAccount coarse = whirled(1.0 / 240, coarseLeft), fine = whirled(1.0 / 3840, fineLeft);
  CAPTURE(coarse.lostImpact, coarse.discretisation, coarseLeft, fine.lostImpact, fine.discretisation, fineLeft);
  CHECK(coarse.lostImpact > 1);
  CHECK(std::fabs(coarseLeft) < 1e-3 * coarse.lostImpact);
  CHECK(std::fabs(fineLeft) < 1e-3 * coarse.lostImpact);
  CHECK(std::fabs(fine.discretisation) < 0.25 * std::fabs(coarse.discretisation));
}

namespace {

// A plate that moves or turns, with a box on it or a pendulum under it: the largest that no account explains, and the work of the plate.
struct Carried {
  double left = 0, work = 0;
};
Carried carried(Stepper stepper, double rate, const Vec3& velocity, const Vec3& omega, bool hangs) {
  WorldSettings s = accounted(1 / rate);
  s.stepper = stepper;
  world::World w(s);
  BodyDefinition plate;
  plate.kind = BodyKind::Kinematic;
  plate.velocity = velocity;
  plate.omega = omega;
  const int below = w.createBody(plate);
  addShape(w, below, geometry::ShapeType::Cylinder, Vec3(1.5, 0, 0.1), 0.5, 0);
  if (hangs) {
    BodyDefinition b;
    b.pose.p = Vec3(0.3, 0, -0.4);
    const int bob = w.createBody(b);
    addShape(w, bob, geometry::ShapeType::Capsule, Vec3(0.03, 0, 0.2), 0.5, 0);
    REQUIRE_FALSE(w.setBodyMassFromShapes(bob, 0, 1));
    addJoint(w, dynamics::JointType::Revolute, below, bob, Vec3(0.1, 0, -0.1), Vec3(-0.2, 0, 0.3));
  } else {
    addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.3, 0, 0.2), 0.5, 0);
  }
  const double start = totalEnergy(w);
  Carried c;
  for (int i = 0; i < 2 * rate; i++) {
    advance(w, 1);
    c.left = std::max(c.left, std::fabs(unexplained(w, start)));
  }
  c.work = w.energy().workApplied;
  return c;
}

}  // namespace

TEST_CASE("account: prescribed bodies work on what they carry and hold") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement}) {
    CAPTURE(static_cast<int>(stepper));
    // A box that a moving plate takes along: m v^2, half of which friction takes.
    const Carried moved = carried(stepper, 240, Vec3(0.8, 0, 0), Vec3::Zero(), false);
    CAPTURE(moved.work, moved.left);
    CHECK(moved.work == Approx(0.64).epsilon(0.02));
    CHECK(moved.left < (stepper == Stepper::Impulse ? 1e-12 : 1e-3));
    const Carried turned = carried(stepper, 240, Vec3::Zero(), Vec3(0, 0, 3), false);
    CAPTURE(turned.work, turned.left);
    CHECK(turned.work > 0.7);
    CHECK(turned.left < (stepper == Stepper::Impulse ? 1e-12 : stepper == Stepper::Ode ? 0.1 : 1e-3));  // windows end elsewhere
    const Carried hung = carried(stepper, 240, Vec3(1, 0, 0), Vec3::Zero(), true);
    CAPTURE(hung.work, hung.left);
    CHECK(std::fabs(hung.work) > 0.1);
    CHECK(hung.left < (stepper == Stepper::Spook || stepper == Stepper::Displacement ? 0.02 : 1e-3));
    // On a base that turns the work is of first order.
    const Carried coarse = carried(stepper, 240, Vec3::Zero(), Vec3(0, 0, 3), true),
                  fine = carried(stepper, 960, Vec3::Zero(), Vec3(0, 0, 3), true);
    CAPTURE(coarse.work, coarse.left, fine.left);
    CHECK(std::fabs(coarse.work) > 0.1);
    CHECK(coarse.left < 0.1);
    CHECK(fine.left < 0.4 * coarse.left);
  }
}
