// Common to the steppers: solving an island whose trees have moved: projection, closing, rows, and the motors at their bounds.
#include <algorithm>

#include "engine/constraints/island_rows.hpp"
#include "engine/state/stage_clock.hpp"
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {

constexpr int kMostPasses = 24;  // until motors are on their right sides; usually one or two, ten where many motors are in an impact

Failure projectAll(WorldData& w, Island& island, double h, Projection project, bool counted) {
  const StageScope stage(w, Stage::Factor, counted);
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (Failure f = project(w, t, h)) return f;
    if (t.movingBase) baseMotion(w, t);
  }
  return {};
}

}  // namespace

Failure solveIsland(WorldData& w, RowWorkspace& work, Island& island, IslandRows& rows, double h, Projection project) {
  const bool counted = work.counted;
  if (Failure f = projectAll(w, island, h, project, counted)) return f;
  // The opening by the move is closed first: velocities are then solved, and rows evaluated, at the pose of the step's end.
  const StageScope stage(w, Stage::Rows, counted);
  if (rows.close())
    if (Failure f = projectAll(w, island, h, project, counted)) return f;
  rows.build();
  if (island.tally.badConstraint >= 0) return badConstraint(island.tally.badConstraint);
  bool motors = false;
  for (int ti : island.trees) motors |= w.trees[ti].driven;
  for (int pass = 0;; pass++) {
    enterStage(w, Stage::Solve, counted);
    if (!rows.empty()) {
      rows.solve();
      rows.shift();
    }
    enterStage(w, Stage::Finish, counted);
    for (int ti : island.trees) velocitiesOf(w, w.trees[ti]);
    // Motors at their bounds act as constant forces; those that crossed a bound change sides and the island is solved again.
    if (!motors || pass == kMostPasses || !resaturate(w, work, island, h, pass == 0)) return {};
    if (Failure f = projectAll(w, island, h, project, counted)) return f;
    work.lambdaScratch.clear();
    for (const Row& r : work.rows.rows) work.lambdaScratch.push_back(r.lambda);
    enterStage(w, Stage::Rows, counted);
    rows.build();
    if (work.lambdaScratch.size() == work.rows.rows.size())
      for (std::size_t i = 0; i < work.rows.rows.size(); i++)
        work.rows.rows[i].lambda = std::min(work.rows.rows[i].hi, std::max(work.rows.rows[i].lo, work.lambdaScratch[i]));
  }
}

void storeRows(WorldData& w, RowWorkspace& work, Island& island, IslandRows& rows) {
  if (rows.empty()) return;
  rows.store();
  if (work.bilateral.count() > 0 || !rigidRowsAreExact(w.settings))
    island.tally.maxJointError = std::max(island.tally.maxJointError, loopErrors(w, island, work.errorScratch));
}

}  // namespace vertebra
