// Coordinates of joints: conversions where a tree runs against a joint, and the nearest coordinates for a given relative pose.
// A joint traversed from child to parent is the same type with swapped frames: angle and length keep their sign when the axis changes
// its own; orientations and planar or floating positions are inverted.
#include <cmath>

#include <Eigen/QR>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/step/world_data.hpp"

namespace vertebra {
namespace {

Quat quatAt(const double* x) { return Quat(x[3], x[0], x[1], x[2]); }
void storeQuat(const Quat& r, double* x) {
  for (int k = 0; k < 4; k++) x[k] = r.coeffs()[k];
}

// Both directions of a flip are the same map.
void flip(JointType type, const double* q, double* out) {
  switch (type) {
    case JointType::Universal:
      out[0] = q[1], out[1] = q[0];
      return;
    case JointType::Spherical: storeQuat(quatAt(q).conjugate(), out); return;
    case JointType::Planar: {
      const SinCos t = sincos(q[2]);
      out[0] = -(t.c * q[0] + t.s * q[1]);
      out[1] = -(-t.s * q[0] + t.c * q[1]);
      out[2] = -q[2];
      return;
    }
    case JointType::Floating: {
      const Pose inverse = Pose{Vec3(q[0], q[1], q[2]), quatAt(q + 3)}.inverse();
      for (int k = 0; k < 3; k++) out[k] = inverse.p[k];
      storeQuat(inverse.q, out + 3);
      return;
    }
    default: out[0] = q[0];
  }
}
void flipVelocity(JointType type, const double* q, const double* v, double* out) {
  switch (type) {
    case JointType::Universal:
      out[0] = v[1], out[1] = v[0];
      return;
    case JointType::Spherical: {
      const Vec3 w = -(quatAt(q) * Vec3(v[0], v[1], v[2]));
      for (int k = 0; k < 3; k++) out[k] = w[k];
      return;
    }
    case JointType::Planar: {
      const SinCos t = sincos(q[2]);
      const double px = t.c * q[0] + t.s * q[1], py = -t.s * q[0] + t.c * q[1];
      out[0] = -(t.c * v[0] + t.s * v[1]) - v[2] * py;
      out[1] = -(-t.s * v[0] + t.c * v[1]) + v[2] * px;
      out[2] = -v[2];
      return;
    }
    case JointType::Floating: {
      const Quat r = quatAt(q + 3).conjugate();
      const Vec3 p(q[0], q[1], q[2]), u(v[0], v[1], v[2]), w(v[3], v[4], v[5]);
      const Vec3 lin = r * Vec3(w.cross(p) - u), ang = -(r * w);
      for (int k = 0; k < 3; k++) out[k] = lin[k], out[3 + k] = ang[k];
      return;
    }
    default: out[0] = v[0];
  }
}

double unwrapped(double angle, double near) { return angle + 2 * kPi * std::nearbyint((near - angle) / (2 * kPi)); }
double twistAbout(const Quat& r, const Vec3& axis) {
  const double s = r.x() * axis.x() + r.y() * axis.y() + r.z() * axis.z();
  return 2 * arctan2(r.w() < 0 ? -s : s, std::fabs(r.w()));
}

}  // namespace

void toTree(const JointSlot& j, const double* q, double* out) {
  if (j.flipped && j.nv > 0) return flip(j.def.type, q, out);
  for (int k = 0; k < j.nq; k++) out[k] = q[k];
}
void fromTree(const JointSlot& j, const double* q, double* out) { toTree(j, q, out); }
void velocityToTree(const JointSlot& j, const double* q, const double* v, double* out) {
  if (j.flipped && j.nv > 0) return flipVelocity(j.def.type, q, v, out);
  for (int k = 0; k < j.nv; k++) out[k] = v[k];
}
void velocityFromTree(const JointSlot& j, const double* q, const double* v, double* out) { velocityToTree(j, q, v, out); }

void fitCoordinates(JointType type, const Vec3& axis, const Vec3& axis2, const Pose& relative, double* q) {
  switch (type) {
    case JointType::Fixed: return;
    case JointType::Revolute:
    case JointType::Continuous: q[0] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[0]); return;
    case JointType::Prismatic: q[0] = relative.p.z(); return;
    case JointType::Spherical: storeQuat(normalized(relative.q), q); return;
    case JointType::Planar:
      q[0] = relative.p.x();
      q[1] = relative.p.y();
      q[2] = unwrapped(twistAbout(relative.q, Vec3::UnitZ()), q[2]);
      return;
    case JointType::Floating:
      for (int k = 0; k < 3; k++) q[k] = relative.p[k];
      storeQuat(normalized(relative.q), q + 3);
      return;
    case JointType::Universal: {
      // The parent's angle turns axis2 to where it is now, as far as turning about axis can; the rest is the child's angle.
      const Vec3 from = axis2 - axis * axis.dot(axis2), now = relative.q * axis2, to = now - axis * axis.dot(now);
      double a0 = q[0];
      if (to.squaredNorm() > 1e-18 && from.squaredNorm() > 1e-18) a0 = unwrapped(arctan2(axis.dot(from.cross(to)), from.dot(to)), q[0]);
      const Quat rest = quatFromAxisAngle(axis, -a0) * relative.q;
      q[1] = unwrapped(twistAbout(rest, axis2), q[1]);
      q[0] = a0;
      return;
    }
  }
}

void fitVelocity(const LinkModel& m, const LinkState& s, const Vec3& O, const Vec6& relative, double* v) {
  // Least squares at the joint's origin, where angular and linear parts of one joint do not mix.
  if (m.nv == 0) return;
  const Vec3 r = s.anchor - O;
  auto atAnchor = [&](const Vec6& twist) {
    const Vec3 angular = twist.head<3>();
    return stack(angular, Vec3(twist.tail<3>()) + angular.cross(r));
  };
  Eigen::Matrix<double, 6, 6> S = Eigen::Matrix<double, 6, 6>::Zero();
  for (int k = 0; k < m.nv; k++) S.col(k) = atAnchor(s.S[k]);
  const Eigen::Matrix<double, 6, 1> x = S.completeOrthogonalDecomposition().solve(atAnchor(relative));
  for (int k = 0; k < m.nv; k++) v[k] = x[k];
}

}  // namespace vertebra
