// Drivelines in a step: see driveline.cpp.
#pragma once
#include "engine/state/island_world.hpp"

namespace vertebra::driveline {

void prepareDrivelines(IslandWorld& w, double h);   // their rows for the coming step
void concludeDrivelines(IslandWorld& w, double h);  // after it: readings and sums

}  // namespace vertebra::driveline
