// See orthonormal.hpp.
#include "engine/solve/orthonormal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vertebra {
namespace {

inline double dot(const double* a, const double* b, int n) {
  double s = 0;
  for (int k = 0; k < n; k++) s += a[k] * b[k];
  return s;
}
inline void subtract(double* a, double factor, const double* b, int n) {
  for (int k = 0; k < n; k++) a[k] -= factor * b[k];
}
// Length without overflow or underflow of the squares; not finite if an element is not.
double length(const double* a, int n) {
  double largest = 0, sum = 0;
  for (int k = 0; k < n; k++) {
    if (!std::isfinite(a[k])) return a[k];
    largest = std::max(largest, std::fabs(a[k]));
  }
  if (largest == 0) return 0;
  for (int k = 0; k < n; k++) sum += (a[k] / largest) * (a[k] / largest);
  return largest * std::sqrt(sum);
}

}  // namespace

void OrthonormalRows::reserve(int m, int n) {
  const std::size_t rows = static_cast<std::size_t>(m);
  q_.reserve(at(m, n));
  for (auto* square : {&r_, &dependence_, &gram_}) square->reserve(rows * rows);
  for (auto* list : {&divisor_, &c_, &d_, &work_, &work2_}) list->reserve(rows);
  order_.reserve(rows);
}

int OrthonormalRows::build(const double* const* rows, const double* right, int m, int n, const double* scale, double threshold) {
  const std::size_t count = static_cast<std::size_t>(m);
  m_ = m;
  n_ = n;
  rank_ = 0;
  q_.resize(at(m, n));
  for (auto* square : {&r_, &dependence_, &gram_}) square->assign(count * count, 0.0);
  for (auto* list : {&divisor_, &c_, &d_, &work_, &work2_}) list->assign(count, 0.0);
  order_.resize(count);
  double longest = 0;
  for (int i = 0; i < m; i++) {
    const double l = length(rows[i], n);
    d_[i] = std::isfinite(l) ? l : 0;
    longest = std::max(longest, d_[i]);
  }
  for (int i = 0; i < m; i++) {
    order_[i] = i;
    const double reference = scale ? scale[i] : longest;
    const bool zero = !(d_[i] > threshold * reference) || d_[i] < std::numeric_limits<double>::min();
    divisor_[i] = !zero ? d_[i] : reference > 0 ? reference : 1;
    double* const w = &q_[at(i, n)];
    for (int k = 0; k < n; k++) w[k] = zero ? 0 : rows[i][k] / divisor_[i];
    d_[i] = 0;
  }
  // Rows 0 .. rank are Q; those after hold what is left of theirs. The longest of these comes next.
  while (rank_ < std::min(m, n)) {
    int pivot = rank_;
    double most = -1;
    for (int i = rank_; i < m; i++) {
      const double square = dot(&q_[at(i, n)], &q_[at(i, n)], n);
      if (square > most) {
        most = square;
        pivot = i;
      }
    }
    if (!(most > threshold * threshold) || most == 0) break;
    if (pivot != rank_) {
      std::swap_ranges(&q_[at(pivot, n)], &q_[at(pivot, n)] + n, &q_[at(rank_, n)]);
      std::swap_ranges(&r_[at(pivot, m)], &r_[at(pivot, m)] + rank_, &r_[at(rank_, m)]);
      std::swap(order_[pivot], order_[rank_]);
    }
    double* const q = &q_[at(rank_, n)];
    for (int j = 0; j < rank_; j++) {
      const double x = dot(&q_[at(j, n)], q, n);
      subtract(q, x, &q_[at(j, n)], n);
      r_[at(rank_, m) + static_cast<std::size_t>(j)] += x;
    }
    const double left = std::sqrt(dot(q, q, n));
    if (!(left > threshold)) break;  // it was only just longer, and round-off
    r_[at(rank_, m) + static_cast<std::size_t>(rank_)] = left;
    for (int k = 0; k < n; k++) q[k] /= left;
    for (int i = rank_ + 1; i < m; i++) {
      double* const w = &q_[at(i, n)];
      const double x = dot(q, w, n);
      subtract(w, x, q, n);
      r_[at(i, m) + static_cast<std::size_t>(rank_)] = x;
    }
    rank_++;
  }
  factorDependencies();
  setRight(right);
  return rank_;
}

