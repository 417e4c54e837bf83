// Groups of bodies with a step of their own: see multirate.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

Failure checkIntegration(const Integration& of, Stepper stepper);  // whether it can give it
void planParts(WorldData& w, double h);                            // of the step that begins
Failure makeFirstParts(WorldData& w, double h);                    // all but the last of those
// After the last: where groups of different steps meet, the coarser ones make it again in finer parts. Looks for contacts again then.
Failure makeMeetingParts(WorldData& w, double h);

}  // namespace vertebra
