// See spherical_limits.hpp.
#include "engine/constraints/spherical_limits.hpp"

#include "engine/math/rotation.hpp"
#include "engine/trees/joint_coordinates.hpp"

namespace vertebra::constraints {

// A limit's restitution is that of the three axes, weighted by their shares in the limit's direction.
int sphericalLimits(const JointSlot& j, Quat r, double margin, SphericalLimit* out) {
  const double lower = j.def->twistLower, upper = j.def->twistUpper;
  int count = 0;
  if (r.w() < 0) r.coeffs() = -r.coeffs();
  const Vec3& n = j.def->axis;
  const double along = r.x() * n.x() + r.y() * n.y() + r.z() * n.z();
  if (trees::within(j, r.w(), along, margin)) return 0;
  const Vec3 restitution(j.axes[0].parameters->restitution, j.axes[1].parameters->restitution, j.axes[2].parameters->restitution);
  auto add = [&](const Vec3& direction, double gap, int axis) {
    const Vec3 share = direction.cwiseAbs2() / direction.squaredNorm();
    out[count++] = {direction, gap, share.dot(restitution), axis};
  };
  if (j.def->swing < kInf) {
    const Vec3 pointing = r * n;
    const Vec3 across = n.cross(pointing);
    const double s = across.norm(), angle = arctan2(s, n.dot(pointing));
    if (angle > j.def->swing - margin && s > 1e-9) add(r.conjugate() * Vec3(-across / s), j.def->swing - angle, 0);  // child's axes
  }
  // Rate of the twist angle 2 atan2(along, w): the rate about the axis, corrected where the swing tilts it.
  if (lower > -kInf || upper < kInf) {
    const double twist = 2 * arctan2(along, r.w());
    const double d = r.w() * r.w() + along * along;
    if (d > 1e-12) {
      const Vec3 vec(r.x(), r.y(), r.z());
      // q' = q (0, omega) / 2, so w' = -vec.omega / 2 and vec' = (w omega + vec x omega) / 2.
      const Vec3 gradient = (r.w() * (r.w() * n + n.cross(vec)) + along * vec) / d;
      const double reach = margin * gradient.norm();  // at a large swing, a small rotation causes a large twist
      if (twist - lower < reach) add(gradient, twist - lower, 1);
      if (upper - twist < reach) add(-gradient, upper - twist, 2);
    }
  }
  return count;
}

}  // namespace vertebra::constraints
