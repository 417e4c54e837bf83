// Lemke's algorithm on a dictionary: each basic variable as an affine function of the others,
//   basic_i = t_i0 + sum_j t_ij nonbasic_j,
// which contains the inverse of the basis (columns of the nonbasic w, negated) and is updated in O(n^2) per pivot. With the artificial
// variable z0 (w = q + M z + 1 z0) the start is feasible; the complement of the variable that left enters next; the algorithm ends when z0
// leaves. Ties of the least ratio are broken lexicographically, as if q were q + (e, e^2, ...) with a tiny e, which excludes cycles.
// Entries below a share of the largest in their column are round-off and are not used as pivots; ratios that differ by round-off only are
// ties. At the end the basis is solved again from M and q.
// Sources: Cline 2.7.1, 4.8.1, 4.8.3; Murty 1988, Linear Complementarity, ch. 2; Cottle, Pang, Stone 1992, ch. 4.
#include "engine/solve/complementary_pivot.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::solve {
namespace {

constexpr double kLeastPivot = 1e-9;   // of the largest entry of the column
constexpr double kTie = 1e-11;         // of the ratios: round-off
constexpr double kMostProducts = 3e9;  // of all pivots, some seconds

// Variables: w_i is i, z_i is n + i, z0 is 2 n. Column 0 holds the constants; column j + 1 belongs to nonbasic[j].
class Dictionary {
 public:
  Dictionary(int n, const double* M, const double* q, PivotWork& work) : n_(n), width_(n + 2), w_(work) {
    w_.tableau.resize(static_cast<std::size_t>(n) * width_);
    w_.basic.resize(n);
    w_.nonbasic.resize(n + 1);
    w_.place.resize(2 * n + 1);
    for (int i = 0; i < n; i++) {
      double* const t = line(i);
      t[0] = q[i];
      std::copy_n(M + static_cast<std::size_t>(i) * n, n, t + 1);
      t[n + 1] = 1;
      w_.basic[i] = i;
      w_.place[i] = -1 - i;
      w_.nonbasic[i] = n + i;
      w_.place[n + i] = i + 1;
    }
    w_.nonbasic[n] = 2 * n;
    w_.place[2 * n] = n + 1;
  }
  double* line(int i) { return w_.tableau.data() + static_cast<std::size_t>(i) * width_; }
  int artificial() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  int column(int variable) const { return w_.place[variable]; }
  int basic(int i) const { return w_.basic[i]; }

  // The line whose variable first reaches zero when the variable of column c grows; -1: none.
  int leaving(int c) {
    double largest = 0;
    for (int i = 0; i < n_; i++) largest = std::max(largest, std::fabs(line(i)[c]));
    double least = HUGE_VAL;
    for (int i = 0; i < n_; i++)
      if (const double* t = line(i); t[c] < -kLeastPivot * largest) least = std::min(least, std::max(0.0, t[0]) / -t[c]);
    if (!(least < HUGE_VAL)) return -1;
    w_.tied.clear();
    for (int i = 0; i < n_; i++) {
      const double* t = line(i);
      if (!(t[c] < -kLeastPivot * largest) || std::max(0.0, t[0]) / -t[c] > least * (1 + kTie) + kTie * tiny_) continue;
      if (w_.basic[i] == artificial()) return i;  // z0 leaves as soon as it is among the ties
      w_.tied.push_back(i);
    }
    return lexicographicLeast([&](int i) { return -1 / line(i)[c]; });
  }
  // The line to start from: the least q, ties broken lexicographically.
  int lowest() {
    double least = HUGE_VAL;
    for (int i = 0; i < n_; i++) least = std::min(least, line(i)[0]);
    w_.tied.clear();
    for (int i = 0; i < n_; i++)
      if (line(i)[0] <= least + kTie * std::fabs(least)) w_.tied.push_back(i);
    tiny_ = std::max(1e-300, std::fabs(least));
    return lexicographicLeast([](int) { return 1.0; });
  }
  void pivot(int r, int c) {
    double* const row = line(r);
    const double inverse = -1 / row[c];
    row[c] = -1;
    for (int k = 0; k < width_; k++)
      row[k] *= inverse;  // expresses the entering variable by the others; column c now belongs to the leaving one
    for (int i = 0; i < n_; i++) {
      double* const t = line(i);
      const double f = t[c];
      if (i == r || f == 0) continue;
      t[c] = 0;
      for (int k = 0; k < width_; k++) t[k] += f * row[k];
    }
    const int out = w_.basic[r], in = w_.nonbasic[c - 1];
    w_.basic[r] = in;
    w_.nonbasic[c - 1] = out;
    w_.place[in] = -1 - r;
    w_.place[out] = c;
  }

