// See island_solution.hpp.
#include "engine/constraints/island_solution.hpp"

#include <algorithm>

namespace vertebra::constraints {
namespace {
constexpr double kSinks = 1e-4;  // m in a step: of what rows may leave without a slop
}

int sweepsInTime(const WorldSettings& s, const SteppingState& clock, StepTally& tally) {
  constexpr int kHurried = 8;  // sweeps past the deadline: enough for a resting scene with its warm start
  if (s.solverIterations <= kHurried || !pastDeadline(clock)) return s.solverIterations;
  tally.hurried++;
  return kHurried;
}

double bearableDepth(const WorldSettings& s) { return std::max(s.contactSlop, kSinks); }

solve::SolveReport solveOnce(solve::RowProblem& rows, const SolutionSources& from) {
  const WorldSettings& set = from.settings;
  solve::SolverSettings settings{sweepsInTime(set, from.clock, from.tally),
                                 from.tolerance,
                                 set.solver,
                                 set.solverRelaxation,
                                 set.solverOrder,
                                 set.solverWholeContacts,
                                 set.solverAccelerate,
                                 set.frictionDirections};
  // Tolerances at acceleration level are larger by the same factor.
  if (settings.iterations == set.solverIterations)
    settings.bearable = bearableDepth(set) / from.times.h * (from.tolerance / set.solverTolerance);
  if (from.callbacks.seeRows) from.callbacks.seeRows(from.callbacks.user, rows, settings);
  return solve::solveRows(rows, settings);
}

void tell(const solve::SolveReport& report, StepTally& tally) {
  tally.solverProducts += report.products;
  tally.solverIterations = std::max(tally.solverIterations, report.iterations);
  tally.solverResidual = std::max(tally.solverResidual, report.residual);
  tally.complementarity = std::max(tally.complementarity, report.complementarity);
}

void concludeSolution(RowBuffer& rows, const solve::SolveReport& report, StepTally& tally) {
  tell(report, tally);
  if (report.infeasible) tally.infeasible++;
  if (report.unsolved && !report.infeasible) tally.unsolved++;
  RowWorkspace& work = rows.work;
  for (std::size_t i = 0; i < work.rows.rows.size(); i++)
    if (work.rowMeta[i].shares >= 0) work.bilateral.addImpulse(work.loopShares.data() + work.rowMeta[i].shares, work.rows.rows[i].lambda);
}

}  // namespace vertebra::constraints
