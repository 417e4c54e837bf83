// Bilateral rows (loop closures, couplings), met exactly: they are orthonormalised in the metric of the coordinates x, with rank detection,
// so that redundant rows do no harm, and are removed from all other rows, which are then solved in the remaining space.
// A row is a pair (y, r): velocity u = y . x, impulse x += r lambda; the metric is <i, j> = y_i . r_j (symmetric). Under `articulated` y =
// r. Method: modified Gram-Schmidt with pivoting and reorthogonalisation (Golub and Van Loan, Matrix Computations, section 5.2), restricted
// to the part of each row that is not zero: a row between free bodies touches two of many. Nothing is allocated after reserve().
#pragma once
#include <vector>

#include "engine/solve/ldlt.hpp"

namespace vertebra::solve {

class BilateralRows {
 public:
  void reserve(int rows, int size);
  void begin(int size);
  // A new row y . x = target; the caller fills y and r (zeroed, `size` numbers each) before build().
  int add(double target);
  // A row of the same kind and point as an earlier one, so that both have the same absolute error.
  void setSibling(int row, int earlier) { family_[row] = family_[earlier]; }
  void setTarget(int row, double target) { target_[row] = target; }
  double* y(int row) { return y_.data() + static_cast<std::size_t>(row) * size_; }
  double* r(int row) { return r_.data() + static_cast<std::size_t>(row) * size_; }
  // Orthonormalises; `same`: each y equals its r; `uncertain`: error of the rows, relative to the longest of their siblings. Dropped are
  // rows that the others imply to within that error or 1e-8 of the row, rows that are round-off compared with the longest row (such as the
  // out-of-plane rows of a planar linkage), and rows that are not finite. Where targets of redundant rows disagree, they are met in the
  // least-squares sense over rows scaled to length one; inconsistency() is the largest velocity by which a target is missed.
  // `scale`: squared norm that a row of the problem has at least where it is not round-off, if all were.
  void build(bool same = false, double uncertain = 0, double scale = 0);
  int count() const { return count_; }
  int rank() const { return rank_; }
  bool certain() const { return certain_; }  // no row was dropped for the error of the rows
  double inconsistency() const { return inconsistency_; }
  // Other targets (count numbers) for rows that are built; those of dropped rows are taken to agree. Their impulses begin anew.
  void setTargets(const double* targets);
  void project(double* x);  // to the targets; adds to the impulses of these rows
  // Removes these rows from another row: y -> y', r -> r'. Returns the velocity that the other row has on the projected x in any case (the
  // caller adds it to the row's bias). The caller keeps the shares (rank numbers) for addImpulse. A row of which only round-off remains
  // becomes zero.
  double removeFrom(double* y, double* r, bool same, double* shares) const;
  void addImpulse(const double* shares, double lambda);  // the reaction of these rows to an impulse of the other row
  void multipliers(double* lambda) const;                // impulses of the original rows, 0 for dropped ones
  // Displacement dx that changes row values by `change` (count numbers), smallest in the metric; x must hold zeros. Its multipliers take
  // the place of the impulses.
  void displacement(const double* change, double* x);

 private:
  struct Extent {  // nonzero range of a row
    int from, to;
  };
  // Subtracts a row's component along basis row k; returns the coefficient.
  double takeOut(int row, int k, bool same);
  double square(int row) const;
  void measure(int row);  // finds the extent of a row
  void exchange(int a, int b);
  void balanceTargets();

  int size_ = 0, count_ = 0, rank_ = 0;
  double inconsistency_ = 0;
  bool certain_ = true;
  std::vector<double> y_, r_, target_, coefficient_, impulse_;  // coefficient_: count x count, row i = combination of basis rows
  std::vector<int> order_;                                      // basis row k came from original row order_[k]
  std::vector<int> family_;                                     // of an original row: the first of its siblings
  std::vector<double> scale_;                                   // of an original row: squared norm of the longest sibling
  std::vector<Extent> extent_;
  std::vector<double> work_;
  IncrementalLdlt balance_;
};

}  // namespace vertebra::solve
