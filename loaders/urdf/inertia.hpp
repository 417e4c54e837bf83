// Mass properties of a URDF's links: from <inertial>, checked against what a solid body can have, or from geometry.
// A solid's inertia about its centre of mass is tr(S) 1 - S, where S = integral of r r^T dm is positive semidefinite; that
// is the same as I being positive semidefinite and its principal moments obeying the triangle inequality.
// Source: Wensing, Kim, Slotine, Linear matrix inequalities for physically consistent inertial parameter identification (2018).
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/urdf.hpp"

namespace vertebra {

// What a solid cannot have, in words; empty when all is well. Triangle violations up to 0.1 % pass.
struct InertiaFault {
  std::string code, found;  // code: last part of "urdf.inertia...."
  bool impossible = false;  // not positive semidefinite: no dynamics could use it
};
InertiaFault inertiaFault(double mass, const Mat3& inertia);
// The inertia of a solid nearest to the given one: negative eigenvalues of S become 0.
Mat3 nearestInertia(const Mat3& inertia);

// Fills mass, com and inertia of skeleton.links[i], whose shapes are there already.
void resolveInertia(const UrdfRobot& robot, const UrdfOptions& options, UrdfReport& report, Skeleton& skeleton);

}  // namespace vertebra
