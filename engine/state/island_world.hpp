// The state that islands, rows and drivelines work on: trees, contacts, and what they connect.
#pragma once
#include <vector>

#include "engine/state/contact_world.hpp"
#include "engine/state/islands.hpp"
#include "engine/state/row_workspace.hpp"

namespace vertebra::inline state {

struct HeldContact {  // the forces of its rows: normal, two tangents, torsion, rolling about the tangents; N and N m
  int shapeA, shapeB;
  std::uint32_t feature;
  double force[6] = {};
};
struct AxisForce {  // of a limit or dry friction of a tree joint
  RowMeta meta;
  double force;  // N m or N
};
struct AccelerationWork {  // of rows at acceleration level (stepper ode)
  std::vector<double> rates, targets;
  std::vector<HeldContact> held;
  std::vector<AxisForce> heldAxes;
};

struct IslandWorld : ContactWorld, IslandState {
  AccelerationWork acceleration;
  std::vector<RowWorkspace> workspaces = std::vector<RowWorkspace>(1);  // for runs of islands; the first serves what one thread does alone
};

}  // namespace vertebra::inline state
