// See ode.hpp.
#include "engine/math/ode.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::inline math {
namespace {

// x^(1/n) for x > 0 by Newton's method, with sums and products only: steps must not depend on the C library.
double root(double x, int n) {
  int exponent;
  std::frexp(x, &exponent);
  double y = std::ldexp(1.0, exponent / n);
  for (int it = 0; it < 60; it++) {
    double power = 1;  // y^(n-1)
    for (int k = 1; k < n; k++) power *= y;
    const double next = y - (power * y - x) / (n * power);
    if (std::fabs(next - y) <= 1e-15 * y) return next;
    y = next;
  }
  return y;
}
bool finite(const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += std::fabs(y[i]);
  return std::isfinite(sum);
}
double distance(const double* a, const double* b, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) worst = std::max(worst, std::fabs(a[i] - b[i]));
  return worst;
}

// Solves A x = b in place by Gaussian elimination with row pivoting; A row-major. False if singular.
bool solveDense(double* A, double* b, int n) {
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (std::fabs(A[r * n + c]) > std::fabs(A[pivot * n + c])) pivot = r;
    if (!(std::fabs(A[pivot * n + c]) > 0)) return false;
    if (pivot != c) {
      std::swap_ranges(A + c * n, A + c * n + n, A + pivot * n);
      std::swap(b[c], b[pivot]);
    }
    for (int r = c + 1; r < n; r++) {
      const double f = A[r * n + c] / A[c * n + c];
      if (f == 0) continue;
      for (int k = c; k < n; k++) A[r * n + k] -= f * A[c * n + k];
      b[r] -= f * b[c];
    }
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int k = r + 1; k < n; k++) b[r] -= A[r * n + k] * b[k];
    b[r] /= A[r * n + r];
  }
  return true;
}

constexpr double kSafety = 0.9, kMostGrowth = 5, kMostShrink = 0.2;

}  // namespace

int orderOf(Integrator integrator) {
  switch (integrator) {
    case Integrator::Midpoint:
      return 2;
    case Integrator::RungeKutta4:
      return 4;
    case Integrator::DormandPrince:
      return 5;
    default:
      return 1;
  }
}

void OdeSolver::reserve(int size, int integrals) {
  const std::size_t n = static_cast<std::size_t>(size), states = static_cast<std::size_t>(size - integrals);
  if (settings_.integrator == Integrator::ImplicitEuler && jacobian_.size() != states * states)
    jacobian_.assign(states * states, 0.0), matrix_.assign(states * states, 0.0);
  states_ = size - integrals;
  if (n_ == size) return;
  n_ = size;
  for (std::vector<double>& k : k_) k.assign(n, 0.0);
  for (std::vector<double>& h : history_) h.assign(n, 0.0);
  for (std::vector<double>* v : {&trial_, &half_, &doubled_, &lower_, &residual_}) v->assign(n, 0.0);
  restart();
}

void OdeSolver::restart() {
  remembered_ = 0;
  next_ = settings_.step;
}

bool OdeSolver::evaluate(OdeSystem& system, double t, const double* y, double* dy) {
  evaluations_++;
  return system.derivative(t, y, dy) && finite(dy, n_);
}

