// What the sweeping solvers share: products over a path, gathering x, and the visit of one block, which solves its rows against the
// velocities as they are and keeps them inside their bounds. `local` holds x along the block's path. Units as in rows.hpp.
// Sources: Servin 9.4.2 (normal first, then tangents projected on the true cone); Catto 2005 (accumulated impulses).
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/solve/rows.hpp"

namespace vertebra {

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

// Exact impulses of one contact alone: D lambda + q = 0 where it sticks, on the cone against the slip where it slides (contact_block.cpp).
// D: yy, ys, yt, ss, st, tt of normal y and tangents s, t.
void solveContact(const double* D, const double* q, double mu, double* lambda);

struct Visit {
  RowProblem& p;
  double* local;
  double relaxation = 1;
  double worst = 0;  // largest change of a row's velocity, times the relaxation

  double slack(const Row& row, int length) const {
    return dot(p.numbers.data() + row.y, local, length) + row.sigma * row.lambda + row.bias;
  }
  void move(Row& row, double next, int length) {
    const double d = next - row.lambda;
    if (d == 0) return;
    row.lambda = next;
    axpy(local, d, p.numbers.data() + row.r, length);
    if (row.inverse > 0) worst = std::max(worst, std::fabs(d) / row.inverse);
  }
  void scalar(Row& row, int length) {
    const double next = row.lambda - relaxation * slack(row, length) * row.inverse;
    move(row, std::min(row.hi, std::max(row.lo, next)), length);
  }
  void friction(FrictionLaw law, Row* row, int rows, double bound, int length) {
    double u[2], next[2];
    for (int k = 0; k < rows; k++) u[k] = slack(row[k], length);
    frictionStep(law, row, rows, bound, relaxation, u, next);
    for (int k = 0; k < rows; k++) move(row[k], next[k], length);
  }
  // `own`: the contact's six numbers where it is to be solved as a whole, else null.
  void block(const Block& b, int length, const double* own) {
    Row* const row = &p.rows[b.row];
    FrictionGroup group[3];
    int first = 0;
    if (own && row[0].inverse > 0 && row[1].inverse > 0 && row[2].inverse > 0) {
      whole(b, row, length, own);
      first = 1;
    } else {
      scalar(row[0], length);
    }
    if (b.size == 1) return;
    const int groups = frictionGroups(b, group);
    for (int i = first; i < groups; i++) {
      const FrictionGroup& g = group[i];
      Row* const f = row + g.first;
      // Without pressure, now and before, there is nothing to do.
      if (b.law != FrictionLaw::Fixed && !(row->lambda > 0) && f[0].lambda == 0 && f[g.rows - 1].lambda == 0) continue;
      friction(b.law, f, g.rows, frictionBound(g.coefficient, row->lambda), length);
    }
  }

 private:
  void whole(const Block& b, Row* row, int length, const double* own) {
    double q[3], next[3];
    for (int k = 0; k < 3; k++) q[k] = slack(row[k], length);
    const double l[3] = {row[0].lambda, row[1].lambda, row[2].lambda};
    q[0] -= own[0] * l[0] + own[1] * l[1] + own[2] * l[2];
    q[1] -= own[1] * l[0] + own[3] * l[1] + own[4] * l[2];
    q[2] -= own[2] * l[0] + own[4] * l[1] + own[5] * l[2];
    solveContact(own, q, b.mu(), next);
    if (relaxation != 1) {
      for (int k = 0; k < 3; k++) next[k] = l[k] + relaxation * (next[k] - l[k]);
      next[0] = std::max(0.0, next[0]);
      const double bound = frictionBound(b.mu(), next[0]), length2 = next[1] * next[1] + next[2] * next[2];
      if (length2 > bound * bound) {
        const double k = bound / std::sqrt(length2);
        next[1] *= k;
        next[2] *= k;
      }
    }
    for (int k = 0; k < 3; k++) move(row[k], next[k], length);
  }
};

// The cone is solved as a whole; other laws row by row.
inline bool solvedWhole(const Block& b) {
  return b.contact() && (b.law == FrictionLaw::Cone || b.law == FrictionLaw::Polyhedral);
}

void prepareSweeps(RowProblem& p, bool wholeContacts);  // runs, own matrices, room for the longest path
void warmStart(RowProblem& p);                          // adds the impulses that the rows have to x
void addToAll(RowProblem& p);                           // lambda += before, and x with it (sweep.cpp)

// Plain sweeps one after the other.
class Sweeps {
 public:
  Sweeps(RowProblem& p, const LcpSettings& settings);
  double once(SweepOrder order);  // the largest change of a row's velocity
  double once();                  // in the order of the settings; symmetric sweeps alternate

 private:
  void visit(const Run& run, bool backward);

  RowProblem& p_;
  Visit visit_;
  const double* own_;
  SweepOrder order_;
  std::uint32_t random_ = 1;
  int count_ = 0;
};

}  // namespace vertebra
