// Cylindrical joint: q = angle about and length along one axis (z of the turned joint frame). Screw joint: both by one angle, with
// `pitch` metres of length a radian.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct CylindricalJoint : PlainCoordinates<2> {
  static constexpr JointTraits traits{.name = "cylindrical",
                                      .nq = 2,
                                      .nv = 2,
                                      .qSuffix = {".angle", ".length"},
                                      .vSuffix = {".angle", ".length"},
                                      .axisIsZ = true,
                                      .symmetric = true};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    placeByRelativePose(m, parent, {Vec3(0, 0, q[1]), quatFromAxisAngle(Vec3::UnitZ(), q[0])}, s);
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3& O, LinkState& s) {
    const Vec3 axis = s.R * m.joint->axis;
    setTurnAbout(s.S[0], axis, s.anchor - O);
    s.S[1] = stack(Vec3::Zero(), axis);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Vec3 axis = s.R * m.joint->axis, point = s.anchor - O;
    T += parallelAxesRows(s.R * rotationOf(m.frames->turnChild), T);
    T += slideRows(parent.R * rotationOf(m.frames->turnParent), point, T);
    T[0] = torque(axis);
    T[1] = forceThrough(axis, point);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void fit(const LinkModel&, const Pose& relative, double* q) {
    q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[0]);
    q[1] = relative.p.z();
  }
};

struct ScrewJoint : PlainCoordinates<1> {
  static constexpr JointTraits traits{
      .name = "screw", .nq = 1, .nv = 1, .qSuffix = {""}, .vSuffix = {""}, .axisIsZ = true, .symmetric = true};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const double both[2] = {q[0], m.frames->pitch * q[0]};
    CylindricalJoint::pose(m, parent, both, s);
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3& O, LinkState& s) {
    const Vec3 axis = s.R * m.joint->axis;
    setTurnAbout(s.S[0], axis, s.anchor - O);
    s.S[0].tail<3>() += m.frames->pitch * axis;
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    CylindricalJoint::constraints(m, parent, O, s, T);
    const Vec6 turn = T[4];
    T[4] = T[5] - m.frames->pitch * turn;
    T[5] = turn;
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void fit(const LinkModel& m, const Pose& relative, double* q) {
    q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), m.frames->pitch == 0 ? q[0] : relative.p.z() / m.frames->pitch);
  }
};

}  // namespace vertebra::dynamics
