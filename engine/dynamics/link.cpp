// See link.hpp.
#include "engine/dynamics/link.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "engine/math/rotation.hpp"

namespace vertebra::dynamics {

void setInertia(LinkModel& m, double mass, const Vec3& moments) {
  m.mass = mass;
  m.inertia = moments;
  m.gyration = inverseInertia(m).cwiseProduct(Vec3(moments[1] - moments[2], moments[2] - moments[0], moments[0] - moments[1]));
}

JointFrames setJoint(LinkModel& m, const JointShape& shape, const Pose& inParent, const Pose& inChild, bool reversed) {
  const JointType type = shape.type;
  m.type = type;
  const JointTraits& traits = traitsOf(type);
  m.nv = traits.nv;
  m.velocityIsTwist = traits.velocityIsTwist;
  JointFrames f;
  m.joint = nullptr;
  m.frames = nullptr;
  f.pitch = shape.pitch;
  m.reversed = reversed && !traits.symmetric;
  const double sign = reversed && traits.symmetric ? -1 : 1;
  const Vec3 axis = sign * shape.axis.normalized(),
             axis2 = shape.axis2.normalized();  // input needs unit length to 1e-6 only; dynamics needs it to round-off
  f.inParent = inParent.p;
  f.inChild = inChild.p;
  const Quat turn = traits.axisIsZ ? quatBetween(Vec3::UnitZ(), axis) : Quat(Quat::Identity());
  f.turnParent = normalized(inParent.q * turn);
  f.turnChild = normalized(inChild.q * turn);
  f.rest = f.turnParent * f.turnChild.conjugate();
  f.restTimesK = f.turnParent * Quat(0, 0, 0, 1) * f.turnChild.conjugate();
  f.axisInJoint = axis;
  f.axis2InJoint = axis2;
  if (traits.twoAxes) {
    f.axis = f.turnChild * (m.reversed ? Vec3(-axis) : axis2);
    f.axisParent = f.turnParent * (m.reversed ? Vec3(-axis2) : axis);
  } else {
    f.axis = f.turnChild * Vec3::UnitZ();
  }
  return f;
}

void keepFrames(LinkModel& m, const JointFrames& frames, JointFrameList& list) {
  m.joint = m.frames = list.emplace_back(std::make_unique<const JointFrames>(frames)).get();
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

std::size_t columnNumbers(const LinkModel& m) {
  if (m.velocityIsTwist) return m.tight ? 16 : 36;
  // G of one axis is one number; a second one pads the pair.
  return m.nv == 1 ? 14 : 18 * static_cast<std::size_t>(m.nv);
}

void attachColumns(const LinkModel* models, LinkState* states, std::size_t count, double* numbers) {
  static_assert(sizeof(Vec6) == 6 * sizeof(double));
  static Vec6 units[6] = {Vec6::Unit(0), Vec6::Unit(1), Vec6::Unit(2), Vec6::Unit(3), Vec6::Unit(4), Vec6::Unit(5)};  // never written
  for (std::size_t i = 0; i < count; i++) {
    const LinkModel& m = models[i];
    LinkState& s = states[i];
    double* at = numbers;
    numbers += columnNumbers(m);
    s.S = units;
    s.W = nullptr;
    if (!m.velocityIsTwist) {
      s.S = reinterpret_cast<Vec6*>(at);
      s.W = s.S + m.nv;
      at += 12 * m.nv;
    }
    s.G = reinterpret_cast<double(*)[6]>(at);
  }
}

}  // namespace vertebra::dynamics
