// What edits of several kinds of things share.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

// Frees the slot, and the joints that it names know; the topology was invalidated before.
void dropCoupling(WorldData& w, int coupling);
void dropConstraint(WorldData& w, int constraint);

}  // namespace vertebra
