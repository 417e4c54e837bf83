// Fixed joint: no freedom.
#pragma once
#include "engine/dynamics/joints/common.hpp"

namespace vertebra {

struct FixedJoint {
  static constexpr int nq = 0, nv = 0;
  static void pose(const LinkModel& m, const BodyPose& parent, const double*, LinkState& s) {
    placeAtParentAnchor(m, parent, parent.q * m.rest, s);
  }
  static void subspace(const LinkModel&, const BodyPose&, const Vec3&, LinkState&) {}
  static void constraints(const LinkModel&, const BodyPose&, const Vec3& O, const LinkState& s, Vec6* T) {
    T += rotationLockRows(T);
    pointRows(s.anchor - O, T);
  }
  static Vec6 extraBias(const LinkModel&, const LinkState&, const Vec3&, const double*) { return Vec6::Zero(); }
  static void advance(const LinkModel&, double*, const double*) {}
  static void difference(const LinkModel&, const double*, const double*, double*) {}
  static void neutral(double*) {}
};

}  // namespace vertebra
