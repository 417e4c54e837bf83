// Constraints over points of several bodies: see point_rows.cpp.
#pragma once
#include <vector>

#include "engine/state/slots.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::constraints {

double measurePoints(const std::vector<BodySlot>& bodies, const TreeState& topology, const UserConstraintDefinition& d);  // m, m^3
void pointRow(const std::vector<BodySlot>& bodies, const TreeState& topology, const UserConstraintDefinition& d, UserRow& row);

}  // namespace vertebra::constraints
