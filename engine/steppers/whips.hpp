// What makes a tree's step another than its smooth motion: forces and impulses on it, and whips: links that turn so far in a step that
// rows, and velocities of the first order, do not foresee their way. What a tree that whips gains of nothing before its rows act divides
// the step, and is dropped in parts that are not divided further.
#pragma once
#include <algorithm>

#include "engine/state/world_data.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {

inline bool divides(const WorldData& w) { return w.divided.least < kInf; }  // a step that fails is made again in parts

// Whether forces of the caller, of fields or of mild springs act on a tree, or did in the last step.
inline bool isPushed(const WorldData& w, const TreeRuntime& t) {
  if (!w.anyForce) return false;
  const auto pushed = [&](const LinkRuntime& r) { return w.bodies[r.body].applied->any(); };
  return t.sprung || std::any_of(w.links.begin() + t.first, w.links.begin() + t.first + t.tree.count, pushed);
}

// An impact is not smooth motion: its step is of first order, neither halved (each half would have it again) nor corrected in energy.
inline bool struck(const WorldData& w, const TreeRuntime& t) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const BodySlot& b = w.bodies[w.links[i].body];
    if (b.applied->impulse.squaredNorm() > 0 || b.applied->angularImpulse.squaredNorm() > 0) return true;
  }
  return false;
}

inline double leastKineticTwice(const TreeRuntime& t) { return t.mass * 1e-4; }  // J, to which gains are compared: that of 1 cm/s

// Whether some link of a tree that nothing prescribes turns by more than 0.3 rad in a step of h, by its velocity at the start.
inline bool whips(const WorldData& w, const TreeRuntime& t, double h) {
  constexpr double kWhips = 0.3;
  if (t.tree.count == 1 || t.movingBase) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++)
    if (h * h * w.links[i].startW.squaredNorm() > kWhips * kWhips) return true;
  return false;
}

// Brings a projected tree from 2 T = `now` [J] to `target` by scaling the motion of its links relative to each other; its rows start from
// that. TreeRare tells what was dropped.
inline void dropGainBeforeRows(WorldData& w, TreeRuntime& t, double now, double target) {
  TreeRare& rare = t.rare.make();
  rare.dropScale = trees::scaleRelativeMotion(w, t, now, std::max(0.0, target), true);
  rare.dropped = 0.5 * (now - trees::kineticTwice(w, t));
  trees::startRowsFromVelocities(w, t);
}

}  // namespace vertebra::steppers
