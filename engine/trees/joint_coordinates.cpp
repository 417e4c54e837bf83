// The nearest coordinates and velocities of a joint for given poses and twists of its bodies.
#include <Eigen/QR>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/state/tree_world.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {

void fitCoordinates(const dynamics::LinkModel& m, const dynamics::JointFrames& frames, const Pose& parent, const Pose& link, double* q) {
  const Pose along = (parent * Pose{frames.inParent, frames.turnParent}).inverse() * (link * Pose{frames.inChild, frames.turnChild});
  const Pose relative = m.reversed ? along.inverse() : along;
  dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::fit(m, relative, q); });
}

void fitVelocity(const dynamics::LinkModel& m, const dynamics::LinkState& s, const Vec3& O, const Vec6& relative, double* v) {
  if (m.velocityIsTwist) {
    for (int k = 0; k < 6; k++) v[k] = relative[k];
    return;
  }
  // Least squares at the joint's origin, where angular and linear parts of one joint are uncoupled.
  if (m.nv == 0) return;
  const Vec3 r = s.anchor - O;
  auto atAnchor = [&](const Vec6& twist) {
    const Vec3 angular = twist.head<3>();
    return dynamics::stack(angular, Vec3(twist.tail<3>()) + angular.cross(r));
  };
  Eigen::Matrix<double, 6, 6> S = Eigen::Matrix<double, 6, 6>::Zero();
  for (int k = 0; k < m.nv; k++) S.col(k) = atAnchor(s.S[k]);
  const Eigen::Matrix<double, 6, 1> x = S.completeOrthogonalDecomposition().solve(atAnchor(relative));
  for (int k = 0; k < m.nv; k++) v[k] = x[k];
}

}  // namespace vertebra::trees