bool OdeSolver::step(OdeSystem& system, Integrator integrator, double t, double h, const double* y, double* out) {
  auto from = [&](double* to, std::initializer_list<double> weights) {
    for (int i = 0; i < n_; i++) {
      double sum = 0;
      int s = 0;
      for (double w : weights) sum += w * k_[s++][i];
      to[i] = y[i] + h * sum;
    }
  };
  auto stage = [&](int s, double c, std::initializer_list<double> weights) {
    from(trial_.data(), weights);
    return evaluate(system, t + c * h, trial_.data(), k_[s].data());
  };
  switch (integrator) {
    case Integrator::ExplicitEuler:
      if (!evaluate(system, t, y, k_[0].data())) return false;
      from(out, {1});
      break;
    case Integrator::SymplecticEuler: {  // velocities first, then positions with the new velocities
      const int p = system.positions();
      if (!evaluate(system, t, y, k_[0].data())) return false;
      for (int i = 0; i < n_; i++) out[i] = i < p ? y[i] : y[i] + h * k_[0][i];
      if (p == 0) break;
      if (!evaluate(system, t + h, out, k_[1].data())) return false;
      for (int i = 0; i < p; i++) out[i] = y[i] + h * k_[1][i];
      break;
    }
    case Integrator::ImplicitEuler:
      if (!implicitEuler(system, t, h, y, out)) return false;
      break;
    case Integrator::Midpoint:
      if (!evaluate(system, t, y, k_[0].data()) || !stage(1, 0.5, {0.5})) return false;
      from(out, {0, 1});
      break;
    case Integrator::RungeKutta4:
      if (!evaluate(system, t, y, k_[0].data()) || !stage(1, 0.5, {0.5}) || !stage(2, 0.5, {0, 0.5}) || !stage(3, 1, {0, 0, 1}))
        return false;
      from(out, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6});
      break;
    case Integrator::DormandPrince:
      if (!evaluate(system, t, y, k_[0].data()) || !stage(1, 0.2, {0.2}) || !stage(2, 0.3, {3.0 / 40, 9.0 / 40}) ||
          !stage(3, 0.8, {44.0 / 45, -56.0 / 15, 32.0 / 9}) ||
          !stage(4, 8.0 / 9, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}) ||
          !stage(5, 1, {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}))
        return false;
      from(out, {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84});
      if (settings_.control == StepControl::Embedded) {
        if (!evaluate(system, t + h, out, k_[6].data())) return false;
        from(lower_.data(), {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40});
      }
      break;
  }
  system.project(t + h, out);
  return finite(out, n_);
}

// y1 = y + h f(t + h, y1) by Newton's method; the Jacobian by finite differences at the initial guess. Integrals follow from the
// result.
bool OdeSolver::implicitEuler(OdeSystem& system, double t, double h, const double* y, double* out) {
  double* const f = k_[0].data();
  if (!evaluate(system, t, y, f)) return false;
  for (int i = 0; i < n_; i++) out[i] = y[i] + h * f[i];
  if (!finite(out, n_) || !evaluate(system, t + h, out, f)) {  // the initial guess went too far
    std::copy_n(y, n_, out);
    if (!evaluate(system, t + h, out, f)) return false;
  }
  double last = 0;
  for (int it = 0; it < 20; it++) {
    double size = 0;
    for (int i = 0; i < states_; i++) {
      residual_[i] = y[i] + h * f[i] - out[i];
      size = std::max(size, std::fabs(out[i]));
    }
    if (it % 5 == 0) {  // recomputed only where convergence is slow
      for (int c = 0; c < states_; c++) {
        std::copy_n(out, n_, trial_.data());
        const double e = 1e-7 * std::max(1.0, std::fabs(out[c]));
        trial_[c] += e;
        if (!evaluate(system, t + h, trial_.data(), k_[1].data())) return false;
        for (int r = 0; r < states_; r++)
          jacobian_[static_cast<std::size_t>(r) * states_ + c] = (r == c ? 1 : 0) - h * (k_[1][r] - f[r]) / e;
      }
    }
    std::copy(jacobian_.begin(), jacobian_.end(), matrix_.begin());
    if (!solveDense(matrix_.data(), residual_.data(), states_)) return false;
    double change = 0;
    for (int i = 0; i < states_; i++) {
      out[i] += residual_[i];
      change = std::max(change, std::fabs(residual_[i]));
    }
    if (!finite(out, n_) || !evaluate(system, t + h, out, f)) return false;
    for (int i = states_; i < n_; i++) out[i] = y[i] + h * f[i];
    if (change <= 1e-13 * std::max(1.0, size) || (it > 2 && change >= last && change < 1e-10 * std::max(1.0, size))) return true;
    last = change;
  }
  return false;
}

void OdeSolver::remember(double t, const double* dy) {
  for (int k = 5; k > 0; k--) {
    history_[k].swap(history_[k - 1]);
    times_[k] = times_[k - 1];
  }
  std::copy_n(dy, n_, history_[0].data());
  times_[0] = t;
  remembered_ = std::min(remembered_ + 1, 6);
}

