// Drivelines in a step: see driveline.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

void prepareDrivelines(WorldData& w, double h);   // their rows for the coming step
void concludeDrivelines(WorldData& w, double h);  // after it: readings and sums

}  // namespace vertebra
