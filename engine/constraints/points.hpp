// Constraints over points of several bodies: see point_rows.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

double measurePoints(const WorldData& w, const UserConstraintDefinition& d);  // m, m^3
void pointRow(const WorldData& w, const UserConstraintDefinition& d, UserRow& row);

}  // namespace vertebra
