// Bounded rows by Lemke's algorithm. Rows without bounds are the mixed part, P x + Q z = u: P is factored once and eliminated from the rest
// (Cline 2.7.2; the joints of a tree, which his generalised auxiliary method of 4.8.2 puts in the place of P, are already eliminated by the
// coordinates in which rows are written). Bounds become variables z >= 0; a contact's cone becomes a polygon of directions d_j (Anitescu
// and Potra 1997; Cline 2.7.3):
//   lambda_t = sum beta_j d_j,  0 <= beta_j  _|_  gamma + d_j . u_t >= 0,  0 <= gamma  _|_  mu lambda_n - sum beta_j >= 0.
// Rows are scaled to a unit diagonal (dense_rows.hpp), beta by the scale of its rows, so that the matrix is of order one.
#include <cmath>
#include <limits>

#include "engine/math/elementary.hpp"
#include "engine/solve/complementary_pivot.hpp"
#include "engine/solve/dense_rows.hpp"
#include "engine/solve/fallback.hpp"

namespace vertebra::solve {
namespace {

constexpr int kLargestPure = 1500;     // variables: 18 MB; more would take seconds
constexpr double kImpliedRow = 1e-10;  // times a row's diagonal: when the rows before leave less than this, they imply the row
constexpr double kRough = 1e4;         // larger coefficients of friction are replaced by this one
constexpr double kPi = 3.14159265358979323846;

class Problem {
 public:
  Problem(RowProblem& p, int directions)
      : p_(p), d_(p.work.dense), w_(p.work.lemke), n_(static_cast<int>(p.rows.size())), directions_(directions) {}

  bool build();  // false: too large
  PivotReport solve();
  double residual() const;  // m/s: the largest min(z, w), and the residual of rows without bounds
  void store();
  int count() const { return static_cast<int>(w_.variables.size()); }

 private:
  double S(int i, int j) const { return w_.reduced[static_cast<std::size_t>(i) * n_ + j]; }
  void eliminateFree();
  void addRow(int row);
  void addFriction(const Block& b);
  void addFan(const Block& b, int s, int t, double coefficient);
  LemkeVariable& add(double unit) {
    w_.variables.push_back({});
    w_.variables.back().unit = unit;
    return w_.variables.back();
  }

