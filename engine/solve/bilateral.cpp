// See bilateral.hpp.
#include "engine/solve/bilateral.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::solve {
namespace {
double sumOfProducts(const double* a, const double* b, int n) {
  double s[4] = {0, 0, 0, 0};  // four partial sums, so that no addition waits for the one before
  int k = 0;
  for (; k + 4 <= n; k += 4)
    for (int e = 0; e < 4; e++) s[e] += a[k + e] * b[k + e];
  for (; k < n; k++) s[0] += a[k] * b[k];
  return (s[0] + s[1]) + (s[2] + s[3]);
}
void addMultiple(double* x, double t, const double* b, int n) {
  for (int k = 0; k < n; k++) x[k] += t * b[k];
}
constexpr double kImplied = 1e-8;    // of a row's own norm
constexpr double kRoundOff = 1e-10;  // of the norm of the longest row, or sibling
constexpr double kReduced = 1e-2;    // of a row's squared norm
}  // namespace

void BilateralRows::reserve(int rows, int size) {
  const std::size_t n = static_cast<std::size_t>(rows);
  y_.reserve(n * size);
  r_.reserve(n * size);
  target_.reserve(n);
  coefficient_.reserve(n * n);
  impulse_.reserve(n);
  order_.reserve(n);
  family_.reserve(n);
  scale_.reserve(n);
  extent_.reserve(n);
  work_.reserve(3 * n);
  balance_.reset(rows);
}

void BilateralRows::begin(int size) {
  size_ = size;
  count_ = rank_ = 0;
  inconsistency_ = 0;
  y_.clear();
  r_.clear();
  target_.clear();
  family_.clear();
}

int BilateralRows::add(double target) {
  y_.resize(y_.size() + size_, 0.0);
  r_.resize(r_.size() + size_, 0.0);
  target_.push_back(target);
  family_.push_back(count_);
  return count_++;
}

double BilateralRows::square(int row) const {
  const Extent& e = extent_[row];
  const std::size_t at = static_cast<std::size_t>(row) * size_ + e.from;
  return sumOfProducts(y_.data() + at, r_.data() + at, e.to - e.from);
}

void BilateralRows::measure(int row) {
  const double *a = y(row), *b = r(row);
  Extent e{0, size_};
  while (e.from < e.to && a[e.from] == 0 && b[e.from] == 0) e.from++;
  while (e.to > e.from && a[e.to - 1] == 0 && b[e.to - 1] == 0) e.to--;
  extent_[row] = e;
}

double BilateralRows::takeOut(int row, int k, bool same) {
  Extent& e = extent_[row];
  const Extent& basis = extent_[k];
  const int from = std::max(e.from, basis.from), to = std::min(e.to, basis.to);
  if (from >= to) return 0;
  const double s = sumOfProducts(y(row) + from, r(k) + from, to - from);
  if (s == 0) return 0;
  addMultiple(y(row) + basis.from, -s, y(k) + basis.from, basis.to - basis.from);
  if (same)
    std::copy(y(row) + basis.from, y(row) + basis.to, r(row) + basis.from);
  else
    addMultiple(r(row) + basis.from, -s, r(k) + basis.from, basis.to - basis.from);
  e = {std::min(e.from, basis.from), std::max(e.to, basis.to)};
  target_[row] -= s * target_[k];
  return s;
}

void BilateralRows::exchange(int a, int b) {
  const int from = std::min(extent_[a].from, extent_[b].from), to = std::max(extent_[a].to, extent_[b].to);
  if (from < to) {
    std::swap_ranges(y(a) + from, y(a) + to, y(b) + from);
    std::swap_ranges(r(a) + from, r(a) + to, r(b) + from);
  }
  std::swap(extent_[a], extent_[b]);
  std::swap(target_[a], target_[b]);
  std::swap(order_[a], order_[b]);
}

