// What the direct solvers and solveRows share: saving and restoring impulses, and sweeps where pivots find no solution.
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra::solve {

inline constexpr int kMostDirect = 120;  // rows that tryHarder solves directly, with work bounded by the third power of their number

void keepImpulses(const RowProblem& p, std::vector<double>& out);
void restoreImpulses(RowProblem& p, const std::vector<double>* kept);  // restores x from its start, too; null: all impulses zero
// The rows hold a solution by pivots, x is at its start: applies the impulses. If the residual exceeds the tolerance (infeasible rows,
// friction that does not settle), sweeps start from this solution, from the warm start (SolveWork::warm) and from zero; the best result is
// kept. Returns its residual.
double applyOrSweep(RowProblem& p, const SolverSettings& settings);

// The present solution leaves more than settings.bearable: dearer methods in the order of their cost, each from the best solution so far,
// until one leaves less. Keeps what leaves the least energy; the report gets its residual and all iterations.
void tryHarder(RowProblem& p, const SolverSettings& settings, SolveReport& report);

}  // namespace vertebra::solve
