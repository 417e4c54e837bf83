// What steppers do alike with an island whose trees have moved: projection, closing, rows, and the motors at their bounds.
#include <algorithm>

#include "engine/constraints/island_rows.hpp"
#include "engine/state/stage_clock.hpp"
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {

constexpr int kMostPasses = 24;  // until motors stand on their sides; mostly one or two, ten where many are struck at once

Failure projectAll(WorldData& w, Island& island, double h, Projection project) {
  const StageScope stage(w, Stage::Factor);
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (Failure f = project(w, t, h)) return f;
    if (t.movingBase) baseMotion(w, t);
  }
  return {};
}

}  // namespace

Failure solveIsland(WorldData& w, Island& island, IslandRows& rows, double h, Projection project) {
  if (Failure f = projectAll(w, island, h, project)) return f;
  // What the move opened is closed first: velocities are then solved, and rows stand, where the step ends.
  const StageScope stage(w, Stage::Rows);
  if (rows.close())
    if (Failure f = projectAll(w, island, h, project)) return f;
  rows.build();
  if (w.badConstraint >= 0) return badConstraint(w);
  bool motors = false;
  for (int ti : island.trees) motors |= w.trees[ti].hasAxisForces;
  for (int pass = 0;; pass++) {
    enterStage(w, Stage::Solve);
    if (!rows.empty()) {
      rows.solve();
      rows.shift();
    }
    enterStage(w, Stage::Finish);
    for (int ti : island.trees) velocitiesOf(w, w.trees[ti]);
    // Motors at their bounds act as constant forces; whoever crossed a bound changes sides and the island is solved again.
    if (!motors || pass == kMostPasses || !resaturate(w, island, h, pass == 0)) return {};
    if (Failure f = projectAll(w, island, h, project)) return f;
    w.workspace.lambdaScratch.clear();
    for (const Row& r : w.workspace.rows.rows) w.workspace.lambdaScratch.push_back(r.lambda);
    enterStage(w, Stage::Rows);
    rows.build();
    if (w.workspace.lambdaScratch.size() == w.workspace.rows.rows.size())
      for (std::size_t i = 0; i < w.workspace.rows.rows.size(); i++)
        w.workspace.rows.rows[i].lambda =
            std::min(w.workspace.rows.rows[i].hi, std::max(w.workspace.rows.rows[i].lo, w.workspace.lambdaScratch[i]));
  }
}

void storeRows(WorldData& w, Island& island, IslandRows& rows) {
  if (rows.empty()) return;
  rows.store();
  if (w.workspace.bilateral.count() > 0 || !rigidRowsAreExact(w.settings))
    w.statistics.maxJointError = std::max(w.statistics.maxJointError, loopErrors(w, island, w.workspace.errorScratch));
}

}  // namespace vertebra
