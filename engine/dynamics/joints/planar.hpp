// Planar joint: q = x, y in the plane (axes of the turned joint frame on the parent), angle about its normal.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra {

struct PlanarJoint {
  static constexpr int nq = 3, nv = 3;
  static constexpr bool translates = true;
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    const Quat frame = parent.q * m.turnParent;
    s.q = frame * quatFromAxisAngle(Vec3::UnitZ(), q[2]) * m.turnChild.conjugate();
    s.R = rotationOf(s.q);
    s.anchor = parent.c + parent.R * m.inParent + frame * Vec3(q[0], q[1], 0);
    s.c = s.anchor - s.R * m.inChild;
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    const Mat3 frame = parent.R * rotationOf(m.turnParent);
    s.S[0] = stack(Vec3::Zero(), frame.col(0));
    s.S[1] = stack(Vec3::Zero(), frame.col(1));
    setTurnAbout(s.S[2], frame.col(2), s.anchor - O);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = parent.R * rotationOf(m.turnParent);
    const Vec3 point = s.anchor - O;
    T += parallelAxesRows(frame, T);
    T += planeRow(frame.col(2), point, T);
    T[0] = forceThrough(frame.col(0), point);
    T[1] = forceThrough(frame.col(1), point);
    T[2] = torque(frame.col(2));
  }
  static Vec3 extraBias(const LinkState&, const double*) { return Vec3::Zero(); }
  static void advance(const LinkModel&, double* q, const double* dv) {
    for (int k = 0; k < 3; k++) q[k] += dv[k];
  }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    for (int k = 0; k < 3; k++) dv[k] = q1[k] - q0[k];
  }
  static void neutral(double* q) { q[0] = q[1] = q[2] = 0; }
};

}  // namespace vertebra