// K from R_dependent = K R_independent, R_independent lower triangular by rows; then the Cholesky factor of 1 + K K^T.
void OrthonormalRows::factorDependencies() {
  const int left = m_ - rank_;
  for (int i = 0; i < left; i++) {
    double* const K = &dependence_[at(i, m_)];
    for (int k = rank_ - 1; k >= 0; k--) {
      double x = coefficient(k, rank_ + i);
      for (int e = k + 1; e < rank_; e++) x -= K[e] * coefficient(k, e);
      K[k] = x / coefficient(k, k);
    }
  }
  for (int i = 0; i < left; i++)
    for (int j = 0; j <= i; j++) {
      double x = (i == j) + dot(&dependence_[at(i, m_)], &dependence_[at(j, m_)], rank_);
      x -= dot(&gram_[at(i, m_)], &gram_[at(j, m_)], j);
      gram_[at(i, m_) + static_cast<std::size_t>(j)] = i == j ? std::sqrt(x) : x / gram_[at(j, m_) + static_cast<std::size_t>(j)];
    }
}

void OrthonormalRows::solveDependencies(double* x) const {  // x = (1 + K K^T)^-1 x
  const int left = m_ - rank_;
  for (int i = 0; i < left; i++) {
    const double* const g = &gram_[at(i, m_)];
    x[i] = (x[i] - dot(g, x, i)) / g[i];
  }
  for (int i = left - 1; i >= 0; i--) {
    for (int j = i + 1; j < left; j++) x[i] -= gram_[at(j, m_) + static_cast<std::size_t>(i)] * x[j];
    x[i] /= gram_[at(i, m_) + static_cast<std::size_t>(i)];
  }
}

// Let e be what the dependent rows lack when the independent ones are met. Shifting the right sides of these by x leaves e - K x:
// least squares give x = K^T (1 + K K^T)^-1 e, with (1 + K K^T)^-1 e left.
void OrthonormalRows::setRight(const double* right) {
  const int left = m_ - rank_;
  for (int i = 0; i < m_; i++) {
    c_[i] = right[order_[i]] / divisor_[order_[i]];
  }
  for (int i = 0; i < left; i++) work_[i] = c_[rank_ + i] - dot(&dependence_[at(i, m_)], c_.data(), rank_);
  solveDependencies(work_.data());
  inconsistency_ = 0;
  for (int i = 0; i < left; i++) inconsistency_ = std::max(inconsistency_, std::fabs(work_[i]));
  for (int k = 0; k < rank_; k++) {
    double shift = 0;
    for (int i = 0; i < left; i++) shift += dependence_[at(i, m_) + static_cast<std::size_t>(k)] * work_[i];
    inconsistency_ = std::max(inconsistency_, std::fabs(shift));
    c_[k] += shift;
  }
  for (int k = 0; k < rank_; k++) d_[k] = (c_[k] - dot(&r_[at(k, m_)], d_.data(), k)) / coefficient(k, k);
}

bool OrthonormalRows::dependent(int i) const {
  return std::find(order_.begin() + rank_, order_.end(), i) != order_.end();
}

void OrthonormalRows::project(double* z) const {
  for (int k = 0; k < rank_; k++) subtract(z, dot(row(k), z, n_) - d_[k], row(k), n_);
}

void OrthonormalRows::remove(double* y) const {
  for (int k = 0; k < rank_; k++) subtract(y, dot(row(k), y, n_), row(k), n_);
}

// With independent rows alone R^T nu = mu; a share y of the dependent ones takes K^T y from these. |nu - K^T y|^2 + |y|^2 is least at
// y = (1 + K K^T)^-1 K nu.
void OrthonormalRows::multipliers(const double* mu, double* lambda) {
  const int left = m_ - rank_;
  double* const nu = work_.data();
  double* const y = work2_.data();
  for (int k = rank_ - 1; k >= 0; k--) {
    double x = mu[k];
    for (int e = k + 1; e < rank_; e++) x -= coefficient(k, e) * nu[e];
    nu[k] = x / coefficient(k, k);
  }
  for (int i = 0; i < left; i++) y[i] = dot(&dependence_[at(i, m_)], nu, rank_);
  solveDependencies(y);
  for (int i = 0; i < left; i++) subtract(nu, y[i], &dependence_[at(i, m_)], rank_);
  for (int i = 0; i < m_; i++) {
    lambda[order_[i]] = (i < rank_ ? nu[i] : y[i - rank_]) / divisor_[order_[i]];
  }
}

}  // namespace vertebra
