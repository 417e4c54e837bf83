// Universal joint: q0 about an axis fixed in the parent, then q1 about an axis fixed in the child; R = R(axis, q0) R(axis2, q1).
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct UniversalJoint : PlainCoordinates<2> {
  static constexpr JointTraits traits{.name = "universal",
                                      .nq = 2,
                                      .nv = 2,
                                      .qSuffix = {".1", ".2"},
                                      .vSuffix = {".1", ".2"},
                                      .fixesPoint = true,
                                      .twoAxes = true,
                                      .motion = MotionChannels::Angles};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const Quat r = quatFromAxisAngle(m.frames->axisInJoint, q[0]) * quatFromAxisAngle(m.frames->axis2InJoint, q[1]);
    placeAtParentAnchor(m, parent,
                        parent.q * (m.frames->turnParent * (m.reversed ? Quat(r.conjugate()) : r) * m.frames->turnChild.conjugate()), s);
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    setTurnAbout(s.S[m.reversed], parent.R * m.frames->axisParent, s.anchor - O);
    setTurnAbout(s.S[!m.reversed], s.R * m.joint->axis, s.anchor - O);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Vec3 a0 = parent.R * m.frames->axisParent, a1 = s.R * m.joint->axis;
    T += constantAngleRow(a0, a1, T);
    T += pointRows(s.anchor - O, T);
    const double c = a0.dot(a1), scale = 1 / (1 - c * c);
    T[m.reversed] = torque(scale * (a0 - c * a1));
    T[!m.reversed] = torque(scale * (a1 - c * a0));
  }
  // The link's own axis also turns with the angle about its parent's: a0 x a1 q0' q1'.
  static Vec6 extraBias(const LinkModel& m, const LinkState& s, const Vec3& O, const double* v) {
    const Vec3 ofParent = s.S[m.reversed].head<3>(), own = s.S[!m.reversed].head<3>();
    Vec6 e;
    setTurnAbout(e, (v[0] * v[1]) * cross(ofParent, own), s.anchor - O);
    return e;
  }
  // The parent's angle turns axis2 as close to its present direction as a rotation about axis can; the remainder is the child's angle.
  static void fit(const LinkModel& m, const Pose& relative, double* q) {
    const Vec3 &axis = m.frames->axisInJoint, &axis2 = m.frames->axis2InJoint;
    const Vec3 from = axis2 - axis * axis.dot(axis2), now = relative.q * axis2, to = now - axis * axis.dot(now);
    double a0 = q[0];
    if (to.squaredNorm() > 1e-18 && from.squaredNorm() > 1e-18) a0 = unwrapped(arctan2(axis.dot(from.cross(to)), from.dot(to)), q[0]);
    const Quat rest = quatFromAxisAngle(axis, -a0) * relative.q;
    q[1] = unwrapped(twistAbout(rest, axis2), q[1]);
    q[0] = a0;
  }
};

}  // namespace vertebra::dynamics
