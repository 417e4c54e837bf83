// Fixed joint: no freedom.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra::dynamics {

struct FixedJoint : PlainCoordinates<0> {
  static constexpr JointTraits traits{.name = "fixed",
                                      .nq = 0,
                                      .nv = 0,
                                      .qSuffix = {},
                                      .vSuffix = {},
                                      .fixesPoint = true,
                                      .axisIsZ = true,
                                      .symmetric = true,
                                      .needsFrames = false,
                                      .inUrdf = true};
  static void pose(const LinkModel& m, const BodyPose& parent, const double*, LinkState& s) {
    placeAtParentAnchor(m, parent, parent.q * m.joint->rest, s);
  }
  static void subspace(const LinkModel&, const BodyPose&, const Vec3&, LinkState&) {}
  static void constraints(const LinkModel&, const BodyPose&, const Vec3& O, const LinkState& s, Vec6* T) {
    T += rotationLockRows(T);
    pointRows(s.anchor - O, T);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void fit(const LinkModel&, const Pose&, double*) {}
};

}  // namespace vertebra::dynamics
