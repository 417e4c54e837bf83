// Rotations: exponential and logarithm, conversions between quaternion, matrix, axis-angle and Euler angles in any order.
// Radians. A rotation vector is axis times angle. Euler angles in order "ZXY" mean q = Rz(a0) * Rx(a1) * Ry(a2): intrinsic
// rotations, the first letter outermost, as BVH channels are read.
#pragma once
#include <array>
#include <cmath>

#include "engine/math/types.hpp"

namespace vertebra::inline math {

Quat quatExp(const Vec3& rotationVector);
Vec3 quatLog(const Quat& q);                             // angle in [-pi, pi]
Quat quatFromAxisAngle(const Vec3& axis, double angle);  // axis need not be unit; a zero axis gives identity
Quat quatFromMatrix(const Mat3& m);
Quat slerp(const Quat& a, const Quat& b, double t);  // shorter way round

// order: three indices 0..2 for x, y, z; Tait-Bryan (all different) or proper Euler (first == last).
using EulerOrder = std::array<int, 3>;
Quat quatFromEuler(const EulerOrder& order, const Vec3& angles);
Vec3 eulerFromQuat(const EulerOrder& order, const Quat& q);  // middle angle in [-pi/2, pi/2] or [0, pi]; at a pole the last is 0

Quat quatFromRpy(double roll, double pitch, double yaw);  // URDF: Rz(yaw) * Ry(pitch) * Rx(roll)

// Rotation taking unit vector a to unit vector b along the shortest arc.
Quat quatBetween(const Vec3& a, const Vec3& b);

// Of unit length; a quaternion that has unit length to round-off is unchanged, so that numbers written and read again stay equal to the
// last bit.
template <class T>
T unit(const T& x, double square) {
  T r(x);
  if (std::fabs(square - 1) > 4e-15) r /= std::sqrt(square);
  return r;
}
inline Vec3 unit(const Vec3& v) { return unit(v, v.squaredNorm()); }
inline Quat unit(const Quat& q) { return Quat(unit(Eigen::Vector4d(q.coeffs()), q.coeffs().squaredNorm())); }

inline Quat normalized(const Quat& q) {
  const double n = q.coeffs().squaredNorm();
  // A product of unit quaternions is off by round-off only: one step of Newton's method is exact there and needs no square root.
  const double scale = std::fabs(n - 1) < 1e-8 ? 1.5 - 0.5 * n : 1 / std::sqrt(n);
  Quat r(q);
  r.coeffs() *= scale;
  return r;
}

}  // namespace vertebra::inline math
