// See pair_rows.hpp.
#include "engine/constraints/pair_rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/impact_rows.hpp"
#include "engine/constraints/infeasibility.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/constraints/spherical_limits.hpp"
#include "engine/dynamics/joints/joints.hpp"

namespace vertebra::constraints {
namespace {

constexpr double kPairMargin = 0.05;  // rad or m, besides what the present rate covers in a step

// The rows of one joint. Those of a direction: wrench on b for one unit along it, number k among the held ones or the axes.
struct PairBuilder {
  RowBuffer& rows;
  const WorldSettings& set;
  const StepTimes& times;
  RowFindings& found;
  JointSlot& j;
  const int joint;  // its slot
  const double h = times.h;
  const RowEnd a = rows.bodies.endOf(j.a), b = rows.bodies.endOf(j.b);
  const int path = rows.path(a.link, b.link);
  Vec3 point = Vec3::Zero(), omega = Vec3::Zero(), velocity = Vec3::Zero();  // of b against a, at the start of the step

  double startRate(const Vec6& wrench) const { return Vec3(wrench.head<3>()).dot(omega) + Vec3(wrench.tail<3>()).dot(velocity); }

  solve::Row& add(const Vec6& wrench, RowMeta::Kind kind, int k, int slot, double sigma, const Vec3& direction = Vec3::Zero()) {
    const int row = rows.addWrenchRow(path, a, b, wrench.tail<3>(), wrench.head<3>(), point);
    RowMeta meta;
    meta.kind = kind;
    meta.index = joint;
    meta.axis = static_cast<std::int8_t>(k);
    meta.slot = static_cast<std::int8_t>(slot);
    meta.direction = direction;
    return rows.finish(row, path, sigma, 1, meta);
  }

  // A held direction that is soft.
  void hold(const Vec6& wrench, int k, double error, const Softness& soft) {
    const RowLaw law = lawOf(set, h, false, error, 0, soft, startRate(wrench));
    solve::Row& r = add(wrench, RowMeta::Hold, k, 0, law.sigma);
    r.lo = -kInf;
    r.hi = kInf;
    r.bias += law.bias;
    r.lambda = j.between->hold[k];
  }

  // The motor of one axis: a soft bounded row, or a given force.
  void drive(const Vec6& wrench, int k, double error, double rateTarget) {
    const MotorSettings& motor = *j.axes[k].motor;
    if (motor.mode == MotorMode::Off) return;
    const double bound = h * std::min(motor.maxForce, j.axes[k].parameters->effort);
    const double stiffness = motor.mode == MotorMode::Position ? motor.stiffness : 0;
    const double damping = motor.mode == MotorMode::Torque ? 0 : motor.damping;
    const double soft = h * damping + h * h * stiffness;
    const double sigma = soft > 0 && soft < kInf ? 1 / soft : 0;
    solve::Row& r = add(wrench, RowMeta::Drive, k, 0, sigma);
    r.lo = -bound;
    r.hi = bound;
    if (!(soft > 0)) {  // a given force: it has no softness from which to compute it
      r.lo = r.hi = r.lambda = std::min(bound, std::max(-bound, h * motor.force));
      return;
    }
    if (soft < kInf)
      r.bias -= sigma * h * (motor.force + damping * rateTarget - stiffness * error);
    else
      r.bias += stiffness < kInf ? -rateTarget : error / h - rateTarget;
    r.lambda = std::min(r.hi, std::max(r.lo, j.between->drive[k]));
    if (!drivesWithoutBound(r)) return;
    found.prescribed = true;
    if (j.axes[k].saturated > 0) yieldDrive(r);
  }

  // Keeps gap >= 0, where motion along the wrench increases the gap. direction: parts of the axes (0 to 2, or 3 to 5) in it.
  void bound(const Vec6& wrench, int k, const Vec3& direction, double gap, int slot, double restitution) {
    solve::Row& r = add(wrench, RowMeta::Limit, k, slot, 0, direction);
    r.lo = 0;
    r.hi = kInf;
    if (restitution > 0) found.impacts |= limitRebounds(rows, set, times.next, gap, restitution, -startRate(wrench));
    const double allowed = allowanceOfLimit(gap);
    if (slot != 3) rows.work.rowMeta.back().shift = -allowed;
    r.bias += allowed / times.of(gap);
    r.lambda = j.axes[k].impulse[slot];
  }
  void boundAlong(const Vec6& wrench, int k, double sign, double gap, int slot, double restitution) {
    bound(sign * wrench, k, sign * Vec3(Vec3::Unit(k % 3)), gap, slot, restitution);
  }