// h^(p+1) / (p+1)! y^(p+1), with p! times the divided difference of order p of the derivatives in place of y^(p+1).
double OdeSolver::taylorError(double h) const {
  const int p = orderOf(settings_.integrator);
  if (remembered_ <= p) return -1;
  double worst = 0;
  for (int i = 0; i < states_; i++) {
    double d[6];
    for (int k = 0; k <= p; k++) d[k] = history_[k][i];
    for (int order = 1; order <= p; order++)
      for (int k = 0; k + order <= p; k++) d[k] = (d[k] - d[k + 1]) / (times_[k] - times_[k + order]);
    worst = std::max(worst, std::fabs(d[0]));
  }
  double term = worst / (p + 1);
  for (int k = 0; k <= p; k++) term *= h;
  return std::fabs(term);
}

OdeReport OdeSolver::advance(OdeSystem& system, double& t, double* y, double until) {
  OdeReport report;
  reserve(system.size(), system.integrals());
  evaluations_ = 0;
  const OdeSettings& s = settings_;
  const int p = orderOf(s.integrator);
  if (s.control == StepControl::Fixed) {
    const double span = until - t, count = std::ceil(std::fabs(span) / s.step - 1e-9);
    const double start = t;
    for (double k = 0; k < count; k++) {
      const double h = span / count;
      if (!step(system, s.integrator, t, h, y, doubled_.data())) {
        report.failed = true;
        break;
      }
      std::copy_n(doubled_.data(), n_, y);
      t = k + 1 == count ? until : start + (k + 1) * h;
      report.steps++;
    }
    report.evaluations = evaluations_;
    return report;
  }
  while (t < until) {
    double h = std::min({next_, s.largest, until - t});
    const bool last = h >= until - t;
    const bool smallest = h <= s.smallest * (1 + 1e-9) || (last && until - t <= s.smallest);
    double error = 0;
    bool good;
    if (s.control == StepControl::Taylor) {
      if (!evaluate(system, t, y, k_[6].data())) {
        report.failed = true;
        break;
      }
      if (remembered_ == 0 || times_[0] != t) remember(t, k_[6].data());
      error = taylorError(h);
      if (error < 0) error = 0, h = std::min(h, std::max(s.smallest, 1e-3 * s.largest));  // no history yet: small steps
      good = !(error > s.tolerance) || smallest ? step(system, s.integrator, t, h, y, doubled_.data()) : true;
    } else if (s.control == StepControl::Embedded) {
      good = step(system, s.integrator, t, h, y, doubled_.data());
      if (good) error = distance(doubled_.data(), lower_.data(), states_);
    } else {
      good = step(system, s.integrator, t, 0.5 * h, y, half_.data()) &&
             step(system, s.integrator, t + 0.5 * h, 0.5 * h, half_.data(), doubled_.data()) &&
             step(system, s.integrator, t, h, y, half_.data());
      if (good) error = distance(half_.data(), doubled_.data(), states_);
    }
    if (!good && smallest) {
      report.failed = true;
      break;
    }
    if (!good || (error > s.tolerance && !smallest)) {
      report.rejected++;
      const double shrink = good ? std::max(kMostShrink, kSafety * root(s.tolerance / error, p + 1)) : kMostShrink;
      next_ = std::max(s.smallest, std::min(shrink, kSafety) * h);
      continue;
    }
    if (error > s.tolerance) report.atSmallest++;
    std::copy_n(doubled_.data(), n_, y);
    t = h >= until - t ? until : t + h;
    report.steps++;
    report.worstError = std::max(report.worstError, error);
    const double grow = error > 0 ? std::min(kMostGrowth, kSafety * root(s.tolerance / error, p + 1)) : kMostGrowth;
    const double wanted = std::clamp(std::max(grow, kMostShrink) * h, s.smallest, s.largest);
    if (!last || wanted < next_) next_ = wanted;  // the last step is cut short and gives no information on the step size
  }
  report.evaluations = evaluations_;
  return report;
}

}  // namespace vertebra::inline math
