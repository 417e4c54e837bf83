// What the sweeping solvers share: products over a path, gathering x, and the visit of one block, which solves its rows for the present
// velocities and keeps impulses inside their bounds. `local` holds x along the block's path. Units as in rows.hpp.
// Sources: Servin 9.4.2 (normal first, then tangents projected on the Coulomb cone); Catto 2005, "Iterative dynamics with temporal
// coherence" (accumulated impulses).
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/solve/rows.hpp"

namespace vertebra::solve {

// Two numbers at once, on any CPU of the instruction set; lengths are even. Lengths known at compile time (free bodies: 6 and 12) are
// unrolled.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
inline Pair pairAt(const double* a) { return *reinterpret_cast<const Pair*>(a); }
inline void addPair(double* a, Pair b) { *reinterpret_cast<Pair*>(a) += b; }

template <class Length>
inline double dot(const double* a, const double* b, Length n) {
  Pair s = {0, 0};
  for (int k = 0; k < n; k += 2) s += pairAt(a + k) * pairAt(b + k);
  return s[0] + s[1];
}
template <class Length>
inline void axpy(double* x, double t, const double* b, Length n) {
  for (int k = 0; k < n; k += 2) addPair(x + k, t * pairAt(b + k));
}

template <class Length>
inline void axpy3(double* x, double s, const double* a, double t, const double* b, double u, const double* c, Length n) {
  for (int k = 0; k < n; k += 2) addPair(x + k, s * pairAt(a + k) + t * pairAt(b + k) + u * pairAt(c + k));
}

// x along a path of any length, in memory.
struct InMemory {
  double* x;
  int length;

  double dot(const double* a) const { return solve::dot(a, x, length); }
  void dot3(const double* a, const double* b, const double* c, double* out) const {  // three rows at once
    Pair sa = {0, 0}, sb = {0, 0}, sc = {0, 0};
    for (int k = 0; k < length; k += 2) {
      const Pair at = pairAt(x + k);
      sa += pairAt(a + k) * at;
      sb += pairAt(b + k) * at;
      sc += pairAt(c + k) * at;
    }
    out[0] = sa[0] + sa[1];
    out[1] = sb[0] + sb[1];
    out[2] = sc[0] + sc[1];
  }
  void axpy(double t, const double* b) { solve::axpy(x, t, b, length); }
  void axpy3(double s, const double* a, double t, const double* b, double u, const double* c) { solve::axpy3(x, s, a, t, b, u, c, length); }
  void store(double*) const {}
};
// The same for a length known at compile time (6: a free body, 12: two), kept in registers from block to block to avoid waits for stores.
// Two partial sums a row halve the dependency chain.
template <int Length>
struct InRegisters {
  Pair x[Length / 2];

