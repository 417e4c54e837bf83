// The stepper `variational`: discrete Euler-Lagrange equations in maximal coordinates, with the joints' increments as unknowns
// (dynamics/discrete_interval.hpp). State at a node: coordinates q and velocities v, whose momenta M v projected on the joints are the
// discrete ones. A step of a tree from one node to the next:
//   1 momenta of the start, and half the impulse of gravity, applied forces, springs and torques;
//   2 Newton's method finds the coordinates at the end whose discrete momenta mu balance them along the joints; the bodies' forces by the
//     trapezoidal rule, springs and dampers at the middle;
//   3 mu and the other half of the impulses, projected on the joints at the end, give v there.
// Symplectic, of second order, symmetric in time; momenta are those of the continuous motion to round-off. No energy correction, but for
// what parts of halved steps, and steps with rows, gain of nothing.
// Islands with active rows (contacts, limits, cycles, couplings, dry friction, stiff drives and implicit fields): the momenta at the end
// are the free motion. There the forces act with a whole step, the missing half and the first half of the next step, implicitly
// where they are stiff, and the rows bound the result: a body at rest has velocity zero and stays in place in the next interval. The tree
// is then `ahead`. A row that comes near but does not act changes nothing. Where Newton's method does not converge, or a link rotates far,
// the tree's interval is halved, at most `adaptive.halvings` times, and a few times more where it has no solution else. Both are decided
// from the interval's two ends alike, not from earlier intervals: a rule that depends on history makes the energy drift. A tree that is
// ahead flies its parts without forces; where halving has ended it glides. Sources: Marsden and West 2001; those of
// dynamics/discrete_interval.hpp. What a tree does over an interval is in variational_interval.cpp.
#include <algorithm>
#include <cmath>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/forces/pair_springs.hpp"
#include "engine/islands/islands.hpp"
#include "engine/state/growth.hpp"
#include "engine/state/stage_clock.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/variational_interval.hpp"
#include "engine/steppers/whips.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

// Gravity alone moves a free tree as a whole evenly, whatever rows hold within it: of gravity its velocities need no lead, with which their
// energy would not belong to their poses. `sign` 1: they get it when the next step begins.
void leadByGravity(WorldData& w, TreeRuntime& t, double sign, double lead) {
  const Vec3 change = sign * lead * w.links[t.first].gravityScale * w.settings.gravity;
  Eigen::Map<Vec3>(&w.v[t.vFirst + 3]) += change;
  for (int i = 0; i < t.tree.count; i++) {
    t.tree.state[i].v += change;
    t.tree.state[i].t.tail<3>() += change;
  }
}

bool fallsAsOne(const WorldData& w, const TreeRuntime& t) {  // by one share of gravity
  for (int i = t.first; i < t.first + t.tree.count; i++)
    if (w.links[i].gravityScale != w.links[t.first].gravityScale) return false;
  return true;
}

// Whether the velocities of the tree as a whole changed in the step as gravity alone changes them in a time [s].
bool fell(const WorldData& w, const TreeRuntime& t, double time) {
  constexpr double kOther = 1e-6;  // share of the weight that is round-off
  if (!fallsAsOne(w, t)) return false;
  const double scale = w.links[t.first].gravityScale;
  Vec3 change = Vec3::Zero();
  for (int i = 0; i < t.tree.count; i++) {
    change += t.tree.model[i].mass * (t.tree.state[i].v - startOfStep(t, w.links[t.first + i], i).v);
  }
  const Vec3 expected = time * scale * w.settings.gravity;
  return (change / t.mass - expected).norm() <= kOther * expected.norm();
}

