// The forces of a step in an island's velocities x: taken out before impacts act, put back after.
#pragma once
#include "engine/constraints/row_buffer.hpp"

namespace vertebra::inline state {
struct TreeWorld;
}

namespace vertebra::constraints {

void takeForces(TreeWorld& w, RowBuffer& rows, double h);  // out of x, into the workspace; the stepper `ode` has none here
void putForcesBack(RowBuffer& rows);

}  // namespace vertebra::constraints
