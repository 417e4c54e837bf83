// Displacements of trees for the next move: for the timing of restitution, and for remaining penetration.
#pragma once
#include "engine/constraints/row_buffer.hpp"

namespace vertebra::constraints {

// Into the trees' `shift`, by the shifts that the solved rows of a step h ask for. `impacts`: the impact stage was solved.
void shiftTrees(RowBuffer& rows, const std::vector<Contact>& contacts, const WorldSettings& settings, double h, bool impacts);

}  // namespace vertebra::constraints
