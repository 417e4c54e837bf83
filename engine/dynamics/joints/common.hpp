// Small pieces that several joint types share.
#pragma once
#include "engine/dynamics/link.hpp"
#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra {

inline Vec6 stack(const Vec3& angular, const Vec3& linear) {
  Vec6 r;
  r << angular, linear;
  return r;
}
// Twist about O of a turn about an axis through a point (given relative to O).
inline Vec6 turnAbout(const Vec3& axis, const Vec3& pointFromO) { return stack(axis, pointFromO.cross(axis)); }

// Rotation matrix of a unit quaternion.
inline Mat3 rotationOf(const Quat& q) {
  const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
  const double x2 = x + x, y2 = y + y, z2 = z + z;
  const double xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2, wx = w * x2, wy = w * y2, wz = w * z2;
  Mat3 m;
  m << 1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy);
  return m;
}

// Child pose when only its orientation turns about a joint origin fixed in the parent.
inline void placeAtParentAnchor(const LinkModel& m, const BodyPose& parent, const Quat& orientation, LinkState& s) {
  s.q = orientation;
  s.R = rotationOf(s.q);
  s.anchor = parent.c + parent.R * m.inParent;
  s.c = s.anchor - s.R * m.inChild;
}

}  // namespace vertebra
