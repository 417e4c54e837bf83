// The state that trees and forces work on: slots, their trees, fields, the clock. Functions of a room take the smallest of TreeWorld,
// ContactWorld, IslandWorld and WorldData that holds what they need; each contains the one before.
#pragma once
#include "engine/state/fields.hpp"
#include "engine/state/settings.hpp"
#include "engine/state/slots.hpp"
#include "engine/state/stepping.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::inline state {

struct TreeWorld : Slots, TreeState, TreeScratch, FieldState, SteppingState {
  WorldSettings settings;
  Callbacks callbacks;
};

}  // namespace vertebra::inline state
