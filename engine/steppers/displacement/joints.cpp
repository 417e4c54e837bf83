// Joints and all other constraints between two bodies (constraints/pair_constraint.hpp) under the stepper `displacement`. See
// displacement.hpp. Held directions: those of force together, those of torque together. Scalar form (Waterson 5, 6): along the error, whose
// forces then pass through both points and conserve angular momentum; block form: all at once through the matrix of their inverse mass,
// which does not. Free axes: drives, limits, springs, dampers, armature, friction, each a row of its own.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/constraints/spherical_limits.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/particles/particles.hpp"
#include "engine/steppers/displacement/displacement.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {

// A rotor has one axis and no bodies that users see: its angle against the world.
void DisplacementIsland::viewRotor(JointSlot& j, constraints::PairConstraint& c) {
  const dynamics::LinkModel& m = w_.model[j.link];
  c.point = w_.state[j.link].c;
  c.axis[0] = dynamics::stack(w_.displacement.bodies[j.link].axis, Vec3::Zero());
  c.axes = c.limited = 1;
  const double* q = w_.q.data() + m.qOffset;
  trees::axisError(m, j, q, false, c.fromRest);
  trees::axisError(m, j, q, true, c.fromTarget);
  c.targetRate[0] = j.axes[0].motor->velocity;
  j.q[0] = q[0];
}

void DisplacementIsland::startRates(DisplacedJoint& item) {
  JointSlot& j = w_.joints[item.joint];
  if (j.link >= 0) {
    item.startRate[0] = w_.v0[w_.model[j.link].vOffset];
    return;
  }
  constraints::PairConstraint c;
  constraints::viewPair(w_.bodies, w_, j, j.q, c);
  Vec3 omega = Vec3::Zero(), velocity = Vec3::Zero();
  for (int side = 0; side < 2; side++) {
    const int body = side ? j.b : j.a, link = linkOf(body);
    const double sign = side ? 1 : -1;
    const Vec3 turning = link < 0 ? omegaOf(body, false) : Vec3(w_.state[link].R * w_.links[link].startW);
    omega += sign * turning;
    velocity +=
        sign * (link < 0 ? pointVelocity(body, c.point, false) : Vec3(w_.links[link].startV + turning.cross(c.point - w_.state[link].c)));
  }
  for (int k = 0; k < c.axes; k++) item.startRate[k] = c.axis[k].head<3>().dot(omega) + c.axis[k].tail<3>().dot(velocity);
}

// Rows, errors and points at the newest poses; frozen ones as they were first.
void DisplacementIsland::viewJoint(DisplacedJoint& item, JointSlot& j, constraints::PairConstraint& c, Direction& d) {
  d.b = j.b;
  if (j.link >= 0) {
    viewRotor(j, c);
    d.pointA = d.pointB = c.point;
  } else {
    d.a = j.a;
    constraints::viewPair(w_.bodies, w_, j, j.q, c);
    d.pointA = c.point;
    d.pointB = j.b < 0 ? j.def->frameB.p : trees::poseOf(w_, j.b) * j.def->frameB.p;
  }
  const bool frozen = w_.settings.displacementFrozen && j.link < 0;
  if (frozen) {
    if (!item.started) {
      item.point = d.pointA;
      item.origin = d.pointB;
      std::copy_n(c.row, c.rows, item.row);
      std::copy_n(c.axis, c.axes, item.axis);
    }
    std::copy_n(item.row, c.rows, c.row);
    std::copy_n(item.axis, c.axes, c.axis);
    d.pointA = carried(d.a, item.point);
    d.pointB = carried(d.b, item.origin);
  }
}

void DisplacementIsland::joint(DisplacedJoint& item) {
  JointSlot& j = w_.joints[item.joint];
  constraints::PairConstraint c;
  Direction d;
  viewJoint(item, j, c, d);
  if (!item.started || !w_.settings.displacementFrozen) {
    item.linear.setZero();
    item.angular.setZero();
    addMobility(d.a, d.pointA, item.linear, item.angular);
    addMobility(d.b, d.pointB, item.linear, item.angular);
    item.started = true;
  }
  relaxation_ = w_.settings.solverRelaxation * j.def->relaxation;
  regularisation_ = w_.settings.displacementRegularisation + j.def->regularisation;
  // Forces and torques may each be found from the errors before the other acted: two parts that do so settle, three need not.
  if (const int alone = holdAlone(j, c, d); alone > 0 && alone < c.rows) viewJoint(item, j, c, d);
  if (c.rows > 0) holdRows(item, j, c, d);
  if (!j.hasAxisForces) return;
  const bool frozen = w_.settings.displacementFrozen && j.link < 0;
  d.pointB = frozen ? carried(d.b, item.point) : c.point;
  for (int k = 0; k < c.axes; k++) axis(item, j, c, k, d);
  if (j.def->constraint == ConstraintType::Joint && j.def->type == dynamics::JointType::Spherical) swingTwist(item, j, c, d);
}