  explicit InRegisters(const double* from) {
    for (int k = 0; k < Length / 2; k++) x[k] = pairAt(from + 2 * k);
  }
  double dot(const double* a) const {
    Pair sum[2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < Length / 2; k++) sum[k & 1] += pairAt(a + 2 * k) * x[k];
    sum[0] += sum[1];
    return sum[0][0] + sum[0][1];
  }
  void dot3(const double* a, const double* b, const double* c, double* out) const {
    out[0] = dot(a);
    out[1] = dot(b);
    out[2] = dot(c);
  }
  void axpy(double t, const double* b) {
    for (int k = 0; k < Length / 2; k++) x[k] += t * pairAt(b + 2 * k);
  }
  void axpy3(double s, const double* a, double t, const double* b, double u, const double* c) {
    for (int k = 0; k < Length / 2; k++) x[k] += (s * pairAt(a + 2 * k) + t * pairAt(b + 2 * k)) + u * pairAt(c + 2 * k);
  }
  void store(double* to) const {
    for (int k = 0; k < Length / 2; k++) *reinterpret_cast<Pair*>(to + 2 * k) = x[k];
  }
};
// x += r step for one joint: the common sizes without a loop.
inline void copyPiece(const double* from, int count, double* to) {
  const auto pairs = [&](int many) {
    for (int k = 0; k < 2 * many; k += 2) *reinterpret_cast<Pair*>(to + k) = pairAt(from + k);
  };
  switch (count) {
    case 1:
      to[0] = from[0];
      break;
    case 3:
      pairs(1);
      to[2] = from[2];
      break;
    case 6:
      pairs(3);
      break;
    default:
      for (int k = 0; k < count; k++) to[k] = from[k];
  }
}
inline void gather(const RowProblem& p, const Path& path, double* local) {
  const Piece* const first = p.pieces.data() + path.firstPiece;
  const Piece* const last = first + path.pieces;
  double* const end = local + path.length;
  for (const Piece* piece = first; piece < last; local += piece++->count) copyPiece(p.x + piece->offset, piece->count, local);
  if (local < end) *local = 0;
}
inline void scatter(RowProblem& p, const Path& path, const double* local) {
  const Piece* const first = p.pieces.data() + path.firstPiece;
  const Piece* const last = first + path.pieces;
  for (const Piece* piece = first; piece < last; local += piece++->count) copyPiece(local, piece->count, p.x + piece->offset);
}

// Exact impulses of one contact alone: D lambda + q = 0 where it sticks, on the cone against the slip where it slides (contact_block.cpp).
// D: yy, ys, yt, ss, st, tt of normal y and tangents s, t. start: where the slip over the friction is sought first [m/s / (N s)]; 0:
// unknown.
void solveContact(const double* D, const double* q, double mu, double start, double* lambda);

template <class Local>
struct Visit {
  RowProblem& p;
  Local local;
  double relaxation = 1;
  double worst = 0;  // largest change of a row's velocity, times the relaxation

  double slack(const Row& row) const { return local.dot(p.numbers.data() + row.y) + row.sigma * row.lambda + row.bias; }
  void changed(const Row& row, double d) {
    if (std::fabs(d) > worst * row.inverse && row.inverse > 0) worst = std::fabs(d) / row.inverse;  // avoids most divisions
  }
  void move(Row& row, double next) {
    const double d = next - row.lambda;
    if (d == 0) return;
    row.lambda = next;
    local.axpy(d, p.numbers.data() + row.r);
    changed(row, d);
  }
  double clamped(const Row& row, double u) const { return std::min(row.hi, std::max(row.lo, row.lambda - relaxation * u * row.inverse)); }
  void scalar(Row& row) { move(row, clamped(row, slack(row))); }
  // Normal and tangents. All three velocities are read at once; `coupling` (two numbers) gives the effect of the normal's step on the
  // others.
  void contact(const Block& b, Row* row, const double* coupling) {
    Row &n = row[0], &s = row[1], &t = row[2];
    const bool idle = n.lambda == 0 && s.lambda == 0 && t.lambda == 0 && b.law != FrictionLaw::Fixed;
    double u[3];
    if (idle) {
      u[0] = slack(n);
      if (clamped(n, u[0]) == 0) return;
    }
    local.dot3(p.numbers.data() + n.y, p.numbers.data() + s.y, p.numbers.data() + t.y, u);
    for (int k = 0; k < 3; k++) u[k] += row[k].sigma * row[k].lambda + row[k].bias;
    const double normal = clamped(n, u[0]), dn = normal - n.lambda;
    n.lambda = normal;
    u[1] += coupling[0] * dn;
    u[2] += coupling[1] * dn;
    const double bound = frictionBound(b.mu(), normal);
    double next[2] = {s.lambda - relaxation * u[1] * s.inverse, t.lambda - relaxation * u[2] * t.inverse};
    if (b.law != FrictionLaw::Cone || next[0] * next[0] + next[1] * next[1] > bound * bound)
      frictionStep(b.law, row + 1, 2, bound, relaxation, u + 1, next);
    const double ds = next[0] - s.lambda, dt = next[1] - t.lambda;
    s.lambda = next[0];
    t.lambda = next[1];
    local.axpy3(dn, p.numbers.data() + n.r, ds, p.numbers.data() + s.r, dt, p.numbers.data() + t.r);
    changed(n, dn);
    changed(s, ds);
    changed(t, dt);
  }
  // `own`: the contact's six numbers where it is solved as a whole, otherwise null.
  void block(const Block& b, const double* coupling, const double* own) {
    Row* const row = &p.rows[b.row];
    if (b.size == 1) return scalar(row[0]);
    if (own && row[0].inverse > 0 && row[1].inverse > 0 && row[2].inverse > 0)
      whole(b, row, own);
    else
      contact(b, row, coupling);
    if (b.size == 3) return;
    FrictionRows group[3];
    const int groups = frictionRows(b, group);
    for (int i = 1; i < groups; i++) {
      Row* const f = row + group[i].first;
      const int rows = group[i].rows;
      double u[2], next[2];
      for (int k = 0; k < rows; k++) u[k] = slack(f[k]);
      frictionStep(b.law, f, rows, frictionBound(group[i].coefficient, row->lambda), relaxation, u, next);
      for (int k = 0; k < rows; k++) move(f[k], next[k]);
    }
  }

