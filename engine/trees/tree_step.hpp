// Parts of a step that concern one tree: moving coordinates, momenta, implicit forces on joint axes, velocities, accelerations, energy.
// The scheme (docs/design.md, Stepper): positions first, with acceleration where the last step was smooth; then momenta from the old
// velocities, half the old reactions and the applied forces, projected on the joints at the new configuration; then a second solve
// with the same factor for the next accelerations and reactions. Gyroscopic torque by implicit midpoint in inertial axes.
// Each function writes what is the tree's own, and to the tally that it is given: trees may be worked on side by side.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

// Start values for energy and undoing (q0, v0, start*, 2 T); of a whole step (not of its half) also those that accelerations and
// joint forces are told from.
void saveTree(WorldData& w, TreeRuntime& t, bool wholeStep);
// q over h, then poses, O; ends `after` before the step does (prescribed bodies are at its end).
void moveTree(WorldData& w, TreeRuntime& t, double h, StepTally& tally, double after = 0);
void displaceTree(WorldData& w, TreeRuntime& t, const double* step);  // q by increments, of a free root a twist about its centre of mass
void settleTree(WorldData& w, TreeRuntime& t, StepTally& tally, double after = 0);  // coordinates back inside their limits; poses, O
void placeBase(const WorldData& w, TreeRuntime& t, double after = 0);               // pose of what the tree hangs from
void moveBase(const WorldData& w, TreeRuntime& t, double after = 0);                // and its twist about O
void updateGeometry(WorldData& w, TreeRuntime& t);                                  // S and A at the present poses
void momenta(WorldData& w, TreeRuntime& t, double h, bool forces = true);  // P of each link; without forces what it had at the start

// Displacement of each axis from rest or target, in the joint's velocity coordinates. For the orientation of spherical and
// floating joints: rotation vector from the reference. reference: nq numbers, or null for zero.
void axisError(const LinkModel& m, const JointSlot& j, const double* q, bool target, double* e);
// The same of all axes of a tree, into WorldData::fromRest and fromTarget, for what follows at these poses.
void measureAxes(WorldData& w, const TreeRuntime& t);
// E and g of the joint axes; measures them first. With smooth = true springs and dampers act in the second-order form. Motors that hit
// their bound in the last pass act as constant forces.
void implicitAxisForces(WorldData& w, TreeRuntime& t, double h, bool smooth);
// After velocities of the island are known: true if a motor acts on another side of its bounds than its velocity asks for, and the island
// must be solved again. `first` for the first solution of a step.
bool resaturate(WorldData& w, RowWorkspace& work, const Island& island, double h, bool first);
void recordImplicitAxisForces(WorldData& w, TreeRuntime& t, double h, bool smooth, StepTally& tally);
// Springs too stiff for the second-order form at this step, or drives with gains.
bool needsFirstOrder(const WorldData& w, const TreeRuntime& t, double h);

// E and g over an interval of the stepper variational, whose unknowns are increments: springs at the middle of the way, dampers by its
// mean rate, torques; half of each at its start and half at its end. Where `ahead`, the half at the start was given before. With atEnd:
// of the projection there.
void midpointAxisForces(WorldData& w, TreeRuntime& t, double h, bool atEnd);
// Puts the rotors' momenta of that interval in the place of those at its start, after restraints().
void addRotorMomenta(WorldData& w, TreeRuntime& t);
bool actsByVelocity(const WorldData& w, const TreeRuntime& t);  // dry friction, drives with gains
// Those, and dampers that would overshoot by the mean rate (judged by the joint blocks of the last factor).
bool actsImplicitly(const WorldData& w, const TreeRuntime& t, double h);

// tension.cpp: links too light for what pulls at them get inertia against it, for steps in which they would swing too fast.
void findSlenderLinks(WorldData& w, TreeRuntime& t);
bool isSlender(const TreeRuntime& t, double h);                         // whether a step of h may need that: TreeRuntime::slender
void stiffenSlenderLinks(WorldData& w, TreeRuntime& t, double h);       // of the present poses, to A before the factor
double fastestSwing(WorldData& w, TreeRuntime& t);                      // 1/s^2, w^2 of the present pulls
void carrySlenderLinks(WorldData& w, TreeRuntime& t, double back);      // to P: their spins `back` s before the start
double unevenTurn(const WorldData& w, const TreeRuntime& t, double h);  // rad, at most, of a link beyond a turn at even acceleration
void meanReactions(WorldData& w, TreeRuntime& t, double h);             // as the step left them, where no accelerations are found
// Its part of gainedEnergy; with `reference` of carryEnergy.
double gainedBySlenderLinks(const WorldData& w, const TreeRuntime& t, double back, bool reference);
// s before the start of a step of which spins are carried.
inline double carriedFrom(const TreeRuntime& t, double h) { return t.smooth ? 0 : 0.5 * h; }

