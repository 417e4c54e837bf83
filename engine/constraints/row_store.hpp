// The impulses of an island's solved rows, to contacts, joints, couplings and user constraints; the work of the rows, to the energy
// account.
#pragma once
#include <vector>

#include "engine/constraints/row_buffer.hpp"
#include "engine/state/island_world.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::constraints {

struct StoreTargets {
  Slots& slots;
  std::vector<Contact>& contacts;        // to which the rows of contacts point
  std::span<Vec3> torques;               // of these, where they are kept
  const std::vector<HeldContact>& held;  // forces of contacts at acceleration level, which impulses are added to
  const WorldSettings& settings;
};

void addAxisForce(const RowMeta& meta, double force, JointSlot& joint);  // of a row of dry friction or a limit, to the axes' forces
void storeRowImpulses(const RowBuffer& rows, Island& island, const StoreTargets& to, double h);  // h: s

}  // namespace vertebra::constraints
