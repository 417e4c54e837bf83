// Rates of the bilateral rows of an island in their order: m/s, rad/s.
#pragma once
#include <vector>

#include "engine/state/islands.hpp"

namespace vertebra::inline state {
struct IslandWorld;
}

namespace vertebra::constraints {

// When the velocities are those by which the rates are meant: of the step's start, or present ones.
enum class RatesAt : std::uint8_t { Start, Now };
// Adds them to `out`. Evaluates the users' constraints of the island, which have rates of the start alone.
void bilateralRates(IslandWorld& w, Island& island, RatesAt at, std::vector<double>& out);

}  // namespace vertebra::constraints
