// Floating joint that is not a tree's root: q = position and quaternion of the child's joint frame in the parent's; v = linear then
// angular velocity of it, both in the parent's joint frame.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra {

struct FloatingJoint {
  static constexpr int nq = 7, nv = 6;
  static constexpr bool translates = true;
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const Quat frame = parent.q * m.turnParent;
    s.q = frame * Quat(q[6], q[3], q[4], q[5]) * m.turnChild.conjugate();
    s.R = rotationOf(s.q);
    s.anchor = parent.c + parent.R * m.inParent + frame * Vec3(q[0], q[1], q[2]);
    s.c = s.anchor - s.R * m.inChild;
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    const Mat3 frame = parent.R * rotationOf(m.turnParent);
    for (int k = 0; k < 3; k++) {
      s.S[k] = stack(Vec3::Zero(), frame.col(k));
      setTurnAbout(s.S[3 + k], frame.col(k), s.anchor - O);
    }
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = parent.R * rotationOf(m.turnParent);
    for (int k = 0; k < 3; k++) {
      T[k] = forceThrough(frame.col(k), s.anchor - O);
      T[3 + k] = torque(frame.col(k));
    }
  }
  static Vec3 extraBias(const LinkState&, const double*) { return Vec3::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) {
    for (int k = 0; k < 3; k++) q[k] += dv[k];
    const Quat r = normalized(quatExp(Vec3(dv[3], dv[4], dv[5])) * Quat(q[6], q[3], q[4], q[5]));
    for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
  }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    for (int k = 0; k < 3; k++) dv[k] = q1[k] - q0[k];
    const Vec3 d = quatLog(Quat(q1[6], q1[3], q1[4], q1[5]) * Quat(q0[6], q0[3], q0[4], q0[5]).conjugate());
    for (int k = 0; k < 3; k++) dv[3 + k] = d[k];
  }
  static void neutral(double* q) {
    for (int k = 0; k < 6; k++) q[k] = 0;
    q[6] = 1;
  }
};

}  // namespace vertebra
