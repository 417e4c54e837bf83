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
