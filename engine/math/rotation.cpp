// See rotation.hpp.
#include "engine/math/rotation.hpp"

#include <cmath>

#include "engine/math/elementary.hpp"

namespace vertebra::inline math {

Quat quatExp(const Vec3& r) {
  const double u = 0.25 * r.squaredNorm();  // the square of half the angle
  double s, c;
  if (u <
      0.1) {  // series of sin(t)/t and cos(t), exact to round-off up to 36 degrees, the usual rotation of a step; even and odd terms apart
    const double u2 = u * u;
    const double even = 0.5 + u2 * (0.5 / 120 + u2 * (0.5 / 362880 + u2 * (0.5 / 6227020800.0)));
    const double odd = -0.5 / 6 + u2 * (-0.5 / 5040 + u2 * (-0.5 / 39916800.0));
    s = even + u * odd;
    const double cEven = 1 + u2 * (1.0 / 24 + u2 * (1.0 / 40320 + u2 * (1.0 / 479001600.0 + u2 / 20922789888000.0)));
    const double cOdd = -0.5 + u2 * (-1.0 / 720 + u2 * (-1.0 / 3628800 + u2 * (-1.0 / 87178291200.0)));
    c = cEven + u * cOdd;
  } else {
    const double t = std::sqrt(u);
    const SinCos sc = sincos(t);
    s = 0.5 * sc.s / t;
    c = sc.c;
  }
  return Quat(c, s * r.x(), s * r.y(), s * r.z());
}

Vec3 quatLog(const Quat& q) {
  double w = q.w();
  Vec3 v(q.x(), q.y(), q.z());
  if (w < 0) {
    w = -w;
    v = -v;
  }
  double s2 = v.squaredNorm();
  if (s2 < 1e-24) return 2 * v;
  double s = std::sqrt(s2);
  return (2 * arctan2(s, w) / s) * v;
}

Quat quatFromAxisAngle(const Vec3& axis, double angle) {
  double n = axis.norm();
  if (!(n > 0)) return Quat::Identity();
  SinCos h = sincos(0.5 * angle);
  double s = h.s / n;
  return Quat(h.c, s * axis.x(), s * axis.y(), s * axis.z());
}

Quat quatFromMatrix(const Mat3& m) {
  double t = m(0, 0) + m(1, 1) + m(2, 2);
  double w, x, y, z;
  if (t > 0) {
    double s = std::sqrt(t + 1) * 2;
    w = s / 4, x = (m(2, 1) - m(1, 2)) / s, y = (m(0, 2) - m(2, 0)) / s, z = (m(1, 0) - m(0, 1)) / s;
  } else if (m(0, 0) > m(1, 1) && m(0, 0) > m(2, 2)) {
    double s = std::sqrt(1 + m(0, 0) - m(1, 1) - m(2, 2)) * 2;
    w = (m(2, 1) - m(1, 2)) / s, x = s / 4, y = (m(0, 1) + m(1, 0)) / s, z = (m(0, 2) + m(2, 0)) / s;
  } else if (m(1, 1) > m(2, 2)) {
    double s = std::sqrt(1 + m(1, 1) - m(0, 0) - m(2, 2)) * 2;
    w = (m(0, 2) - m(2, 0)) / s, x = (m(0, 1) + m(1, 0)) / s, y = s / 4, z = (m(1, 2) + m(2, 1)) / s;
  } else {
    double s = std::sqrt(1 + m(2, 2) - m(0, 0) - m(1, 1)) * 2;
    w = (m(1, 0) - m(0, 1)) / s, x = (m(0, 2) + m(2, 0)) / s, y = (m(1, 2) + m(2, 1)) / s, z = s / 4;
  }
  return normalized(Quat(w, x, y, z));
}

Quat slerp(const Quat& a, const Quat& b, double t) {
  Quat d = a.conjugate() * b;
  return normalized(a * quatExp(t * quatLog(d)));
}

Quat quatFromEuler(const EulerOrder& order, const Vec3& angles) {
  Quat q = Quat::Identity();
  for (int k = 0; k < 3; k++) q = q * quatFromAxisAngle(Vec3::Unit(order[k]), angles[k]);
  return q;
}

Vec3 eulerFromQuat(const EulerOrder& o, const Quat& q) {
  const Mat3 m = q.toRotationMatrix();
  const int i = o[0], j = o[1];
  const bool proper = o[0] == o[2];
  const int k = proper ? 3 - i - j : o[2];
  const double sign = (j - i + 3) % 3 == 1 ? 1 : -1;  // parity of (i, j, k)
  Vec3 a;
  if (proper) {
    double s = std::sqrt(m(i, j) * m(i, j) + m(i, k) * m(i, k));
    a[1] = arctan2(s, m(i, i));
    if (s > 1e-9) {
      a[0] = arctan2(m(j, i), -sign * m(k, i));
      a[2] = arctan2(m(i, j), sign * m(i, k));
    } else {
      a[0] = arctan2(sign * m(k, j), m(j, j));
      a[2] = 0;
    }
  } else {
    double c = std::sqrt(m(i, i) * m(i, i) + m(i, j) * m(i, j));
    a[1] = arctan2(sign * m(i, k), c);
    if (c > 1e-9) {
      a[0] = arctan2(-sign * m(j, k), m(k, k));
      a[2] = arctan2(-sign * m(i, j), m(i, i));
    } else {
      a[0] = arctan2(sign * m(k, j), m(j, j));
      a[2] = 0;
    }
  }
  return a;
}

Quat quatFromRpy(double roll, double pitch, double yaw) { return quatFromEuler({2, 1, 0}, Vec3(yaw, pitch, roll)); }

Quat quatBetween(const Vec3& a, const Vec3& b) {
  // (cos, sin) of half the angle from a + b: exact to round-off for nearly opposite vectors too, where 1 + a.b is not.
  const Vec3 sum = a + b;
  const double n = sum.norm();
  if (n < 1e-14) {
    const Vec3 t = std::fabs(a.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
    return quatFromAxisAngle(a.cross(t), kPi);
  }
  const Vec3 c = a.cross(sum) / n;
  return normalized(Quat(0.5 * n, c.x(), c.y(), c.z()));
}

}  // namespace vertebra::inline math
