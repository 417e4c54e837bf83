// Rows of the axes of tree joints: limits (position, velocity, swing and twist) and dry friction. Blocks in the order of links.
#pragma once
#include <vector>

#include "engine/constraints/row_law.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::constraints {

// Velocities.
void addAxisRows(RowBuffer& rows, const std::vector<JointSlot>& joints, const WorldSettings& settings, const StepTimes& times,
                 RowFindings& found);
// After the solution: whether limits that had seemed too far for a row are passed in the `next` move [s]. They get one if rows are added
// again.
bool limitsPassed(RowBuffer& rows, const std::vector<JointSlot>& joints, double next);
// Accelerations: limits that touch do not approach. Rates that violate rows decay within times.next.
void addAxisAccelerations(RowBuffer& rows, const std::vector<JointSlot>& joints, const WorldSettings& settings, const StepTimes& times);

}  // namespace vertebra::constraints
