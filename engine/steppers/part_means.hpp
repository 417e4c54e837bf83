// Forces of a step that is made in parts (world/divided_step.cpp), or begins with an impact (foresight.cpp): they are told as means over
// the whole step, as those of any other.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

void reserveParts(WorldData& w, std::size_t contacts);
void noteStart(WorldData& w);                // velocities, before an impact or a part changes them: those of the step's start,
void tellStart(WorldData& w);                // from which joint forces are told
void beginParts(WorldData& w);               // before the first
void addPart(WorldData& w, double step);     // after each, of `step` [s]
void tellParts(WorldData& w, double h);      // after the last, of a step of h [s]
void takeImpulses(WorldData& w, double of);  // those for warm starts become those of a step of this length [s]

}  // namespace vertebra::steppers
