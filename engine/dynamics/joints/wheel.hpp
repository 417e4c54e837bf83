// Wheel joint: q0 = travel of the suspension along an axis fixed in the parent, q1 = steering angle about it, q2 = angle about the axle, an
// axis fixed in the child (the wheel): position q0 axis, orientation R(axis, q1) R(axis2, q2). A universal joint whose origin slides.
#pragma once
#include "engine/dynamics/joints/universal.hpp"

namespace vertebra::dynamics {

struct WheelJoint : PlainCoordinates<3> {
  static constexpr JointTraits traits{.name = "wheel",
                                      .nq = 3,
                                      .nv = 3,
                                      .qSuffix = {".travel", ".steering", ".turn"},
                                      .vSuffix = {".travel", ".steering", ".turn"},
                                      .twoAxes = true};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const Quat turn = quatFromAxisAngle(m.frames->axisInJoint, q[1]) * quatFromAxisAngle(m.frames->axis2InJoint, q[2]);
    placeByRelativePose(m, parent, {q[0] * m.frames->axisInJoint, turn}, s);
  }
  // The axes in the direction of the tree: of the link's motion against its parent. The wheel's centre lies on both.
  struct Axes {
    Vec3 travel, axle, centre;  // centre: from O
  };
  static Axes axes(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s) {
    if (!m.reversed) return {parent.R * m.frames->axisParent, s.R * m.joint->axis, s.anchor - O};
    return {s.R * m.joint->axis, parent.R * m.frames->axisParent, parent.c + parent.R * m.joint->inParent - O};
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    const Axes a = axes(m, parent, O, s);
    s.S[0] = stack(Vec3::Zero(), a.travel);
    setTurnAbout(s.S[1], a.travel, a.centre);
    setTurnAbout(s.S[2], a.axle, a.centre);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Axes a = axes(m, parent, O, s);
    T += m.reversed ? constantAngleRow(a.axle, a.travel, T) : constantAngleRow(a.travel, a.axle, T);
    T += slideRows(rotationOf(quatBetween(Vec3::UnitZ(), a.travel)), a.centre, T);
    const double c = a.travel.dot(a.axle), scale = 1 / (1 - c * c);
    T[0] = forceThrough(a.travel, a.centre);
    T[1] = torque(scale * (a.travel - c * a.axle));
    T[2] = torque(scale * (a.axle - c * a.travel));
  }
  // The axis that moves with the link: the axle, or, reversed, the direction of travel.
  static Vec6 extraBias(const LinkModel& m, const LinkState& s, const Vec3&, const double* v) {
    const Vec6 along = v[0] * s.S[0] + v[1] * s.S[1], about = v[2] * s.S[2];
    const Vec3 w = along.head<3>(), u = along.tail<3>(), w2 = about.head<3>(), u2 = about.tail<3>();
    const Vec6 moved = stack(w.cross(w2), w.cross(u2) + u.cross(w2));
    return m.reversed ? Vec6(-moved) : moved;
  }
  static void fit(const LinkModel& m, const Pose& relative, double* q) {
    q[0] = relative.p.dot(m.frames->axisInJoint);
    UniversalJoint::fit(m, relative, q + 1);
  }
};

}  // namespace vertebra::dynamics
