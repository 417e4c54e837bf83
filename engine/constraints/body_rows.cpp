// Rows between two bodies outside trees (pair_constraint.hpp): limits, springs, friction and motors of their free axes, and their held
// directions where those are soft. See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {

constexpr double kPairMargin = 0.05;  // rad or m, besides what the present rate covers in a step

}  // namespace

// The motor of one axis between bodies: a soft bounded row, or a given force.
void IslandRows::driveRow(const PairAxis& x, double error, double rateTarget) {
  const JointSlot& j = w_.joints[x.joint];
  const MotorSettings& motor = j.axes[x.k].motor;
  if (motor.mode == MotorMode::Off) return;
  const double bound = h_ * std::min(motor.maxForce, j.axes[x.k].effort);
  const double stiffness = motor.mode == MotorMode::Position ? motor.stiffness : 0;
  const double damping = motor.mode == MotorMode::Torque ? 0 : motor.damping;
  const double soft = h_ * damping + h_ * h_ * stiffness;
  const double sigma = soft > 0 && soft < kInf ? 1 / soft : 0;
  Row& r = pairRow(x, RowMeta::Drive, 0, sigma);
  r.lo = -bound;
  r.hi = bound;
  if (!(soft > 0)) {  // a given force: it has no softness from which to compute it
    r.lo = r.hi = r.lambda = std::min(bound, std::max(-bound, h_ * motor.force));
    return;
  }
  if (soft < kInf)
    r.bias -= sigma * h_ * (motor.force + damping * rateTarget - stiffness * error);
  else
    r.bias += stiffness < kInf ? -rateTarget : error / h_ - rateTarget;
  r.lambda = std::min(r.hi, std::max(r.lo, j.between->drive[x.k]));
  if (drivesWithoutBound(r)) {
    prescribes_ = true;
    if (j.axes[x.k].saturated > 0) yieldDrive(r);
  }
}

Row& IslandRows::pairRow(const PairAxis& x, RowMeta::Kind kind, int slot, double sigma) {
  const int row = addWrenchRow(x.path, x.a, x.b, x.force, x.torque, x.point);
  RowMeta meta;
  meta.kind = kind;
  meta.index = x.joint;
  meta.axis = static_cast<std::int8_t>(x.k);
  meta.slot = static_cast<std::int8_t>(slot);
  finish(row, x.path, sigma, 1, meta);
  return work_.rows.rows[row];
}

// Keeps gap >= 0, where a positive x increases the gap. direction: parts of the axes (0 to 2, or 3 to 5) in x.
void IslandRows::boundPair(const PairAxis& x, const Vec3& direction, double gap, int slot, double restitution) {
  Row& r = pairRow(x, RowMeta::Limit, slot, 0);
  work_.rowMeta.back().direction = direction;
  r.lo = 0;
  r.hi = kInf;
  if (restitution > 0)
    limitBounces(
        work_.rows.blocks.back(), gap, restitution,
        -(x.torque.dot(startOmega(x.b) - startOmega(x.a)) + x.force.dot(startVelocity(x.b, x.point) - startVelocity(x.a, x.point))));
  r.bias += gap > 0 ? gap / h_ : kLimitReturn * gap / h_;
  r.lambda = w_.joints[x.joint].axes[x.k].impulse[slot];
}

void IslandRows::boundAlong(const PairAxis& x, double sign, double gap, int slot, double restitution) {
  PairAxis along = x;
  along.force *= sign;
  along.torque *= sign;
  boundPair(along, sign * Vec3(Vec3::Unit(x.k % 3)), gap, slot, restitution);
}

// Position limits of one axis between bodies.
void IslandRows::limitPair(const PairAxis& x, double q, double v) {
  const AxisParameters& p = w_.joints[x.joint].axes[x.k];
  const double margin = kPairMargin + 1.5 * h_ * std::fabs(v);
  if (q - p.lower < margin) boundAlong(x, 1, q - p.lower, 1, p.restitution);
  if (p.upper - q < margin) boundAlong(x, -1, p.upper - q, 2, p.restitution);
}

