// Factor L D L^T of a principal submatrix of a symmetric positive definite matrix that grows and shrinks: adding or removing a row costs
// O(n^2). Rows are numbered by their place in the factor; removing one moves those behind it up. Nothing is allocated up to the capacity.
// Source: Gill, Golub, Murray, Saunders 1974, "Methods for modifying matrix factorizations" (method C1, the rank-one update after a
// removal).
#pragma once
#include <cstddef>
#include <vector>

namespace vertebra::solve {

class IncrementalLdlt {
 public:
  void reserve(int capacity);
  void reset(int capacity);  // empty, with room for this many rows
  int size() const { return n_; }
  // Appends a row: column = its coefficients with the rows present, in their order. Returns false and changes nothing if the pivot (its
  // diagonal after elimination) does not exceed `threshold`.
  bool add(const double* column, double diagonal, double threshold);
  void remove(int place);
  void solve(double* x) const;  // x = (L D L^T)^-1 x

 private:
  double* row(int i) { return l_.data() + static_cast<std::size_t>(i) * capacity_; }
  const double* row(int i) const { return l_.data() + static_cast<std::size_t>(i) * capacity_; }

  int n_ = 0, capacity_ = 0;
  std::vector<double> l_, d_, work_;  // l_: unit lower triangle by rows, its diagonal not stored
};

}  // namespace vertebra::solve