 private:
  // Of the tied lines, the one whose row of the inverse basis, times its factor, is lexicographically least.
  template <class F>
  int lexicographicLeast(F&& factor) {
    std::vector<int>& tied = w_.tied;
    for (int k = 0; k < n_ && tied.size() > 1; k++) {
      auto entry = [&](int i) {
        const int at = w_.place[k];
        return (at > 0 ? -line(i)[at] : at == -1 - i ? 1.0 : 0.0) * factor(i);
      };
      double least = HUGE_VAL;
      for (int i : tied) least = std::min(least, entry(i));
      const double within = least + kTie * (1 + std::fabs(least));
      tied.erase(std::remove_if(tied.begin(), tied.end(), [&](int i) { return entry(i) > within; }), tied.end());
    }
    return tied.front();
  }

  int n_, width_;
  double tiny_ = 1;
  PivotWork& w_;
};

// z of the last basis from M and q themselves, by elimination with partial pivoting: M_zz z = -q_z.
void solveBasis(int n, const double* M, const double* q, double* z, PivotWork& w) {
  const std::vector<int>& active = w.active;
  const int m = static_cast<int>(active.size());
  const std::size_t width = static_cast<std::size_t>(m) + 1;
  w.system.resize(m * width);
  for (int i = 0; i < m; i++) {
    double* const t = &w.system[i * width];
    for (int j = 0; j < m; j++) t[j] = M[static_cast<std::size_t>(active[i]) * n + active[j]];
    t[m] = -q[active[i]];
  }
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (std::fabs(w.system[i * width + k]) > std::fabs(w.system[best * width + k])) best = i;
    double* const pivot = &w.system[k * width];
    if (best != k) std::swap_ranges(pivot, pivot + width, &w.system[best * width]);
    if (!(std::fabs(pivot[k]) > 0)) return;  // singular: the result of the pivots is kept
    for (int i = k + 1; i < m; i++) {
      double* const t = &w.system[i * width];
      if (t[k] == 0) continue;
      const double f = t[k] / pivot[k];
      for (int j = k; j <= m; j++) t[j] -= f * pivot[j];
    }
  }
  w.rowScratch.resize(m);
  for (int k = m - 1; k >= 0; k--) {
    const double* const t = &w.system[k * width];
    double s = t[m];
    for (int j = k + 1; j < m; j++) s -= t[j] * w.rowScratch[j];
    w.rowScratch[k] = s / t[k];
    if (!std::isfinite(w.rowScratch[k])) return;
  }
  for (int k = 0; k < m; k++) z[active[k]] = std::max(0.0, w.rowScratch[k]);
}

}  // namespace

void PivotWork::reserve(int size) {
  const std::size_t n = static_cast<std::size_t>(size);
  tableau.reserve(n * (n + 2));
  system.reserve(n * (n + 1));
  rowScratch.reserve(n);
  for (auto* list : {&basic, &tied, &active}) list->reserve(n);
  nonbasic.reserve(n + 1);
  place.reserve(2 * n + 1);
}

double productsOfPivot(int n) { return static_cast<double>(n) * (n + 2); }

PivotReport complementaryPivot(int n, const double* M, const double* q, double* z, double* w, PivotWork& work) {
  PivotReport report;
  std::fill_n(z, n, 0.0);
  double least = 0;
  for (int i = 0; i < n; i++) least = std::min(least, q[i]);
  report.solved = !(least < 0);
  if (least < 0) {
    Dictionary d(n, M, q, work);
    int entering = d.artificial(), r = d.lowest();
    const double most = std::min(20.0 * n + 100, kMostProducts / productsOfPivot(n));
    while (r >= 0 && report.pivots < most) {
      const int left = d.basic(r);
      d.pivot(r, d.column(entering));
      report.pivots++;
      if (left == d.artificial()) {
        report.solved = true;
        break;
      }
      entering = d.complement(left);
      r = d.leaving(d.column(entering));
    }
    work.active.clear();
    for (int i = 0; i < n; i++)
      if (const int v = d.basic(i); v >= n && v != d.artificial()) {
        z[v - n] = std::max(0.0, d.line(i)[0]);
        work.active.push_back(v - n);
      }
    if (report.solved) {
      std::sort(work.active.begin(), work.active.end());
      solveBasis(n, M, q, z, work);
    }
  }
  for (int i = 0; i < n; i++) {
    w[i] = q[i];
    for (int j = 0; j < n; j++) w[i] += M[static_cast<std::size_t>(i) * n + j] * z[j];
  }
  return report;
}

}  // namespace vertebra::solve
