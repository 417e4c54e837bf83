// Parts of drivelines for tests.
#pragma once
#include <functional>

#include "engine/driveline/driveline.hpp"
#include "tests/engine/constraints/rotors.hpp"

namespace test {

inline WorldSettings settings(double h, Stepper stepper = Stepper::Impulse, TreeSolver treeSolver = TreeSolver::Articulated) {
  WorldSettings s;
  s.timeStep = h;
  s.stepper = stepper;
  s.treeSolver = treeSolver;
  return s;
}
inline const Stepper kSteppers[] = {Stepper::Impulse, Stepper::Spook, Stepper::Variational, Stepper::Ode};
// Steppers that take motors with unlimited gains.
inline const Stepper kImplicit[] = {Stepper::Impulse, Stepper::Spook, Stepper::Variational};

inline void turnAt(world::World& w, int joint, double speed) {  // with unlimited torque
  MotorSettings m;
  m.mode = MotorMode::Velocity;
  m.velocity = speed;
  m.damping = kInf;
  REQUIRE_FALSE(w.setMotor(joint, 0, m));
}
inline void start(world::World& w, int joint, double v) { REQUIRE_FALSE(w.setJointState(joint, nullptr, &v)); }

inline int make(world::World& w, const driveline::DrivelineDefinition& d) {
  int id = -1;
  const Failure f = w.createDriveline(d, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}
inline void control(world::World& w, int part, const std::function<void(driveline::DrivelineInput&)>& change) {
  driveline::DrivelineInput in = w.drivelineInput(part);
  change(in);
  const Failure f = w.setDrivelineInput(part, in);
  INFO(f.text());
  REQUIRE_FALSE(f);
}

// 300 N m at full throttle from 50 to 250 rad/s, then cut off within 5 rad/s.
inline driveline::DrivelineDefinition diesel(int crank) {
  driveline::DrivelineDefinition d;
  d.type = driveline::DrivelineType::Engine;
  d.axes = {{crank, 0, 1}};
  d.speeds = {50, 150, 250, 255};
  d.throttles = {0, 1};
  d.torques = {0, 0, 0, 0, 240, 300, 260, 0};
  d.friction[0] = 10;
  d.friction[1] = 0.05;
  d.friction[2] = 2e-4;
  d.fuel = 5e-8;
  return d;
}
inline driveline::DrivelineDefinition constantTorque(int crank, double torque) {
  driveline::DrivelineDefinition d;
  d.axes = {{crank, 0, 1}};
  d.speeds = {0};
  d.throttles = {0, 1};
  d.torques = {0, torque};
  d.fuel = 5e-8;
  return d;
}
inline driveline::DrivelineDefinition converter(int impeller, int turbine) {
  driveline::DrivelineDefinition d;
  d.type = driveline::DrivelineType::Converter;
  d.axes = {{impeller, 0, 1}, {turbine, 0, 1}};
  d.ratios = {0, 0.5, 0.85, 1};
  d.torqueRatios = {2.5, 1.6, 1, 1};
  d.capacities = {8e-3, 7.5e-3, 6e-3, 0};
  return d;
}
inline driveline::DrivelineDefinition gearbox(int in, int out) {
  driveline::DrivelineDefinition d;
  d.type = driveline::DrivelineType::Gearbox;
  d.axes = {{in, 0, 1}, {out, 0, 1}};
  d.ratios = {-4, 0, 4, 2.2, 1};
  return d;
}
inline driveline::DrivelineDefinition differential(int in, int left, int right, double ratio) {
  driveline::DrivelineDefinition d;
  d.type = driveline::DrivelineType::Differential;
  d.axes = {{in, 0, 1}, {left, 0, 1}, {right, 0, 1}};
  d.ratio = ratio;
  return d;
}

}  // namespace test
