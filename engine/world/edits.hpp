// Common to edits of several kinds of things.
#pragma once
#include <vector>

#include "engine/state/growth.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra::world {

// The lowest slot that is not in use, a new one if all are; none below firstFree is free.
template <class Slot>
std::size_t freeSlot(std::vector<Slot>& slots, std::size_t& firstFree) {
  std::size_t at = firstFree;
  while (at < slots.size() && slots[at].alive) at++;
  if (at == slots.size()) growTo(slots, at + 1);
  firstFree = at + 1;
  return at;
}

// Frees the slot, and its references in joints; the topology was invalidated before.
void dropCoupling(WorldData& w, int coupling);
void dropConstraint(WorldData& w, int constraint);

}  // namespace vertebra::world