namespace {

// Rows that are held with their like: rigid ones of a force or of a torque alone. The others (of a screw, soft ones) are on their own.
bool isTogether(const JointSlot& j, const Vec6& row) {
  return constraints::softnessOf(j, row).rigid() && (row.head<3>().squaredNorm() > 0) != (row.tail<3>().squaredNorm() > 0);
}

}  // namespace

int DisplacementIsland::holdAlone(JointSlot& j, const constraints::PairConstraint& c, Direction d) {
  int alone = 0;
  for (int k = 0; k < c.rows; k++) {
    if (isTogether(j, c.row[k])) continue;
    alone++;
    d.torque = c.row[k].head<3>();
    d.force = c.row[k].tail<3>();
    const Softness& soft = constraints::softnessOf(j, c.row[k]);
    d.inverseMass = inverseMassOf(d);
    const RowLaw law{false, c.error[k], 0, soft, -kInf, kInf, regularisation_};
    apply(soft.rigid() ? Kind::Hold : Kind::Drive, j.between.make().hold[k],
          changeBy(law, j.between.make().hold[k], rate(d), d.inverseMass), -kInf, kInf, d);
  }
  return alone;
}

void DisplacementIsland::holdRows(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, const Direction& d) {
  int rows[2][6], count[2] = {0, 0};
  for (int k = 0; k < c.rows; k++) {
    if (!isTogether(j, c.row[k])) continue;
    const bool turns = c.row[k].head<3>().squaredNorm() > 0;
    rows[turns][count[turns]++] = k;
  }
  for (int angular = 0; angular < 2; angular++)
    if (count[angular] > 0) holdTogether(item, j, c, rows[angular], count[angular], angular, d);
}

void DisplacementIsland::holdTogether(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, const int* rows, int count,
                                      bool angular, Direction d) {
  const Mat3& mobility = angular ? item.angular : item.linear;
  auto directionOf = [&](int k) { return Vec3(angular ? c.row[rows[k]].head<3>() : c.row[rows[k]].tail<3>()); };
  d.force.setZero();
  d.torque.setZero();
  Vec3& along = angular ? d.torque : d.force;
  const double alpha = regularisation_ * mobility.trace() / 3;
  if (pass_ != Pass::Move) {
    double open = 0;
    for (int k = 0; k < count; k++) {
      along = directionOf(k);
      apply(Kind::Hold, j.between.make().hold[rows[k]], 0, -kInf, kInf, d);
      open = std::hypot(open, c.error[rows[k]] + h_ * alpha * j.between.make().hold[rows[k]]);
    }
    if (pass_ == Pass::Account) leave(open, openBefore(w_)[item.joint]);
    return;
  }
  double lacking[3];
  Vec3 whole = Vec3::Zero();
  for (int k = 0; k < count; k++) {
    lacking[k] = c.error[rows[k]] / h_ + alpha * j.between.make().hold[rows[k]];
    whole += lacking[k] * directionOf(k);
  }
  const double size = whole.norm();
  if (!(size > 0)) return;
  residual_ = std::max(residual_, size);
  if (w_.settings.displacementAlongErrors) {
    along = whole / size;
    const double w = along.dot(mobility * along);
    if (!(w > 0)) return;
    const double change = -relaxation_ * size / (w + alpha);
    for (int k = 0; k < count; k++) j.between.make().hold[rows[k]] += change * along.dot(directionOf(k));
    return push(d, change);
  }
  Mat3 A = Mat3::Identity();
  Vec3 b = Vec3::Zero();
  for (int r = 0; r < count; r++) {
    for (int k = 0; k < count; k++) A(r, k) = directionOf(r).dot(mobility * directionOf(k)) + (r == k ? alpha : 0);
    b[r] = -relaxation_ * lacking[r];
  }
  const Vec3 change = A.ldlt().solve(b);
  if (!change.allFinite()) return;
  along.setZero();
  for (int k = 0; k < count; k++) {
    j.between.make().hold[rows[k]] += change[k];
    along += change[k] * directionOf(k);
  }
  push(d, 1);
}

