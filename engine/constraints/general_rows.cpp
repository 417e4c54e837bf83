// Rows over any number of bodies and joint axes: couplings and user constraints. See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/points.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {

// Adds a body's part to a row; returns the rate due to prescribed motion alone. The wrench acts at `point`, world axes.
double IslandRows::addBody(const RowTarget& to, int body, const Vec6& wrench, const Vec3& point) {
  const End e = endOf(body);
  const Vec3 torque = wrench.head<3>(), force = wrench.tail<3>();
  const Vec6 P = wrenchAt(e.link, force, torque, point);
  if (e.link >= 0) {
    fill<1>(to.y, 0, -1, &P, e.link, &P);
    if (!articulated_) respond(to.r, -1, P, e.link, P, nullptr, -1);
  }
  return force.dot(pointVelocityOfBase(e, point)) + torque.dot(omegaOfBase(e));
}

// Adds a joint's axis. A joint outside the trees has no coordinate of its own: the rate of its bodies along the axis is used.
double IslandRows::addAxis(const RowTarget& to, int joint, int axis, double coefficient) {
  JointSlot& j = w_.joints[joint];
  if (j.role == Role::Inactive) return 0;
  if (j.link < 0) {
    PairConstraint c;
    viewPair(w_, j, j.q, c);
    if (axis >= c.axes) return 0;
    const Vec6 wrench = coefficient * c.axis[axis];
    const double base = addBody(to, j.def.b, wrench, c.point);
    return base + addBody(to, j.def.a, -wrench, c.point);
  }
  double g[6] = {};
  g[axis] = coefficient;
  fillFromJoint(to.y, j.link, g);
  if (!articulated_) {
    respond(to.r, -1, Vec6::Zero(), -1, Vec6::Zero(), g, j.link);
    return 0;
  }
  const bool moving = w_.trees[w_.bodies[w_.links[j.link].body].tree].movingBase;
  return moving ? coefficient * w_.baseRate[w_.model[j.link].vOffset + axis] : 0;
}

double IslandRows::addCoupling(const RowTarget& to, const CouplingDefinition& c) {
  double base = 0;
  for (const CouplingTerm& t : c.terms) base += addAxis(to, t.joint, t.axis, t.coefficient);
  return base;
}

double IslandRows::addUserRow(const RowTarget& to, const UserConstraintSlot& c, const UserRow& r) {
  double base = 0;
  for (std::size_t i = 0; i < c.def.bodies.size(); i++) {
    const double* b = r.bodies + 6 * i;
    const Vec6 wrench = stack(Vec3(b[3], b[4], b[5]), Vec3(b[0], b[1], b[2]));
    if (wrench.squaredNorm() > 0) base += addBody(to, c.def.bodies[i], wrench, poseOf(w_, c.def.bodies[i]).p);
  }
  const double* g = r.joints;
  for (int joint : c.def.joints)
    for (int k = 0; k < w_.joints[joint].nv; k++, g++)
      if (*g != 0) base += addAxis(to, joint, k, *g);
  return base;
}

double IslandRows::startRate(const UserConstraintSlot& c, const UserRow& r) const {
  double rate = 0;
  for (std::size_t i = 0; i < c.def.bodies.size(); i++) {
    const double* b = r.bodies + 6 * i;
    const End e = endOf(c.def.bodies[i]);
    rate += Vec3(b[0], b[1], b[2]).dot(startVelocity(e, poseOf(w_, c.def.bodies[i]).p)) + Vec3(b[3], b[4], b[5]).dot(startOmega(e));
  }
  const double* g = r.joints;
  for (int joint : c.def.joints)
    for (int k = 0; k < w_.joints[joint].nv; k++, g++)
      if (*g != 0) rate += *g * startRate(joint, k);
  return rate;
}
double IslandRows::startRate(int joint, int axis) const {
  const JointSlot& j = w_.joints[joint];
  return j.link >= 0 ? w_.v0[w_.model[j.link].vOffset + axis] : j.axes[axis].v;
}

bool rigidRowsAreExact(const WorldSettings& s) { return traitsOf(s.stepper).exactRows; }
bool IslandRows::isBilateral(const Softness& s) const { return s.rigid() && rigidRowsAreExact(w_.settings); }

const Softness& softnessOf(const JointSlot& j, const Vec6& direction) {
  return direction.tail<3>().squaredNorm() > 0 ? j.def.linear : j.def.angular;
}

