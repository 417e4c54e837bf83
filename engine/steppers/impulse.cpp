// The stepper `impulse`: see docs/computation.md.
//   1 trees move          3 islands, waking
//   2 collisions          4 each island: momenta, factor, rows, velocities, speed caps; smooth islands: energy defect, halving,
//                           correction, accelerations
#include <algorithm>
#include <cmath>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/bilateral_rows.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/forces/fields.hpp"
#include "engine/forces/pair_springs.hpp"
#include "engine/islands/islands.hpp"
#include "engine/state/stage_clock.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/steppers/fall_together.hpp"
#include "engine/steppers/held_islands.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/multirate.hpp"
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/whips.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

// Share of the kinetic energy; above it a smooth island's step is halved. A tenth of what the capped correction may remove in one step.
constexpr double kDefect = 4e-3;
// Without the correction the remaining error of each step accumulates.
double allowedDefect(const WorldData& w) { return w.settings.energyCorrection ? kDefect : 0.125 * kDefect; }
// The same where rows act: then the whole step is made in parts.
constexpr double kGained = 0.02;
// rad; rotation of a slender link in a step beyond that of its acceleration, above which the step is halved, too.
constexpr double kUneven = 3e-3;

// Momenta, factor, unconstrained velocities in x. The factor belongs to the present poses.
Failure project(WorldData& w, TreeRuntime& t, double h, bool smooth) {
  trees::momenta(w, t, h);
  if (t.hasAxisForces) trees::implicitAxisForces(w, t, h, smooth);
  trees::updateGeometry(w, t);
  if (t.pulled) trees::pullByFields(w, t, h);
  if (t.slender) {
    trees::stiffenSlenderLinks(w, t, h);
    trees::carrySlenderLinks(w, t, trees::carriedFrom(t, h));
  }
  const int bad = trees::factorAndSolveTree(w, t);
  if (bad >= 0) return noFactor(w, t, bad);
  if (!w.settings.energyAccount) return {};
  trees::referenceMotion(w, t, h);
  if (!t.smooth) trees::carryEnergy(w, t, h);
  return {};
}

// Restores the state of saveTree. Accelerations and reactions are those of the start until a step has succeeded.
void restore(WorldData& w, TreeRuntime& t, StepTally& tally) {
  std::copy_n(w.q0.begin() + t.qFirst, t.nq, w.q.begin() + t.qFirst);
  std::copy_n(w.v0.begin() + t.vFirst, t.nv, w.v.begin() + t.vFirst);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    w.state[i].v = w.links[i].startV;
    w.state[i].w = w.links[i].startW;
    w.state[i].c = w.links[i].startC;
  }
  tally.account.lostClamp -= t.rare->clampWork;
}

// End of a smooth step: energy defect against the start values, relative; true = good (corrected, accelerations known).
bool finishSmooth(WorldData& w, TreeRuntime& t, double h, bool mayHalve, double& defect, StepTally& tally) {
  if (t.movingBase && t.onBase->omega.squaredNorm() > 0) {  // a rotating base does work on it, which is no defect
    defect = 0;
    trees::accelerations(w, t, h);
    return true;
  }
  const double now = trees::kineticTwice(w, t);
  double doubt = 0;
  const double expected = t.startKinetic + trees::workTwice(w, t, h, true, &doubt);
  const double target = std::clamp(now, expected - doubt, expected + doubt);
  const double scale = std::max({now, t.startKinetic, leastKineticTwice(t)});
  defect = std::fabs(now - target) / scale;
  if (t.slender) defect = std::max(defect, allowedDefect(w) / kUneven * trees::unevenTurn(w, t, h));
  const bool good = defect <= allowedDefect(w);
  if (mayHalve && !good) return false;
  // Drives keep the law that holds for the velocities they were solved with, their damping lets no error add up; Verlet's springs need
  // none.
  const bool driven = trees::hasDrives(w, t);
  if (driven && w.settings.energyAccount) tally.account.discretisation += 0.5 * (now - expected);
  if (w.settings.energyCorrection && target > 0 && now > 0 && !(good && (driven || t.sprung))) {
    // Where halving ends, a whip may still make energy of nothing; once made it would stay.
    const double s = trees::scaleRelativeMotion(w, t, now, target, !mayHalve && w.settings.maxHalvings > 0);
    tally.maxEnergyCorrection = std::max(tally.maxEnergyCorrection, std::fabs(s - 1));
    if (w.settings.energyAccount && s != 1) tally.account.corrected += 0.5 * (trees::kineticTwice(w, t) - now);
    if (driven && s != 1) trees::recordAxisForces(w, t);
  }
  trees::accelerations(w, t, h);
  return true;
}

