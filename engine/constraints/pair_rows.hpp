// Rows between two bodies outside trees (pair_constraint.hpp): limits, springs, friction and motors of their free axes, and their held
// directions where those are soft. Blocks in the order of joints.
#pragma once
#include <vector>

#include "engine/constraints/row_law.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::constraints {

// Velocities over a step of h [s]. Writes the coordinates and rates of the island's joints.
void addPairRows(RowBuffer& rows, const Island& island, std::vector<JointSlot>& joints, const WorldSettings& settings,
                 const StepTimes& times, RowFindings& found);

}  // namespace vertebra::constraints
