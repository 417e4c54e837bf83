// Joints of a URDF must move some mass, or forces on them give no finite acceleration. Many files leave <inertial> out: what moves without
// any mass gets it from geometry, and what cannot is reported. Run after the masses that the file gives are read (inertia.hpp).
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/urdf.hpp"

namespace vertebra {

// Where nothing from a moving joint on has mass, and for a base that may float where nothing of the robot has: from the shapes of its
// links, or, where their meshes are not there, from bones to the next joints. Reported once. Not in strict mode, nor where the options ask
// for other things.
void deriveMovingMass(const UrdfRobot& robot, const UrdfOptions& options, UrdfReport& report, figure::Skeleton& skeleton);
// Joints that still move no mass, masses on their joint's axis, and moving links whose mass only those behind them have. Strict mode: the
// first are errors.
void reportMassless(const UrdfRobot& robot, UrdfReport& report, const figure::Skeleton& skeleton);

}  // namespace vertebra
