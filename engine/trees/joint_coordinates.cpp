// The nearest coordinates and velocities of a joint for given poses and twists of its bodies.
#include <Eigen/QR>
#include <cmath>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra {
namespace {

void storeQuat(const Quat& r, double* x) {
  for (int k = 0; k < 4; k++) x[k] = r.coeffs()[k];
}

double unwrapped(double angle, double near) {
  const double turns = std::nearbyint((near - angle) / (2 * kPi));
  return std::isfinite(turns) ? angle + 2 * kPi * turns : angle;  // a step that failed may have left no number to be near to
}
double twistAbout(const Quat& r, const Vec3& axis) {
  const double s = r.x() * axis.x() + r.y() * axis.y() + r.z() * axis.z();
  return 2 * arctan2(r.w() < 0 ? -s : s, std::fabs(r.w()));
}

// The parent's angle turns axis2 to where it is now, as far as turning about axis can; the rest is the child's angle.
void fitUniversal(const LinkModel& m, const Quat& relative, double* q) {
  const Vec3 &axis = m.axisInJoint, &axis2 = m.axis2InJoint;
  const Vec3 from = axis2 - axis * axis.dot(axis2), now = relative * axis2, to = now - axis * axis.dot(now);
  double a0 = q[0];
  if (to.squaredNorm() > 1e-18 && from.squaredNorm() > 1e-18) a0 = unwrapped(arctan2(axis.dot(from.cross(to)), from.dot(to)), q[0]);
  const Quat rest = quatFromAxisAngle(axis, -a0) * relative;
  q[1] = unwrapped(twistAbout(rest, axis2), q[1]);
  q[0] = a0;
}

}  // namespace

void fitCoordinates(const LinkModel& m, const Pose& parent, const Pose& link, double* q) {
  const Pose along = (parent * Pose{m.inParent, m.turnParent}).inverse() * (link * Pose{m.inChild, m.turnChild});
  const Pose relative = m.reversed ? along.inverse() : along;
  switch (m.type) {
    case JointType::Fixed:
      return;
    case JointType::Revolute:
    case JointType::Continuous:
      q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[0]);
      return;
    case JointType::Prismatic:
      q[0] = relative.p.z();
      return;
    case JointType::Spherical:
      storeQuat(normalized(relative.q), q);
      return;
    case JointType::Planar:
      q[0] = relative.p.x();
      q[1] = relative.p.y();
      q[2] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[2]);
      return;
    case JointType::Floating:
      for (int k = 0; k < 3; k++) q[k] = relative.p[k];
      storeQuat(normalized(relative.q), q + 3);
      return;
    case JointType::Cylindrical:
      q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[0]);
      q[1] = relative.p.z();
      return;
    case JointType::Screw:
      q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), m.pitch == 0 ? q[0] : relative.p.z() / m.pitch);
      return;
    case JointType::Wheel:
      q[0] = relative.p.dot(m.axisInJoint);
      fitUniversal(m, relative.q, q + 1);
      return;
    case JointType::Universal:
      fitUniversal(m, relative.q, q);
      return;
  }
}

void fitVelocity(const LinkModel& m, const LinkState& s, const Vec3& O, const Vec6& relative, double* v) {
  // Least squares at the joint's origin, where angular and linear parts of one joint do not mix.
  if (m.nv == 0) return;
  const Vec3 r = s.anchor - O;
  auto atAnchor = [&](const Vec6& twist) {
    const Vec3 angular = twist.head<3>();
    return stack(angular, Vec3(twist.tail<3>()) + angular.cross(r));
  };
  Eigen::Matrix<double, 6, 6> S = Eigen::Matrix<double, 6, 6>::Zero();
  for (int k = 0; k < m.nv; k++) S.col(k) = atAnchor(s.S[k]);
  const Eigen::Matrix<double, 6, 1> x = S.completeOrthogonalDecomposition().solve(atAnchor(relative));
  for (int k = 0; k < m.nv; k++) v[k] = x[k];
}

}  // namespace vertebra