// Moves a smooth tree alone over h, from the saved start, in two halves if necessary. Collisions were searched for the whole step. The tree
// ends `after` before the end of the step. `worst`: takes the largest defect of the parts.
Failure advanceSmooth(WorldData& w, RowWorkspace& work, int tree, double h, int depth, double after, double& worst, StepTally& tally) {
  TreeRuntime& t = w.trees[tree];
  trees::saveTree(w, t, false);
  trees::moveTree(w, t, h, tally, after);
  for (int pass = 0;; pass++) {
    if (Failure f = project(w, t, h, true)) return f;
    trees::velocitiesOf(w, t);
    if (!t.driven || pass == kMostPasses || !trees::resaturate(w, work, {&tree, 1}, h, pass == 0)) break;
  }
  const bool mayHalve = depth < w.settings.maxHalvings;
  double defect = 0;
  const EnergyAccount before = tally.account;
  if (t.hasAxisForces) trees::recordImplicitAxisForces(w, t, h, trees::AxisForm::Smooth, tally);
  if (finishSmooth(w, t, h, mayHalve, defect, tally)) {
    worst = std::max(worst, defect);
    return {};
  }
  worst = kInf;
  tally.account = before;
  restore(w, t, tally);
  tally.halvings++;
  if (Failure f = advanceSmooth(w, work, tree, 0.5 * h, depth + 1, after + 0.5 * h, worst, tally)) return f;
  return advanceSmooth(w, work, tree, 0.5 * h, depth + 1, after, worst, tally);
}

// Repeats the step of a moved tree in halves. The defect grows with the third power of the step: where the halves indicate that the whole
// step would fail again, the next step starts with halves.
Failure advanceInHalves(WorldData& w, RowWorkspace& work, int tree, double h, StepTally& tally) {
  TreeRuntime& t = w.trees[tree];
  restore(w, t, tally);
  tally.halvings++;
  double worst = 0;
  for (int half = 0; half < 2; half++)
    if (Failure f = advanceSmooth(w, work, tree, 0.5 * h, 1, half ? 0 : 0.5 * h, worst, tally)) return f;
  t.expectHalving = 8 * worst > allowedDefect(w);
  return {};
}

// Accelerations of a tree whose last step does not leave them for this one: its drives were told, its state was written, or rows acted. The
// factor contains half a step of damping, for which each pass makes up by the accelerations before it, those of the last step or none:
// stiff dampers stay damped.
void accelerateAnew(WorldData& w, TreeRuntime& t, double h) {
  constexpr int kPasses = 2;
  for (int pass = 0; pass < (t.driven ? kPasses : 1); pass++) trees::accelerations(w, t, h);
}

// The same after a step of first order, whose factor contains more.
Failure accelerateAfterRows(WorldData& w, TreeRuntime& t, double h) {
  if (t.driven) {
    trees::forgetAccelerations(w, t);
    trees::implicitAxisForces(w, t, h, true);
    trees::updateGeometry(w, t);
    if (t.slender) trees::stiffenSlenderLinks(w, t, h);
    if (const int bad = trees::factorTree(w, t); bad >= 0) return noFactor(w, t, bad);
  }
  accelerateAnew(w, t, h);
  return {};
}

// A tree whose state was just written: its accelerations are computed first, so that the first step is of second order too.
Failure startSmooth(WorldData& w, TreeRuntime& t, double h) {
  t.smooth = true;  // the second-order form of springs, dampers and drives
  if (t.hasAxisForces) trees::implicitAxisForces(w, t, h, true);
  trees::updateGeometry(w, t);
  const int bad = trees::factorTree(w, t);
  if (bad >= 0) return noFactor(w, t, bad);
  t.smooth = !trees::needsFirstOrder(w, t, h);
  if (!t.smooth && t.coasting) trees::coastAnew(w, t, h);
  if (!t.smooth) return {};
  accelerateAnew(w, t, h);
  if (!t.slender) return {};
  trees::updateGeometry(w, t);  // again, now that the loads through the joints are known
  trees::stiffenSlenderLinks(w, t, h);
  (void)trees::factorTree(w, t);
  accelerateAnew(w, t, h);
  return {};
}

// Share of its kinetic energy that a tree gained of nothing, as it has been projected: rates and accelerations of the joints of links that
// whip do not foresee their motion over a step, and loads of impacts do not last as slender links take them. Where no row acts on a smooth
// tree, finishSmooth finds that.
double gainOf(WorldData& w, TreeRuntime& t, double h, bool accelerated) {
  const double now = trees::kineticTwice(w, t);
  return (now - t.startKinetic - trees::workTwice(w, t, h, accelerated)) / std::max({now, t.startKinetic, leastKineticTwice(t)});
}

// Whether that is dropped before rows, where no part of the step is divided further. Drives keep their law, which holds for the velocities
// that they were solved with.
bool dropsGain(const WorldData& w, const TreeRuntime& t) {
  return t.gain > kGained && !divides(w) && w.settings.energyCorrection && !t.driven;
}

