// Exact solution of one contact alone: min over the Coulomb cone of the 3 x 3 problem D lambda + q = u. The contact opens (lambda = 0),
// sticks (u = 0 inside the cone), or slides: u_n = 0, u_t = -s lambda_t with |lambda_t| = mu lambda_n. With the normal eliminated,
// lambda_t(s) = -(D' + s 1)^-1 q', and s is the root of mu lambda_n / |lambda_t| - 1, bracketed and found by secants.
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
  // Sets the impulses for a given slip ratio s; returns the bound of friction over the friction, less one. It is nearly linear in s, as
  // friction falls with 1 / s: secants find its root in a few steps.
  auto margin = [&](double s) {
    const double x = ss + s, y = tt + s, det = x * y - st * st;
    lambda[1] = -(y * qs - st * qt) / det;
    lambda[2] = -(x * qt - st * qs) / det;
    lambda[0] = -(q[0] + a * lambda[1] + b * lambda[2]) / nn;
    const double friction = std::sqrt(lambda[1] * lambda[1] + lambda[2] * lambda[2]);
    return friction > 0 ? mu * lambda[0] / friction - 1 : lambda[0] >= 0 ? HUGE_VAL : -HUGE_VAL;
  };
  const auto fits = [](double margin) { return margin >= 0; };
  double low = 0, below;
  if (ss * tt - st * st > 1e-12 * size * size) {
    if (fits(below = margin(0))) return;
  } else {
    low = 1e-12 * size;  // a direction of slip changes no velocity: the least ratio stands for sticking
    if (!(size > 0)) {
      lambda[0] = -q[0] / nn;
      return;
    }
    if (fits(below = margin(low))) return;
  }
  double high = size, above = margin(high);
  while (!fits(above)) {
    low = high;
    below = above;
    high *= 4;
    if (!(high < 1e12 * size)) {  // the friction bound is practically zero
      lambda[0] = -q[0] / nn;
      lambda[1] = lambda[2] = 0;
      return;
    }
    above = margin(high);
  }
  // False position; an end that stays counts half each time (Illinois), and every fourth step is a bisection.
  double last = high, spare = above;  // the margin at the upper end
  for (int i = 1, side = 0; i < 80 && spare > 0 && high - low > 1e-15 * high; i++) {
    double middle = low > 0 ? std::sqrt(low * high) : 0.125 * high;
    if (i % 4 != 0 && std::isfinite(below) && std::isfinite(above)) {
      const double cut = low + (high - low) * below / (below - above);
      if (cut > low && cut < high) middle = cut;
    }
    last = middle;
    const double m = margin(middle);
    if (fits(m)) {
      high = middle;
      above = spare = m;
      if (side > 0) below *= 0.5;
      side = 1;
    } else {
      low = middle;
      below = m;
      if (side < 0) above *= 0.5;
      side = -1;
    }
  }
  if (last != high) margin(high);
}

}  // namespace vertebra::solve
