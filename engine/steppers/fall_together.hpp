// Which trees of an island fall as a whole. See fall_together.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

void noteFallTogether(WorldData& w, const Island& island, double h);  // after a step of first order

}  // namespace vertebra::steppers
