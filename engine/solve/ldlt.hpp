// Factor L D L^T of a growing and shrinking principal part of a symmetric positive matrix: a row is added or removed in O(n^2).
// Rows are numbered by their place in the factor; removing one moves those behind it up. Nothing is allocated up to the capacity.
// Source: Gill, Golub, Murray, Saunders 1974 (method C1, the rank-one update that a removal leaves).
#pragma once
#include <cstddef>
#include <vector>

namespace vertebra {

class IncrementalLdlt {
 public:
  void reserve(int capacity);
  void reset(int capacity);  // empty, with room for so many rows
  int size() const { return n_; }
  // Appends a row: column = its coefficients with the rows present, in their order. Returns false and changes nothing if what the
  // others leave of the diagonal is not above `threshold`.
  bool add(const double* column, double diagonal, double threshold);
  void remove(int place);
  void solve(double* x) const;  // x = (L D L^T)^-1 x

 private:
  double* row(int i) { return l_.data() + static_cast<std::size_t>(i) * capacity_; }
  const double* row(int i) const { return l_.data() + static_cast<std::size_t>(i) * capacity_; }

  int n_ = 0, capacity_ = 0;
  std::vector<double> l_, d_, work_;  // l_: unit lower triangle by rows, its diagonal not stored
};

}  // namespace vertebra
