// Vectors, turns and random directions of the torture worlds. Units of the caller; quaternions x, y, z, w.
#include "tests/torture/torture.hpp"

namespace torture {

Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec cross(const Vec& a, const Vec& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double length(const Vec& a) { return std::sqrt(dot(a, a)); }
Vec unit(const Vec& a) { return 1 / length(a) * a; }

Vec rotate(const Quat& q, const Vec& v) {
  const Vec u{q[0], q[1], q[2]};
  const Vec t = 2 * cross(u, v);
  return v + q[3] * t + cross(u, t);
}

Vec rotateBack(const Quat& q, const Vec& v) { return rotate({-q[0], -q[1], -q[2], q[3]}, v); }

Quat between(const Vec& from, const Vec& to) {
  const double c = dot(from, to);
  if (c < -0.999999) {  // any turn by half a circle about an axis across
    const Vec across = unit(cross(from, std::fabs(from[0]) < 0.9 ? Vec{1, 0, 0} : Vec{0, 1, 0}));
    return {across[0], across[1], across[2], 0};
  }
  const Vec axis = cross(from, to);
  const double scale = 1 / std::sqrt(2 * (1 + c));
  return {axis[0] * scale, axis[1] * scale, axis[2] * scale, 0.5 / scale};
}

Vec Random::direction() {
  const double z = in(-1, 1), angle = in(0, 2 * M_PI), across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

Quat Random::turn() {
  const Vec axis = direction();
  const double half = in(0, M_PI / 2), s = std::sin(half);
  return {s * axis[0], s * axis[1], s * axis[2], std::cos(half)};
}

}  // namespace torture
