// See bounded_step.hpp.
#include "engine/retarget/bounded_step.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr int kChanges = 6;  // of the active set

double dot(const double* a, const double* b, std::size_t from, std::size_t to) {
  double even = 0, odd = 0;
  for (; from + 1 < to; from += 2) {
    even += a[from] * b[from];
    odd += a[from + 1] * b[from + 1];
  }
  return from < to ? even + odd + a[from] * b[from] : even + odd;
}

}  // namespace

void StepSystem::resize(std::size_t n) {
  H.resize(n * n);
  g.resize(n);
}

void StepSystem::clear() {
  const std::size_t n = g.size();
  for (std::size_t i = 0; i < n; i++) std::fill_n(&H[i * n], i + 1, 0.0);
  std::fill(g.begin(), g.end(), 0.0);
  rows.clear();
  pushes.clear();
}

BoundedStep::BoundedStep(std::size_t n, std::vector<int> used) : n_(n), used_(std::move(used)) {
  for (std::vector<double>* matrix : {&A_, &factor_}) matrix->resize(n * n);
  for (std::vector<double>* vector : {&v_, &b_, &right_, &inverse_, &left_}) vector->resize(n);
  first_.resize(n);
}

// H and g with the obstacles that push.
void BoundedStep::addPushes(const StepSystem& system) {
  const std::size_t n = n_;
  for (std::size_t i = 0; i < n; i++) std::copy_n(&system.H[i * n], i + 1, &A_[i * n]);
  b_ = system.g;
  for (std::size_t p = 0; p < system.pushes.size(); p++) {
    if (!system.pushes[p].acts) continue;
    const double* const row = &system.rows[p * n];
    for (std::size_t i = 0; i < n; i++) {
      if (row[i] == 0) continue;
      b_[i] += row[i] * system.pushes[p].lack;
      for (std::size_t k = 0; k <= i; k++) A_[i * n + k] += row[i] * row[k];
    }
  }
}

// Obstacles push where they would be too near after the step. Returns whether any changed.
bool BoundedStep::foresee(StepSystem& system) {
  const std::size_t n = n_;
  bool changed = false;
  for (std::size_t p = 0; p < system.pushes.size(); p++) {
    const bool acts = system.pushes[p].lack > dot(v_.data(), system.rows.data() + p * n, 0, n);
    changed = changed || acts != system.pushes[p].acts;
    system.pushes[p].acts = acts;
  }
  return changed;
}

// L of the rows and columns `free_` of A, the last first: limbs that meet only in the trunk fill nothing outside their own blocks.
// Row i of L is kept from its first entry that is not zero on. Column by column: the entries of one do not wait for each other.
bool BoundedStep::factor(double damping) {
  const std::size_t m = free_.size(), n = n_;
  for (std::size_t i = 0; i < m; i++) {
    const std::size_t column = static_cast<std::size_t>(free_[m - 1 - i]);
    double* const row = &factor_[i * n];
    std::size_t first = 0;
    while (first < i && A_[static_cast<std::size_t>(free_[m - 1 - first]) * n + column] == 0) first++;
    first_[i] = first;
    for (std::size_t k = first; k <= i; k++) row[k] = A_[static_cast<std::size_t>(free_[m - 1 - k]) * n + column];
    row[i] += damping * (1 + row[i]);
  }
  for (std::size_t k = 0; k < m; k++) {
    const double* const pivots = &factor_[k * n];
    const double pivot = pivots[k] - dot(pivots, pivots, first_[k], k);
    if (!(pivot > 0)) return false;
    inverse_[k] = 1 / std::sqrt(pivot);
    for (std::size_t i = k + 1; i < m; i++) {
      if (first_[i] > k) continue;
      double* const row = &factor_[i * n];
      row[k] = (row[k] - dot(row, pivots, std::max(first_[i], first_[k]), k)) * inverse_[k];
    }
  }
  return true;
}

