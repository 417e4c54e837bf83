// Force fields in a step: see fields.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

void applyFields(WorldData& w);  // evaluates all force fields for the coming step, on bodies that are not held
bool fieldsHere(WorldData& w);   // and only evaluates them, at the present state; false: one gave a value that is not finite

}  // namespace vertebra
