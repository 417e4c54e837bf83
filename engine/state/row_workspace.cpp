// See row_workspace.hpp.
#include "engine/state/row_workspace.hpp"

#include <algorithm>

namespace vertebra::inline state {

void RowWorkspace::reserve(const Sizes& n, solve::Solver solver) {
  // Rows are as long as their paths; this room is enough for loops over a whole island only where the island is small.
  const std::size_t length = std::min<std::size_t>(n.longestPath, 128);
  inertias.reserve(n.longestTree);
  pushes.reserve(n.longestTree);
  rows.rows.reserve(n.rows);
  rows.blocks.reserve(n.rows);
  rows.paths.reserve(n.rows + 1);
  rows.pieces.reserve(n.rows * 16);
  rows.numbers.reserve(n.rows * length);
  rows.reserveWork(solver, static_cast<int>(n.rows), static_cast<int>(n.velocities), static_cast<int>((n.contacts + n.limits) * length));
  rows.work.reserveGroups(n.limits);
  rows.scratch.reserve(2 * (n.velocities + 2));
  rowMeta.reserve(n.rows);
  statedRows.reserve(n.rows);
  passedOver.reserve(n.contacts);
  reachedContacts.reserve(n.contacts);
  reachedLinks.reserve(n.links);
  pieceScratch.reserve(n.links + n.trees);
  lambdaScratch.reserve(n.rows);
  impactScratch.reserve(n.rows);
  impactForces.reserve(n.velocities);
  impactImpulses.reserve(n.rows);
  impactRates.reserve(n.rows);
  impactRows.reserve(n.rows);
  drivePoints.reserve(n.velocities);
  drivePointsBefore.reserve(n.velocities);
  fullScratch.reserve(n.coordinates + n.velocities + 1);
  errorScratch.reserve(n.bilateral);
  treeStart.reserve(n.trees);
  if (n.bilateral == 0) return;
  bilateral.reserve(static_cast<int>(n.bilateral), static_cast<int>(n.velocities));
  loopShares.reserve(n.rows * n.bilateral);
  drift.reserve(n.bilateral);
  driftSample.reserve(n.bilateral);
  driftStates.reserve(n.links);
}

}  // namespace vertebra::inline state
