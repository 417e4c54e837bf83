// A physics step, whole or in parts.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::world {

// A step of h [s]. Where it diverges, or drives a contact deeper by more than settings.adaptiveDepth, it is undone and made in two parts,
// these likewise, down to 1 / settings.adaptiveSubsteps of it; all or nothing. Forces are told as means over the whole.
Failure stepWholeOrInParts(WorldData& w, double h);

}  // namespace vertebra::world
