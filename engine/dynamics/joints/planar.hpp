// Planar joint: q = x, y in the plane (axes of the turned joint frame on the joint's parent), angle about its normal.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct PlanarJoint : PlainCoordinates<3> {
  static constexpr JointTraits traits{.name = "planar",
                                      .nq = 3,
                                      .nv = 3,
                                      .qSuffix = {".x", ".y", ".angle"},
                                      .vSuffix = {".x", ".y", ".angle"},
                                      .axisIsZ = true,
                                      .inUrdf = true};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    placeByRelativePose(m, parent, {Vec3(q[0], q[1], 0), quatFromAxisAngle(Vec3::UnitZ(), q[2])}, s);
  }
  static void subspace(const LinkModel& m, const BodyPose& parent, const Vec3& O, LinkState& s) {
    const MovingAxes by = movingAxes(m, parent, O, s);
    s.S[0] = stack(Vec3::Zero(), by.axes.col(0));
    s.S[1] = stack(Vec3::Zero(), by.axes.col(1));
    setTurnAbout(s.S[2], by.axes.col(2), by.point);
  }
  static void constraints(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = parent.R * rotationOf(m.frames->turnParent);
    T += parallelAxesRows(frame, T);
    T += planeRow(frame.col(2), s.anchor - O, T);
    const MovingAxes by = movingAxes(m, parent, O, s);
    T[0] = forceThrough(by.axes.col(0), by.point);
    T[1] = forceThrough(by.axes.col(1), by.point);
    T[2] = torque(by.axes.col(2));
  }
  static Vec6 extraBias(const LinkModel& m, const LinkState& s, const Vec3&, const double* v) {
    return movingAxesBias(m, v[0] * s.S[0].tail<3>() + v[1] * s.S[1].tail<3>(), v[2] * s.S[2].head<3>());
  }
  static void fit(const LinkModel&, const Pose& relative, double* q) {
    q[0] = relative.p.x();
    q[1] = relative.p.y();
    q[2] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[2]);
  }
};

}  // namespace vertebra::dynamics
