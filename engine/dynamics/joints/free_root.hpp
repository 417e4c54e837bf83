// Free root: six degrees of freedom of a link without a parent to the world, whatever the tree's base. q = position and quaternion
// x, y, z, w of its inertial frame in the world; v = its twist about the tree's origin O, world axes, angular part first. Thus S is the
// identity, and the joint has no constraint. Increments are a rotation vector and a displacement of the point at O. Accelerations of a step
// are those of the body: angular in inertial axes, linear of the centre of mass. The engine makes it; skeletons have FloatingJoint.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct FreeRootJoint {
  static constexpr JointTraits traits{
      .name = "free root", .nq = 7, .nv = 6, .quaternion = 3, .needsFrames = false, .velocityIsTwist = true};
  static Quat quat(const double* q) { return Quat(q[6], q[3], q[4], q[5]); }
  static void store(const Vec3& c, const Quat& r, double* q) {
    for (int k = 0; k < 3; k++) q[k] = c[k];
    for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
  }

  static void pose(const LinkModel&, const BodyPose&, const double* q, LinkState& s) {
    s.c = Vec3(q[0], q[1], q[2]);
    s.q = quat(q);
    s.R = rotationOf(s.q);
    s.anchor = s.c;
  }
  static void subspace(const LinkModel&, const BodyPose&, const Vec3&, LinkState&) {}  // attachColumns lends the unit vectors
  static void constraints(const LinkModel&, const BodyPose&, const Vec3&, const LinkState&, Vec6* T) {
    for (int k = 0; k < 6; k++) T[k] = Vec6::Unit(k);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState& s, const Vec3&, const double*) {
    const Vec3 w = s.t.head<3>(), atO = s.t.tail<3>();
    return stack(Vec3::Zero(), cross(atO, w));  // the point of the link at O has no classical acceleration
  }

  // With O at the centre of mass; advanceAbout: at any point.
  static void advance(const LinkModel&, double* q, const double* dv) {
    const Quat r = normalized(quatExp(Vec3(dv[0], dv[1], dv[2])) * quat(q));
    store(Vec3(q[0] + dv[3], q[1] + dv[4], q[2] + dv[5]), r, q);
  }
  static void advanceAbout(const Vec3& O, double* q, const double* dv) {
    const Vec3 turn(dv[0], dv[1], dv[2]), c(q[0], q[1], q[2]);
    store(c + Vec3(dv[3], dv[4], dv[5]) + cross(turn, c - O), normalized(quatExp(turn) * quat(q)), q);
  }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    const Vec3 turn = quatLog(quat(q1) * quat(q0).conjugate());
    for (int k = 0; k < 3; k++) dv[k] = turn[k], dv[3 + k] = q1[k] - q0[k];
  }
  static void rates(const LinkModel&, const double* q, const double* v, double* dq) {
    store(Vec3(v[3], v[4], v[5]), Quat(0, 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]) * quat(q), dq);
  }
  static void neutral(double* q) { store(Vec3::Zero(), Quat::Identity(), q); }
  static void fit(const LinkModel&, const Pose& relative, double* q) { store(relative.p, normalized(relative.q), q); }

  // Over h at the body's velocities, which its accelerations a change by their mean over `half`; then by an increment `shift` (or null).
  static void move(const LinkState& s, double h, double half, const double* a, const double* shift, double* q) {
    Vec3 c = Vec3(q[0], q[1], q[2]) + h * (s.v + half * Vec3(a[3], a[4], a[5]));
    Quat r = quat(q) * quatExp(h * (s.w + half * Vec3(a[0], a[1], a[2])));
    if (shift) {
      c += Vec3(shift[3], shift[4], shift[5]);
      r = quatExp(Vec3(shift[0], shift[1], shift[2])) * r;
    }
    store(c, normalized(r), q);
  }
  static void storeAccelerations(const Vec3& angular, const Vec3& linear, double* a) {
    for (int k = 0; k < 3; k++) a[k] = angular[k], a[3 + k] = linear[k];
  }
  // Time derivative of v, with O at the centre of mass.
  static void velocityRates(const LinkState& s, const double* a, double* dv) {
    storeAccelerations(s.R * Vec3(a[0], a[1], a[2]), Vec3(a[3], a[4], a[5]), dv);
  }
};

}  // namespace vertebra::dynamics
