// Cylindrical joint: q = angle about and length along one axis (z of the turned joint frame). Screw joint: both by one angle, with
// `pitch` metres of length a radian.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra {

struct CylindricalJoint {
  static constexpr int nq = 2, nv = 2;
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    placeByRelativePose(m, parent, {Vec3(0, 0, q[1]), quatFromAxisAngle(Vec3::UnitZ(), q[0])}, s);
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3& O, LinkState& s) {
    const Vec3 axis = s.R * m.axis;
    setTurnAbout(s.S[0], axis, s.anchor - O);
    s.S[1] = stack(Vec3::Zero(), axis);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Vec3 axis = s.R * m.axis, point = s.anchor - O;
    T += parallelAxesRows(s.R * rotationOf(m.turnChild), T);
    T += slideRows(parent.R * rotationOf(m.turnParent), point, T);
    T[0] = torque(axis);
    T[1] = forceThrough(axis, point);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) {
    q[0] += dv[0];
    q[1] += dv[1];
  }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    dv[0] = q1[0] - q0[0];
    dv[1] = q1[1] - q0[1];
  }
  static void neutral(double* q) { q[0] = q[1] = 0; }
};

struct ScrewJoint {
  static constexpr int nq = 1, nv = 1;
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const double both[2] = {q[0], m.pitch * q[0]};
    CylindricalJoint::pose(m, parent, both, s);
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    CylindricalJoint::subspace(m, parent, O, s);
    s.S[0] += m.pitch * s.S[1];
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    CylindricalJoint::constraints(m, parent, O, s, T);
    const Vec6 turn = T[4];
    T[4] = T[5] - m.pitch * turn;
    T[5] = turn;
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) { q[0] += dv[0]; }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) { dv[0] = q1[0] - q0[0]; }
  static void neutral(double* q) { q[0] = 0; }
};

}  // namespace vertebra
