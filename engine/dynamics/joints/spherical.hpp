// Spherical joint: q = quaternion x, y, z, w of the child's joint frame in the parent's; v = angular velocity of child relative to
// parent in the child's joint frame (child and parent of the joint, which the tree may run against).
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct SphericalJoint {
  static constexpr JointTraits traits{.name = "spherical",
                                      .nq = 4,
                                      .nv = 3,
                                      .qSuffix = {".x", ".y", ".z", ".w"},
                                      .vSuffix = {".rx", ".ry", ".rz"},
                                      .quaternion = 0,
                                      .fixesPoint = true,
                                      .inUrdf = true,
                                      .motion = MotionChannels::Orientation};
  static Quat quat(const double* q) { return Quat(q[3], q[0], q[1], q[2]); }
  static void store(const Quat& r, double* q) {
    for (int k = 0; k < 4; k++) q[k] = r.coeffs()[k];
  }
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const Quat relative = m.reversed ? Quat(quat(q).conjugate()) : quat(q);
    placeAtParentAnchor(m, parent, parent.q * (m.frames->turnParent * relative * m.frames->turnChild.conjugate()), s);
  }
  static Mat3 axes(const LinkModel& m, const BodyPose& parent, const LinkState& s) {
    return m.reversed ? Mat3(-(parent.R * rotationOf(m.frames->turnParent))) : Mat3(s.R * rotationOf(m.frames->turnChild));
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    const Mat3 E = axes(m, parent, s);
    for (int k = 0; k < 3; k++) setTurnAbout(s.S[k], E.col(k), s.anchor - O);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 E = axes(m, parent, s);
    T += pointRows(s.anchor - O, T);
    for (int k = 0; k < 3; k++) T[k] = torque(E.col(k));
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) { store(normalized(quat(q) * quatExp(Vec3(dv[0], dv[1], dv[2]))), q); }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    const Vec3 d = quatLog(quat(q0).conjugate() * quat(q1));
    for (int k = 0; k < 3; k++) dv[k] = d[k];
  }
  static void neutral(double* q) {
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
  }
  static void fit(const LinkModel&, const Pose& relative, double* q) { store(normalized(relative.q), q); }
  static void rates(const LinkModel&, const double* q, const double* v, double* dq) {  // v in the child's joint frame
    store(quat(q) * Quat(0, 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]), dq);
  }
};

}  // namespace vertebra::dynamics
