// Drivelines in a step: see driveline.cpp.
#pragma once
#include "engine/state/tree_world.hpp"

namespace vertebra {

void prepareDrivelines(TreeWorld& w, double h);   // their rows for the coming step
void concludeDrivelines(TreeWorld& w, double h);  // after it: readings and sums

}  // namespace vertebra
