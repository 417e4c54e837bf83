// Small pieces that several joint types share.
#pragma once
#include <cmath>

#include "engine/dynamics/link.hpp"
#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::dynamics {

inline Vec6 stack(const Vec3& angular, const Vec3& linear) {
  Vec6 r;
  r << angular, linear;
  return r;
}
// Coordinates that are independent numbers, each with its own rate, as most types have.
template <int N>
struct PlainCoordinates {
  static void advance(const LinkModel&, double* q, const double* dv) {
    for (int k = 0; k < N; k++) q[k] += dv[k];
  }
  static void difference(const LinkModel&, const double* q0, const double* q1, double* dv) {
    for (int k = 0; k < N; k++) dv[k] = q1[k] - q0[k];
  }
  static void rates(const LinkModel&, const double*, const double* v, double* dq) {
    for (int k = 0; k < N; k++) dq[k] = v[k];
  }
  static void neutral(double* q) {
    for (int k = 0; k < N; k++) q[k] = 0;
  }
};

// Parts of `fit`: an angle shifted by whole turns to be near another, and the angle of a rotation about an axis.
inline double unwrapped(double angle, double near) {
  const double turns = std::nearbyint((near - angle) / (2 * kPi));
  return std::isfinite(turns) ? angle + 2 * kPi * turns : angle;  // after a failed step `near` may not be finite
}
inline double twistAbout(const Quat& r, const Vec3& axis) {
  const double s = r.x() * axis.x() + r.y() * axis.y() + r.z() * axis.z();
  return 2 * arctan2(r.w() < 0 ? -s : s, std::fabs(r.w()));
}

// Twist about O of a rotation about an axis through a point (given relative to O). Written in place: copying a value that was just stored
// in parts would wait for those stores.
[[gnu::always_inline]] inline void setTurnAbout(Vec6& twist, const Vec3& axis, const Vec3& pointFromO) {
  const Vec3 moment = cross(pointFromO, axis);
  twist.head<3>() = axis;
  twist.tail<3>() = moment;
}

// Wrench about O of a force through a point (given relative to O), and of a torque.
inline Vec6 forceThrough(const Vec3& force, const Vec3& pointFromO) { return stack(cross(pointFromO, force), force); }
inline Vec6 torque(const Vec3& t) { return stack(t, Vec3::Zero()); }

// Standard parts of constraints. Each writes the wrench directions T of one function of both poses and returns their number: the function's
// rate is T . (twist of child - twist of parent). The point is the joint's origin on the child, relative to O.
inline int pointRows(const Vec3& point, Vec6* T) {  // two points coincide
  for (int k = 0; k < 3; k++) T[k] = forceThrough(Vec3::Unit(k), point);
  return 3;
}
inline int parallelAxesRows(const Mat3& frame, Vec6* T) {  // the frames' z axes are parallel
  for (int k = 0; k < 2; k++) T[k] = torque(frame.col(k));
  return 2;
}
inline int constantAngleRow(const Vec3& onParent, const Vec3& onChild, Vec6* T) {  // two axes keep their angle, perpendicular or not
  T[0] = torque(onChild.cross(onParent).normalized());
  return 1;
}
inline int rotationLockRows(Vec6* T) {  // no relative rotation
  for (int k = 0; k < 3; k++) T[k] = torque(Vec3::Unit(k));
  return 3;
}
inline int slideRows(const Mat3& frame, const Vec3& point, Vec6* T) {  // the point stays on the z axis
  for (int k = 0; k < 2; k++) T[k] = forceThrough(frame.col(k), point);
  return 2;
}
inline int planeRow(const Vec3& normal, const Vec3& point, Vec6* T) {  // the point stays in a plane
  T[0] = forceThrough(normal, point);
  return 1;
}

// Rotation matrix of a unit quaternion.
inline Mat3 rotationOf(const Quat& q) {
  const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
  const double x2 = x + x, y2 = y + y, z2 = z + z;
  const double xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2, wx = w * x2, wy = w * y2, wz = w * z2;
  Mat3 m;
  m << 1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy);
  return m;
}

// Places a link by the relative pose of its joint's frames, given in the joint's own direction (against the tree if reversed).
inline void placeByRelativePose(const LinkModel& m, const BodyPose& parent, const Pose& given, LinkState& s) {
  const Pose relative = m.reversed ? given.inverse() : given;
  const Quat frame = parent.q * m.frames->turnParent;
  s.q = frame * relative.q * m.frames->turnChild.conjugate();
  s.R = rotationOf(s.q);
  s.anchor = parent.c + parent.R * m.joint->inParent + frame * relative.p;
  s.c = s.anchor - s.R * m.joint->inChild;
}
// The axes of the rates of planar and floating joints: fixed in the joint's parent, through the origin on its child. If the joint is
// reversed, its parent is the link itself and moves the other way.
struct MovingAxes {
  Mat3 axes;
  Vec3 point;  // from O
};
inline MovingAxes movingAxes(const LinkModel& m, const BodyPose& parent, const Vec3& O, const LinkState& s) {
  if (!m.reversed) return {parent.R * rotationOf(m.frames->turnParent), s.anchor - O};
  return {-(s.R * rotationOf(m.frames->turnChild)), parent.c + parent.R * m.joint->inParent - O};
}
// Their acceleration at constant rates beyond parent twist x child twist: the axis of rotation moves along, at u, with the joint's child;
// reversed, the axes rotate with the link. `linear` and `angular` are the sums of rate times column of S, about any origin.
inline Vec6 movingAxesBias(const LinkModel& m, const Vec3& linear, const Vec3& angular) {
  const Vec3 turned = linear.cross(angular);
  return stack(Vec3::Zero(), m.reversed ? Vec3(-turned) : turned);
}

// Child position where the joint's origin is fixed in parent and child, whose orientations are known: the same bits as placeAtParentAnchor.
inline void placePosition(const LinkModel& m, const BodyPose& parent, LinkState& s) {
  s.anchor = parent.c + parent.R * m.joint->inParent;
  s.c = s.anchor - s.R * m.joint->inChild;
}

// Child pose when only its orientation changes about a joint origin fixed in the parent.
inline void placeAtParentAnchor(const LinkModel& m, const BodyPose& parent, const Quat& orientation, LinkState& s) {
  const Mat3 R = rotationOf(orientation);  // used before it is stored: reading it back at once would wait for the store
  const Vec3 anchor = parent.c + parent.R * m.joint->inParent;
  s.c = anchor - R * m.joint->inChild;
  s.anchor = anchor;
  s.q = orientation;
  s.R = R;
}

}  // namespace vertebra::dynamics