  RowProblem& p_;
  DenseWork& d_;
  LemkeWork& w_;
  int n_, directions_;
};

// S = A - A_F P^-1 A_F^T and the same of b, over all rows; lines of the free rows F themselves are not read again.
void Problem::eliminateFree() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::size_t n = static_cast<std::size_t>(n_);
  w_.reduced = d_.A;
  w_.constant = d_.b;
  w_.lambda.assign(n, 0.0);
  w_.freeRows.clear();
  w_.isFree.assign(n, 0);
  w_.free.reset(n_);
  w_.column.resize(n);
  for (const Block& b : p_.blocks) {
    const int i = b.row;
    if (d_.dead[i] || d_.lo[i] != -kInfinite || d_.hi[i] != kInfinite) continue;
    w_.isFree[i] = 1;
    for (std::size_t k = 0; k < w_.freeRows.size(); k++) w_.column[k] = d_.A[i * n + w_.freeRows[k]];
    if (w_.free.add(w_.column.data(), d_.A[i * n + i], kImpliedRow)) w_.freeRows.push_back(i);  // otherwise the rows before imply it
  }
  const int free = static_cast<int>(w_.freeRows.size());
  if (free == 0) return;
  for (int i = 0; i <= n_; i++) {  // one column of P^-1 Q at a time; the last is P^-1 u
    for (int k = 0; k < free; k++) w_.column[k] = i < n_ ? d_.A[i * n + w_.freeRows[k]] : d_.b[w_.freeRows[k]];
    w_.free.solve(w_.column.data());
    for (int j = 0; j < n_; j++) {
      double s = 0;
      for (int k = 0; k < free; k++) s += d_.A[j * n + w_.freeRows[k]] * w_.column[k];
      (i < n_ ? w_.reduced[j * n + i] : w_.constant[j]) -= s;
    }
  }
}

// One bounded row: lambda = lo + z or hi - z; with both bounds a second variable keeps it below the other.
void Problem::addRow(int row) {
  const double lo = d_.lo[row], hi = d_.hi[row];
  if (w_.isFree[row]) return;
  const bool fromLo = std::isfinite(lo);
  w_.lambda[row] = fromLo ? lo : hi;
  if (d_.dead[row] || lo == hi) return;
  LemkeVariable& z = add(d_.scale[row]);
  z.row[0] = row;
  z.weight[0] = fromLo ? 1 : -1;
  if (!fromLo || !std::isfinite(hi)) return;
  const int below = count() - 1;
  LemkeVariable& v = add(d_.scale[row]);  // 0 <= v _|_ (hi - lo) - z >= 0, and the row's own condition becomes a + v
  v.q = hi - lo;
  v.coupled = below;
  v.span = 1;
}

// Impulses along directions in the plane of two rows (t < 0: along one row, both ways), all bounded by the normal impulse.
void Problem::addFan(const Block& b, int s, int t, double coefficient) {
  const double bound = std::min(coefficient, kRough);
  if (!(bound > 0) || d_.dead[b.row]) return;
  if (d_.dead[s]) std::swap(s, t);
  if (s < 0 || d_.dead[s]) return;
  if (t >= 0 && d_.dead[t]) t = -1;
  const double unit = t < 0 ? d_.scale[s] : std::min(d_.scale[s], d_.scale[t]);
  const int directions = t < 0 ? 2 : directions_, gamma = count();
  LemkeVariable& g = add(unit);
  g.span = directions;
  g.pressing = b.row;
  g.share = bound * d_.scale[b.row] / unit;
  for (int k = 0; k < directions; k++) {
    const SinCos angle = t < 0 ? SinCos{0, k == 0 ? 1.0 : -1.0} : sincos(2 * kPi * k / directions);
    LemkeVariable& beta = add(unit);
    beta.coupled = gamma;
    beta.row[0] = s;
    beta.weight[0] = angle.c * unit / d_.scale[s];
    if (t >= 0) {
      beta.row[1] = t;
      beta.weight[1] = angle.s * unit / d_.scale[t];
    }
  }
}

void Problem::addFriction(const Block& b) {
  FrictionRows groups[3];
  const int groupCount = frictionRows(b, groups);
  for (int i = 0; i < groupCount; i++) {
    const int s = b.row + groups[i].first;
    const bool pair = groups[i].rows == 2;
    if (b.law == FrictionLaw::Fixed || b.law == FrictionLaw::Estimated) {
      for (int k = 0; k < groups[i].rows; k++) addRow(s + k);
    } else if (pair && b.law != FrictionLaw::Pyramid) {
      addFan(b, s, s + 1, groups[i].coefficient);
    } else {
      for (int k = 0; k < groups[i].rows; k++) addFan(b, s + k, -1, groups[i].coefficient);
    }
  }
}

bool Problem::build() {
  w_.variables.clear();
  std::size_t most = 0;
  const std::size_t fan = 1 + static_cast<std::size_t>(directions_);
  for (const Block& b : p_.blocks)
    most +=
        2 + (b.size >= 3 ? std::max<std::size_t>(fan, 6) : 0) + (b.size >= 4 ? 3 : 0) + (b.size >= 6 ? std::max<std::size_t>(fan, 6) : 0);
  if (most > kLargestPure) return false;
  formDense(p_);
  eliminateFree();
  for (const Block& b : p_.blocks) {
    addRow(b.row);
    addFriction(b);
  }
  // w = q + M z with impulses lambda0 + G z, a = s + S lambda: q = G^T (s + S lambda0), M = G^T S G, and the couplings.
  const int m = count();
  for (int i = 0; i < n_; i++) {
    double a = w_.constant[i];
    for (int j = 0; j < n_; j++)
      if (w_.lambda[j] != 0) a += S(i, j) * w_.lambda[j];
    w_.column[i] = a;
  }
  w_.M.assign(static_cast<std::size_t>(m) * m, 0.0);
  w_.q.resize(m);
  for (int i = 0; i < m; i++) {
    const LemkeVariable& u = w_.variables[i];
    double* const M = w_.M.data() + static_cast<std::size_t>(i) * m;
    w_.q[i] = u.q;
    for (int e = 0; e < 2 && u.row[e] >= 0; e++) w_.q[i] += u.weight[e] * w_.column[u.row[e]];
    for (int j = 0; j < m; j++) {
      const LemkeVariable& v = w_.variables[j];
      for (int e = 0; e < 2 && u.row[e] >= 0; e++)
        for (int f = 0; f < 2 && v.row[f] >= 0; f++) M[j] += u.weight[e] * v.weight[f] * S(u.row[e], v.row[f]);
      if (u.pressing >= 0 && v.row[0] == u.pressing) M[j] += u.share * v.weight[0];
    }
    if (u.pressing >= 0) w_.q[i] += u.share * w_.lambda[u.pressing];
  }
  for (int i = 0; i < m; i++) {
    const int to = w_.variables[i].coupled;
    if (to < 0) continue;
    // The variable of an upper bound enters the row's condition, gamma those of its directions: +1 one way, -1 the other.
    const int master = w_.variables[i].span > 0 ? i : to, slave = w_.variables[i].span > 0 ? to : i;
    w_.M[static_cast<std::size_t>(slave) * m + master] += 1;
    w_.M[static_cast<std::size_t>(master) * m + slave] -= 1;
  }
  w_.z.resize(m);
  w_.w.resize(m);
  return true;
}

PivotReport Problem::solve() { return complementaryPivot(count(), w_.M.data(), w_.q.data(), w_.z.data(), w_.w.data(), w_.pivots); }

void Problem::store() {
  for (int i = 0; i < count(); i++) {
    const LemkeVariable& v = w_.variables[i];
    for (int e = 0; e < 2 && v.row[e] >= 0; e++) w_.lambda[v.row[e]] += v.weight[e] * w_.z[i];
  }
  // Impulses of the rows without bounds: P x = -(u + Q z).
  const std::size_t n = static_cast<std::size_t>(n_);
  for (std::size_t k = 0; k < w_.freeRows.size(); k++) {
    const int i = w_.freeRows[k];
    double a = d_.b[i];
    for (int j = 0; j < n_; j++) a += d_.A[i * n + j] * w_.lambda[j];
    w_.column[k] = -a;
  }
  w_.free.solve(w_.column.data());
  for (std::size_t k = 0; k < w_.freeRows.size(); k++) w_.lambda[w_.freeRows[k]] = w_.column[k];
  storeDense(p_, w_.lambda.data());
}

double Problem::residual() const {
  double worst = 0;
  for (int i = 0; i < count(); i++) worst = std::max(worst, std::fabs(std::min(w_.z[i], w_.w[i])) / w_.variables[i].unit);
  for (const Block& b : p_.blocks) {  // free rows that the others imply: x shows whether they are consistent
    const Row& row = p_.rows[b.row];
    if (!w_.isFree[b.row]) continue;
    worst = std::max(worst, std::fabs(p_.velocity(b.row, b.path) + row.sigma * row.lambda + row.bias));
  }
  return worst;
}

}  // namespace

