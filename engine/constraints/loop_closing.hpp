// Bilateral rows in position: their errors, and closing them by Newton's method in the coordinates of the trees.
#pragma once
#include <functional>
#include <vector>

#include "engine/constraints/row_buffer.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::inline state {
struct TreeWorld;
}

namespace vertebra::constraints {

// Position errors of the bilateral rows, in their order. Returns the largest distance [m] or angle [rad].
double loopErrors(Slots& slots, const TreeState& topology, const WorldSettings& settings, Island& island, std::vector<double>& errors);
// Builds the bilateral rows at the present poses, see addBilateralRows.
using BuildRows = std::function<RowBuffer&(double doubt)>;
// Closes the island's loops with the present factor by its bilateral rows; returns the remaining error.
double closeLoops(TreeWorld& w, Island& island, const BuildRows& build);

// The error of the island's loops at the start of the step, TreeState::q0.
double openBefore(TreeWorld& w, Island& island, std::vector<double>& errors);

}  // namespace vertebra::constraints
