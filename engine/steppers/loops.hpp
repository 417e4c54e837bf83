// Loops of a step whose pieces run in parallel on the threads of the world: see loops.cpp.
#pragma once
#include <algorithm>
#include <atomic>

#include "engine/state/world_data.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {

// The island's tally takes the solution's part of statistics and account; nobody else uses `work` in the meantime.
using SolveIsland = Failure (*)(WorldData& w, RowWorkspace& work, Island& island);
// All islands of the step, even if some fail; returns the first failure. Their tallies are added up.
Failure solveIslands(WorldData& w, SolveIsland solve);
// What is done before each island, for steppers that solve islands in sequence themselves. What `tally` takes is theirs to add up.
void beginIsland(WorldData& w, Island& island, StepTally& tally);
void reserveLoops(WorldData& w);                // workspaces, and room for the results of the loops
void addTally(WorldData& w, StepTally& tally);  // adds to the world's sums, then clears it

inline constexpr int kPieceOfTrees = 8;  // trees that share a tally where energies are accounted: their sums depend on the order
inline int piecesOf(int trees) { return (trees + kPieceOfTrees - 1) / kPieceOfTrees; }
// f(tree) for all trees, which writes nothing else; whether it was true for any.
template <class F>
bool anyTree(WorldData& w, F&& f) {
  constexpr int kPiece = 64;
  std::atomic<bool> any{false};
  w.parallelFor(static_cast<int>(w.trees.size()), kPiece, [&](int, int first, int last) {
    bool here = false;
    for (int i = first; i < last; i++) here |= f(w.trees[i]);
    if (here) any.store(true, std::memory_order_relaxed);
  });
  return any;
}

// A workspace for each worker of forTrees, of a size that does not depend on which trees it gets.
void prepareWorkers(WorldData& w);
// f(tree, tally, worker) for all trees; returns the failure of the first tree that has one.
template <class F>
Failure forTrees(WorldData& w, F&& f) {
  const int count = static_cast<int>(w.trees.size()), pieces = piecesOf(count);
  const bool each = w.settings.energyAccount;
  w.tallies.resize(each ? pieces : w.threads());  // empty since they were added up
  FirstFailure failure;
  w.parallelFor(pieces, 1, [&](int worker, int first, int last) {
    for (int piece = first; piece < last; piece++)
      for (int i = kPieceOfTrees * piece; i < std::min(count, kPieceOfTrees * (piece + 1)); i++)
        if (Failure bad = f(w.trees[i], w.tallies[each ? piece : worker], worker)) failure.report(i, std::move(bad));
  });
  for (StepTally& tally : w.tallies) addTally(w, tally);
  return failure.take();
}

}  // namespace vertebra::steppers
