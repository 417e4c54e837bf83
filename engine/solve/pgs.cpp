// Projected Gauss-Seidel on rows kept as paths: scalar rows clamped to their bounds, contacts with the true friction cone, warm start,
// exit on the largest change of velocity. Sources: Servin 9.4.2 (true cone), Catto 2005 (accumulated impulses), Silcowitz-Hansen et al.
// 2010 (nonsmooth nonlinear conjugate gradients on Gauss-Seidel).
#include <algorithm>
#include <cmath>

#include "engine/solve/rows.hpp"

namespace vertebra {
namespace {

// Two sums, so that a compiler for plain SSE2 keeps both lanes busy; lengths are even.
inline double dot(const double* a, const double* b, int n) {
  double s0 = 0, s1 = 0;
  for (int k = 0; k < n; k += 2) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
  }
  return s0 + s1;
}
inline void axpy(double* x, double t, const double* b, int n) {
  for (int k = 0; k < n; k++) x[k] += t * b[k];
}
inline void gather(const RowProblem& p, const Path& path, double* local) {
  const Piece* piece = p.pieces.data() + path.firstPiece;
  int o = 0;
  for (int i = 0; i < path.pieces; i++, piece++) {
    const double* s = p.x + piece->offset;
    for (int k = 0; k < piece->count; k++) local[o++] = s[k];
  }
  if (o & 1) local[o] = 0;
}
inline void scatter(RowProblem& p, const Path& path, const double* local) {
  const Piece* piece = p.pieces.data() + path.firstPiece;
  int o = 0;
  for (int i = 0; i < path.pieces; i++, piece++) {
    double* d = p.x + piece->offset;
    for (int k = 0; k < piece->count; k++) d[k] = local[o++];
  }
}

constexpr int kPlainSweeps = 6;

struct Sweep {
  RowProblem& p;
  double* local;
  double worst = 0;

  void scalar(Row& row, int length) {
    const double* y = p.numbers.data() + row.y;
    const double u = dot(y, local, length) + row.sigma * row.lambda + row.bias;
    const double next = std::min(row.hi, std::max(row.lo, row.lambda - u * row.inverse));
    const double d = next - row.lambda;
    if (d == 0) return;
    row.lambda = next;
    axpy(local, d, p.numbers.data() + row.r, length);
    if (row.inverse > 0) worst = std::max(worst, std::fabs(d) / row.inverse);
  }
  void contact(Row* row, double friction, int length) {
    Row &n = row[0], &s = row[1], &t = row[2];
    scalar(n, length);
    if (!(n.lambda > 0) && s.lambda == 0 && t.lambda == 0) return;
    const double* ys = p.numbers.data() + s.y;
    const double* yt = p.numbers.data() + t.y;
    const double us = dot(ys, local, length) + s.sigma * s.lambda + s.bias, ut = dot(yt, local, length) + t.sigma * t.lambda + t.bias;
    const double bound = frictionBound(friction, n.lambda);
    double a = s.lambda - us * s.inverse, b = t.lambda - ut * t.inverse;
    if (a * a + b * b > bound * bound) {
      // It slips: the same step along both tangents, or friction would settle at an angle to the slip.
      const double step = slipStep(s, t);
      a = s.lambda - us * step;
      b = t.lambda - ut * step;
      const double r2 = a * a + b * b, k = r2 > bound * bound ? bound / std::sqrt(r2) : 1;
      a *= k;
      b *= k;
    }
    const double da = a - s.lambda, db = b - t.lambda;
    if (da == 0 && db == 0) return;
    s.lambda = a;
    t.lambda = b;
    axpy(local, da, p.numbers.data() + s.r, length);
    axpy(local, db, p.numbers.data() + t.r, length);
    if (s.inverse > 0) worst = std::max(worst, std::fabs(da) / s.inverse);
    if (t.inverse > 0) worst = std::max(worst, std::fabs(db) / t.inverse);
  }
};

}  // namespace

SolveReport solvePgs(RowProblem& p, const LcpSettings& settings) {
  SolveReport report;
  int longest = 0;
  for (const Path& path : p.paths) longest = std::max(longest, path.length);
  if (static_cast<int>(p.scratch.size()) < longest) p.scratch.resize(longest);
  Sweep sweep{p, p.scratch.data()};
  const int blocks = static_cast<int>(p.blocks.size());

  for (int i = 0; i < blocks;) {  // warm start
    const int at = p.blocks[i].path;
    const Path& path = p.paths[at];
    gather(p, path, sweep.local);
    for (; i < blocks && p.blocks[i].path == at; i++) {
      const Block& block = p.blocks[i];
      for (int k = 0; k < (block.contact ? 3 : 1); k++) {
        const Row& row = p.rows[block.row + k];
        if (row.lambda != 0) axpy(sweep.local, row.lambda, p.numbers.data() + row.r, path.length);
      }
    }
    scatter(p, path, sweep.local);
  }
  auto sweepOnce = [&] {
    sweep.worst = 0;
    for (int i = 0; i < blocks;) {
      const int at = p.blocks[i].path;
      const Path& path = p.paths[at];
      gather(p, path, sweep.local);
      for (; i < blocks && p.blocks[i].path == at; i++) {
        const Block& block = p.blocks[i];
        if (block.contact)
          sweep.contact(&p.rows[block.row], block.friction, path.length);
        else
          sweep.scalar(p.rows[block.row], path.length);
      }
      scatter(p, path, sweep.local);
    }
  };
  // Plain sweeps settle most problems that start warm. What is left after a few (tall stacks) gets conjugate directions on top: the
  // change of a sweep is the residual, Fletcher-Reeves with restart. The last thing done is always a sweep, so bounds hold.
  double last = 0;
  for (int it = 0; it < settings.iterations; it++) {
    const bool accelerate = it >= kPlainSweeps;
    if (accelerate)
      for (Row& row : p.rows) {
        row.before = row.lambda;
        if (it == kPlainSweeps) row.direction = 0;
      }
    sweepOnce();
    report.iterations = it + 1;
    report.residual = sweep.worst;
    if (sweep.worst < settings.tolerance || it + 1 == settings.iterations) break;
    if (!accelerate) continue;
    double now = 0;
    for (const Row& row : p.rows) {
      const double r = row.lambda - row.before;
      if (row.inverse > 0) now += r * r / row.inverse;
    }
    const double beta = it > kPlainSweeps && now < last ? now / last : 0;
    last = now;
    for (Row& row : p.rows) {
      const double step = beta * row.direction;
      row.direction = step + (row.lambda - row.before);
      row.before = step;
    }
    if (beta == 0) continue;
    for (int i = 0; i < blocks;) {
      const int at = p.blocks[i].path;
      const Path& path = p.paths[at];
      gather(p, path, sweep.local);
      for (; i < blocks && p.blocks[i].path == at; i++) {
        const Block& block = p.blocks[i];
        for (int k = 0; k < (block.contact ? 3 : 1); k++) {
          Row& row = p.rows[block.row + k];
          row.lambda += row.before;
          axpy(sweep.local, row.before, p.numbers.data() + row.r, path.length);
        }
      }
      scatter(p, path, sweep.local);
    }
  }
  report.complementarity = p.complementarity();
  return report;
}

}  // namespace vertebra
