// See fallback.hpp.
#include "engine/solve/fallback.hpp"

#include <cmath>

namespace vertebra::solve {

void keepImpulses(const RowProblem& p, std::vector<double>& out) {
  out.clear();
  for (const Row& row : p.rows) out.push_back(row.lambda);
}

void restoreImpulses(RowProblem& p, const std::vector<double>* kept) {
  for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda = kept ? (*kept)[i] : 0;
  p.takeBack();
  p.applyAll();
}

double applyOrSweep(RowProblem& p, const SolverSettings& settings) {
  p.applyAll();
  double residual = p.violation();
  for (int attempt = 0; attempt < 3 && !(residual <= settings.tolerance); attempt++) {
    keepImpulses(p, p.work.kept);
    if (attempt > 0)
      for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda = attempt == 1 ? p.work.warm[i] : 0;
    p.takeBack();
    solvePgs(p, settings);
    p.takeBack();  // restarts from x and the impulses alone: infeasible rows may have produced large impulses, whose round-off is in x
    p.applyAll();
    const double swept = p.violation();
    if (swept < residual || !std::isfinite(residual))
      residual = swept;
    else
      restoreImpulses(p, &p.work.kept);
  }
  return residual;
}

}  // namespace vertebra::solve
