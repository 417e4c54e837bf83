// Common to edits of several kinds of things.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::world {

// Frees the slot, and its references in joints; the topology was invalidated before.
void dropCoupling(WorldData& w, int coupling);
void dropConstraint(WorldData& w, int constraint);

}  // namespace vertebra::world