void reserveLemke(SolveWork& work, int rows) {
  reserveDense(work, rows);
  LemkeWork& w = work.lemke;
  const std::size_t n = static_cast<std::size_t>(std::min(rows, kLargestDense)), m = kLargestPure;
  w.free.reserve(static_cast<int>(n));
  w.reduced.reserve(n * n);
  for (auto* list : {&w.constant, &w.lambda, &w.column}) list->reserve(n);
  w.freeRows.reserve(n);
  w.isFree.reserve(n);
  w.variables.reserve(m);
  w.M.reserve(m * m);
  for (auto* list : {&w.q, &w.z, &w.w}) list->reserve(m);
  w.pivots.reserve(static_cast<int>(m));
}

SolveReport solveLemke(RowProblem& p, const SolverSettings& settings) {
  SolveReport report;
  keepImpulses(p, p.work.warm);
  Problem problem(p, std::max(3, settings.frictionDirections));
  if (p.rows.size() > kLargestDense || !problem.build()) return solvePgs(p, settings);
  const PivotReport pivots = problem.solve();
  report.iterations = pivots.pivots;
  report.products = pivots.pivots * productsOfPivot(problem.count());
  problem.store();
  p.applyAll();
  report.residual = problem.residual();
  if (pivots.solved && report.residual <= settings.tolerance) return report;
  p.takeBack();
  report.residual = applyOrSweep(p, settings);
  return report;
}

}  // namespace vertebra::solve
