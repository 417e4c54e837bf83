// See full_rows.hpp.
#include "engine/constraints/full_rows.hpp"

#include <algorithm>

#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/points.hpp"
#include "engine/trees/body_poses.hpp"

namespace vertebra::constraints {
namespace {

// A joint outside the trees has no coordinate of its own: the rate of its bodies along the axis is used.
double addAxis(RowBuffer& rows, const FullRow& to, JointSlot& j, int axis, double coefficient) {
  if (j.role == Role::Inactive) return 0;
  if (j.link >= 0) return rows.addAxis(to, j.link, axis, coefficient);
  PairConstraint c;
  viewPair(rows.bodies.bodies, rows.topology, j, j.q, c);
  if (axis >= c.axes) return 0;
  const Vec6 wrench = coefficient * c.axis[axis];
  const double base = addBody(rows, to, j.b, wrench, c.point);
  return base + addBody(rows, to, j.a, -wrench, c.point);
}

}  // namespace

double addBody(RowBuffer& rows, const FullRow& to, int body, const Vec6& wrench, const Vec3& point) {
  return rows.addWrench(to, rows.bodies.endOf(body), wrench, point);
}

double addCoupling(RowBuffer& rows, const FullRow& to, std::vector<JointSlot>& joints, const CouplingDefinition& c) {
  double base = 0;
  for (const CouplingTerm& t : c.terms) base += addAxis(rows, to, joints[t.joint], t.axis, t.coefficient);
  return base;
}

double addUserRow(RowBuffer& rows, const FullRow& to, std::vector<JointSlot>& joints, const UserConstraintSlot& c, const UserRow& r) {
  double base = 0;
  for (std::size_t i = 0; i < c.def.bodies.size(); i++) {
    const double* b = r.bodies + 6 * i;
    const Vec6 wrench = dynamics::stack(Vec3(b[3], b[4], b[5]), Vec3(b[0], b[1], b[2]));
    if (!(wrench.squaredNorm() > 0)) continue;
    base += addBody(rows, to, c.def.bodies[i], wrench, trees::poseOf(rows.bodies.bodies, rows.topology, c.def.bodies[i]).p);
  }
  const double* g = r.joints;
  for (int joint : c.def.joints)
    for (int k = 0; k < joints[joint].nv; k++, g++)
      if (*g != 0) base += addAxis(rows, to, joints[joint], k, *g);
  return base;
}

double startRate(const RowBodies& bodies, const std::vector<JointSlot>& joints, const UserConstraintSlot& c, const UserRow& r) {
  double rate = 0;
  for (std::size_t i = 0; i < c.def.bodies.size(); i++) {
    const double* b = r.bodies + 6 * i;
    const RowEnd e = bodies.endOf(c.def.bodies[i]);
    rate += Vec3(b[0], b[1], b[2]).dot(bodies.startVelocity(e, trees::poseOf(bodies.bodies, bodies.topology, c.def.bodies[i]).p)) +
            Vec3(b[3], b[4], b[5]).dot(bodies.startOmega(e));
  }
  const double* g = r.joints;
  for (int joint : c.def.joints)
    for (int k = 0; k < joints[joint].nv; k++, g++)
      if (*g != 0) rate += *g * bodies.startRate(joints[joint], k);
  return rate;
}

double couplingError(Slots& slots, const TreeState& topology, const CouplingDefinition& c) {
  double sum = -c.target;
  for (const CouplingTerm& t : c.terms) {
    JointSlot& j = slots.joints[t.joint];
    if (j.link < 0) {
      PairConstraint pair;
      viewPair(slots.bodies, topology, j, j.q, pair);
      sum += t.coefficient * j.q[t.axis];
    } else {
      sum += t.coefficient * topology.q[topology.model[j.link].qOffset + t.axis];
    }
  }
  return sum;
}

bool evaluateConstraint(const std::vector<BodySlot>& bodies, const TreeState& topology, UserConstraintSlot& c, int id) {
  std::fill(c.blocks.begin(), c.blocks.end(), 0.0);
  double* at = c.blocks.data();
  for (UserRow& r : c.rows) {
    r = UserRow();
    r.bodies = at;
    r.joints = at + c.bodyNumbers;
    at += c.bodyNumbers + c.jointNumbers;
  }
  if (c.def.measure != PointMeasure::None) {
    pointRow(bodies, topology, c.def, c.rows[0]);
    c.count = 1;
    return true;
  }
  const int count = c.def.evaluate(c.def.user, id, c.rows.data());
  c.count = std::clamp(count, 0, c.def.rows);
  return count >= 0;
}

}  // namespace vertebra::constraints