void BilateralRows::build(bool same, double uncertain, double scale) {
  const int n = count_;
  const double doubtful = std::max(uncertain, kRoundOff);
  coefficient_.assign(static_cast<std::size_t>(n) * n, 0.0);
  order_.resize(n);
  impulse_.assign(n, 0.0);
  extent_.resize(n);
  work_.resize(3 * n);
  double* original = work_.data();  // squared norms; zero for rows that are dropped from the start
  double* left = work_.data() + n;  // squared norms of what remains of the rows, in their present order
  double longest = scale;
  for (int i = 0; i < n; i++) {
    order_[i] = i;
    measure(i);
    original[i] = square(i);
    if (!std::isfinite(original[i])) original[i] = 0;
    longest = std::max(longest, original[i]);
  }
  for (int i = 0; i < n; i++) {
    if (!(original[i] > kRoundOff * kRoundOff * longest)) original[i] = 0;
    left[i] = original[i];
  }
  scale_.assign(n, 0.0);
  for (int i = 0; i < n; i++) scale_[family_[i]] = std::max(scale_[family_[i]], original[i]);
  for (int i = n - 1; i >= 0; i--) scale_[i] = scale_[family_[i]];
  rank_ = 0;
  certain_ = true;
  while (rank_ < n) {
    // Pivot: the row whose remaining part is largest relative to its longest sibling. Rows are exchanged together with their targets.
    int best = -1;
    double most = doubtful * doubtful;
    for (int i = rank_; i < n; i++) {
      const double o = original[order_[i]], scale = scale_[order_[i]];
      if (o == 0 || !(left[i] > kImplied * kImplied * o) || !(left[i] > most * scale)) continue;
      most = left[i] / scale;
      best = i;
    }
    if (best < 0) {
      for (int i = rank_; i < n; i++) certain_ = certain_ && !(left[i] > kImplied * kImplied * original[order_[i]]);
      break;
    }
    // Differences of squares give the remaining norm only roughly: where it comes out small, this row may not be the pivot.
    const double exact = square(best);
    if (!(exact > 0.5 * left[best])) {
      left[best] = std::max(exact, 0.0);
      continue;
    }
    if (best != rank_) {
      exchange(best, rank_);
      std::swap(left[best], left[rank_]);
    }
    const int k = rank_;
    // Reorthogonalisation against the rows before: where a large part was subtracted, round-off of it may remain.
    if (exact < kReduced * original[order_[k]])
      for (int j = 0; j < k; j++) coefficient_[static_cast<std::size_t>(order_[k]) * n + j] += takeOut(k, j, same);
    const double norm = std::sqrt(square(k));
    coefficient_[static_cast<std::size_t>(order_[k]) * n + k] = norm;
    for (int e = extent_[k].from; e < extent_[k].to; e++) {
      y(k)[e] /= norm;
      r(k)[e] /= norm;
    }
    target_[k] /= norm;
    rank_++;
    for (int i = rank_; i < n; i++) {
      const double s = takeOut(i, k, same);
      coefficient_[static_cast<std::size_t>(order_[i]) * n + k] = s;
      if (s == 0) continue;
      left[i] -= s * s;
      if (left[i] < kReduced * original[order_[i]]) left[i] = std::max(0.0, square(i));
    }
  }
  balanceTargets();
}