// right_ by the factor, in the order of free_.
void BoundedStep::solveFactored() {
  const std::size_t m = free_.size(), n = n_;
  std::reverse(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(m));
  for (std::size_t i = 0; i < m; i++) right_[i] = (right_[i] - dot(&factor_[i * n], right_.data(), first_[i], i)) * inverse_[i];
  for (std::size_t i = m; i-- > 0;) {
    right_[i] *= inverse_[i];
    for (std::size_t k = first_[i]; k < i; k++) right_[k] -= factor_[i * n + k] * right_[i];
  }
  std::reverse(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(m));
}

// v_ by the free velocities, with those that are stopped as they are. Those that would pass a bound stop at it, and the others move as if
// they were fixed.
bool BoundedStep::solveFree(double damping, const std::vector<double>& lower, const std::vector<double>& upper) {
  const std::size_t n = n_;
  while (!free_.empty()) {
    if (!factor(damping)) return false;
    for (std::size_t i = 0; i < free_.size(); i++) {
      const std::size_t at = static_cast<std::size_t>(free_[i]);
      right_[i] = b_[at];
      for (int k : stopped_) {
        const std::size_t other = static_cast<std::size_t>(k);
        right_[i] -= (at >= other ? A_[at * n + other] : A_[other * n + at]) * v_[other];
      }
    }
    solveFactored();
    rest_.clear();
    for (std::size_t i = 0; i < free_.size(); i++) {
      const int at = free_[i];
      const std::size_t v = static_cast<std::size_t>(at);
      v_[v] = right_[i];
      (v_[v] < lower[v] || v_[v] > upper[v] ? stopped_ : rest_).push_back(at);
      v_[v] = std::clamp(v_[v], lower[v], upper[v]);
    }
    if (rest_.size() == free_.size()) break;
    free_.swap(rest_);
  }
  return true;
}

// An active set of bounds and of obstacles that changes a few times: velocities
// that would rather leave their bound are released.
bool BoundedStep::solve(StepSystem& system, double damping, const std::vector<double>& lower, const std::vector<double>& upper) {
  const std::size_t n = n_;
  std::fill(v_.begin(), v_.end(), 0.0);
  free_.clear();
  stopped_.clear();
  for (int k : used_) {
    const std::size_t v = static_cast<std::size_t>(k);
    ((system.g[v] > 0 ? upper[v] <= 0 : lower[v] >= 0) ? stopped_ : free_).push_back(k);
  }
  for (StepSystem::Push& p : system.pushes) p.acts = p.lack > 0;
  for (int change = 0;; change++) {
    addPushes(system);
    if (!solveFree(damping, lower, upper)) return false;
    left_ = b_;
    for (std::size_t i = 0; i < n; i++) {
      const double* const row = &A_[i * n];
      for (std::size_t k = 0; k < i; k++) left_[k] -= row[k] * v_[i];
      left_[i] -= dot(row, v_.data(), 0, i + 1);
    }
    if (change == kChanges) break;
    const std::size_t before = free_.size();
    for (int k : stopped_) {
      const std::size_t v = static_cast<std::size_t>(k);
      if (lower[v] < upper[v] && (left_[v] > 0 ? v_[v] <= lower[v] : v_[v] >= upper[v])) free_.push_back(k);
    }
    if (!foresee(system) && free_.size() == before) break;
    std::sort(free_.begin(), free_.end());
    std::erase_if(stopped_, [&](int k) { return std::binary_search(free_.begin(), free_.end(), k); });
  }
  gain_ = 0;
  for (int k : used_)
    gain_ += 0.5 * v_[static_cast<std::size_t>(k)] * (b_[static_cast<std::size_t>(k)] + left_[static_cast<std::size_t>(k)]);
  for (const StepSystem::Push& p : system.pushes)
    if (p.acts != (p.lack > 0)) gain_ += (p.acts ? -0.5 : 0.5) * p.lack * p.lack;
  return true;
}

}  // namespace vertebra::retarget
