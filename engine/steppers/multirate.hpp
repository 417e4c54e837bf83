// Multirate groups: see multirate.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

Failure checkIntegration(const Integration& of, Stepper stepper);  // whether the stepper offers it
void planParts(WorldData& w, double h);                            // for the coming step
Failure makeFirstParts(WorldData& w, double h);                    // all but the last of those
// After the last: where groups of different steps meet, the coarser ones repeat it in finer parts. Then searches for contacts again.
Failure makeMeetingParts(WorldData& w, double h);

}  // namespace vertebra::steppers
