// A single body that rotates far in a step, without torques. SI units; L: angular momentum about the centre of mass, world axes.
#pragma once
#include <algorithm>

#include "engine/dynamics/link.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::dynamics {

constexpr double kFarTurn = 0.5;  // rad; the forms of a step that are linear in its rotation hold up to here
inline bool turnsFar(const Vec3& omega, double h) { return h * h * omega.squaredNorm() > kFarTurn * kFarTurn; }

// Rotates the orientation q of the principal axes freely over h, by the angular velocity that L gives at the pose half way: this map is its
// own reverse and keeps L to round-off. In parts of a quarter of a radian; with longer ones the body would change to another axis of
// rotation than its energy allows.
inline void turnFreely(const LinkModel& m, Quat& q, const Vec3& L, double h) {
  const Vec3 inverse = inverseInertia(m);
  const double rate = inverse.cwiseProduct(q.conjugate() * L).norm();
  const int parts = 1 + static_cast<int>(std::min(1e4, 4 * h * rate));
  for (int part = 0; part < parts; part++) {
    const Vec3 atStart = q.conjugate() * L;
    Vec3 omega = inverse.cwiseProduct(atStart);
    for (int it = 0; it < 12; it++) {
      const Vec3 next = inverse.cwiseProduct(quatExp(-0.5 * h / parts * omega) * atStart);
      const double change = (next - omega).squaredNorm();
      omega = next;
      if (change <= 1e-32 * omega.squaredNorm()) break;
    }
    q = normalized(q * quatExp(h / parts * omega));
  }
}

}  // namespace vertebra::dynamics
