// Displacements of trees for the next move: for the timing of restitution, and for remaining penetration.
#pragma once
#include "engine/constraints/row_buffer.hpp"

namespace vertebra::constraints {

// Into the trees' `shift`, by the shifts that the solved rows ask for, over the `next` move [s]. `impacts`: the impact stage was solved.
void shiftTrees(RowBuffer& rows, const std::vector<Contact>& contacts, const WorldSettings& settings, double next, bool impacts);

}  // namespace vertebra::constraints
