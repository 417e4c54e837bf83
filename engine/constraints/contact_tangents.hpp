// The two tangents of a contact, which its friction and rolling rows follow. World axes, unit vectors.
#pragma once
#include <cmath>

#include "engine/math/types.hpp"

namespace vertebra::constraints {

// By the normal alone, without square root or branch: Duff et al. 2017, "Building an orthonormal basis, revisited".
inline void tangents(const Vec3& n, Vec3& s, Vec3& t) {
  const double sign = std::copysign(1.0, n.z()), a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  s = Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  t = Vec3(b, sign + n.y() * n.y() * a, -n.y());
}

// Tangential and rolling impulses (of six numbers) from the contact's standard tangents, in which they are stored, to (s, t), or back.
inline void turnPair(const Vec3& n, const Vec3& s, const Vec3& t, bool back, double* impulse) {
  Vec3 s0, t0;
  tangents(n, s0, t0);
  for (double* pair : {impulse + 1, impulse + 4}) {
    const Vec3 whole = back ? Vec3(pair[0] * s + pair[1] * t) : Vec3(pair[0] * s0 + pair[1] * t0);
    pair[0] = whole.dot(back ? s0 : s);
    pair[1] = whole.dot(back ? t0 : t);
  }
}

}  // namespace vertebra::constraints
