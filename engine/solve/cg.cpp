// Conjugate gradients for rows with bounds, preconditioned by a sweep forward and one backward (block SSOR, projected): the sweep's change
// z of the impulses is the preconditioned gradient. Polak-Ribiere directions, exact step along them from the slacks u before and after,
// then projection on bounds and cones; where the bounds bend the way, the next gradient says so and the direction starts anew. Friction
// has no energy, hence "nonsmooth": its cone moves with the normal impulses, and the residual that ends the iteration is the sweep's own.
// A few plain sweeps come first: most problems that start warm need no more.
// Sources: Renouf, Alart 2005 (projected CG for frictional contacts); Silcowitz-Hansen et al. 2010 (sweeps as the gradient).
#include "engine/solve/sweep.hpp"

namespace vertebra {
namespace {

constexpr int kPlainSweeps = 5;               // to begin with
constexpr int kPatience = 3, kSweepsOn = 16;  // iterations without gain; sweeps that follow them, doubled each time
// A way along which impulses move nothing, or would have to go far, is one of redundant or contradicting rows.
constexpr double kFlat = 1e-8, kLongest = 100;

// Slack of every row as x is: u + sigma lambda.
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
    // Friction can lead directions round in circles. Where they gain nothing, those of pgs go on for a while, longer each time.
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
    // kept: slacks after the sweeps; A z is what they changed.
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
      last = 0;  // the sweeps' own step stands, and the next direction starts anew
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

}  // namespace vertebra
