// Rows of joints: limits (position, velocity, swing and twist) and dry friction of tree joints; see island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {
constexpr double kLimitMargin = 0.02;  // rad or m, besides what the present rate covers in a step
}  // namespace

// A one-sided row on a joint: the sum of its velocities with the weights g keeps gap >= 0. axis and slot identify its warm start; g is zero
// except for the three axes (0 to 2 or 3 to 5) that include `axis`. A limit that is reached within the step rebounds by its restitution.
void IslandRows::limitRow(int link, const double* g, int axis, int slot, double gap, double restitution) {
  double approach = 0;
  for (int k = 0; k < w_.model[link].nv; k++) approach -= g[k] * w_.v0[w_.model[link].vOffset + k];
  // At acceleration level limits that are reached only now are left to the velocities: they are impacts.
  const bool clamped = !w_.links[link].looped && w_.model[link].type != JointType::Spherical && slot != 3;  // others are never rolled back
  if ((level_ || clamped) && !actsAtGap(gap)) return;
  if (level_ && approach > w_.settings.restitutionSpeed) return;
  int path;
  const int row = addAxisRow(link, g, &path);
  RowMeta meta;
  meta.kind = RowMeta::Limit;
  meta.index = w_.links[link].joint;
  meta.axis = static_cast<std::int8_t>(axis);
  meta.slot = static_cast<std::int8_t>(slot);
  for (int k = 0; k < 3; k++) meta.direction[k] = g[axis - axis % 3 + k];
  finish(row, path, 0, 1, meta);
  Row& r = work_.rows.rows[row];
  r.lo = 0;
  r.hi = kInf;
  if (level_) {  // remaining approach decays within tau
    r.bias += ((gap > 0 ? 1 : kLimitReturn) * gap / level_->tau - approach) / level_->tau;
    return;
  }
  if (restitution > 0) limitBounces(work_.rows.blocks.back(), gap, restitution, approach);
  r.bias += gap > 0 ? gap / h_ : kLimitReturn * gap / h_;
  r.lambda = w_.joints[meta.index].axes[axis].impulse[slot];
}

// Swing and twist. A limit's restitution is that of the three axes, weighted by their shares in the limit's direction.
int sphericalLimits(const JointSlot& j, Quat r, double margin, SphericalLimit* out) {
  const double lower = j.def.twistLower, upper = j.def.twistUpper;
  int count = 0;
  if (r.w() < 0) r.coeffs() = -r.coeffs();
  const Vec3& n = j.def.axis;
  const double along = r.x() * n.x() + r.y() * n.y() + r.z() * n.z();
  if (within(j, r.w(), along, margin)) return 0;
  const Vec3 restitution(j.axes[0].restitution, j.axes[1].restitution, j.axes[2].restitution);
  auto add = [&](const Vec3& direction, double gap, int axis) {
    const Vec3 share = direction.cwiseAbs2() / direction.squaredNorm();
    out[count++] = {direction, gap, share.dot(restitution), axis};
  };
  if (j.def.swing < kInf) {
    const Vec3 pointing = r * n;
    const Vec3 across = n.cross(pointing);
    const double s = across.norm(), angle = arctan2(s, n.dot(pointing));
    if (angle > j.def.swing - margin && s > 1e-9) add(r.conjugate() * Vec3(-across / s), j.def.swing - angle, 0);  // child's axes
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

void IslandRows::treeAxes(int tree) {
  const TreeRuntime& t = w_.trees[tree];
  const double span = level_ ? level_->tau : h_;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w_.links[i].bounded) continue;
    const LinkModel& m = w_.model[i];
    const JointSlot& j = w_.joints[w_.links[i].joint];
    if (m.type == JointType::Spherical) {
      const double* v = &w_.v0[m.vOffset];
      const double margin = kLimitMargin + 1.5 * span * std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      SphericalLimit limits[3];
      const int count = sphericalLimits(j, SphericalJoint::quat(&w_.q[m.qOffset]), margin, limits);
      for (int l = 0; l < count; l++) limitRow(i, limits[l].direction.data(), limits[l].axis, 1, limits[l].gap, limits[l].restitution);
    }
    for (int k = 0; k < m.nv; k++) {
      const AxisParameters& a = j.axes[k];
      const double rate = w_.v0[m.vOffset + k];
      double g[6] = {};
      auto limit = [&](double sign, int slot, double gap, double restitution) {
        g[k] = sign;
        limitRow(i, g, k, slot, gap, restitution);
      };
      if (k < limitedAxes(m)) {
        const double q = w_.q[m.qOffset + k], margin = kLimitMargin + 1.5 * span * std::fabs(rate);
        if (q - a.lower < margin) limit(1, 1, q - a.lower, a.restitution);
        if (a.upper - q < margin) limit(-1, 2, a.upper - q, a.restitution);
      }
      if (!level_ && a.velocity < kInf && std::fabs(rate) > 0.5 * a.velocity) limit(rate > 0 ? -1 : 1, 3, a.velocity * h_, 0);
      if (a.friction > 0 && (level_ || !traitsOf(w_.settings.stepper).accelerationRows || !w_.settings.unilateralAccelerations)) {
        g[k] = 1;
        int path;
        const int row = addAxisRow(i, g, &path);
        RowMeta meta;
        meta.kind = RowMeta::Friction;
        meta.index = w_.links[i].joint;
        meta.axis = static_cast<std::int8_t>(k);
        finish(row, path, 0, 1, meta);
        Row& r = work_.rows.rows[row];
        r.lo = -a.friction * h_;
        r.hi = a.friction * h_;
        if (level_)
          r.bias += rate / level_->tau;
        else
          r.lambda = std::min(r.hi, std::max(r.lo, j.axes[k].impulse[0]));
      }
    }
  }
}

}  // namespace vertebra
