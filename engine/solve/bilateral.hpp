// Bilateral rows (loop closures, couplings) kept exactly: orthonormalised in the metric of the coordinates x, with rank detection, so that
// redundant rows do no harm, and taken out of all other rows, which are then solved in the remainder.
// A row is a pair (y, r): velocity u = y . x, impulse x += r lambda; the metric is <i, j> = y_i . r_j (symmetric). Under `articulated`
// y = r. Modified Gram-Schmidt with pivoting and reorthogonalisation (Golub, Van Loan 5.2), over the part of each row that is not zero: of
// many free bodies a row meets two. Nothing is allocated after reserve().
#pragma once
#include <vector>

#include "engine/solve/ldlt.hpp"

namespace vertebra {

class BilateralRows {
 public:
  void reserve(int rows, int size);
  void begin(int size);
  // A new row y . x = target; y and r are to be filled (zeroed, `size` numbers each) before build().
  int add(double target);
  void setTarget(int row, double target) { target_[row] = target; }
  double* y(int row) { return y_.data() + static_cast<std::size_t>(row) * size_; }
  double* r(int row) { return r_.data() + static_cast<std::size_t>(row) * size_; }
  // Orthonormalises; `same`: each y is its r. A row that the others imply to within a relative 1e-8 is dropped, and so is one that is
  // round-off beside the longest (what is left of the out-of-plane rows of a planar linkage) or no number. Targets of redundant rows that
  // disagree are met in the least-squares sense of rows scaled to length one; inconsistency() is the largest velocity by which one is
  // missed.
  void build(bool same = false);
  int count() const { return count_; }
  int rank() const { return rank_; }
  double inconsistency() const { return inconsistency_; }
  void project(double* x);  // to the targets; adds to the impulses
  // Makes a foreign row blind to these: y -> y', r -> r'. Returns what its velocity has for sure on the projected x (to be added to its
  // bias); shares (rank numbers) are kept by the caller for addImpulse. A row of which nothing but round-off is left becomes zero.
  double removeFrom(double* y, double* r, bool same, double* shares) const;
  void addImpulse(const double* shares, double lambda);  // the foreign row's impulse, felt here with opposite sign
  void multipliers(double* lambda) const;                // impulses of the original rows, 0 for dropped ones
  // Displacement dx that changes row values by `change` (count numbers), smallest in the metric; x must hold zeros.
  void displacement(const double* change, double* x);

 private:
  struct Extent {  // of a row: zero outside
    int from, to;
  };
  // Takes a row's share of basis row k out of it; its coefficient.
  double takeOut(int row, int k, bool same);
  double square(int row) const;
  void measure(int row);  // its extent
  void exchange(int a, int b);
  void balanceTargets();

  int size_ = 0, count_ = 0, rank_ = 0;
  double inconsistency_ = 0;
  std::vector<double> y_, r_, target_, coefficient_, impulse_;  // coefficient_: count x count, row i = combination of basis rows
  std::vector<int> order_;                                      // basis row k came from original row order_[k]
  std::vector<Extent> extent_;
  std::vector<double> work_;
  IncrementalLdlt balance_;
};

}  // namespace vertebra
