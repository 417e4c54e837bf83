// Exact solution of one contact alone: min over the Coulomb cone of the 3 x 3 problem D lambda + q = u. The contact opens (lambda = 0),
// sticks (u = 0 inside the cone), or slides: u_n = 0, u_t = -s lambda_t with |lambda_t| = mu lambda_n. With the normal eliminated,
// lambda_t(s) = -(D' + s 1)^-1 q', and s is the root of mu lambda_n / |lambda_t| - 1, bracketed and found by secants.
// Source: the case distinction of Bonnefon and Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact"; a bracketed root
// replaces their quartic.
#include <algorithm>
#include <cmath>

#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

constexpr double kOnCone = 1e-14;  // of the bound of friction: the root's accuracy; what is beyond the bound is cut off

// One contact with its normal velocity held at zero.
struct Slide {
  double nn, a, b;    // of the normal
  double ss, st, tt;  // of the tangents
  double q, qs, qt;
  double mu;

  // The bound of friction over the friction, less one, at the slip ratio s. It is nearly linear in s, as friction falls with 1 / s: secants
  // find its root in a few steps.
  double margin(double s) const {
    const double x = ss + s, y = tt + s, det = x * y - st * st, ws = y * qs - st * qt, wt = x * qt - st * qs;  // lambda_t = -w / det
    const double normal = a * ws + b * wt - q * det, friction = nn * std::sqrt(ws * ws + wt * wt);             // both by nn |det|
    const double pushes = det < 0 ? -normal : normal;  // a matrix from outside need not be positive
    return friction > 0 ? mu * pushes / friction - 1 : pushes >= 0 ? HUGE_VAL : -HUGE_VAL;
  }
  void impulses(double s, double* lambda) const {
    const double x = ss + s, y = tt + s, det = x * y - st * st;
    lambda[1] = -(y * qs - st * qt) / det;
    lambda[2] = -(x * qt - st * qs) / det;
    lambda[0] = -(q + a * lambda[1] + b * lambda[2]) / nn;
  }
};

}  // namespace

void solveContact(const double* D, const double* q, double mu, double start, double* lambda) {
  lambda[0] = lambda[1] = lambda[2] = 0;
  if (q[0] >= 0) return;  // separates without an impulse
  const double nn = D[0], a = D[1] / nn, b = D[2] / nn;
  const Slide slide{nn, D[1], D[2], D[3] - D[1] * a, D[4] - D[1] * b, D[5] - D[2] * b, q[0], q[1] - a * q[0], q[2] - b * q[0], mu};
  const double size = std::max(slide.ss, slide.tt);
  double low = 0;
  if (!(slide.ss * slide.tt - slide.st * slide.st > 1e-12 * size * size)) {
    low = 1e-12 * size;  // a direction of slip changes no velocity: the least ratio stands for sticking
    if (!(size > 0)) {
      lambda[0] = -q[0] / nn;
      return;
    }
  }
  double below = slide.margin(low);
  if (below >= 0) return slide.impulses(low, lambda);
  double high = start > low && start < 1e12 * size ? start : size, above = slide.margin(high);
  while (!(above >= 0)) {
    low = high;
    below = above;
    if (above > -kOnCone) break;
    high = std::max(4 * high, 1e-6 * size);
    if (!(high < 1e12 * size)) {  // the friction bound is practically zero
      lambda[0] = -q[0] / nn;
      return;
    }
    above = slide.margin(high);
  }
  // False position; an end that stays counts half each time (Illinois), and every fourth step is a bisection.
  double root = below > -kOnCone ? low : high, left = below > -kOnCone ? below : above;
  for (int i = 1, side = 0; i < 80 && std::fabs(left) > kOnCone && high - low > 1e-15 * high; i++) {
    double middle = low > 0 ? std::sqrt(low * high) : 0.125 * high;
    if (i % 4 != 0 && std::isfinite(below) && std::isfinite(above)) {
      const double cut = low + (high - low) * below / (below - above);
      if (cut > low && cut < high) middle = cut;
    }
    root = middle;
    left = slide.margin(middle);
    if (left >= 0) {
      high = middle;
      above = left;
      if (side > 0) below *= 0.5;
      side = 1;
    } else {
      low = middle;
      below = left;
      if (side < 0) above *= 0.5;
      side = -1;
    }
  }
  if (left < -kOnCone) root = high;
  slide.impulses(root, lambda);
  const double bound = mu * lambda[0], friction2 = lambda[1] * lambda[1] + lambda[2] * lambda[2];
  if (!(friction2 > bound * bound)) return;
  const double cut = bound / std::sqrt(friction2);
  lambda[1] *= cut;
  lambda[2] *= cut;
}

}  // namespace vertebra::solve
