// Force fields in a step: see fields.cpp.
#pragma once
#include "engine/state/tree_world.hpp"

namespace vertebra::forces {

void applyFields(TreeWorld& w);  // evaluates all force fields for the coming step, on bodies that are not held
bool fieldsHere(TreeWorld& w);   // and only evaluates them, at the present state; false: one gave a value that is not finite
double fieldPotential(const TreeWorld& w, int body);  // J, of a body that moves by physics in the fields that tell a potential, now

}  // namespace vertebra::forces