  // Position limits of one axis.
  void limit(const Vec6& wrench, int k) {
    const dynamics::AxisParameters& p = *j.axes[k].parameters;
    const double margin = kPairMargin + 1.5 * times.next * std::fabs(j.axes[k].v);
    const bool length = j.def->constraint == ConstraintType::Distance;  // never less than 0: no limit there
    if (j.q[k] - p.lower < margin && !(length && p.lower <= 0)) boundAlong(wrench, k, 1, j.q[k] - p.lower, 1, p.restitution);
    if (p.upper - j.q[k] < margin) boundAlong(wrench, k, -1, p.upper - j.q[k], 2, p.restitution);
  }

  // Velocity limit, spring, damper and dry friction of one axis.
  void axisForces(const Vec6& wrench, int k, double fromRest) {
    const dynamics::AxisParameters& p = *j.axes[k].parameters;
    const double v = j.axes[k].v;
    if (p.velocity < kInf && std::fabs(v) > 0.5 * p.velocity) boundAlong(wrench, k, v > 0 ? -1 : 1, p.velocity * times.next, 3, 0);
    if (p.stiffness > 0 || p.damping > 0) {
      const double sigma = 1 / (h * p.damping + h * h * p.stiffness);
      solve::Row& r = add(wrench, RowMeta::Spring, k, 0, sigma);
      r.lo = -kInf;
      r.hi = kInf;
      r.bias += sigma * h * p.stiffness * fromRest;
      r.lambda = j.between->spring[k];
    }
    if (p.friction > 0) {
      solve::Row& r = add(wrench, RowMeta::Friction, k, 0, 0);
      r.lo = -p.friction * h;
      r.hi = p.friction * h;
      r.lambda = std::min(r.hi, std::max(r.lo, j.axes[k].impulse[0]));
    }
  }

  void orientation(const PairConstraint& c) {
    SphericalLimit limits[3];
    const double margin = kPairMargin + 1.5 * times.next * Vec3(j.axes[0].v, j.axes[1].v, j.axes[2].v).norm();
    const int count = sphericalLimits(j, dynamics::SphericalJoint::quat(j.q), margin, limits);
    for (int i = 0; i < count; i++) {
      const Vec3& d = limits[i].direction;
      const Vec6 wrench = d[0] * c.axis[0] + d[1] * c.axis[1] + d[2] * c.axis[2];
      bound(wrench, limits[i].axis, d, limits[i].gap, 1, limits[i].restitution);
    }
  }

  void addAll() {
    PairConstraint c;
    viewPair(rows.bodies.bodies, rows.topology, j, j.q, c);
    point = c.point;
    omega = rows.bodies.startOmega(b) - rows.bodies.startOmega(a);
    velocity = rows.bodies.startVelocity(b, point) - rows.bodies.startVelocity(a, point);
    for (int k = 0; k < c.rows; k++)
      if (const Softness& soft = softnessOf(j, c.row[k]); !staysExact(set, soft)) hold(c.row[k], k, c.error[k], soft);
    for (int k = 0; k < c.axes; k++) {
      j.axes[k].v = startRate(c.axis[k]);
      drive(c.axis[k], k, c.fromTarget[k], c.targetRate[k]);
      if (k < c.limited) limit(c.axis[k], k);
      axisForces(c.axis[k], k, c.fromRest[k]);
    }
    if (j.def->constraint == ConstraintType::Joint && j.def->type == dynamics::JointType::Spherical) orientation(c);
  }
};

}  // namespace

void addPairRows(RowBuffer& rows, const Island& island, std::vector<JointSlot>& joints, const WorldSettings& settings,
                 const StepTimes& times, RowFindings& found) {
  for (int id : island.joints) PairBuilder{rows, settings, times, found, joints[id], id}.addAll();
}

}  // namespace vertebra::constraints
