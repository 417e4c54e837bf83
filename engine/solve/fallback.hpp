// What the direct solvers share with the entrance: impulses kept and put back, and sweeps where pivots do not arrive.
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra {

void keepImpulses(const RowProblem& p, std::vector<double>& out);
void restoreImpulses(RowProblem& p, const std::vector<double>* kept);  // x too, from its start; null: no impulses
// The rows' impulses are a solution by pivots, x is at its start: applies them. If more than the tolerance is left (contradicting rows,
// friction that does not settle): sweeps from what was found, from the warm start (SolveWork::warm), from nothing; the best is kept.
// Returns what is left.
double applyOrSweep(RowProblem& p, const SolverSettings& settings);

}  // namespace vertebra
