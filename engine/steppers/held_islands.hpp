// The end of a step of `impulse` for an island that joints outside its trees hold, and no other row: it is of second order, as a tree's
// without rows is. See held_islands.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

// Whether nothing may have acted in the solution of an island but joints that close cycles and couplings, none of which moves by itself.
bool isHeldByJoints(WorldData& w, const RowWorkspace& work, const Island& island);
// Whether the next step of such an island, of `next` [s], may be of second order.
bool flowsOn(WorldData& w, const Island& island, double next);
// Where some tree of an island that joints hold starts without the reactions of the last step, none does: what one end of a joint keeps of
// them, the other would lack. Whether they start with them.
bool startAlike(WorldData& w, const Island& island);
// The end of a step of such an island, whose velocities are known: its energy; where it `flows` on, accelerations for the next. `second`:
// it started with the reactions of the last step.
Failure finishHeld(WorldData& w, RowWorkspace& work, Island& island, double h, bool second, bool flows);

}  // namespace vertebra::steppers
