// Common to the steppers: solving an island whose trees have moved: projection, closing, rows, and the motors at their bounds.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/loop_closing.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/state/stage_clock.hpp"
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/whips.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

// Times `adaptive.depth`: what joints with a compliance open by beyond it in a step that is not divided is told.
constexpr double kTold = 2;

constexpr int kMostReaches = 4;  // until no further contact or limit is reached

Failure projectAll(WorldData& w, Island& island, double h, Projection project, bool counted) {
  const StageScope stage(w, Stage::Factor, counted);
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (Failure f = project(w, t, h)) return f;
    if (t.movingBase) trees::baseMotion(w, t);
  }
  return {};
}

// Where a cycle is taut, the error of its rows is of second order in the way that closes it, and Newton's method in the metric of the
// inertia does not contract: it kinks the links. Against loads along the cycle, the larger the better, they turn alike.
// A cycle that was open before, as at its start or where its joints do not fit, is closed by what one attempt does.
Failure closeCycles(WorldData& w, Island& island, constraints::IslandRows& rows, double h, Projection project, bool counted) {
  constexpr double kMostLoad = 1e5, kMoreLoad = 10;
  if (!rows.close()) return {};
  const bool taut = !traitsOf(w.settings.stepper).accelerationRows && rows.opened();
  for (double more = 1; taut && rows.staysOpen() && more < kMostLoad; more *= kMoreLoad) {
    rows.loadCycles(more);
    trees::pullByCycles(w, island.joints);
    bool slender = false;
    for (int ti : island.trees) slender |= w.trees[ti].slender = trees::isSlender(w.trees[ti], h);
    if (!slender) continue;
    if (Failure f = projectAll(w, island, h, project, counted)) return f;
    (void)rows.close();
  }
  if (rows.staysOpen()) {
    if (taut && divides(w)) return {Failure::TooDeep, ""};
    island.tally->unsolved++;
  }
  return projectAll(w, island, h, project, counted);
}

}  // namespace

bool mayHaveRows(const WorldData& w, const Island& island) {
  if (!island.unbound() || w.settings.treeSolver != TreeSolver::Articulated) return true;
  return std::any_of(island.trees.begin(), island.trees.end(), [&](int t) { return w.trees[t].bounded || w.trees[t].driven; });
}

bool isHeld(const WorldData& w, const TreeRuntime& t) {
  return std::any_of(w.links.begin() + t.first, w.links.begin() + t.first + t.tree.count, [](const LinkRuntime& r) { return r.looped; });
}

Failure solveFree(WorldData& w, RowWorkspace& work, Island& island, double h, Projection project) {
  if (Failure f = projectAll(w, island, h, project, work.counted)) return f;
  for (int ti : island.trees) trees::velocitiesOf(w, w.trees[ti]);
  return {};
}

Failure solveIsland(WorldData& w, RowWorkspace& work, Island& island, constraints::IslandRows& rows, double h, Projection project,
                    std::optional<constraints::SolvedRows>& solved) {
  const bool counted = work.counted;
  if (Failure f = projectAll(w, island, h, project, counted)) return f;
  // The opening by the move is closed first: velocities are then solved, and rows evaluated, at the pose of the step's end.
  const StageScope stage(w, Stage::Rows, counted);
  if (Failure f = closeCycles(w, island, rows, h, project, counted)) return f;
  constraints::BuiltRows built = rows.build();
  if (island.tally->badConstraint >= 0) return badConstraint(island.tally->badConstraint);
  bool motors = false;
  if (!traitsOf(w.settings.stepper).accelerationRows)  // else they act in the flow
    for (int ti : island.trees) motors |= w.trees[ti].driven;
  bool first = true;
  int reaches = 0;
  for (int pass = 0;; pass++) {
    enterStage(w, Stage::Solve, counted);
    solved.emplace(std::move(built).solve());
    solved->shift();
    enterStage(w, Stage::Finish, counted);
    for (int ti : island.trees) trees::velocitiesOf(w, w.trees[ti]);
    // Motors at their bounds act as constant forces; those that crossed a bound change sides and the island is solved again. So it is where
    // impulses drive bodies into contacts and limits that they could not reach as they moved before.
    if (pass == kMostPasses) return {};
    const bool turned = motors && trees::resaturate(w, work, island.trees, h, first);
    first = !turned;
    if (!turned && !(reaches++ < kMostReaches && (solved->pushesTooHard() || solved->reachMore()))) return {};
    for (int ti : island.trees) w.trees[ti].shifted = false;
    if (Failure f = projectAll(w, island, h, project, counted)) return f;
    enterStage(w, Stage::Rows, counted);
    built = rows.build(std::move(*solved));
  }
}

void storeRows(WorldData& w, RowWorkspace& work, Island& island, constraints::SolvedRows& solved) {
  if (solved.empty()) return;
  solved.store();
  if (work.bilateral.count() > 0 || !constraints::rigidRowsAreExact(w.settings))
    island.tally->maxJointError =
        std::max(island.tally->maxJointError, constraints::loopErrors(w, w, w.settings, island, work.errorScratch));
}

bool acts(const RowWorkspace& work) {
  if (work.bilateral.count() > 0) return true;
  for (const solve::Row& r : work.rows.rows)
    if (r.lambda != 0) return true;
  return false;
}

Hold holdOf(const RowWorkspace& work) {
  constexpr double kRounding = 1e-9;  // rad/s by its impulse below which friction does not act; share of its bound
  if (work.bilateral.count() > 0) return Hold::Rows;
  Hold hold = Hold::Nothing;
  for (const solve::Block& b : work.rows.blocks) {
    const solve::Row& r = work.rows.rows[static_cast<std::size_t>(b.row)];
    const bool friction = b.tree >= 0 && std::isfinite(r.lo) && std::isfinite(r.hi);  // of an axis; limits have one bound
    if (!friction) return Hold::Rows;
    if (!(std::fabs(r.lambda) > kRounding * r.inverse)) continue;
    if (r.lambda > (1 - kRounding) * r.lo && r.lambda < (1 - kRounding) * r.hi) hold = Hold::Stuck;
  }
  return hold;
}

bool softRowsGiveWay(WorldData& w, RowWorkspace& work, Island& island) {
  constexpr double kLoad = 10;  // times the island's weight, which the compliance may bear
  if (constraints::rigidRowsAreExact(w.settings) || island.joints.empty()) return false;
  double mass = 0;
  for (int ti : island.trees) mass += w.trees[ti].mass;
  const double explained = kLoad * w.settings.spookCompliance * mass * w.settings.gravity.norm();
  const double depth = divides(w) ? w.divided.least : kTold * w.settings.adaptiveDepth;
  const double open = constraints::loopErrors(w, w, w.settings, island, work.errorScratch) - explained;
  if (!(open > depth)) return false;
  const double before = constraints::openBefore(w, island, work.errorScratch) - explained;
  return gaveWay(open, std::max(0.0, before), depth);
}

}  // namespace vertebra::steppers
