// Revolute and continuous joint: q = angle about the joint's axis (z of the turned joint frame), unwrapped.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct RevoluteJoint : PlainCoordinates<1> {
  static constexpr JointTraits traits{.name = "revolute",
                                      .nq = 1,
                                      .nv = 1,
                                      .qSuffix = {""},
                                      .vSuffix = {""},
                                      .fixesPoint = true,
                                      .axisIsZ = true,
                                      .symmetric = true,
                                      .needsFrames = false,
                                      .inUrdf = true,
                                      .motion = MotionChannels::Angles};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    // turnParent * Rz(q) * turnChild^-1 is linear in cos(q/2), sin(q/2): two constant quaternions serve.
    const SinCos h = sincos(0.5 * q[0]);
    Quat r;
    r.coeffs() = h.c * m.joint->rest.coeffs() + h.s * m.joint->restTimesK.coeffs();
    placeAtParentAnchor(m, parent, parent.q * r, s);
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3& O, LinkState& s) {
    setTurnAbout(s.S[0], s.R * m.joint->axis, s.anchor - O);
  }
  static void constraints(const LinkModel& m, const BodyPose&, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = s.R * rotationOf(m.frames->turnChild);
    T += parallelAxesRows(frame, T);
    T += pointRows(s.anchor - O, T);
    T[0] = torque(s.R * m.joint->axis);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void fit(const LinkModel&, const Pose& relative, double* q) { q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[0]); }
};

}  // namespace vertebra::dynamics
