// Forces of a step that is made in parts (world/divided_step.cpp): they are told as means over the whole step, as those of any other.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

void reserveParts(WorldData& w, std::size_t contacts);
void beginParts(WorldData& w);               // before the first: velocities of the start
void addPart(WorldData& w, double step);     // after each, of `step` [s]
void tellParts(WorldData& w, double h);      // after the last, of a step of h [s]
void takeImpulses(WorldData& w, double of);  // those for warm starts become those of a step of this length [s]

}  // namespace vertebra::steppers
