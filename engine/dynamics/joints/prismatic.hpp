// Prismatic joint: q = displacement along the joint's axis.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct PrismaticJoint : PlainCoordinates<1> {
  static constexpr JointTraits traits{.name = "prismatic",
                                      .nq = 1,
                                      .nv = 1,
                                      .qSuffix = {""},
                                      .vSuffix = {""},
                                      .axisIsZ = true,
                                      .symmetric = true,
                                      .needsFrames = false,
                                      .inUrdf = true,
                                      .motion = MotionChannels::Length};
  static void pose(const LinkModel& m, const BodyPose& parent, const double* q, LinkState& s) {
    s.q = parent.q * m.joint->rest;
    s.R = rotationOf(s.q);
    s.anchor = parent.c + parent.R * m.joint->inParent + q[0] * (s.R * m.joint->axis);
    s.c = s.anchor - s.R * m.joint->inChild;
  }
  static void subspace(const LinkModel& m, const BodyPose&, const Vec3&, LinkState& s) {
    s.S[0] = stack(Vec3::Zero(), s.R * m.joint->axis);
  }
  static void constraints(const LinkModel& m, const BodyPose&, const Vec3& O, const LinkState& s, Vec6* T) {
    const Mat3 frame = s.R * rotationOf(m.frames->turnChild);
    const Vec3 point = s.anchor - O;
    T += rotationLockRows(T);
    T += slideRows(frame, point, T);
    T[0] = forceThrough(s.R * m.joint->axis, point);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void fit(const LinkModel&, const Pose& relative, double* q) { q[0] = relative.p.z(); }
};

}  // namespace vertebra::dynamics
