// See loops.hpp. Islands are divided into runs of neighbours of about the same cost; each run has a workspace of its own, so that the size
// of a workspace follows from the islands alone and not from which thread was faster. Runs keep the order of the islands: a thread begins
// with the islands whose trees it moved.
#include "engine/steppers/loops.hpp"

#include <algorithm>

namespace vertebra::steppers {
namespace {

constexpr int kRunsPerThread = 8;  // more runs balance the cost better, but take memory

// A function of the caller is called in its solution: only the thread that called the step may do so.
bool callsBack(const WorldData& w, const Island& island) {
  if (w.callbacks.seeRows) return true;
  return std::any_of(island.constraints.begin(), island.constraints.end(), [&](int id) { return callsBack(w.constraints[id]); });
}

// Cost in units of a link's step, approximately.
int costOf(const WorldData& w, const Island& island) {
  int links = 0;
  for (int ti : island.trees) links += w.trees[ti].tree.count;
  return links + 4 * static_cast<int>(island.contacts.size() + island.joints.size());
}

void dealOut(WorldData& w) {
  w.callingIslands.clear();
  w.quietIslands.clear();
  w.islandRuns.clear();
  for (int k = 0; k < w.islandCount; k++) (callsBack(w, w.island(k)) ? w.callingIslands : w.quietIslands).push_back(k);
  const int count = static_cast<int>(w.quietIslands.size());
  if (count == 0) return;
  w.islandCosts.resize(count);
  std::int64_t total = 0;
  for (int i = 0; i < count; i++) total += w.islandCosts[i] = costOf(w, w.island(w.quietIslands[i]));
  const int runs = kRunsPerThread * w.threads();
  std::int64_t sum = 0;
  for (int i = 0, first = 0; i < count; i++) {
    sum += w.islandCosts[i];
    if (i + 1 < count && sum * runs < total * static_cast<std::int64_t>(w.islandRuns.size() + 1)) continue;
    w.islandRuns.push_back({first, i + 1});
    first = i + 1;
  }
  if (w.workspaces.size() < w.islandRuns.size()) w.workspaces.resize(w.islandRuns.size());
}

}  // namespace

void addTally(WorldData& w, StepTally& tally) {
  add(tally, w.statistics, w.account);
  tally = StepTally();
}

void prepareWorkers(WorldData& w) {
  const std::size_t threads = static_cast<std::size_t>(w.threads());
  if (w.workspaces.size() < threads) w.workspaces.resize(threads);
  for (std::size_t k = 0; k < threads; k++) trees::makeLinkRoom(w.workspaces[k], static_cast<std::size_t>(w.longestTree));
}

void reserveLoops(WorldData& w) {
  w.tallies.reserve(w.settings.energyAccount ? piecesOf(static_cast<int>(w.trees.size())) : w.threads());
  if (w.threads() > 1) w.islandTallies.reserve(w.settings.energyAccount ? w.trees.size() : kRunsPerThread * w.threads() + 1);
  for (std::vector<int>* list : {&w.callingIslands, &w.quietIslands, &w.islandCosts}) list->reserve(w.trees.size());
  const std::size_t runs = w.threads() > 1 ? kRunsPerThread * w.threads() : 1;
  w.islandRuns.reserve(runs + 1);
  if (w.workspaces.size() < runs + 1) w.workspaces.resize(w.threads() > 1 ? runs + 1 : 1);
}

void beginIsland(WorldData& w, Island& island, StepTally& tally) {
  island.tally = &tally;
  for (int i : island.contacts) w.contacts[i].force.setZero();
  if (!w.torques.empty())
    for (int i : island.contacts) w.torques[i].setZero();
}

namespace {

// Only the sums of an account depend on the order of the islands.
void solveTogether(WorldData& w, const auto& solveOne) {
  dealOut(w);
  const bool each = w.settings.energyAccount;
  growTo(w.islandTallies, each ? static_cast<std::size_t>(w.islandCount) : w.islandRuns.size() + 1);
  const auto tallyOf = [&](int island, std::size_t run) -> StepTally& { return w.islandTallies[each ? island : run]; };
  for (int k : w.callingIslands)  // before the threads start: the functions may read any body
    solveOne(k, w.workspaces[0], tallyOf(k, w.islandRuns.size()));
  w.parallelFor(static_cast<int>(w.islandRuns.size()), 1, [&](int worker, int first, int last) {
    for (int run = first; run < last; run++) {
      w.workspaces[run].counted = worker == 0;
      for (int i = w.islandRuns[run].first; i < w.islandRuns[run].second; i++) {
        const int k = w.quietIslands[i];
        solveOne(k, w.workspaces[run], tallyOf(k, run));
      }
    }
  });
  w.workspaces[0].counted = true;
  for (StepTally& tally : w.islandTallies) addTally(w, tally);
}

}  // namespace

Failure solveIslands(WorldData& w, SolveIsland solve) {
  FirstFailure failure;
  const auto solveOne = [&](int k, RowWorkspace& work, StepTally& tally) {
    Island island = w.island(k);
    beginIsland(w, island, tally);
    trees::lendInertias(w, work, island.trees);
    if (Failure bad = solve(w, work, island)) failure.report(k, std::move(bad));
  };
  if (w.threads() > 1) {
    solveTogether(w, solveOne);
    return failure.take();
  }
  for (int k = 0; k < w.islandCount; k++) {
    solveOne(k, w.workspaces[0], w.islandTally);
    if (w.settings.energyAccount || k + 1 == w.islandCount) addTally(w, w.islandTally);
  }
  return failure.take();
}

}  // namespace vertebra::steppers
