// See ldlt.hpp.
#include "engine/solve/ldlt.hpp"

#include <algorithm>

namespace vertebra::solve {
namespace {
double dotPair(const double* a, const double* b, int n) {
  double s0 = 0, s1 = 0;
  int k = 0;
  for (; k + 1 < n; k += 2) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
  }
  return k < n ? s0 + s1 + a[k] * b[k] : s0 + s1;
}
}  // namespace

void IncrementalLdlt::reserve(int capacity) {
  const std::size_t n = static_cast<std::size_t>(capacity);
  l_.reserve(n * n);
  d_.reserve(n);
  work_.reserve(n);
}

void IncrementalLdlt::reset(int capacity) {
  n_ = 0;
  capacity_ = capacity;
  const std::size_t n = static_cast<std::size_t>(capacity);
  if (l_.size() < n * n) l_.resize(n * n);
  if (d_.size() < n) {
    d_.resize(n);
    work_.resize(n);
  }
}

bool IncrementalLdlt::add(const double* column, double diagonal, double threshold) {
  double* l = row(n_);
  double left = diagonal;
  for (int i = 0; i < n_; i++) work_[i] = column[i] - dotPair(row(i), work_.data(), i);
  for (int i = 0; i < n_; i++) {
    l[i] = work_[i] / d_[i];
    left -= l[i] * work_[i];
  }
  if (!(left > threshold)) return false;
  d_[n_++] = left;
  return true;
}

// The block behind the removed row k: L' D' L'^T = L D L^T + d_k l l^T with l the part of column k below it.
void IncrementalLdlt::remove(int place) {
  double alpha = d_[place];
  for (int i = place + 1; i < n_; i++) work_[i - 1] = row(i)[place];
  for (int i = place + 1; i < n_; i++) {
    double* to = row(i - 1);
    const double* from = row(i);
    std::copy(from, from + place, to);
    std::copy(from + place + 1, from + i, to + place);
    d_[i - 1] = d_[i];
  }
  n_--;
  for (int j = place; j < n_; j++) {
    const double w = work_[j], d = d_[j] + alpha * w * w, beta = alpha * w / d;
    alpha *= d_[j] / d;
    d_[j] = d;
    for (int i = j + 1; i < n_; i++) {
      work_[i] -= w * row(i)[j];
      row(i)[j] += beta * work_[i];
    }
  }
}

void IncrementalLdlt::solve(double* x) const {
  for (int i = 0; i < n_; i++) x[i] -= dotPair(row(i), x, i);
  for (int i = 0; i < n_; i++) x[i] /= d_[i];
  for (int i = n_ - 1; i > 0; i--) {
    const double* l = row(i);
    for (int j = 0; j < i; j++) x[j] -= l[j] * x[i];
  }
}

}  // namespace vertebra::solve
