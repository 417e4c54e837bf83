// Exact solution of one contact alone: min over the Coulomb cone of the 3 x 3 problem D lambda + q = u. The contact opens (lambda = 0),
// sticks (u = 0 inside the cone), or slides: u_n = 0, u_t = -s lambda_t with |lambda_t| = mu lambda_n. With the normal eliminated,
// lambda_t(s) = -(D' + s 1)^-1 q', and s is the root of |lambda_t| - mu lambda_n, bracketed and found by bisection and secants.
// Source: the case distinction of Bonnefon and Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact"; a bracketed root
// replaces their quartic.
#include <algorithm>
#include <cmath>

#include "engine/solve/sweep.hpp"

namespace vertebra::solve {

void solveContact(const double* D, const double* q, double mu, double* lambda) {
  lambda[0] = lambda[1] = lambda[2] = 0;
  if (q[0] >= 0) return;  // separates without an impulse
  const double nn = D[0], a = D[1], b = D[2];
  // The tangents with the normal velocity held at zero.
  const double ss = D[3] - a * a / nn, st = D[4] - a * b / nn, tt = D[5] - b * b / nn;
  const double qs = q[1] - a * q[0] / nn, qt = q[2] - b * q[0] / nn;
  const double size = std::max(ss, tt);
  // Sets the impulses for a given slip ratio s; returns the excess of friction over its bound.
  auto excess = [&](double s) {
    const double x = ss + s, y = tt + s, det = x * y - st * st;
    lambda[1] = -(y * qs - st * qt) / det;
    lambda[2] = -(x * qt - st * qs) / det;
    lambda[0] = -(q[0] + a * lambda[1] + b * lambda[2]) / nn;
    return std::sqrt(lambda[1] * lambda[1] + lambda[2] * lambda[2]) - frictionBound(mu, lambda[0]);
  };
  auto fits = [&](double e) { return e <= 0 && lambda[0] >= 0; };
  double low = 0;
  if (ss * tt - st * st > 1e-12 * size * size) {
    if (fits(excess(0))) return;
  } else {
    low = 1e-12 * size;  // a direction of slip changes no velocity: the least ratio stands for sticking
    if (!(size > 0)) {
      lambda[0] = -q[0] / nn;
      return;
    }
    if (fits(excess(low))) return;
  }
  double high = size;
  while (!fits(excess(high))) {
    low = high;
    high *= 4;
    if (!(high < 1e12 * size)) {  // the friction bound is practically zero
      lambda[0] = -q[0] / nn;
      lambda[1] = lambda[2] = 0;
      return;
    }
  }
  double eLow = excess(low), eHigh = excess(high);
  for (int i = 0; i < 60 && high - low > 1e-15 * high; i++) {
    // Secant where it shrinks the bracket well, otherwise the geometric mean.
    double middle = low > 0 ? std::sqrt(low * high) : 0.125 * high;
    if (i % 3 != 2 && std::isfinite(eLow) && eLow > 0 && eHigh < eLow) {
      const double cut = low + (high - low) * eLow / (eLow - eHigh);
      if (cut > low && cut < high) middle = cut;
    }
    const double e = excess(middle);
    if (fits(e)) {
      high = middle;
      eHigh = e;
    } else {
      low = middle;
      eLow = lambda[0] >= 0 ? e : HUGE_VAL;
    }
  }
  excess(high);
}

}  // namespace vertebra::solve