// After a step of h with rows; `lead`: s, of the velocities from which it started.
void dropLeadInFall(WorldData& w, TreeRuntime& t, double h, double lead) {
  const double next = moveAfter(w, h);
  const bool falls = t.freeRoot && t.ahead && fell(w, t, h + 0.5 * next - lead);
  if (t.falls) {  // velocities at the start were told without the lead
    if (!t.divided) trees::keepStepStart(w, t);
    std::vector<StartVelocity>& start = t.rare.make().stepStart;
    for (int i = 0; i < t.tree.count; i++) start[i].v -= lead * w.links[t.first + i].gravityScale * w.settings.gravity;
    t.divided = true;
  }
  t.falls = falls;
  if (falls) leadByGravity(w, t, -1, 0.5 * next);
}

Failure endSmooth(WorldData& w, Island& island, double h) {
  for (int ti : island.trees)
    if (Failure f = endInterval(w, w.trees[ti], h, IntervalForm::Smooth, true)) return f;
  return {};
}

// The end with a whole form. What a tree that whips gains of nothing before its rows act divides the step, or is dropped in its last parts.
// Velocities contain forces up to half a step beyond their nodes: energies are those of the poses that the links have by then.
Failure endWhole(WorldData& w, TreeRuntime& t, double h) {
  t.gain = 0;
  if (Failure f = endInterval(w, t, h, IntervalForm::Whole, true)) return f;
  const bool gravityAlone = !t.hasAxisForces && !t.pulled && !isPushed(w, t);  // its energy is known
  if (!w.settings.energyCorrection || !gravityAlone || !whips(w, t, h)) return {};
  trees::velocitiesOf(w, t);
  const double flown = t.ahead ? h - t.interval : 0;  // of a flight in parts, before the last
  const double before = leadOf(w, t, h) - flown, after = 0.5 * moveAfter(w, h), now = trees::kineticTwice(w, t);
  double start = 0, work = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const LinkRuntime& r = w.links[i];
    const dynamics::LinkModel& m = w.model[i];
    const dynamics::LinkState& s = w.state[i];
    start += m.mass * r.startV.squaredNorm() + r.startW.dot(m.inertia.cwiseProduct(r.startW));
    const Vec3 way = s.c - r.startC + after * s.v - before * r.startV;
    work += 2 * m.mass * r.gravityScale * w.settings.gravity.dot(way);
  }
  const double gain = now - start - work;
  t.gain = static_cast<float>(gain / std::max({now, start, leastKineticTwice(t)}));
  if (!(t.gain > kGainedOfNothing)) return {};
  if (divides(w)) return {Failure::TooDeep, ""};
  dropGainBeforeRows(w, t, now, now - gain);
  return {};
}

// `smooth`: whether its forces may all be explicit; then, whether the step ended so.
Failure endWithRows(WorldData& w, RowWorkspace& work, Island& island, double h, bool& smooth) {
  auto implicitly = [&] {
    bool any = false;
    for (int ti : island.trees) any |= w.trees[ti].pulled || trees::actsImplicitly(w, w.trees[ti], h);
    return any;
  };
  constraints::IslandRows rows(w, work, island, {h, moveAfter(w, h), 0.5 * moveAfter(w, h)});
  if (smooth) {
    if (Failure f = endSmooth(w, island, h)) return f;
    smooth = rows.build().empty() && !implicitly();
  }
  if (!smooth) {
    for (int ti : island.trees) w.trees[ti].smooth = false;
    std::optional<constraints::SolvedRows> solved;
    if (Failure f = solveIsland(w, work, island, rows, h, endWhole, solved)) return f;
    bool dropped = false;
    for (int ti : island.trees) {
      const TreeRuntime& t = w.trees[ti];
      if (!(t.gain > kGainedOfNothing)) continue;
      dropped = true;
      island.tally->maxEnergyCorrection = std::max(island.tally->maxEnergyCorrection, std::fabs(t.rare->dropScale - 1));
      if (w.settings.energyAccount) island.tally->account.corrected -= t.rare->dropped;
    }
    island.tally->unsolved += dropped;
    storeRows(w, work, island, *solved);
    smooth = !implicitly() && !acts(work);
    if (smooth)
      if (Failure f = endSmooth(w, island, h)) return f;
  }
  return {};
}

