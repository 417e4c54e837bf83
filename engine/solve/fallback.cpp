// See fallback.hpp.
#include "engine/solve/fallback.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vertebra::solve {
namespace {

constexpr int kMoreSweeps = 4;     // times the sweeps of the settings
constexpr int kMoreOfFigures = 2;  // the same over joints' rows and contacts alone
constexpr double kEnough = 0.5;    // of what is bearable: where sweeps over joints' rows and contacts may end
constexpr double kDirectWork = 2;  // times that third power: products in a direct solution that finds its index sets soon
constexpr double kSweepsWork = 4;  // products in a visit of a row, times the length of its path

double productsOfSweep(const RowProblem& p) {
  double products = 0;
  for (const Block& b : p.blocks) products += kSweepsWork * b.size * p.paths[b.path].length;
  return products;
}

}  // namespace

void keepImpulses(const RowProblem& p, std::vector<double>& out) {
  out.clear();
  for (const Row& row : p.rows) out.push_back(row.lambda);
}

void restoreImpulses(RowProblem& p, const std::vector<double>* kept) {
  for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda = kept ? (*kept)[i] : 0;
  p.takeBack();
  p.applyAll();
}

double applyOrSweep(RowProblem& p, const SolverSettings& given) {
  SolverSettings settings = given;
  settings.bearable = std::numeric_limits<double>::infinity();  // sweeps end at the tolerance of each row, as a direct solution does
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

void tryHarder(RowProblem& p, const SolverSettings& settings, SolveReport& report) {
  Remainder left = p.remainder();
  if (!(left.speed > settings.bearable)) return;
  keepImpulses(p, p.work.best);
  SolverSettings sweeps = settings, direct = settings;
  sweeps.solver = Solver::Pgs;
  sweeps.wholeContacts = true;
  const bool figures = p.heapOfFigures();
  if (figures) sweeps.enough = kEnough * settings.bearable;
  sweeps.iterations *= figures ? kMoreOfFigures : kMoreSweeps;
  direct.solver = Solver::Dantzig;
  const double rows = static_cast<double>(p.rows.size());
  const bool directFirst = kDirectWork * rows * rows * rows < sweeps.iterations * productsOfSweep(p);
  for (int rung = 0; rung < 2 && left.speed > settings.bearable; rung++) {
    const bool byPivots = (rung == 0) == directFirst;
    if (byPivots && (rows > kMostDirect || settings.solver == Solver::Dantzig)) continue;
    for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda = p.work.best[i];
    p.takeBack();
    const SolveReport tried = runSolver(p, byPivots ? direct : sweeps);
    report.iterations += tried.iterations;
    report.products += tried.products;
    p.takeBack();
    p.applyAll();
    const Remainder now = p.remainder();
    if (!(now.energy < left.energy)) continue;
    left = now;
    keepImpulses(p, p.work.best);
  }
  restoreImpulses(p, &p.work.best);
  report.residual = left.worst;
  report.unsolved = left.speed > settings.bearable;
}

}  // namespace vertebra::solve
