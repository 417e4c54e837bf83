// Force fields in a step: see fields.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

void applyFields(WorldData& w);  // evaluates all force fields for the step, of what is not held, that begins
bool fieldsHere(WorldData& w);  // and at the present state, for that alone; false: one gave no numbers

}  // namespace vertebra