 private:
  void whole(const Block& b, Row* row, const double* own) {
    double q[3], next[3];
    local.dot3(p.numbers.data() + row[0].y, p.numbers.data() + row[1].y, p.numbers.data() + row[2].y, q);
    for (int k = 0; k < 3; k++) q[k] += row[k].sigma * row[k].lambda + row[k].bias;
    const double l[3] = {row[0].lambda, row[1].lambda, row[2].lambda}, friction2 = l[1] * l[1] + l[2] * l[2];
    const double slip = friction2 > 0 ? std::sqrt((q[1] * q[1] + q[2] * q[2]) / friction2) : 0;
    q[0] -= own[0] * l[0] + own[1] * l[1] + own[2] * l[2];
    q[1] -= own[1] * l[0] + own[3] * l[1] + own[4] * l[2];
    q[2] -= own[2] * l[0] + own[4] * l[1] + own[5] * l[2];
    solveContact(own, q, b.mu(), slip, next);
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
    const double d[3] = {next[0] - l[0], next[1] - l[1], next[2] - l[2]};
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) return;
    local.axpy3(d[0], p.numbers.data() + row[0].r, d[1], p.numbers.data() + row[1].r, d[2], p.numbers.data() + row[2].r);
    for (int k = 0; k < 3; k++) {
      row[k].lambda = next[k];
      changed(row[k], d[k]);
    }
  }
};

// The cone is solved as a whole; other laws row by row.
inline bool solvedWhole(const Block& b) { return b.contact() && (b.law == FrictionLaw::Cone || b.law == FrictionLaw::Polyhedral); }

void prepareSweeps(RowProblem& p, bool wholeContacts);  // runs, couplings, own matrices, room for the longest path
void warmStart(RowProblem& p);                          // adds the impulses that the rows have to x
void addToAll(RowProblem& p);                           // lambda += before, and x with it (sweep.cpp)

// Plain sweeps one after the other.
class Sweeps {
 public:
  Sweeps(RowProblem& p, const SolverSettings& settings);
  double once(SweepOrder order);  // the largest change of a row's velocity
  double once();                  // in the order of the settings; symmetric sweeps alternate

 private:
  void visit(const Run& run, bool backward);
  template <class Local>
  void visitBlocks(const Run& run, bool backward, const Local& local);

  RowProblem& p_;
  const double relaxation_;
  double worst_ = 0;
  const double* own_;
  SweepOrder order_;
  std::uint32_t random_ = 1;
  int count_ = 0;
};

// Up to `count` sweeps, with conjugate directions on top after the plain ones, and with Newton's steps if wanted (pgs.cpp). True: the
// residual is within the tolerance, or what is left is small in the mean (SolveReport::settled).
bool sweepOn(RowProblem& p, Sweeps& sweeps, const SolverSettings& settings, int count, int plain, SolveReport& report, bool newton = false);

}  // namespace vertebra::solve
