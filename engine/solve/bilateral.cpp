// See bilateral.hpp.
#include "engine/solve/bilateral.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra {
namespace {
double dot(const double* a, const double* b, int n) {
  double s = 0;
  for (int k = 0; k < n; k++) s += a[k] * b[k];
  return s;
}
void axpy(double* x, double t, const double* b, int n) {
  for (int k = 0; k < n; k++) x[k] += t * b[k];
}
constexpr double kImplied = 1e-8;    // of a row's own norm
constexpr double kRoundOff = 1e-10;  // of the longest row's norm
}  // namespace

void BilateralRows::reserve(int rows, int size) {
  const std::size_t n = static_cast<std::size_t>(rows);
  y_.reserve(n * size);
  r_.reserve(n * size);
  target_.reserve(n);
  coefficient_.reserve(n * n);
  impulse_.reserve(n);
  order_.reserve(n);
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
}

int BilateralRows::add(double target) {
  y_.resize(y_.size() + size_, 0.0);
  r_.resize(r_.size() + size_, 0.0);
  target_.push_back(target);
  return count_++;
}

void BilateralRows::build() {
  const int n = count_;
  coefficient_.assign(static_cast<std::size_t>(n) * n, 0.0);
  order_.resize(n);
  impulse_.assign(n, 0.0);
  work_.resize(3 * n);
  double* original = work_.data();  // squared norms, zero for rows that do not count
  double longest = 0;
  for (int i = 0; i < n; i++) {
    order_[i] = i;
    original[i] = dot(y(i), r(i), size_);
    if (!std::isfinite(original[i])) original[i] = 0;
    longest = std::max(longest, original[i]);
  }
  for (int i = 0; i < n; i++)
    if (!(original[i] > kRoundOff * kRoundOff * longest)) original[i] = 0;
  rank_ = 0;
  while (rank_ < n) {
    // Pivot: the row of which most is left, relative to itself. Rows are exchanged together with their targets.
    int best = -1;
    double most = kImplied * kImplied;
    for (int i = rank_; i < n; i++) {
      const double o = original[order_[i]];
      if (o == 0) continue;
      const double left = dot(y(i), r(i), size_) / o;
      if (left > most) {
        most = left;
        best = i;
      }
    }
    if (best < 0) break;
    if (best != rank_) {
      std::swap_ranges(y(best), y(best) + size_, y(rank_));
      std::swap_ranges(r(best), r(best) + size_, r(rank_));
      std::swap(target_[best], target_[rank_]);
      std::swap(order_[best], order_[rank_]);
    }
    const int k = rank_;
    for (int j = 0; j < k; j++) {  // once more against what came before: the first pass leaves round-off of the large part
      const double s = dot(y(k), r(j), size_);
      axpy(y(k), -s, y(j), size_);
      axpy(r(k), -s, r(j), size_);
      target_[k] -= s * target_[j];
      coefficient_[static_cast<std::size_t>(order_[k]) * n + j] += s;
    }
    const double norm = std::sqrt(dot(y(k), r(k), size_));
    coefficient_[static_cast<std::size_t>(order_[k]) * n + k] = norm;
    for (int e = 0; e < size_; e++) {
      y(k)[e] /= norm;
      r(k)[e] /= norm;
    }
    target_[k] /= norm;
    rank_++;
    for (int i = rank_; i < n; i++) {
      const double s = dot(y(i), r(k), size_);
      axpy(y(i), -s, y(k), size_);
      axpy(r(i), -s, r(k), size_);
      target_[i] -= s * target_[k];
      coefficient_[static_cast<std::size_t>(order_[i]) * n + k] = s;
    }
  }
  balanceTargets();
}

// target_ of a dropped row holds by now what the kept ones lack of it, e. Shifting the basis' targets by s leaves e - C s there and C s
// at the kept rows (C: coefficients); the least sum of squares, of rows scaled to length one, solves C^T W C s = C^T W e.
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
    const double missed = (i < rank_ ? 0 : target_[i]) - dot(coefficients(i), shift, rank_);
    inconsistency_ = std::max(inconsistency_, std::fabs(missed));
  }
  for (int k = 0; k < rank_; k++) target_[k] += shift[k];
}

void BilateralRows::project(double* x) {
  for (int k = 0; k < rank_; k++) {
    const double u = dot(y(k), x, size_) - target_[k];
    axpy(x, -u, r(k), size_);
    impulse_[k] -= u;
  }
}

double BilateralRows::removeFrom(double* row, double* response, bool same, double* shares) const {
  double sure = 0;
  const double before = dot(row, response, size_);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < rank_; k++) {
      const double* yk = y_.data() + static_cast<std::size_t>(k) * size_;
      const double* rk = r_.data() + static_cast<std::size_t>(k) * size_;
      const double s = dot(row, rk, size_);
      axpy(row, -s, yk, size_);
      if (!same) axpy(response, -s, rk, size_);
      sure += s * target_[k];
      shares[k] = pass == 0 ? s : shares[k] + s;
    }
  if (!(dot(row, response, size_) > kImplied * kImplied * before)) {
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
    value[k] = d / c[k];
    axpy(x, value[k], r_.data() + static_cast<std::size_t>(k) * size_, size_);
  }
}

}  // namespace vertebra