void DisplacementIsland::axis(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, int k, Direction d) {
  d.torque = c.axis[k].head<3>();
  d.force = c.axis[k].tail<3>();
  d.inverseMass = inverseMassOf(d);
  if (!(d.inverseMass > 0)) return;
  const dynamics::AxisParameters& p = *j.axes[k].parameters;
  if (pass_ == Pass::Start) j.axes[k].v = item.startRate[k];
  drive(j, c, k, d);
  if (p.stiffness > 0 || p.damping > 0) {
    const RowLaw law{false, c.fromRest[k], 0, {p.stiffness, p.damping}};
    apply(Kind::Drive, j.between.make().spring[k], changeBy(law, j.between.make().spring[k], rate(d), d.inverseMass), -kInf, kInf, d);
  } else {
    j.between.make().spring[k] = 0;
  }
  // A rotor on the axis opposes each change of its rate: a damper of armature / h towards the rate at the start. For a shaft this is its
  // only inertia.
  if (p.armature > 0 && j.link < 0) {
    const double lacks = item.armatureImpulse[k] + p.armature * (rate(d) - item.startRate[k]);
    apply(Kind::Hold, item.armatureImpulse[k], -lacks / (1 + p.armature * d.inverseMass), -kInf, kInf, d);
  }
  if (k < c.limited) limits(item, j, k, d);
  if (p.velocity < kInf) {
    double& impulse = j.axes[k].impulse[3];
    if (pass_ == Pass::Start) impulse = 0;
    const double u = rate(d) - d.inverseMass * impulse;  // without it
    const double to = std::min(p.velocity, std::max(-p.velocity, u));
    apply(Kind::Bound, impulse, (to - u) / d.inverseMass - impulse, -kInf, kInf, d);
  }
  if (p.friction > 0)
    apply(Kind::Friction, j.axes[k].impulse[0], -rate(d) / d.inverseMass, -h_ * p.friction, h_ * p.friction, d);
  else
    j.axes[k].impulse[0] = 0;
}

// Spring and damper towards the target, bounded (Waterson 9; his eq. 130 confuses damping and resistance); or a given force, or a given
// rate.
void DisplacementIsland::drive(JointSlot& j, const constraints::PairConstraint& c, int k, const Direction& d) {
  const MotorSettings& motor = *j.axes[k].motor;
  if (motor.mode == MotorMode::Off) {
    j.between.make().drive[k] = 0;
    return;
  }
  const double bound = h_ * std::min(motor.maxForce, j.axes[k].parameters->effort), given = h_ * motor.force;
  const double stiffness = motor.mode == MotorMode::Position ? motor.stiffness : 0;
  const double damping = motor.mode == MotorMode::Torque ? 0 : motor.damping;
  double& impulse = j.between.make().drive[k];
  double change;
  if (stiffness < kInf && damping < kInf) {
    const RowLaw law{false, c.fromTarget[k], -c.targetRate[k], {stiffness, damping}};
    change = changeBy(law, impulse - given, rate(d), d.inverseMass);
  } else {
    change = (stiffness < kInf ? c.targetRate[k] - rate(d) : -c.fromTarget[k] / h_) / d.inverseMass;
  }
  apply(Kind::Drive, impulse, change, -bound, bound, d);
}

// A row that pushes only: keeps gap >= 0, with restitution.
void DisplacementIsland::bound(double& impulse, double gap, double startRate, double restitution, const Direction& d) {
  if (pass_ != Pass::Bounce) return apply(Kind::Bound, impulse, -gap / (h_ * d.inverseMass), 0, kInf, d);
  if (!(impulse > 0) || !(restitution > 0) || !(-startRate > w_.settings.restitutionSpeed)) return;
  const double to = std::max(0.0, impulse + (-restitution * startRate - rate(d)) / d.inverseMass);
  residual_ = std::max(residual_, std::fabs(to - impulse) * d.inverseMass);
  push(d, to - impulse);
  impulse = to;
}

// A limit that was violated before the step is corrected by a share a step; otherwise its joint would fly apart.
double DisplacementIsland::stillOpen(double gap, double& allowed, const Direction& d) const {
  if (pass_ == Pass::Start) allowed = (1 - constraints::kLimitReturn) * std::min(0.0, gap - h_ * rate(d));
  return gap - allowed;
}

