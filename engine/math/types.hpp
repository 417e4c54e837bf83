// Vectors, rotations and poses used everywhere. SI units, right-handed; a Pose maps local to parent coordinates: x_parent = q * x + p.
// Six-vectors are angular part first: twist (omega; v), wrench (torque; force).
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>

namespace vertebra::inline math {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;  // coefficients stored x, y, z, w
using Vec6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
using Mat6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kInf = std::numeric_limits<double>::infinity();

struct Pose {
  Vec3 p = Vec3::Zero();
  Quat q = Quat::Identity();

  Vec3 operator*(const Vec3& x) const { return p + q * x; }
  Pose operator*(const Pose& o) const { return {p + q * o.p, q * o.q}; }
  Pose inverse() const {
    Quat c = q.conjugate();
    return {-(c * p), c};
  }
  bool operator==(const Pose& o) const { return p == o.p && q.coeffs() == o.q.coeffs(); }
};

// a x b for the inner loops: Eigen's own result goes through memory there, stored in parts and loaded as a whole, for which a CPU has to
// wait.
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  const double x = a.y() * b.z() - a.z() * b.y(), y = a.z() * b.x() - a.x() * b.z(), z = a.x() * b.y() - a.y() * b.x();
  return {x, y, z};
}

inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace vertebra::inline math
