// Mass properties of a URDF's links: from <inertial>, checked against what is possible for a solid body, or from geometry. A solid's
// inertia about its centre of mass is tr(S) 1 - S, where S = integral of r r^T dm is positive semidefinite; this is equivalent to I being
// positive semidefinite and its principal moments meeting the triangle inequality. Source: Wensing, Kim, Slotine 2018, "Linear matrix
// inequalities for physically consistent inertial parameter identification".
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/urdf.hpp"

namespace vertebra {

// The fault of an impossible inertia, in words; empty when there is none. Violations of the triangle inequality up to 0.1 % pass.
struct InertiaFault {
  std::string code, found;  // code: last part of "urdf.inertia...."
  bool impossible = false;  // not positive semidefinite: unusable in any dynamics
};
InertiaFault inertiaFault(double mass, const Mat3& inertia);
// The inertia of a solid nearest to the given one: negative eigenvalues of S become 0.
Mat3 nearestInertia(const Mat3& inertia);

inline constexpr double kPointRadius2 = 1e-12;  // m2: below this squared radius of gyration moments are noise of a CAD program
// From the link's shapes, else its visuals, at kUrdfDensity; false: none has a volume.
bool massFromGeometry(figure::LinkDescription& link);

// Fills mass, com and inertia of skeleton.links[i], whose shapes exist already.
void resolveInertia(const UrdfRobot& robot, const UrdfOptions& options, UrdfReport& report, figure::Skeleton& skeleton);

}  // namespace vertebra
