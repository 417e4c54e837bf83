// Coordinates of one joint: from poses (joint_coordinates.cpp), from rest or target (axis_forces.cpp), and against limits.
#pragma once
#include "engine/state/slots.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::trees {

// Nearest coordinates for the poses of a link and its parent, in the frames with which m was set (inertial ones, or both link frames); q
// holds an initial guess (whole turns, previous angle) and receives the result. `frames`: those of m, to which m itself refers only if its
// type needs them.
void fitCoordinates(const dynamics::LinkModel& m, const dynamics::JointFrames& frames, const Pose& parent, const Pose& link, double* q);

// Joint velocities whose twist is nearest to a relative twist about O.
void fitVelocity(const dynamics::LinkModel& m, const dynamics::LinkState& s, const Vec3& O, const Vec6& relative, double* v);

// Displacement of each axis from rest or target, in the joint's velocity coordinates. For the orientation of spherical and
// floating joints: rotation vector from the reference. reference: nq numbers, or null for zero.
void axisError(const dynamics::LinkModel& m, const JointSlot& j, const double* q, bool target, double* e);

// Axes with a coordinate of their own, q[k] of axis k, which limits bound. Orientations have none: swing and twist bound a spherical one.
inline int limitedAxes(const dynamics::LinkModel& m) {
  return m.type == dynamics::JointType::Spherical ? 0 : m.type == dynamics::JointType::Floating ? 3 : m.nv;
}

// Whether an orientation with the parts w >= 0 and `along` (the twist axis) is inside its swing and twist limits by the margin [rad],
// decided without computing angles. False where that is not certain.
inline bool within(const JointSlot& j, double w, double along, double margin) {
  const JointOrientation* o = j.orientation.operator->();
  constexpr double kSure = 1e-12;
  const double least = 0.5 * margin + kSure, cosine = 2 * (w * w + along * along) - 1;  // of the swing
  return cosine > o->cosSwing + 2 * least && along * o->twistLow[0] - w * o->twistLow[1] > least &&
         w * o->twistHigh[1] - along * o->twistHigh[0] > least;
}

}  // namespace vertebra::trees
