// Parts of a driveline: engine, torque converter, gearbox, differential, hydraulic pump and cylinders. A part is a constraint of the kind
// that users write (UserConstraintDefinition); its rows act on joint axes, each a torque or pressure with its gradient or bounds, taken at
// the start of the step: linearly implicit, under every stepper and tree solver. Speed and torque of a part's axis are coefficient x rate
// and torque / coefficient of the joint; for a pump and its cylinders they are flow and pressure. SI units, rad/s, N m. Sources: Servin
// 13.2, with the converter's loss corrected; docs/computation.md, Drivelines.
#pragma once
#include <vector>

#include "engine/state/definitions.hpp"

namespace vertebra::driveline {

// Axes by type:
//   Engine        the crankshaft
//   Converter     impeller, turbine
//   Gearbox       input, output
//   Differential  input, left, right
//   Pump          the shaft, coefficient = displacement at full stroke [m^3/rad]; then cylinders, coefficient = area [m^2]
// Cylinder      cylinders with another supply, coefficient = area
enum class DrivelineType : std::uint8_t { Engine, Converter, Gearbox, Differential, Pump, Cylinder };

struct DrivelineDefinition {
  DrivelineType type = DrivelineType::Engine;
  std::vector<CouplingTerm> axes;
  // Engine: gas torque [N m] over speeds, for each throttle; zero below the first speed, constant beyond the last. friction: f0 + f1 w + f2
  // w^2 against the motion. Governor: throttle per rad/s and per rad of the speed deficit.
  std::vector<double> speeds, throttles, torques;
  double friction[3] = {0, 0, 0};
  double governorGain = 0, governorRate = 0;
  double fuel = 0;  // kg per J of the work of the gas
  // Converter: torque ratio and capacity (impeller torque / speed^2) over speed ratios from 0 to 1. Gearbox: input to output speed of each
  // gear; 0 = neutral.
  std::vector<double> ratios, torqueRatios, capacities;
  double ratio = 1, split = 0.5;     // differential: input to mean output speed; left share of the torque
  double maxTorque = kInf;           // of lock-up, clutch (at the input) and lock
  double shiftTime = 0;              // s: the clutch is open for the first half and closes in the second
  double preload = 0, bias = 0;      // differential: lock torque, and share of the input's torque x ratio that adds to it
  double efficiency = 1, drag = 0;   // gearbox, differential, pump: of the torque at the input; N m
  double pressure = kInf, leak = 0;  // Pa; m^3/s per Pa
  double flow = 0;                   // cylinder: m^3/s at full stroke
  double areaRatio = 1;              // of the cylinders' ring side, which acts at negative stroke, to their area
};

struct DrivelineInput {
  int gear = 0;                    // index into ratios
  double throttle = 0, speed = 0;  // engine: least throttle, lowest speed that the governor allows
  double clutch = 1, lock = 0, stroke = 0;
};

struct DrivelineState {   // readings of the last physics step, and sums since the part was created
  double torque[4] = {};  // on the joints' axes, N m or N, the first four
  double powerIn = 0, powerOut = 0, workIn = 0, workOut = 0;
  double throttle = 0, fuelRate = 0, fuel = 0;
  double ratio = 0;     // converter: turbine to impeller speed; gearbox: of the engaged gear, 0 while open
  double pressure = 0;  // Pa
  // Internal:
  double integral = 0, shiftLeft = 0, change = 0;  // governor; s; rad/s, change of the engine's speed in the last step
  double input = 0;                                // torque at the first axis
};

struct DrivelinePart {
  DrivelineDefinition def;
  DrivelineInput in;
  DrivelineState state;
  struct Row {
    bool active = false;
    std::vector<double> weight;                          // of the speeds of the axes
    double rate = 0, damping = 0, lower = 0, upper = 0;  // damping 0: rigid
    double force = 0;                                    // of the last step
  };
  Row rows[3];
  std::vector<double> speed, speedAfter, torque;  // of the axes, at the start and the end of the last step
  std::vector<int> jointAxes;                     // of each axis' joint

  // driveline/laws.cpp
  void findRows(double h);
  // Readings and sums after a step, with the speeds at its end.
  void conclude(double h, const double* speedsAfter);
};

int evaluateDriveline(void* part, int constraint, UserRow* rows);  // its rows, in the form of a user's callback

}  // namespace vertebra::driveline
