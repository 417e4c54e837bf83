// Revolute and continuous joint: q = angle about the joint's axis (z of the turned joint frame), unwrapped.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra {

struct RevoluteJoint {
  static constexpr int nq = 1, nv = 1;
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    // turnParent * Rz(q) * turnChild^-1 is linear in cos(q/2), sin(q/2): two constant quaternions serve.
    const SinCos h = sincos(0.5 * q[0]);
    Quat r;
    r.coeffs() = h.c * m.rest.coeffs() + h.s * m.restTimesK.coeffs();
    placeAtParentAnchor(m, parent, parent.q * r, s);
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3& O, LinkState& s) {
    setTurnAbout(s.S[0], s.R * m.axis, s.anchor - O);
  }
  static void constraints(const LinkModel& m, const BodyPose&, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = s.R * rotationOf(m.turnChild);
    T += parallelAxesRows(frame, T);
    T += pointRows(s.anchor - O, T);
    T[0] = torque(s.R * m.axis);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) { q[0] += dv[0]; }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) { dv[0] = q1[0] - q0[0]; }
  static void neutral(double* q) { q[0] = 0; }
};

}  // namespace vertebra
