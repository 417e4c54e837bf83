// Projected conjugate gradients, preconditioned by a forward and a backward sweep (block SSOR, projected): the change z of the impulses in
// these sweeps is the preconditioned gradient. Directions by Polak and Ribiere; the step along them is exact, from the slacks u before and
// after; then impulses are projected on bounds and cones. Where the projection changes the step, the next gradient shows it and the
// direction restarts. Friction has no energy function, hence "nonsmooth": its cone moves with the normal impulses, and the residual that
// ends the iteration is that of the sweep.
// A few plain sweeps come first: most problems with a warm start need no more.
// Sources: Renouf and Alart 2005, "Conjugate gradient type algorithms for frictional multi-contact problems"; Silcowitz-Hansen et al. 2010,
// "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems" (the sweep as the gradient).
#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

constexpr int kPlainSweeps = 5;  // plain sweeps at the start
// Iterations without gain before plain sweeps take over; number of those sweeps, doubled each time.
constexpr int kPatience = 3, kSweepsOn = 16;
// A direction whose impulses change no velocity, or that would need a very long step, belongs to redundant or infeasible rows.
constexpr double kFlat = 1e-8, kLongest = 100;

// Slack of every row at the present x: u + sigma lambda.
void slacks(RowProblem& p, std::vector<double>& out) {
  double* const local = p.scratch.data();
  for (const Run& run : p.work.sweep.runs) {
    const Path& path = p.paths[p.blocks[run.first].path];
    gather(p, path, local);
    for (int i = run.first; i < run.last; i++)
      for (int k = p.blocks[i].row; k < p.blocks[i].row + p.blocks[i].size; k++) {
        const Row& row = p.rows[k];
        out[k] = dot(p.numbers.data() + row.y, local, path.length) + row.sigma * row.lambda + row.bias;
      }
  }
}

}  // namespace

SolveReport solveCg(RowProblem& p, const SolverSettings& settings) {
  SolveReport report;
  prepareSweeps(p, settings.wholeContacts);
  warmStart(p);
  Sweeps sweeps(p, settings);
  const std::size_t n = p.rows.size();
  SweepWork& w = p.work.sweep;
  std::vector<double>&u = w.slack, &kept = w.otherSlack, &direction = w.direction, &change = w.change;
  for (auto* list : {&u, &kept, &direction, &change}) list->assign(n, 0.0);  // change: A direction
  if (sweepOn(p, sweeps, settings, std::min(kPlainSweeps, settings.iterations), kPlainSweeps, report)) return report;
  double last = 0, best = std::numeric_limits<double>::infinity();
  int since = 0, patience = kSweepsOn / 2;
  while (report.iterations < settings.iterations) {
    for (std::size_t i = 0; i < n; i++) p.rows[i].before = p.rows[i].lambda;
    kept.swap(u);  // slacks of the last iteration
    slacks(p, u);
    const double there = sweeps.once(SweepOrder::Forward), back = sweeps.once(SweepOrder::Backward);
    report.residual = std::max(there, back);
    report.iterations++;
    if (report.residual < settings.tolerance || report.iterations == settings.iterations) break;
    // With friction, directions can cycle. Where they gain nothing, the sweeps of pgs take over for a while, longer each time.
    if (report.residual < 0.8 * best) {
      best = report.residual;
      since = 0;
    } else if (++since > kPatience || report.residual > 10 * best) {
      patience *= 2;
      since = 0;
      last = 0;
      if (sweepOn(p, sweeps, settings, std::min(patience, settings.iterations - report.iterations), 0, report)) break;
      continue;
    }
    // now = z.g, turned = z.(g - g of the last iteration), with the gradient g = -u
    double now = 0, turned = 0;
    for (std::size_t i = 0; i < n; i++) {
      const double z = p.rows[i].lambda - p.rows[i].before;
      now -= z * u[i];
      turned -= z * (u[i] - kept[i]);
    }
    const double beta = last > 0 && turned > 0 ? turned / last : 0;
    last = now;
    // kept: slacks after the sweeps; their change is A z.
    slacks(p, kept);
    double along = 0, curve = 0, size = 0;
    for (std::size_t i = 0; i < n; i++) {
      const double z = p.rows[i].lambda - p.rows[i].before;
      direction[i] = z + beta * direction[i];
      change[i] = kept[i] - u[i] + beta * change[i];
      along -= direction[i] * u[i];
      curve += direction[i] * change[i];
      if (p.rows[i].inverse > 0) size += direction[i] * direction[i] / p.rows[i].inverse;
    }
    const double step = along / curve;
    if (!(along > 0 && curve > kFlat * size && step < kLongest)) {
      last = 0;  // the step of the sweeps is kept, and the next direction restarts
      continue;
    }
    for (const Block& b : p.blocks) {
      Row* const row = &p.rows[b.row];
      double from[6];
      for (int k = 0; k < b.size; k++) {
        from[k] = row[k].lambda;
        row[k].lambda = row[k].before + step * direction[b.row + k];
      }
      p.clampBlock(b);
      for (int k = 0; k < b.size; k++) {
        row[k].before = row[k].lambda - from[k];
        row[k].lambda = from[k];
      }
    }
    addToAll(p);
  }
  return report;
}

}  // namespace vertebra::solve
