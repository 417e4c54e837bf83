// Orthonormal basis of a set of rows: {z : row_i . z = c_i} becomes {z : Q z = d} with Q Q^T = 1, redundant rows recognised. For loop
// closures in whitened coordinates, whose rows a planar linkage makes dependent in space.
//
// Modified Gram-Schmidt with pivoting and reorthogonalisation on rows scaled to length one, so that units do not matter. A row whose
// part outside the span of those before is no longer than the threshold depends on them. A row that is itself only what cancellation
// left (the out-of-plane rows of a planar linkage) must not be scaled up: it is compared with its scale first. Inconsistent right sides of dependent rows are
// met in the least-squares sense of the scaled rows. Sources: Bjorck 1994 (Gram-Schmidt); Giraud, Langou 2002 (twice is enough).
#pragma once
#include <vector>

namespace vertebra {

class OrthonormalRows {
 public:
  // Memory for m rows of dimension n; nothing is allocated afterwards up to these sizes.
  void reserve(int m, int n);

  // Rows are the caller's and only read. Returns the rank. threshold: relative to a row's own length, and of that to its scale: the
  // length its terms had before they cancelled; scale = null takes the longest row's length for all. A row no longer than threshold
  // times its scale, or with a number that is not finite, counts as zero.
  int build(const double* const* rows, const double* right, int m, int n, const double* scale = nullptr, double threshold = 1e-9);
  // Other right sides for the same rows.
  void setRight(const double* right);

  int rank() const { return rank_; }
  int dimension() const { return n_; }
  const double* row(int k) const { return q_.data() + at(k, n_); }  // of Q
  double right(int k) const { return d_[static_cast<std::size_t>(k)]; }
  bool dependent(int i) const;  // whether row i was found to depend on others
  // Largest |row_i . z - c_i| / |row_i| on Q z = d: zero but for round-off if the rows agree. For a row of zero: |c_i| / scale.
  double inconsistency() const { return inconsistency_; }

  void project(double* z) const;  // nearest z with Q z = d
  void remove(double* y) const;   // y less its part in the rows' span
  // Impulses of the original rows, sum_i row_i lambda_i = sum_k Q_k mu_k; of all such, those of least norm when rows are scaled to length
  // one, which shares loads evenly between redundant rows.
  void multipliers(const double* mu, double* lambda);

 private:
  static std::size_t at(int row, int width) { return static_cast<std::size_t>(row) * static_cast<std::size_t>(width); }
  double coefficient(int k, int i) const { return r_[at(i, m_) + static_cast<std::size_t>(k)]; }  // of scaled row i along Q_k
  void factorDependencies();
  void solveDependencies(double* x) const;

  int m_ = 0, n_ = 0, rank_ = 0;
  double inconsistency_ = 0;
  std::vector<double> q_;        // first the scaled rows, turned into Q in place; m x n
  std::vector<double> r_;        // m x m, by row: its coefficients along Q
  std::vector<double> dependence_;  // K: dependent row = K times independent rows, all scaled; (m - rank) x m
  std::vector<double> gram_;        // Cholesky factor of 1 + K K^T
  std::vector<double> divisor_, c_, d_;
  std::vector<double> work_, work2_;
  std::vector<int> order_;       // original index of each row, independent ones first
};

}  // namespace vertebra
