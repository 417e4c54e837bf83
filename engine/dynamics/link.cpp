// See link.hpp.
#include "engine/dynamics/link.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "engine/math/rotation.hpp"

namespace vertebra {

void setJoint(LinkModel& m, const JointShape& shape, const Pose& inParent, const Pose& inChild, bool reversed) {
  const JointType type = shape.type;
  m.type = type;
  const JointTraits& traits = traitsOf(type);
  m.nv = traits.nv;
  m.pitch = shape.pitch;
  m.reversed = reversed && !traits.symmetric;
  const double sign = reversed && traits.symmetric ? -1 : 1;
  const Vec3 axis = sign * shape.axis.normalized(),
             axis2 = shape.axis2.normalized();  // input needs unit length to 1e-6 only; dynamics needs it to round-off
  m.inParent = inParent.p;
  m.inChild = inChild.p;
  const Quat turn = traits.axisIsZ ? quatBetween(Vec3::UnitZ(), axis) : Quat(Quat::Identity());
  m.turnParent = normalized(inParent.q * turn);
  m.turnChild = normalized(inChild.q * turn);
  m.rest = m.turnParent * m.turnChild.conjugate();
  m.restTimesK = m.turnParent * Quat(0, 0, 0, 1) * m.turnChild.conjugate();
  m.axisInJoint = axis;
  m.axis2InJoint = axis2;
  if (traits.twoAxes) {
    m.axis = m.turnChild * (m.reversed ? Vec3(-axis) : axis2);
    m.axisParent = m.turnParent * (m.reversed ? Vec3(-axis2) : axis);
  } else {
    m.axis = m.turnChild * Vec3::UnitZ();
  }
}

void principalAxes(const Mat3& inertia, Vec3& moments, Quat& axes) {
  const double off = std::max({std::fabs(inertia(0, 1)), std::fabs(inertia(0, 2)), std::fabs(inertia(1, 2))});
  if (off == 0) {
    moments = inertia.diagonal();
    axes = Quat::Identity();
    return;
  }
  Eigen::SelfAdjointEigenSolver<Mat3> solver(0.5 * (inertia + inertia.transpose()));
  moments = solver.eigenvalues();
  const double roundOff = 1e-14 * moments.cwiseAbs().maxCoeff();
  moments = (moments.array().abs() > roundOff).select(moments, 0);
  Mat3 m = solver.eigenvectors();
  if (m.determinant() < 0) m.col(2) = -m.col(2);
  axes = quatFromMatrix(m);
}

}  // namespace vertebra