// What a step of first order without rows gained.
void dropGain(WorldData& w, TreeRuntime& t, double h, StepTally& tally) {
  const double now = trees::kineticTwice(w, t), target = t.startKinetic + trees::workTwice(w, t, h, false);
  if (!(target > 0)) return;
  const double s = trees::scaleRelativeMotion(w, t, now, target, true);
  tally.maxEnergyCorrection = std::max(tally.maxEnergyCorrection, std::fabs(s - 1));
  if (w.settings.energyAccount) tally.account.corrected += 0.5 * (trees::kineticTwice(w, t) - now);
}

// Whether trees of the island have drives in the second-order form; they leave it.
bool undoesDrives(WorldData& w, const Island& island) {
  bool any = false;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (!t.smooth || !trees::hasDrives(w, t)) continue;
    t.smooth = false;
    any = true;
  }
  return any;
}

// The projection of a tree on which rows may act: what it gained of nothing before them divides the step, or is dropped here.
Failure projectBeforeRows(WorldData& w, TreeRuntime& t, double h) {
  Failure f = project(w, t, h, t.smooth);
  t.gain = 0;
  if (f || !(t.smooth || t.slender || t.coasting) || !whips(w, t, h)) return f;
  trees::velocitiesOf(w, t);
  t.gain = static_cast<float>(gainOf(w, t, h, t.smooth));
  if (dropsGain(w, t)) dropGainBeforeRows(w, t, trees::kineticTwice(w, t), t.startKinetic + trees::workTwice(w, t, h, t.smooth));
  return f;
}

struct IslandEnd {                      // how the rows of an island left it
  bool rowless = true, closed = false;  // nothing acted; joints that close cycles, or couplings, did,
  bool held = false, flows = false;     // and nothing else, and its next step may be of second order
  bool reacts = false;                  // its momenta contained half of the forces of its joints
};

Failure solveRows(WorldData& w, RowWorkspace& work, Island& island, double h, IslandEnd& end) {
  const bool tied = !island.joints.empty() || !island.couplings.empty();
  end.reacts = tied && startAlike(w, island);
  constraints::IslandRows rows(w, work, island, {h, moveAfter(w, h)});
  std::optional<constraints::SolvedRows> solved;
  if (Failure f = solveIsland(w, work, island, rows, h, projectBeforeRows, solved)) return f;
  end.held = isHeldByJoints(w, work, island);
  end.flows = end.held && flowsOn(w, island, moveAfter(w, h));
  if (!end.flows && acts(work) && undoesDrives(w, island)) {  // rows act beside the first-order form of drives, whose account is known
    end.reacts = tied && startAlike(w, island);
    if (Failure f = solveIsland(w, work, island, rows, h, projectBeforeRows, solved)) return f;
  }
  storeRows(w, work, island, *solved);
  if (end.reacts) constraints::addStartForces(island, w, h);
  if (tied && !end.held) constraints::dropEndForces(island, w);
  if (softRowsGiveWay(w, work, island)) {
    if (divides(w)) return {Failure::TooDeep, ""};
    island.tally->unsolved++;
  }
  end.rowless = solved->empty();
  end.closed = work.bilateral.count() > 0;
  return {};
}

