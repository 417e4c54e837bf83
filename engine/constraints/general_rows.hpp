// Rows of couplings and user constraints that are soft or bounded: over any number of bodies and joint axes. Blocks: couplings by id, then
// user rows by id.
#pragma once
#include "engine/constraints/row_buffer.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::constraints {

// Velocities over a step of h [s]; user constraints as they were last evaluated.
void addCouplingRows(RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h);
void addUserRows(RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h);

}  // namespace vertebra::constraints
