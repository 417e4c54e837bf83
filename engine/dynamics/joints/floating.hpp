// Floating joint that is not a tree's root: q = position and quaternion of the child's joint frame in the parent's; v = linear, then
// angular velocity of the child's joint frame, both in the axes of the parent's joint frame.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct FloatingJoint {
  static constexpr JointTraits traits{.name = "floating",
                                      .nq = 7,
                                      .nv = 6,
                                      .qSuffix = {".px", ".py", ".pz", ".x", ".y", ".z", ".w"},
                                      .vSuffix = {".vx", ".vy", ".vz", ".rx", ".ry", ".rz"},
                                      .quaternion = 3,
                                      .inUrdf = true,
                                      .motion = MotionChannels::Pose};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    placeByRelativePose(m, parent, {Vec3(q[0], q[1], q[2]), Quat(q[6], q[3], q[4], q[5])}, s);
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    const MovingAxes by = movingAxes(m, parent, O, s);
    for (int k = 0; k < 3; k++) {
      s.S[k] = stack(Vec3::Zero(), by.axes.col(k));
      setTurnAbout(s.S[3 + k], by.axes.col(k), by.point);
    }
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const MovingAxes by = movingAxes(m, parent, O, s);
    for (int k = 0; k < 3; k++) {
      T[k] = forceThrough(by.axes.col(k), by.point);
      T[3 + k] = torque(by.axes.col(k));
    }
  }
  static Vec6 extraBias(const LinkModel& m, const LinkState& s, const Vec3&, const double* v) {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (int k = 0; k < 3; k++) {
      linear += v[k] * s.S[k].tail<3>();
      angular += v[3 + k] * s.S[3 + k].head<3>();
    }
    return movingAxesBias(m, linear, angular);
  }
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
  static void fit(const LinkModel&, const Pose& relative, double* q) {
    for (int k = 0; k < 3; k++) q[k] = relative.p[k];
    const Quat r = normalized(relative.q);
    for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
  }
  static void rates(const LinkModel&, const double* q, const double* v, double* dq) {
    const Quat r = Quat(0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]) * Quat(q[6], q[3], q[4], q[5]);
    for (int k = 0; k < 3; k++) dq[k] = v[k];
    for (int k = 0; k < 4; k++) dq[3 + k] = r.coeffs()[k];
  }
};

}  // namespace vertebra::dynamics
