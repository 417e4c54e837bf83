// The laws of force fields on one body or particle; parameters: FieldDefinition in state/definitions.hpp.
#pragma once
#include <cmath>

#include "engine/math/elementary.hpp"
#include "engine/state/definitions.hpp"

namespace vertebra::forces {

// Acceleration towards a centre, at r from it.
inline Vec3 radialPull(const FieldDefinition& d, const Vec3& r) {
  const double square = r.squaredNorm() + d.softening * d.softening;
  return square > 0 ? Vec3(d.strength / (square * std::sqrt(square)) * r) : Vec3(Vec3::Zero());
}

// Force on the first at r from the second; square = |r|^2.
inline Vec3 lennardJonesForce(const FieldDefinition& d, const Vec3& r, double square) {
  // At smaller distances the force is too large for any step; it still pushes the pair apart.
  square = std::max(square, 0.09 * d.length * d.length);
  const double s2 = d.length * d.length / square, s6 = s2 * s2 * s2;
  return 24 * d.strength * (2 * s6 * s6 - s6) / square * r;
}

// x^n for the attractor's exponent: exact for whole exponents, otherwise by the library's exponential and a logarithm by Newton's method.
inline double raised(double x, double exponent) {
  if (exponent == std::floor(exponent) && std::fabs(exponent) <= 16) {
    double y = 1;
    for (int k = 0; k < std::abs(static_cast<int>(exponent)); k++) y *= x;
    return exponent < 0 ? 1 / y : y;
  }
  int binary;
  const double mantissa = std::frexp(x, &binary);
  double log = 0;  // of the mantissa
  for (int it = 0; it < 8; it++) log -= 1 - mantissa * exponential(-log);
  return exponential(exponent * (log + binary * 0.69314718055994530942));
}

inline Vec3 attractorForce(const FieldDefinition& d, const Vec3& position) {
  const Vec3 r = d.point - position;
  const double length = r.norm();
  if (!(length < d.range) || !(length > 1e-9)) return Vec3::Zero();
  return d.strength * raised(length, d.exponent) / length * r;
}

}  // namespace vertebra::forces
