// The table of solvers. See solver.hpp; a new one is a file of its own, its enumerator there and its row here.
#include "engine/solve/rows.hpp"

namespace vertebra::solve {

SolveReport solveJacobi(RowProblem& problem, const SolverSettings& settings);
SolveReport solveCg(RowProblem& problem, const SolverSettings& settings);
SolveReport solveDantzig(RowProblem& problem, const SolverSettings& settings);
SolveReport solveLemke(RowProblem& problem, const SolverSettings& settings);

namespace {

constexpr SolverTraits kSolvers[] = {  // in the order of enum Solver
    {"pgs", solvePgs},
    {"dantzig", solveDantzig, reserveDantzig},
    {"jacobi", solveJacobi},
    {"cg", solveCg},
    {"lemke", solveLemke, reserveLemke}};

}  // namespace

const SolverTraits& traitsOf(Solver solver) { return kSolvers[static_cast<int>(solver)]; }

}  // namespace vertebra::solve