// Velocity limit, spring, damper and dry friction of one axis between bodies.
void IslandRows::axisForcesOfPair(const PairAxis& x, double fromRest, double v) {
  const JointSlot& j = w_.joints[x.joint];
  const AxisParameters& p = j.axes[x.k];
  if (p.velocity < kInf && std::fabs(v) > 0.5 * p.velocity) boundAlong(x, v > 0 ? -1 : 1, p.velocity * h_, 3, 0);
  if (p.stiffness > 0 || p.damping > 0) {
    const double sigma = 1 / (h_ * p.damping + h_ * h_ * p.stiffness);
    Row& r = pairRow(x, RowMeta::Spring, 0, sigma);
    r.lo = -kInf;
    r.hi = kInf;
    r.bias += sigma * h_ * p.stiffness * fromRest;
    r.lambda = j.between->spring[x.k];
  }
  if (p.friction > 0) {
    Row& r = pairRow(x, RowMeta::Friction, 0, 0);
    r.lo = -p.friction * h_;
    r.hi = p.friction * h_;
    r.lambda = std::min(r.hi, std::max(r.lo, j.axes[x.k].impulse[0]));
  }
}

void IslandRows::pairs() {
  for (int id : island_.joints) {
    JointSlot& j = w_.joints[id];
    PairAxis x;
    x.joint = id;
    x.a = endOf(j.def.a);
    x.b = endOf(j.def.b);
    x.path = pathFor(x.a.link, x.b.link);
    PairConstraint c;
    viewPair(w_, j, j.q, c);
    x.point = c.point;
    const Vec3 omega = startOmega(x.b) - startOmega(x.a), velocity = startVelocity(x.b, x.point) - startVelocity(x.a, x.point);
    for (x.k = 0; x.k < c.rows; x.k++) {
      const Softness& soft = softnessOf(j, c.row[x.k]);
      if (isBilateral(soft)) continue;
      x.setDirection(c.row[x.k]);
      const RowLaw law = lawOf(false, c.error[x.k], 0, soft, x.torque.dot(omega) + x.force.dot(velocity));
      Row& r = pairRow(x, RowMeta::Hold, 0, law.sigma);
      r.lo = -kInf;
      r.hi = kInf;
      r.bias += law.bias;
      r.lambda = j.between->hold[x.k];
    }
    for (x.k = 0; x.k < c.axes; x.k++) {
      x.setDirection(c.axis[x.k]);
      j.axes[x.k].v = x.torque.dot(omega) + x.force.dot(velocity);
      driveRow(x, c.fromTarget[x.k], c.targetRate[x.k]);
      if (x.k < c.limited) limitPair(x, j.q[x.k], j.axes[x.k].v);
      axisForcesOfPair(x, c.fromRest[x.k], j.axes[x.k].v);
    }
    if (j.def.constraint != ConstraintType::Joint || j.def.type != JointType::Spherical) continue;
    SphericalLimit limit[3];
    const double margin = kPairMargin + 1.5 * h_ * Vec3(j.axes[0].v, j.axes[1].v, j.axes[2].v).norm();
    const int limits = sphericalLimits(j, SphericalJoint::quat(j.q), margin, limit);
    for (int i = 0; i < limits; i++) {
      const Vec3& d = limit[i].direction;
      x.k = limit[i].axis;
      x.setDirection(d[0] * c.axis[0] + d[1] * c.axis[1] + d[2] * c.axis[2]);
      boundPair(x, d, limit[i].gap, 1, limit[i].restitution);
    }
  }
}

void pairForce(const WorldData& w, const JointSlot& j, Vec3& force, Vec3& torque) {
  force = j.between->force;
  torque = j.between->torque;
  PairConstraint c;
  double q[7];
  std::copy_n(j.q, 7, q);
  viewPair(w, j, q, c);
  for (int k = 0; k < c.axes; k++) {
    const double along = j.axes[k].motorForce + j.axes[k].springForce + j.axes[k].frictionForce + j.axes[k].limitForce;
    torque += along * c.axis[k].head<3>();
    force += along * c.axis[k].tail<3>();
  }
}

}  // namespace vertebra
