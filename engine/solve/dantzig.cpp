// Direct lo-hi solver; see rows.hpp.
#include "engine/solve/rows.hpp"

namespace vertebra {
SolveReport solveDantzig(RowProblem& problem, const LcpSettings& settings) { return solvePgs(problem, settings); }
}  // namespace vertebra