// At this point target_ of a dropped row holds e, the difference between its target and the value that the kept rows give it. Shifting the
// targets of the basis by s changes that to e - C s and moves the kept rows by C s (C: coefficients). The least sum of squares, of rows
// scaled to length one, solves C^T W C s = C^T W e.
void BilateralRows::balanceTargets() {
  const int n = count_;
  const double* original = work_.data();
  double* shift = work_.data() + n;
  double* column = work_.data() + 2 * n;
  auto coefficients = [&](int i) { return coefficient_.data() + static_cast<std::size_t>(order_[i]) * n; };
  bool agree = true;
  for (int i = rank_; i < n; i++) {
    if (original[order_[i]] > 0)
      agree = agree && target_[i] == 0;
    else if (std::isfinite(target_[i]))
      inconsistency_ = std::max(inconsistency_, std::fabs(target_[i]));
  }
  if (agree) return;
  balance_.reset(n);
  for (int k = 0; k < rank_; k++) {
    shift[k] = 0;
    std::fill_n(column, k + 1, 0.0);
    for (int i = 0; i < n; i++) {
      if (original[order_[i]] == 0) continue;
      const double* c = coefficients(i);
      const double scaled = c[k] / original[order_[i]];
      for (int j = 0; j <= k; j++) column[j] += scaled * c[j];
      if (i >= rank_) shift[k] += scaled * target_[i];
    }
    if (!balance_.add(column, column[k], 0)) return;
  }
  balance_.solve(shift);
  for (int i = 0; i < n; i++) {
    if (original[order_[i]] == 0) continue;
    const double missed = (i < rank_ ? 0 : target_[i]) - sumOfProducts(coefficients(i), shift, rank_);
    inconsistency_ = std::max(inconsistency_, std::fabs(missed));
  }
  for (int k = 0; k < rank_; k++) target_[k] += shift[k];
}

void BilateralRows::setTargets(const double* targets) {
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  for (int k = 0; k < rank_; k++) {  // kept row i = sum over j <= k of coefficient(i, j) q_j
    const double* c = coefficient_.data() + static_cast<std::size_t>(order_[k]) * count_;
    target_[k] = (targets[order_[k]] - sumOfProducts(c, target_.data(), k)) / c[k];
  }
}

void BilateralRows::project(double* x) {
  for (int k = 0; k < rank_; k++) {
    const Extent& e = extent_[k];
    const double u = sumOfProducts(y(k) + e.from, x + e.from, e.to - e.from) - target_[k];
    addMultiple(x + e.from, -u, r(k) + e.from, e.to - e.from);
    impulse_[k] -= u;
  }
}

double BilateralRows::removeFrom(double* row, double* response, bool same, double* shares) const {
  double sure = 0;
  const double before = sumOfProducts(row, response, size_);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < rank_; k++) {
      const Extent& e = extent_[k];
      const std::size_t at = static_cast<std::size_t>(k) * size_ + e.from;
      const int length = e.to - e.from;
      const double s = sumOfProducts(row + e.from, r_.data() + at, length);
      addMultiple(row + e.from, -s, y_.data() + at, length);
      if (!same) addMultiple(response + e.from, -s, r_.data() + at, length);
      sure += s * target_[k];
      shares[k] = pass == 0 ? s : shares[k] + s;
    }
  if (!(sumOfProducts(row, response, size_) > kImplied * kImplied * before)) {
    std::fill_n(row, size_, 0.0);
    std::fill_n(response, size_, 0.0);
  }
  return sure;
}

void BilateralRows::addImpulse(const double* shares, double lambda) {
  for (int k = 0; k < rank_; k++) impulse_[k] -= shares[k] * lambda;
}

void BilateralRows::multipliers(double* lambda) const {
  // Sum of impulse_k q_k = sum of lambda_i row_i, where kept row i = sum over j <= k of coefficient(i, j) q_j.
  const int n = count_;
  std::fill(lambda, lambda + n, 0.0);
  for (int k = rank_ - 1; k >= 0; k--) {
    double left = impulse_[k];
    for (int j = k + 1; j < rank_; j++) left -= coefficient_[static_cast<std::size_t>(order_[j]) * n + k] * lambda[order_[j]];
    lambda[order_[k]] = left / coefficient_[static_cast<std::size_t>(order_[k]) * n + k];
  }
}

void BilateralRows::displacement(const double* change, double* x) {
  const int n = count_;
  double* value = work_.data() + n;
  for (int k = 0; k < rank_; k++) {
    const double* c = coefficient_.data() + static_cast<std::size_t>(order_[k]) * n;
    double d = change[order_[k]];
    for (int j = 0; j < k; j++) d -= c[j] * value[j];
    value[k] = impulse_[k] = d / c[k];
    addMultiple(x, value[k], r_.data() + static_cast<std::size_t>(k) * size_, size_);
  }
}

}  // namespace vertebra::solve
