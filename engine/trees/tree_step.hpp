// Parts of a step that concern one tree: moving coordinates, momenta, implicit forces on joint axes, velocities, accelerations, energy. The
// scheme (docs/computation.md): positions first, with acceleration where the last step was smooth; then momenta from the old velocities,
// half the old reactions and the applied forces, projected on the joints at the new configuration; then a second solve with the same factor
// for the next accelerations and reactions. Gyroscopic torque by implicit midpoint in inertial axes.
// Each function writes only the tree's data, and the tally that it is given: several threads may work on different trees.
#pragma once
#include <span>

#include "engine/state/islands.hpp"
#include "engine/state/row_workspace.hpp"
#include "engine/state/tree_world.hpp"
#include "engine/trees/joint_coordinates.hpp"

namespace vertebra::trees {

// Start values for energy and undo (q0, v0, start*, 2 T); for a whole step (not for its half) also those from which accelerations and joint
// forces are computed. `compared`: its energy will be compared with that of the end, so 2 T is needed beyond the energy account.
void saveTree(TreeWorld& w, TreeRuntime& t, bool wholeStep, bool compared = true);
void keepStepStart(const TreeWorld& w, TreeRuntime& t);  // before a part of its step takes the place of the start of the whole
// q over h, then poses, O; ends `after` before the end of the step (prescribed bodies are at its end).
void noteFall(const TreeWorld& w, TreeRuntime& t, double h);  // after a step
// Inertias must be lent to a free tree of several links whose last step was not smooth.
void moveTree(TreeWorld& w, TreeRuntime& t, double h, StepTally& tally, double after = 0);
void displaceTree(TreeWorld& w, TreeRuntime& t, const double* step);  // q by increments; for a free root a twist about its centre of mass
void settleTree(TreeWorld& w, TreeRuntime& t, StepTally& tally, double after = 0);  // coordinates back inside their limits; poses, O
void placeBase(const TreeWorld& w, TreeRuntime& t, double after = 0);               // pose of the tree's base
void moveBase(const TreeWorld& w, TreeRuntime& t, double after = 0);                // and its twist about O
// Of the terms that its axes add to the factor of a tree, their armature alone: springs and drives do not resist an impact.
void setArmature(TreeWorld& w, const TreeRuntime& t);
// Memory for the articulated inertias and momenta of trees, which are factored one after the other: `work` is used by nobody else until
// then.
[[gnu::cold]] void growLinkRoom(RowWorkspace& work, std::size_t links);
inline void makeLinkRoom(RowWorkspace& work, std::size_t links) {
  if (work.inertias.size() < links) growLinkRoom(work, links);
}
void lendInertias(TreeWorld& w, RowWorkspace& work, std::span<const int> trees);
void lendInertias(RowWorkspace& work, TreeRuntime& t);
void updateGeometry(TreeWorld& w, TreeRuntime& t);  // S and A at the present poses
// A single body in space. Where it rotates far in a step, its orientation follows the free rotation; false: it does not.
inline bool isFreeBody(const TreeRuntime& t) { return t.freeRoot && t.tree.count == 1; }
bool turnFreeBody(TreeWorld& w, const TreeRuntime& t, double h, const Vec3& L);
void momenta(TreeWorld& w, TreeRuntime& t, double h, bool forces = true);  // P of each link; without forces the momentum at the start

// axisError of all axes of a tree, into TreeWorld::fromRest and fromTarget, for later use at these poses.
void measureAxes(TreeWorld& w, const TreeRuntime& t);
// E and g of the joint axes; measures them first. With smooth = true springs, dampers and motors act in the second-order form. Motors that
// reached their bound in the last pass act as constant forces.
void implicitAxisForces(TreeWorld& w, TreeRuntime& t, double h, bool smooth);
void addCoasting(TreeWorld& w, const TreeRuntime& t, double h);  // to g, of a coasting tree: what its factor took from the accelerations
// After the velocities of the island are known: true if a motor acts on another side of its bounds than its velocity requires, so that the
// island must be solved again. `first` for the first solution of a step.
bool resaturate(TreeWorld& w, RowWorkspace& work, std::span<const int> trees, double h, bool first);
// The form in which the forces along axes acted in a step: at its end alone, by halves at its two ends, at its middle.
enum class AxisForm { Implicit, Smooth, Midpoint };
void recordImplicitAxisForces(TreeWorld& w, TreeRuntime& t, double h, AxisForm form, StepTally& tally);
struct AxisWork {
  double drives = 0, damping = 0;  // J, that drives gave and dampers took
  double doubt = 0;                // J, by which that may be off, as velocities change within the step
};
// Over a step, axes measured at its end. `accelerated`: accelerations are those of its start.
AxisWork axisWork(const TreeWorld& w, const TreeRuntime& t, double h, bool accelerated);
// Springs, dampers and drives too stiff for the second-order form at this step, dry friction.
bool needsFirstOrder(TreeWorld& w, TreeRuntime& t, double h);

// E and g over an interval of the stepper variational, whose unknowns are increments: springs at the middle of the way, dampers by its mean
// rate, drives by both, torques; for `share` [s] at its start (half of it, but none of what acted before) and at its end. With atEnd: of
// the projection there.
void midpointAxisForces(TreeWorld& w, TreeRuntime& t, double h, double share, bool atEnd);
// Replaces the rotors' momenta at the interval's start by those of the interval, after the axis forces.
void addRotorMomenta(TreeWorld& w, TreeRuntime& t);
// Dry friction, stiff drives, and dampers that would overshoot by the mean rate (judged by the joint blocks of the last factor).
bool actsImplicitly(const TreeWorld& w, const TreeRuntime& t, double h);
bool startsImplicitly(TreeWorld& w, TreeRuntime& t,
                      double h);  // dry friction and stiff drives, of a tree without a factor at its present poses

// geometric_stiffness.cpp: slender links get inertia against the loads through their joints, for steps in which they would swing too fast.
void findSlenderLinks(TreeRuntime& t);
inline constexpr double kPull = 10;  // m/s^2: the whole tree is assumed to pull at any of its links with at most this acceleration
// Whether in a step of h some link of a tree may swing so fast that it needs what follows. `slenderness`: TreeRuntime.
inline bool isSlender(double slenderness, double h) {
  constexpr double kUnstable = 4;  // (h w)^2 of some link above which a tree is examined
  return h * h * kPull * slenderness > kUnstable;
}
inline bool isSlender(const TreeRuntime& t, double h) { return isSlender(t.rare ? t.slenderness * t.rare->pull : t.slenderness, h); }
void pullByCycles(TreeWorld& w, std::span<const int> joints);  // of the forces that these joints hold, all of some trees
// Before a loop over trees: loads of cycles, and room for slender links where a tree may need it in a whole step.
void prepareSlenderLinks(TreeWorld& w);
void stiffenSlenderLinks(TreeWorld& w, TreeRuntime& t, double h);   // at the present poses, to A before the factor
double fastestSwing(TreeWorld& w, TreeRuntime& t);                  // 1/s^2, w^2 under the present loads
void carrySlenderLinks(TreeWorld& w, TreeRuntime& t, double back);  // to P: their angular velocities `back` s before the start
// Largest rotation [rad] of a link beyond that at constant acceleration.
double unevenTurn(const TreeWorld& w, const TreeRuntime& t, double h);
void meanReactions(TreeWorld& w, TreeRuntime& t, double h);  // over h, the step or its last part, where no accelerations are computed
// Its part of gainedEnergy; with `reference` of carryEnergy.
double gainedBySlenderLinks(const TreeWorld& w, const TreeRuntime& t, double back, bool reference);
// s before the start of a step at which the compensating angular velocities are taken.
inline double carriedFrom(const TreeRuntime& t, double h) { return t.smooth ? 0 : 0.5 * h; }

int factorTree(TreeWorld& w, TreeRuntime& t);  // -1 or the absolute link without inertia; by the world's tree solver
void solveTree(TreeWorld& w, TreeRuntime& t);  // P, g -> x (z, or v under sparse and dense)
int factorAndSolveTree(TreeWorld& w, TreeRuntime& t, bool pushed = false);  // both; pushed: g is not zero, even without axis forces
void referenceMotion(TreeWorld& w, TreeRuntime& t, double h);               // TreeWorld::reference, after solveTree
// The energy that a first-order step gains (or loses) by its own error, for the energy account: the first half after referenceMotion, the
// second, which returns it, once the velocities and forces of the step are known.
void carryEnergy(const TreeWorld& w, TreeRuntime& t, double h);
double gainedEnergy(const TreeWorld& w, const TreeRuntime& t, double h);
void followBase(TreeWorld& w, TreeRuntime& t);         // a tree that is welded to a prescribed body, at its new poses: twists, subspaces
void baseMotion(TreeWorld& w, TreeRuntime& t);         // velocity of each link due to a prescribed base alone, for the rows' right sides
void solveReference(TreeWorld& w, TreeRuntime& t);     // the same for the present momenta P; keeps x
void solveHeld(TreeWorld& w, TreeRuntime& t);          // x of the present momenta P, without the forces along axes
void findReferenceRate(TreeWorld& w, TreeRuntime& t);  // TreeWorld::referenceRate, of `reference`
void velocitiesOf(TreeWorld& w, TreeRuntime& t);       // x -> v, twists, velocities of bodies
void accelerations(TreeWorld& w, TreeRuntime& t, double h);  // second solve: a, reactions
// After a step of first order: accelerations and reactions of its velocities alone, by which the next step turns its momenta (Coriolis and
// centripetal forces at the middle of the step, not at its end, where they would take h w^2 / 2 of the motion a second).
void coast(TreeWorld& w, TreeRuntime& t, double h, bool stuck);
// The same of a tree that coasted before its drives were set, whose factor is another with them; after its factor in the smooth form.
void coastAnew(TreeWorld& w, TreeRuntime& t, double h);
inline void takeStep(TreeRuntime& t, double h) {  // of another length: its factor took something else
  t.coasting &= t.step == h;
  t.step = h;
}
inline void forgetAccelerations(TreeWorld& w, const TreeRuntime& t) { std::fill_n(w.a.begin() + t.vFirst, t.nv, 0.0); }
// Its two halves: accelerations by the forces on the tree, in z (sparse and dense: in a); and their consequences, changed by rows or not.
void freeAccelerations(TreeWorld& w, TreeRuntime& t, double h);
void finishAccelerations(TreeWorld& w, TreeRuntime& t, bool changed);

// g of springs, dampers and drives at the present state, axes measured (forces, not impulses). The factor holds h/2 of the damping, or none
// of it.
void axisForces(TreeWorld& w, TreeRuntime& t, double h);
void recordAxisForces(TreeWorld& w, const TreeRuntime& t);  // to the joints
struct AxisPower {
  double drives = 0, damping = 0;  // W, that drives give and dampers take
};
AxisPower axisPower(const TreeWorld& w, const TreeRuntime& t);  // at the present state, axes measured
bool hasInfiniteGains(const JointSlot& j);
bool hasDrives(const TreeWorld& w, const TreeRuntime& t);       // with gains
double kineticTwice(const TreeWorld& w, const TreeRuntime& t);  // 2 T of the bodies and rotors, from their velocities
// 2 x work of all forces on the tree since saveTree. `doubt` takes 2 x that of axisWork.
double workTwice(const TreeWorld& w, const TreeRuntime& t, double h, bool accelerated, double* doubt = nullptr);
double springEnergy(const TreeWorld& w, const TreeRuntime& t, const double* q);  // q null: at the poses of the last measureAxes
double springEnergyOf(const TreeWorld& w, int link, const double* q);            // of its joint
// Scales the motion relative to the tree's rigid motion so that 2 T becomes `target`; returns the scale, bounded. `wholeGain`: what is too
// much goes, however much it is.
double scaleRelativeMotion(TreeWorld& w, TreeRuntime& t, double kineticTwiceNow, double target, bool wholeGain);
// The velocities that a projected tree has now, as those from which rows start: x that gives them, by the present factor.
void startRowsFromVelocities(TreeWorld& w, TreeRuntime& t);
void capSpeeds(TreeWorld& w, TreeRuntime& t, StepTally& tally);

inline double* coordinatesOf(TreeWorld& w) { return w.settings.treeSolver == TreeSolver::Articulated ? w.z.data() : w.v.data(); }

}  // namespace vertebra::trees