void DisplacementIsland::limits(DisplacedJoint& item, JointSlot& j, int k, const Direction& d) {
  const dynamics::AxisParameters& p = *j.axes[k].parameters;
  Direction back = d;
  back.force = -d.force;
  back.torque = -d.torque;
  if (p.lower > -kInf)
    bound(j.axes[k].impulse[1], stillOpen(j.q[k] - p.lower, item.allowed[k][0], d), item.startRate[k], p.restitution, d);
  else
    j.axes[k].impulse[1] = 0;
  if (p.upper < kInf)
    bound(j.axes[k].impulse[2], stillOpen(p.upper - j.q[k], item.allowed[k][1], back), -item.startRate[k], p.restitution, back);
  else
    j.axes[k].impulse[2] = 0;
}

// Cone and twist (Waterson 6.1), at any distance: a row may have to reduce its earlier impulse.
void DisplacementIsland::swingTwist(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, Direction d) {
  constraints::SphericalLimit limit[3];
  const int count = constraints::sphericalLimits(j, dynamics::SphericalJoint::quat(j.q), kInf, limit);
  for (int i = 0; i < count; i++) {
    const Vec3& weight = limit[i].direction;
    d.torque = weight[0] * c.axis[0].head<3>() + weight[1] * c.axis[1].head<3>() + weight[2] * c.axis[2].head<3>();
    d.force.setZero();
    d.inverseMass = inverseMassOf(d);
    if (!(d.inverseMass > 0)) continue;
    const double start = weight.dot(Vec3(item.startRate[0], item.startRate[1], item.startRate[2]));
    double& impulse = j.axes[limit[i].axis].impulse[1];
    bound(impulse, stillOpen(limit[i].gap, item.allowed[limit[i].axis][0], d), start, limit[i].restitution, d);
    if (pass_ == Pass::Account)
      for (int e = 0; e < 3; e++) j.axes[e].limitForce += impulse / h_ * weight[e];
  }
}

void DisplacementIsland::storeJoint(DisplacedJoint& item) {
  JointSlot& j = w_.joints[item.joint];
  const double perSecond = 1 / h_;
  constraints::PairConstraint c;
  if (j.link >= 0)
    viewRotor(j, c);
  else
    constraints::viewPair(w_.bodies, w_, j, j.q, c);
  if (j.hasAxisForces) {
    const bool spherical = j.def->constraint == ConstraintType::Joint && j.def->type == dynamics::JointType::Spherical;
    for (int k = 0; k < c.axes; k++) {
      j.axes[k].motorForce = perSecond * j.between.make().drive[k];
      j.axes[k].springForce = perSecond * j.between.make().spring[k];
      j.axes[k].frictionForce = perSecond * j.axes[k].impulse[0];
      if (!spherical) j.axes[k].limitForce = perSecond * (j.axes[k].impulse[1] - j.axes[k].impulse[2]);
      if (j.axes[k].parameters->velocity < kInf) j.axes[k].limitForce += perSecond * j.axes[k].impulse[3];
    }
  }
  if (j.link >= 0) return;
  Vec6 sum = Vec6::Zero();
  for (int k = 0; k < c.rows; k++) sum += perSecond * j.between.make().hold[k] * c.row[k];
  for (int k = 0; k < c.axes; k++) sum += perSecond * item.armatureImpulse[k] * c.axis[k];
  j.between.make().force = sum.tail<3>();
  j.between.make().torque = sum.head<3>();
  const Vec3 omega = omegaOf(j.b, false) - omegaOf(j.a, false);
  const Vec3 velocity = pointVelocity(j.b, c.point, false) - pointVelocity(j.a, c.point, false);
  for (int k = 0; k < j.nv; k++) {
    const Vec6& along = k < c.axes ? c.axis[k] : c.row[k];  // a rod holds its axis
    j.axes[k].v = along.head<3>().dot(omega) + along.tail<3>().dot(velocity);
  }
  if (c.rows == 0) return;
  const double turned = j.def->angular.rigid() ? c.turned : 0, apart = j.def->linear.rigid() ? c.apart : 0;
  island_.tally->maxJointError = std::max({island_.tally->maxJointError, apart, turned});
}

}  // namespace vertebra::steppers
