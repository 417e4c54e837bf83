// Spherical joint: q = quaternion x, y, z, w of the child's joint frame in the parent's; v = angular velocity of child relative to
// parent in the child's joint frame.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra {

struct SphericalJoint {
  static constexpr int nq = 4, nv = 3;
  static constexpr bool translates = false;
  static Quat quat(const double* q) { return Quat(q[3], q[0], q[1], q[2]); }
  static void store(const Quat& r, double* q) {
    for (int k = 0; k < 4; k++) q[k] = r.coeffs()[k];
  }
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    placeAtParentAnchor(m, parent, parent.q * (m.turnParent * quat(q) * m.turnChild.conjugate()), s);
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3& O, LinkState& s) {
    const Mat3 E = s.R * rotationOf(m.turnChild);
    for (int k = 0; k < 3; k++) setTurnAbout(s.S[k], E.col(k), s.anchor - O);
  }
  static void constraints(const LinkModel& m, const BodyPose&, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = s.R * rotationOf(m.turnChild);
    T += pointRows(s.anchor - O, T);
    for (int k = 0; k < 3; k++) T[k] = torque(frame.col(k));
  }
  static Vec3 extraBias(const LinkState&, const double*) { return Vec3::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) {
    store(normalized(quat(q) * quatExp(Vec3(dv[0], dv[1], dv[2]))), q);
  }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    const Vec3 d = quatLog(quat(q0).conjugate() * quat(q1));
    for (int k = 0; k < 3; k++) dv[k] = d[k];
  }
  static void neutral(double* q) {
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
  }
};

}  // namespace vertebra
