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

}  // namespace vertebra::constraints