Failure stepIsland(WorldData& w, RowWorkspace& work, Island& island) {
  const double h = w.trees[island.trees[0]].step;
  StepTally& tally = *island.tally;
  if (island.trees.size() == 1 && island.unbound()) {
    TreeRuntime& t = w.trees[island.trees[0]];
    if (t.expectHalving && t.smooth && !t.hasAxisForces && !isPushed(w, t) && w.settings.maxHalvings > 0) {
      const StageScope stage(w, Stage::Move, work.counted);
      if (Failure f = advanceInHalves(w, work, island.trees[0], h, tally)) return f;
      trees::capSpeeds(w, t, tally);
      return {};
    }
    t.expectHalving = false;
  }
  IslandEnd end;
  const bool guarded = mayHaveRows(w, island);
  if (guarded) {
    if (Failure f = solveRows(w, work, island, h, end)) return f;
  } else {
    const Projection ofTree = [](WorldData& world, TreeRuntime& t, double step) { return project(world, t, step, t.smooth); };
    if (Failure f = solveFree(w, work, island, h, ofTree)) return f;
  }
  const bool rowless = end.rowless;
  const auto gained = [&](const TreeRuntime& t) { return guarded && t.gain > kGained; };
  const bool anyGained = !rowless && std::any_of(island.trees.begin(), island.trees.end(), [&](int ti) { return gained(w.trees[ti]); });
  if (anyGained && divides(w)) return {Failure::TooDeep, ""};
  tally.unsolved += anyGained;
  const auto tellDropped = [&](const TreeRuntime& t) {
    if (!guarded || !dropsGain(w, t)) return false;
    tally.maxEnergyCorrection = std::max(tally.maxEnergyCorrection, std::fabs(t.rare->dropScale - 1));
    if (w.settings.energyAccount) tally.account.corrected -= t.rare->dropped;
    return true;
  };
  if (end.held) {
    for (int ti : island.trees) tellDropped(w.trees[ti]);
    return finishHeld(w, work, island, h, end.reacts, end.flows);
  }
  bool firstOrder = !rowless;
  const Hold hold = rowless ? Hold::Nothing : holdOf(work);
  double defect = 0;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    const EnergyAccount before = tally.account;
    if (t.hasAxisForces) trees::recordImplicitAxisForces(w, t, h, t.smooth ? trees::AxisForm::Smooth : trees::AxisForm::Implicit, tally);
    if (t.pulled) trees::concludeFields(w, t, h);
    const bool wasSmooth = t.smooth, dropped = tellDropped(t);
    if (w.settings.energyAccount && !wasSmooth && !t.saddle && !t.movingBase && !end.closed)
      tally.account.discretisation += trees::gainedEnergy(w, t, h);
    t.coasting = false;
    t.smooth = rowless && !trees::needsFirstOrder(w, t, moveAfter(w, h));
    if (rowless && !wasSmooth && t.slender && (t.smooth || !t.driven) && w.settings.energyCorrection && whips(w, t, h) &&
        gainOf(w, t, h, false) > kGained)
      dropGain(w, t, h, tally);
    if (!t.smooth) {
      firstOrder = true;
      if (t.driven) trees::forgetAccelerations(w, t);
      if (hold != Hold::Rows) trees::coast(w, t, h, hold == Hold::Stuck);
      if (t.slender) trees::meanReactions(w, t, h);
    } else if (!wasSmooth) {
      if (Failure f = accelerateAfterRows(w, t, h)) return f;
    } else if (const bool mayHalve = w.settings.maxHalvings > 0; (dropped && mayHalve) || !finishSmooth(w, t, h, mayHalve, defect, tally)) {
      tally.account = before;
      const StageScope stage(w, Stage::Move, work.counted);
      if (Failure f = advanceInHalves(w, work, ti, h, tally)) return f;
    }
    trees::noteFall(w, t, h);
    trees::capSpeeds(w, t, tally);  // last: the energy balance would take the loss for an error and halve the step
  }
  if (firstOrder) {
    noteFallTogether(w, island, h);
    tally.firstOrder++;
  }
  return {};
}

}  // namespace

// Trees that are not held, over their own steps.
Failure moveTrees(WorldData& w) {
  if (anyTree(w, [](const TreeRuntime& t) { return t.fresh && !t.smooth; }))
    trees::holdByContacts(w);  // accelerations without contacts would push resting bodies through their floor
  prepareWorkers(w);
  trees::prepareSlenderLinks(w);
  return forTrees(w, [&](TreeRuntime& t, StepTally& tally, int worker) -> Failure {
    if (t.asleep || t.held || (t.immobile && t.baseBody < 0)) return {};
    if (t.immobile && !t.movingBase && t.settled) return {};
    t.slender = trees::isSlender(t, t.step);
    trees::saveTree(w, t, true);
    const bool jerked = t.pulled || (w.anyForce && struck(w, t));
    if (jerked) t.smooth = false;
    const bool anew = t.fresh && !jerked && !t.smooth && !t.immobile && !isHeld(w, t);  // accelerations alone would open its cycles
    if (t.fresh && !anew) t.coasting = false;
    if (anew) {
      trees::lendInertias(w.workspaces[worker], t);
      if (Failure f = startSmooth(w, t, t.step)) return f;
    }
    t.fresh = false;
    if (!t.smooth && t.freeRoot && t.tree.count > 1) trees::lendInertias(w.workspaces[worker], t);
    trees::moveTree(w, t, t.step, tally);
    if (t.immobile) trees::followBase(w, t);
    return {};
  });
}

void unmoveTree(WorldData& w, TreeRuntime& t) {
  StepTally tally;
  restore(w, t, tally);
  addTally(w, tally);
  t.shifted = t.startShifted;
}

Failure stepImpulse(WorldData& w, double h) {
  if (Failure f = moveTrees(w)) return f;
  if (!w.auxiliaryJoints.empty()) forces::springsMoved(w, h, false);
  const double next = moveAfter(w, h);
  collision::collideAll(w, {w.settings.continuous ? next : 0}, next);
  if (w.inParts && !w.partial)
    if (Failure f = makeMeetingParts(w, h)) return f;
  if (Failure f = failTooDeep(w, h)) return f;
  islands::buildIslands(w);
  enterStage(w, Stage::Finish);
  return solveIslands(w, stepIsland);
}

}  // namespace vertebra::steppers