int factorTree(WorldData& w, TreeRuntime& t);  // -1 or the absolute link without inertia; by the world's treatment
void solveTree(WorldData& w, TreeRuntime& t);  // P, g -> x (z, or v under sparse and dense)
int factorAndSolveTree(WorldData& w, TreeRuntime& t, bool pushed = false);  // both; pushed: g holds something without restraint too
void referenceMotion(WorldData& w, TreeRuntime& t, double h);               // WorldData::reference, after solveTree
// What a step of first order gains (or loses) by its own error, for the energy account: the first half after referenceMotion, the second,
// which tells it, once the velocities and forces of the step are known.
void carryEnergy(const WorldData& w, TreeRuntime& t, double h);
double gainedEnergy(const WorldData& w, const TreeRuntime& t, double h);
void baseMotion(WorldData& w, TreeRuntime& t);      // velocity that a prescribed base alone gives each link, for the rows' right sides
void solveReference(WorldData& w, TreeRuntime& t);  // the same of the momenta P that are there; keeps x
void velocitiesOf(WorldData& w, TreeRuntime& t);    // x -> v, twists, velocities of bodies
void accelerations(WorldData& w, TreeRuntime& t, double h);  // second solve: a, reactions
// Its two halves: of what acts on the tree, in z (of sparse and dense: in a); and what follows of it, after rows have changed it or not.
void freeAccelerations(WorldData& w, TreeRuntime& t, double h);
void finishAccelerations(WorldData& w, TreeRuntime& t, bool changed);

// g of springs, dampers and drives at the present state, axes measured (forces, not impulses). The factor holds h/2 of the damping, or
// nothing of it.
void axisForces(WorldData& w, TreeRuntime& t, double h);
void recordAxisForces(WorldData& w, TreeRuntime& t, double h,
                      StepTally& tally);  // to the joints; their work over h by the trapezoidal rule
bool hasInfiniteGains(const JointSlot& j);
double kineticTwice(const WorldData& w, const TreeRuntime& t);         // 2 T of the bodies and rotors, from their velocities
double workTwice(const WorldData& w, const TreeRuntime& t, double h);  // 2 x work of all forces on the tree since saveTree, smooth form
double springEnergy(const WorldData& w, const TreeRuntime& t, const double* q);  // q null: at the poses that measureAxes last saw
// Scales the motion relative to the tree's rigid motion so that 2 T becomes `target`; returns the scale, bounded.
double scaleRelativeMotion(WorldData& w, TreeRuntime& t, double kineticTwiceNow, double target);
void capSpeeds(WorldData& w, TreeRuntime& t, StepTally& tally);

// Axes with a coordinate of their own, q[k] of axis k, which limits bound. Orientations have none: swing and twist bound a spherical one.
inline int limitedAxes(const LinkModel& m) { return m.type == JointType::Spherical ? 0 : m.type == JointType::Floating ? 3 : m.nv; }

// Whether an orientation with the parts w >= 0 and `along` (the twist axis) is inside its swing and twist limits by the margin [rad], told
// without angles. False where that is not sure.
inline bool within(const JointSlot& j, double w, double along, double margin) {
  constexpr double kSure = 1e-12;
  const double least = 0.5 * margin + kSure, cosine = 2 * (w * w + along * along) - 1;  // of the swing
  return cosine > j.orientation->cosSwing + 2 * least && along * j.orientation->twistLow[0] - w * j.orientation->twistLow[1] > least &&
         w * j.orientation->twistHigh[1] - along * j.orientation->twistHigh[0] > least;
}

inline double* coordinatesOf(WorldData& w) { return w.settings.treeSolver == TreeSolver::Articulated ? w.z.data() : w.v.data(); }

}  // namespace vertebra
