// Projected Gauss-Seidel on rows kept as paths: scalar rows clamped to their bounds, contacts row by row or as a whole, warm start, exit
// on the largest change of velocity. Sources: Servin 9.4.2 (true cone, over-relaxation), Catto 2005 (accumulated impulses),
// Silcowitz-Hansen et al. 2010 (nonsmooth nonlinear conjugate gradients on Gauss-Seidel).
#include "engine/solve/sweep.hpp"

namespace vertebra {
namespace {
constexpr int kPlainSweeps = 6;
}

// Plain sweeps settle most problems that start warm. What is left after a few (tall stacks) gets conjugate directions on top: the change
// of a sweep is the residual, Fletcher-Reeves with restart. The last thing done is always a sweep, so bounds hold.
bool sweepOn(RowProblem& p, Sweeps& sweeps, const LcpSettings& settings, int count, int plain, SolveReport& report) {
  double last = 0;
  for (int it = 0; it < count; it++) {
    const bool accelerate = settings.accelerate && it >= plain;
    if (accelerate)
      for (Row& row : p.rows) {
        row.before = row.lambda;
        if (it == plain) row.direction = 0;
      }
    report.residual = sweeps.once();
    if (report.iterations++ == 0) report.first = report.residual;
    if (report.residual < settings.tolerance) return true;
    if (it + 1 == count) break;
    if (!accelerate) continue;
    double now = 0;
    for (const Row& row : p.rows) {
      const double r = row.lambda - row.before;
      if (row.inverse > 0) now += r * r / row.inverse;
    }
    const double beta = it > plain && now < last ? now / last : 0;
    last = now;
    for (Row& row : p.rows) {
      const double step = beta * row.direction;
      row.direction = step + (row.lambda - row.before);
      row.before = step;
    }
    if (beta != 0) addToAll(p);
  }
  return false;
}

SolveReport solvePgs(RowProblem& p, const LcpSettings& settings) {
  SolveReport report;
  prepareSweeps(p, settings.wholeContacts);
  warmStart(p);
  Sweeps sweeps(p, settings);
  sweepOn(p, sweeps, settings, settings.iterations, kPlainSweeps, report);
  return report;
}

}  // namespace vertebra
