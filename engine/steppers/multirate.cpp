// Multirate groups, under the steppers impulse and SPOOK. A body may ask for a longest step; the bodies that contacts, joints and
// constraints connect when a step begins make it in the parts that the finest of them asks for, a power of two, so that parts of all groups
// coincide. A world step:
//   1 groups of 2, 4, ... parts make all but the last of theirs, as physics steps of their own: fields and drivelines at their state,
//     prescribed bodies on their way, collisions, islands, rows. All other trees are held: they stay where the step began, and contacts
//     with
//     them wait. No contact is missed, because contacts are found a whole world step ahead;
//   2 the last parts end together, with the steps of all others, and one search for contacts. Where a group meets a coarser one, the
//   coarser
//     one goes back to before its last part, whose result nobody has used yet, and repeats it in the finer parts (a transaction). Then all
//     meet at one time with parts of one length, and the islands are solved.
// The next step begins with the groups that the contacts then give: a body that separates returns to its own request.
// Callbacks before a step, particles, contact events and sleep belong to world steps. Reported forces are those of the last part. Source:
// Vondrak 2006, 7.1 (groups, transactions), there under an integrator (steppers/ode/step.cpp).
#include "engine/steppers/multirate.hpp"
#include "engine/state/stepper_traits.hpp"

#include <algorithm>
#include <cmath>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/joint_forces.hpp"
#include "engine/islands/islands.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

constexpr int kMostParts = 1024;

int partsFor(double h, double step) {
  int parts = 1;
  while (parts < kMostParts && h > parts * step * (1 + 1e-9)) parts *= 2;
  return parts;
}

bool isMoved(const TreeRuntime& t) { return !t.asleep && !t.immobile; }

// The largest number of parts in each group, by its lowest tree, into rateParts.
void gatherParts(WorldData& w) {
  islands::joinTrees(w);
  w.rateParts.assign(w.trees.size(), 0);
  for (std::size_t i = 0; i < w.trees.size(); i++) {
    if (!isMoved(w.trees[i])) continue;
    int& most = w.rateParts[islands::leaderOf(w, static_cast<int>(i))];
    most = std::max(most, w.trees[i].parts);
  }
}
int partsOfGroup(WorldData& w, std::size_t tree) { return w.rateParts[islands::leaderOf(w, static_cast<int>(tree))]; }

// Holds all moving trees with another number of parts; sleeping ones may be woken.
void holdOthers(WorldData& w, int parts) {
  for (TreeRuntime& t : w.trees) t.held = isMoved(t) && t.parts != parts;
  w.partial = true;
}
void release(WorldData& w) {
  for (TreeRuntime& t : w.trees) t.held = false;
  w.partial = false;
  placePrescribed(w, 0);
}

void beginPart(WorldData& w, double step, double after) {
  for (TreeRuntime& t : w.trees)
    if (isMoved(t) && !t.held) t.step = step;
  placePrescribed(w, after);
}

}  // namespace

void planParts(WorldData& w, double h) {
  w.inParts = w.partial = false;
  const int share = w.divided.inParts ? static_cast<int>(std::lround(w.divided.whole / h)) : 1;  // this step is of a divided one
  w.statistics.parts = share;
  if (!w.ownSteps || !traitsOf(w.settings.stepper).multirate) return;
  for (TreeRuntime& t : w.trees) {
    if (t.asleep) t.parts = 0;
    for (int i = t.first; isMoved(t) && i < t.first + t.tree.count; i++) {
      const double step = w.bodies[w.links[i].body].rare->integration->step;
      if (step > 0) t.parts = std::max(t.parts, partsFor(h, step));
    }
  }
  gatherParts(w);
  int most = 1;
  for (std::size_t i = 0; i < w.trees.size(); i++) {
    TreeRuntime& t = w.trees[i];
    if (!isMoved(t)) continue;
    t.parts = partsOfGroup(w, i);
    t.step = h / t.parts;
    most = std::max(most, t.parts);
  }
  w.statistics.parts = share * most;
  w.inParts = most > 1;
}

Failure makeFirstParts(WorldData& w, double h) {
  int most = 1;
  for (const TreeRuntime& t : w.trees) most = std::max(most, isMoved(t) ? t.parts : 1);
  for (int parts = 2; parts <= most; parts *= 2) {
    if (std::none_of(w.trees.begin(), w.trees.end(), [&](const TreeRuntime& t) { return isMoved(t) && t.parts == parts; })) continue;
    holdOthers(w, parts);
    const double step = h / parts;
    for (int left = parts - 1; left > 0; left--) {
      beginPart(w, step, left * step);
      prepareForces(w, step);
      if (Failure f = advance(w, step)) return f;
    }
  }
  release(w);
  return {};
}

Failure makeMeetingParts(WorldData& w, double h) {
  for (;;) {
    gatherParts(w);
    std::size_t first = 0;
    while (first < w.trees.size() &&
           !(isMoved(w.trees[first]) && w.trees[first].parts > 0 && w.trees[first].parts < partsOfGroup(w, first)))
      first++;
    if (first == w.trees.size()) return {};
    // All trees with this number of parts that need a larger one: restored, and repeated.
    const int before = w.trees[first].parts, parts = partsOfGroup(w, first);
    const double step = h / parts;
    w.statistics.merges++;
    for (std::size_t i = 0; i < w.trees.size(); i++) {
      TreeRuntime& t = w.trees[i];
      const bool again = isMoved(t) && t.parts == before && partsOfGroup(w, i) == parts;
      t.held = isMoved(t) && !again;
      if (!again) continue;
      unmoveTree(w, t);
      t.parts = parts;
    }
    w.partial = true;
    const int count = parts / before;
    for (int left = count - 1; left >= 0; left--) {
      beginPart(w, step, left * step);
      if (left < count - 1) prepareForces(w, step);  // those of its longer step are valid for the first
      if (Failure f = left > 0 ? advance(w, step) : moveTrees(w)) return f;
    }
    release(w);
    constraints::clearJointForces(w);
    collision::collideAll(w, {w.settings.continuous ? h : 0}, h);
  }
}

Failure checkIntegration(const Integration& of, Stepper stepper) {
  if (of.step > 0 && !traitsOf(stepper).ownSteps)
    return {Failure::Unsupported, "bodies have steps of their own under the steppers impulse, SPOOK and ode"};
  if (of.integrator >= 0 && !traitsOf(stepper).ownIntegrators)
    return {Failure::Unsupported, "bodies have integrators of their own under the stepper ode"};
  return {};
}

}  // namespace vertebra::steppers
