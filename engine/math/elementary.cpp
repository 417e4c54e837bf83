// Argument reduction (Cody-Waite) and Taylor or argument-halving kernels; see elementary.hpp for ranges.
#include "engine/math/elementary.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace vertebra::inline math {
namespace {

// pi/2 in parts such that k * part is exact for |k| < 2^20; the last part is the remainder.
constexpr double kHalfPi1 = 1.57079632673412561417e+00;
constexpr double kHalfPi2 = 6.07710050630396597660e-11;
constexpr double kHalfPi3 = 2.02226624879595063154e-21;

// Even and odd powers of z are summed apart: two dependency chains of half the length.
double sinKernel(double r) {  // |r| <= pi/4
  const double z = r * r, y = z * z;
  const double odd = 1.0 / 120.0 + y * (1.0 / 362880.0 + y * (1.0 / 6227020800.0 + y * (1.0 / 355687428096000.0)));
  const double even = -1.0 / 6.0 + y * (-1.0 / 5040.0 + y * (-1.0 / 39916800.0 + y * (-1.0 / 1307674368000.0)));
  return r + r * (z * (even + z * odd));
}
double cosKernel(double r) {  // |r| <= pi/4
  const double z = r * r, y = z * z;
  const double odd = -1.0 / 720.0 + y * (-1.0 / 3628800.0 + y * (-1.0 / 87178291200.0 + y * (-1.0 / 6402373705728000.0)));
  const double even = 1.0 / 24.0 + y * (1.0 / 40320.0 + y * (1.0 / 479001600.0 + y * (1.0 / 20922789888000.0)));
  const double p = even + z * odd, h = 0.5 * z, w = 1.0 - h;
  return w + (((1.0 - w) - h) + z * z * p);
}

// atan on [0, tan(pi/16)] by series; the addition theorem reduces larger arguments to this range.
double atanSmall(double t) {
  const double z = t * t, y = z * z;
  const double odd = -1.0 / 3 + y * (-1.0 / 7 + y * (-1.0 / 11 + y * (-1.0 / 15 + y * (-1.0 / 19 + y * (-1.0 / 23)))));
  const double even = 1.0 / 5 + y * (1.0 / 9 + y * (1.0 / 13 + y * (1.0 / 17 + y * (1.0 / 21 + y * (1.0 / 25)))));
  return t + t * (z * (odd + z * even));
}
double atanPositive(double t) {                      // 0 <= t <= 1
  constexpr double kTan16 = 0.19891236737965800691;  // tan(pi/16)
  constexpr double kTan8 = 0.41421356237309504880;   // tan(pi/8)
  constexpr double kTan3_16 = 0.66817863791929891999;
  if (t <= kTan16) return atanSmall(t);
  if (t <= kTan3_16) return 0.39269908169872415481 + atanSmall((t - kTan8) / (1 + t * kTan8));
  return 0.78539816339744830962 + atanSmall((t - 1) / (1 + t));
}

}  // namespace

SinCos sincos(double x) {
  if (!(std::fabs(x) < 1e9)) {
    if (!(std::fabs(x) <= std::numeric_limits<double>::max())) return {x - x, x - x};
    x = std::fmod(x, 6.28318530717958647693);
  }
  // Rounding by adding and subtracting 1.5 * 2^52: a call of the C library costs more than the polynomials.
  constexpr double kRound = 6755399441055744.0;
  double k = (x * 0.63661977236758134308 + kRound) - kRound;
  double r = ((x - k * kHalfPi1) - k * kHalfPi2) - k * kHalfPi3;
  std::int64_t quadrant = static_cast<std::int64_t>(k) & 3;
  double s = sinKernel(r), c = cosKernel(r);
  switch (quadrant) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

double arctan2(double y, double x) {
  constexpr double kPiD = 3.14159265358979323846;
  if (x == 0 && y == 0) return 0;
  double ax = std::fabs(x), ay = std::fabs(y);
  double a;
  if (ax == ay)
    a = 0.78539816339744830962;
  else if (ay > ax)
    a = 1.57079632679489661923 - atanPositive(ax / ay);
  else
    a = atanPositive(ay / ax);
  if (x < 0) a = kPiD - a;
  return y < 0 ? -a : a;
}

double arcsin(double x) {
  if (x >= 1) return 1.57079632679489661923;
  if (x <= -1) return -1.57079632679489661923;
  return arctan2(x, std::sqrt((1 - x) * (1 + x)));
}
double arccos(double x) {
  if (x >= 1) return 0;
  if (x <= -1) return 3.14159265358979323846;
  return 2 * arctan2(std::sqrt(1 - x), std::sqrt(1 + x));
}

double exponential(double x) {
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  if (x != x) return x;
  double k = std::nearbyint(x * 1.44269504088896340736);
  double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  double e = 1;  // Horner's rule on the exponential series: 1 + r/1 (1 + r/2 (1 + ...))
  for (int n = 14; n >= 1; n--) e = 1 + r / n * e;
  return std::ldexp(e, static_cast<int>(k));
}

}  // namespace vertebra::inline math