// Softness and bias of a row: u + sigma lambda + bias = 0 where no bound acts. Rigid: a share of the error is corrected per step. Soft: an
// implicit spring and damper. SPOOK (Servin 13.1): compliance epsilon and relaxation time tau of position rows, gamma of velocity rows;
// `rate` is the row's before the step, `wanted` that of velocity rows.
IslandRows::RowLaw IslandRows::lawOf(bool velocityLevel, double error, double wanted, const Softness& soft, double rate) const {
  const WorldSettings& s = w_.settings;
  if (!rigidRowsAreExact(s)) {
    if (velocityLevel) return {(soft.rigid() ? s.spookGamma : 1 / std::max(soft.damping, 1e-300)) / h_, -wanted};
    const double tau = soft.rigid() ? s.spookRelaxation : soft.stiffness > 0 ? soft.damping / soft.stiffness : 0;
    const double epsilon = soft.rigid() ? s.spookCompliance : 1 / soft.stiffness, upsilon = 1 / (1 + 4 * tau / h_);
    return {4 * epsilon / (h_ * h_) * upsilon, 4 * upsilon / h_ * error - upsilon * (rate + wanted) + wanted};
  }
  if (soft.rigid()) return {0, velocityLevel ? -wanted : kLimitReturn * error / h_ + wanted};
  const double stiffness = velocityLevel ? 0 : soft.stiffness, sigma = 1 / (h_ * soft.damping + h_ * h_ * stiffness);
  return {sigma, velocityLevel ? -wanted : sigma * h_ * stiffness * error + wanted};
}

// A row over the island's whole path.
template <class F>
Row& IslandRows::generalRow(RowMeta::Kind kind, int index, int part, F&& fillIn, double sigma) {
  const int row = work_.rows.addRow(fullPath_);
  if (!articulated_) work_.rows.separateResponse(row, fullPath_);
  const RowTarget to{work_.rows.y(row), work_.rows.r(row), row};
  const double base = fillIn(to);
  work_.rows.rows[row].bias = base;
  RowMeta meta;
  meta.kind = kind;
  meta.index = index;
  meta.part = part;
  finish(row, fullPath_, sigma, 1, meta);
  return work_.rows.rows[row];
}

void IslandRows::general() {
  for (int id : island_.couplings) {
    const CouplingSlot& c = w_.couplings[id];
    if (staysExact(w_, c.def)) continue;
    double rate = 0, error = -c.def.target;
    for (const CouplingTerm& t : c.def.terms) {
      const JointSlot& j = w_.joints[t.joint];
      rate += t.coefficient * startRate(t.joint, t.axis);
      error += t.coefficient * (j.link >= 0 ? w_.q[w_.model[j.link].qOffset + t.axis] : j.q[t.axis]);
    }
    const RowLaw law = lawOf(c.def.velocityLevel, error, c.def.velocityLevel ? c.def.target : 0, c.def.softness, rate);
    Row& r = generalRow(
        RowMeta::Coupling, id, 0, [&](const RowTarget& to) { return addCoupling(to, c.def); }, law.sigma);
    r.hi = c.def.maxForce < kInf ? h_ * c.def.maxForce : kInf;
    r.lo = -r.hi;
    r.bias += law.bias;
    r.lambda = std::min(r.hi, std::max(r.lo, c.impulse));
  }
  for (int id : island_.constraints) {
    const UserConstraintSlot& c = w_.constraints[id];
    for (int k = 0; k < c.count; k++) {
      const UserRow& u = c.rows[k];
      if (staysExact(w_, u)) continue;
      RowLaw law = lawOf(u.velocityLevel, u.error, u.rate, u.softness, startRate(c, u));
      // A one-sided position row lets its gap close within the step.
      const bool open = !u.velocityLevel && u.softness.rigid() && ((u.lower == 0 && u.error > 0) || (u.upper == 0 && u.error < 0));
      if (open) law = {0, u.error / h_ + u.rate};
      Row& r = generalRow(
          RowMeta::User, id, k, [&](const RowTarget& to) { return addUserRow(to, c, u); }, law.sigma);
      r.lo = h_ * u.lower;
      r.hi = h_ * u.upper;
      r.bias += law.bias;
      r.lambda = std::min(r.hi, std::max(r.lo, c.impulse[k]));
    }
  }
}

bool evaluateConstraint(WorldData& w, int id) {
  UserConstraintSlot& c = w.constraints[id];
  std::fill(c.blocks.begin(), c.blocks.end(), 0.0);
  double* at = c.blocks.data();
  for (UserRow& r : c.rows) {
    r = UserRow();
    r.bodies = at;
    r.joints = at + c.bodyNumbers;
    at += c.bodyNumbers + c.jointNumbers;
  }
  if (c.def.measure != PointMeasure::None) {
    pointRow(w, c.def, c.rows[0]);
    c.count = 1;
    return true;
  }
  const int count = c.def.evaluate(c.def.user, id, c.rows.data());
  c.count = std::clamp(count, 0, c.def.rows);
  return count >= 0;
}

}  // namespace vertebra
