// The end of a step of `impulse` for an island that joints outside its trees hold, and no other row: it is of second order, as a tree's
// without rows is. See held_islands.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

// Whether nothing acted in the solution of an island but joints that close cycles and couplings, and its next step may be of second order.
// `next`: its length [s].
bool isHeldByJoints(WorldData& w, const RowWorkspace& work, const Island& island, double next);
// Where some tree of an island that joints hold starts without the reactions of the last step, none does: what one end of a joint keeps of
// them, the other would lack.
void startAlike(WorldData& w, const Island& island);
// Energy defect against the start, corrected where the whole step was of second order; accelerations of the next. The velocities are known.
Failure finishHeld(WorldData& w, RowWorkspace& work, Island& island, double h);

}  // namespace vertebra::steppers
