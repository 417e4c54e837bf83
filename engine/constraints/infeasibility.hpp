// Prescribed motion against contacts: see infeasibility.cpp.
#pragma once
#include "engine/constraints/island_solution.hpp"

namespace vertebra::constraints {

bool drivesWithoutBound(const solve::Row& drive);  // a motor of infinite gain between bodies
void yieldDrive(solve::Row& drive);                // softens it by the inverse of the mass that it moves
// Of a drive's row after the solution: it yields, and has not reached its velocity.
bool isHeldUp(const RowWorkspace& work, const solve::Block& drive, const JointSlot& j);

// After a first solution of rows with prescribed motion: solves them again where they are infeasible; the report of the last solution.
solve::SolveReport settlePrescribed(RowBuffer& rows, const SolutionSources& from, const solve::SolveReport& solved);

}  // namespace vertebra::constraints