Failure stepIslandVariational(WorldData& w, RowWorkspace& work, Island& island) {
  const double h = w.trees[island.trees[0]].step;
  bool hasAxisForces = false;
  bool smooth = island.unbound();
  for (int ti : island.trees) {
    hasAxisForces |= w.trees[ti].hasAxisForces;
    smooth &= (w.trees[ti].smooth || !w.trees[ti].hasAxisForces) && !w.trees[ti].pulled;
  }
  if (Failure f = smooth && !hasAxisForces ? endSmooth(w, island, h) : endWithRows(w, work, island, h, smooth)) return f;
  if (smooth)
    for (int ti : island.trees) {
      trees::velocitiesOf(w, w.trees[ti]);
      if (w.trees[ti].interval < h && !w.trees[ti].ahead) dropGainOfPart(w, w.trees[ti], *island.tally);
    }
  else
    island.tally->firstOrder++;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (t.hasAxisForces) {
      trees::measureAxes(w, t);
      trees::recordImplicitAxisForces(w, t, h, smooth ? trees::AxisForm::Midpoint : trees::AxisForm::Implicit, *island.tally);
    }
    if (t.pulled) trees::concludeFields(w, t, h);
    const double lead = leadOf(w, t, h);
    if (trees::isSlender(t, h)) trees::meanReactions(w, t, t.ahead ? h : t.interval);
    t.ahead = !smooth;
    t.smooth = smooth;
    dropLeadInFall(w, t, h, lead);
    trees::capSpeeds(w, t, *island.tally);
  }
  return {};
}

bool startsImplicitly(WorldData& w, int worker, TreeRuntime& t, double h) {
  if (!t.hasAxisForces || t.immobile) return false;
  trees::lendInertias(w.workspaces[worker], t);
  return trees::startsImplicitly(w, t, h);
}

}  // namespace

void resizeVariational(TreeWorld& w) {
  w.interval.resize(w.model.size());
  growTo(w.increment, w.v.size());
  growTo(w.leftOver, w.v.size());
  for (TreeRuntime& t : w.trees) t.rare.make();
}

Failure stepVariational(WorldData& w, double h) {
  trees::prepareSlenderLinks(w);
  prepareWorkers(w);
  Failure failure = forTrees(w, [&](TreeRuntime& t, StepTally& tally, int worker) -> Failure {
    if (t.asleep || (t.immobile && t.baseBody < 0)) return {};
    if (t.immobile && !t.movingBase && t.settled) return {};
    const bool held = isHeld(w, t), begins = t.fresh && !t.ahead && (t.pulled || held || startsImplicitly(w, worker, t, h));
    if (begins) t.ahead = true;
    t.falls = begins ? t.freeRoot && !t.pulled && !held && fallsAsOne(w, t) : t.falls && t.ahead && t.freeRoot;
    if (t.falls) {
      trees::noteChange(w, t);
      leadByGravity(w, t, 1, leadOf(w, t, h));
    }
    trees::saveTree(w, t, true, false);
    t.fresh = false;
    if (t.immobile) {  // welded to a prescribed body: moves with it
      trees::placeBase(w, t);
      trees::settleTree(w, t, tally);
      trees::followBase(w, t);
      return {};
    }
    trees::lendInertias(w.workspaces[worker], t);
    t.rare.make().swing = trees::isSlender(t, h) ? trees::fastestSwing(w, t) : 0;
    return flyInterval(w, t, h, 0, 0.5 * h - leadOf(w, t, h), 0, tally);
  });
  if (failure) return failure;
  if (!w.auxiliaryJoints.empty()) forces::springsMoved(w, h, true);
  const double next = moveAfter(w, h);
  collision::collideAll(w, {w.settings.continuous ? next : 0}, next);
  if (Failure f = failTooDeep(w, h)) return f;
  islands::buildIslands(w);
  enterStage(w, Stage::Finish);
  Failure failed = solveIslands(w, stepIslandVariational);
  if (!w.auxiliaryJoints.empty()) forces::meanSprings(w);
  return failed;
}

}  // namespace vertebra::steppers
