// See tree_step.hpp.
#include "engine/trees/tree_step.hpp"
#include "engine/trees/implicit_fields.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

// Angular velocity after h of free rotation with extra impulse already in w: implicit midpoint of I w' = (I w) x w in inertial axes, which
// keeps energy and |L|. Fixed-point iteration; contraction is h |w|. For a link of a tree third order in h suffices, the remainder is far
// below the step's own error; for a single body the iteration goes on to round-off, because there it is the only error.
inline Vec3 gyroscopic(const LinkRuntime& r, const Vec3& w, double h, bool exact) {
  auto map = [&](const Vec3& x) { return Vec3(w + h * torqueFreeAcceleration(r, x)); };
  Vec3 next = map(Vec3(0.5 * (w + map(w))));
  if (!exact) return next;
  const double tiny = 1e-32 * w.squaredNorm();
  for (int it = 0; it < 12; it++) {
    const Vec3 to = map(0.5 * (w + next));
    const double change = (to - next).squaredNorm();
    next = to;
    if (change <= tiny) break;
  }
  return next;
}

double potential(const TreeWorld& w, const TreeRuntime& t) {
  double sum = springEnergy(w, t, w.q.data());
  for (int i = t.first; i < t.first + t.tree.count; i++)
    sum -= w.model[i].mass * w.links[i].gravityScale * w.settings.gravity.dot(w.state[i].c);
  return sum;
}

// Clamps coordinates that passed their limits; true if there were any. On a cycle the limit's row brings them back, together with the rows
// that close it: closing would undo a clamp.
bool clampLimits(TreeWorld& w, TreeRuntime& t) {
  bool clamped = false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].limited || w.links[i].looped) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    double* q = &w.q[m.qOffset];
    if (m.type == dynamics::JointType::Spherical) {
      const Vec3& n = j.def.axis;
      const double lower = j.def.twistLower, upper = j.def.twistUpper;
      // q = swing * twist: the twist rotates about the axis, the swing rotates the axis to its direction.
      Quat r = dynamics::SphericalJoint::quat(q);
      if (r.w() < 0) r.coeffs() = -r.coeffs();
      const double along = r.x() * n.x() + r.y() * n.y() + r.z() * n.z();
      if (within(j, r.w(), along, 0)) continue;
      double twist = 2 * arctan2(along, r.w());
      const Quat swing = r * quatFromAxisAngle(n, -twist);
      const Vec3 swingVector = quatLog(swing);
      const double angle = swingVector.norm();
      const double twistTo = std::min(upper, std::max(lower, twist));
      if (angle <= j.def.swing && twistTo == twist) continue;
      const Quat kept = angle > j.def.swing ? quatExp(swingVector * (j.def.swing / angle)) : swing;
      dynamics::SphericalJoint::store(normalized(kept * quatFromAxisAngle(n, twistTo)), q);
      clamped = true;
      continue;
    }
    for (int k = 0, limited = limitedAxes(m); k < limited; k++) {
      const dynamics::AxisParameters& a = j.axes[k];
      const double to = q[k] < a.lower ? a.lower : q[k] > a.upper ? a.upper : q[k];
      clamped |= to != q[k];
      q[k] = to;
    }
  }
  return clamped;
}

// Energies are measured in the frame of a base that moves at constant velocity, where they are conserved as on one at rest.
Vec3 baseVelocity(const TreeWorld& w, const TreeRuntime& t) { return t.movingBase ? w.bodies[t.baseBody].velocity : Vec3(Vec3::Zero()); }

double twiceEnergy(const dynamics::LinkModel& m, const dynamics::LinkState& s, const Vec3& base) {
  return m.mass * (s.v - base).squaredNorm() + s.w.dot(m.inertia.cwiseProduct(s.w));
}

double rotorsTwice(const TreeWorld& w, const TreeRuntime& t) {
  double sum = 0;
  if (!t.armature) return sum;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < j.nv; k++) {
      const double v = w.v[w.model[i].vOffset + k];
      sum += j.axes[k].armature * v * v;
    }
  }
  return sum;
}

}  // namespace

void saveTree(TreeWorld& w, TreeRuntime& t, bool wholeStep) {
  t.startShifted = t.shifted;
  std::copy_n(w.q.begin() + t.qFirst, t.nq, w.q0.begin() + t.qFirst);
  std::copy_n(w.v.begin() + t.vFirst, t.nv, w.v0.begin() + t.vFirst);
  LinkRuntime* const links = &w.links[t.first];
  for (int i = 0, count = t.tree.count; i < count; i++) {
    LinkRuntime& r = links[i];
    const dynamics::LinkState& s = t.tree.state[i];
    r.startV = s.v;
    r.startW = s.w;
    r.startC = s.c;
    if (wholeStep) {
      r.stepV = s.v;
      r.stepW = s.w;
    }
  }
  t.startKinetic = t.smooth || t.fresh || w.settings.energyAccount ? kineticTwice(w, t) : 0;
}

void placeBase(const TreeWorld& w, TreeRuntime& t, double after) {
  if (t.baseBody < 0) return;
  const BodySlot& b = w.bodies[t.baseBody];
  Pose pose = b.pose;
  if (after > 0) pose = {b.pose.p - after * b.velocity, normalized(quatExp(-after * b.omega) * b.pose.q)};
  const Pose p = pose * b.inertialInLink;
  t.tree.base.pose.c = p.p;
  t.tree.base.pose.q = p.q;
  t.tree.base.pose.R = dynamics::rotationOf(p.q);
}
void moveBase(const TreeWorld& w, TreeRuntime& t, double after) {
  if (t.baseBody < 0) return;
  const BodySlot& b = w.bodies[t.baseBody];
  t.tree.base.twist = dynamics::stack(b.omega, b.velocity + b.omega.cross(t.tree.O - (b.pose.p - after * b.velocity)));
}

void moveTree(TreeWorld& w, TreeRuntime& t, double h, StepTally& tally, double after) {
  const double half = t.smooth ? 0.5 * h : 0;
  const bool shifted = t.shifted;
  double* const coordinates = w.q.data();
  const double *const velocities = w.v.data(), *const accelerations = w.a.data();
  double step[6];
  for (int i = 0, count = t.tree.count; i < count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    if (m.nv == 0) continue;
    double* q = coordinates + m.qOffset;
    const double *v = velocities + m.vOffset, *a = accelerations + m.vOffset;
    if (m.nv == 1) {
      q[0] += h * (v[0] + half * a[0]) + (shifted ? w.shift[m.vOffset] : 0);
      continue;
    }
    if (m.freeRoot) {
      const dynamics::LinkState& s = t.tree.state[i];
      Vec3 c(q[0], q[1], q[2]);
      c += h * (s.v + half * Vec3(a[3], a[4], a[5]));
      Quat r(q[6], q[3], q[4], q[5]);
      r = r * quatExp(h * (s.w + half * Vec3(a[0], a[1], a[2])));
      if (shifted) {
        const double* d = &w.shift[m.vOffset];
        c += Vec3(d[3], d[4], d[5]);
        r = quatExp(Vec3(d[0], d[1], d[2])) * r;
      }
      r = normalized(r);
      for (int k = 0; k < 3; k++) q[k] = c[k];
      for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
      continue;
    }
    for (int k = 0; k < m.nv; k++) step[k] = h * (v[k] + half * a[k]) + (shifted ? w.shift[m.vOffset + k] : 0);
    dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, q, step); });
  }
  t.shifted = false;
  placeBase(w, t, after);
  settleTree(w, t, tally, after);
}

void displaceTree(TreeWorld& w, TreeRuntime& t, const double* step) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    double* q = &w.q[m.qOffset];
    const double* d = step + m.vOffset;
    if (m.freeRoot) {
      const Quat r = normalized(quatExp(Vec3(d[0], d[1], d[2])) * Quat(q[6], q[3], q[4], q[5]));
      for (int k = 0; k < 3; k++) q[k] += d[3 + k];
      for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
    } else if (m.nv > 0) {
      dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, q, d); });
    }
  }
}

void settleTree(TreeWorld& w, TreeRuntime& t, StepTally& tally, double after) {
  t.clampWork = 0;
  const bool accounted = t.limited && w.settings.energyAccount;
  double before = 0;
  if (accounted) {
    dynamics::updatePoses(t.tree, w.q.data());
    before = potential(w, t);
  }
  const bool clamped = t.limited && clampLimits(w, t);
  if (!accounted || clamped) dynamics::updatePoses(t.tree, w.q.data());
  if (accounted && clamped) {
    t.clampWork = before - potential(w, t);
    tally.account.lostClamp += t.clampWork;
  }
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t, after);
}

void lendInertias(RowWorkspace& work, TreeRuntime& t) {
  const std::size_t count = static_cast<std::size_t>(t.tree.count);
  if (work.inertias.size() < count) work.inertias.resize(count);
  t.tree.inertia = work.inertias.data();
}
void lendInertias(TreeWorld& w, RowWorkspace& work, const std::vector<int>& trees) {
  if (work.inertias.size() < static_cast<std::size_t>(w.longestTree)) work.inertias.resize(w.longestTree);
  for (int ti : trees) w.trees[ti].tree.inertia = work.inertias.data();
}

void updateGeometry(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle)
    dynamics::updateSubspaces(t.tree);
  else
    dynamics::updateSubspacesAndInertias(t.tree);
}

void momenta(TreeWorld& w, TreeRuntime& t, double h, bool forces) {
  const double half = t.smooth ? 0.5 * h : 0;
  const Vec3 gravity = forces ? Vec3(h * w.settings.gravity) : Vec3(Vec3::Zero());
  const bool exact = t.tree.count == 1, forced = w.anyForce && forces;
  const LinkRuntime* const links = &w.links[t.first];
  const Vec3 O = t.tree.O;
  for (int i = 0, count = t.tree.count; i < count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    dynamics::LinkState& s = t.tree.state[i];
    const LinkRuntime& r = links[i];
    Vec3 v = r.startV + half * r.reactionLinear + r.gravityScale * gravity;
    Vec3 u = r.startW + half * r.reactionAngular;
    Vec3 impulse = Vec3::Zero(), turn = Vec3::Zero();
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      impulse = h * b.appliedForce() + b.applied->impulse;
      turn = s.R.transpose() * (h * b.appliedTorque() + b.applied->angularImpulse);
      if (m.mass > 0) v += impulse / m.mass;
      u += m.inverseInertia.cwiseProduct(turn);
    }
    u = gyroscopic(r, u, h, exact);
    Vec3 p = m.mass * v, l = m.inertia.cwiseProduct(u);
    if (r.light) {  // a link without inertia passes forces on unchanged
      if (!(m.mass > 0)) p = impulse + half * r.reactionLinear;
      for (int k = 0; k < 3; k++)
        if (!(m.inertia[k] > 0)) l[k] = turn[k] + half * r.reactionAngular[k];
    }
    s.P.head<3>() = s.R * l + cross(s.c - O, p);
    s.P.tail<3>() = p;
  }
}

int factorTree(TreeWorld& w, TreeRuntime& t) {
  const double* extra = t.hasAxisForces ? w.extra.data() : nullptr;
  if (t.saddle && t.springs) {  // the inertia that each spring acts on, which decides its form: the same under all tree solvers
    dynamics::updateInertias(t.tree);
    (void)dynamics::factor(t.tree, extra);
  }
  const int bad = t.saddle ? t.saddle->factor(t.tree, extra) : dynamics::factor(t.tree, extra);
  return bad < 0 ? -1 : t.first + bad;
}

int factorAndSolveTree(TreeWorld& w, TreeRuntime& t, bool pushed) {
  const double* g = t.hasAxisForces || pushed ? w.generalized.data() : nullptr;
  if (t.saddle) {
    const int bad = factorTree(w, t);
    if (bad < 0) t.saddle->solve(t.tree, g, w.v.data());
    return bad;
  }
  const int bad = dynamics::factorAndSweepUp(t.tree, t.hasAxisForces ? w.extra.data() : nullptr, g, w.z.data());
  return bad < 0 ? -1 : t.first + bad;
}

void solveTree(TreeWorld& w, TreeRuntime& t) {
  const double* g = t.hasAxisForces ? w.generalized.data() : nullptr;
  if (t.saddle)
    t.saddle->solve(t.tree, g, w.v.data());
  else
    dynamics::sweepUp(t.tree, g, w.z.data());
}

void referenceMotion(TreeWorld& w, TreeRuntime& t, double h) {
  double* x = coordinatesOf(w) + t.vFirst;
  double* reference = w.reference.data() + t.vFirst;
  std::copy_n(x, t.nv, reference);
  if (t.smooth) return;
  momenta(w, t, h, false);
  if (t.pulled) holdFields(w, t, h);
  if (t.slender) carrySlenderLinks(w, t, 0);
  solveReference(w, t);
}

void solveReference(TreeWorld& w, TreeRuntime& t) {
  double* x = coordinatesOf(w) + t.vFirst;
  double* reference = w.reference.data() + t.vFirst;
  if (t.hasAxisForces) {  // the terms of the factor beyond the inertia neither brake nor drive
    std::copy_n(w.generalized.begin() + t.vFirst, t.nv, w.extraFull.begin() + t.vFirst);
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.generalized[k] = w.extra[k] * w.v0[k];
  }
  solveTree(w, t);
  if (t.hasAxisForces) std::copy_n(w.extraFull.begin() + t.vFirst, t.nv, w.generalized.begin() + t.vFirst);
  std::swap_ranges(x, x + t.nv, reference);
  if (t.saddle)
    std::copy_n(reference, t.nv, w.referenceRate.begin() + t.vFirst);
  else
    dynamics::sweepDown(t.tree, w.reference.data(), w.referenceRate.data());
}

void baseMotion(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle) {
    for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = t.tree.base.twist;
    return;
  }
  std::fill_n(w.extraFull.begin() + t.vFirst, t.nv, 0.0);
  dynamics::sweepDown(t.tree, w.extraFull.data(), w.baseRate.data());
  for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = w.state[i].t;
}

void velocitiesOf(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle)
    dynamics::updateTwists(t.tree, w.v.data());
  else
    dynamics::sweepDown(t.tree, w.z.data(), w.v.data());
}

void freeAccelerations(TreeWorld& w, TreeRuntime& t, double h) {
  const Vec6 ofBase = dynamics::biasOfBase(t.tree);
  // In locals: what is written below might be the world, for all that the compiler knows.
  const LinkRuntime* const links = &w.links[t.first];
  const double* const v = w.v.data();
  const Vec3 gravity = w.settings.gravity, O = t.tree.O;
  const bool forced = w.anyForce;
  for (int i = 0, count = t.tree.count; i < count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    dynamics::LinkState& s = t.tree.state[i];
    const LinkRuntime& r = links[i];
    dynamics::biasAt(t.tree, i, ofBase, v, nullptr);
    const Vec3 angular = s.R.transpose() * s.biasAngular;
    const Vec3 spinning = torqueFreeAcceleration(r, s.w);
    Vec3 torque;
    for (int k = 0; k < 3; k++) torque[k] = m.inertia[k] * (spinning[k] - angular[k]);
    Vec3 force = m.mass * (r.gravityScale * gravity - s.biasLinear);
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      force += b.appliedForce();
      torque += s.R.transpose() * b.appliedTorque();
    }
    s.P.head<3>() = s.R * torque + cross(s.c - O, force);
    s.P.tail<3>() = force;
  }
  // Springs, dampers and torques at the new state; the factor holds h/2 c beyond the inertia, which the last acceleration compensates.
  const double* g = nullptr;
  if (t.hasAxisForces) {
    axisForces(w, t, h);
    g = w.generalized.data();
  }
  if (t.saddle) {
    std::copy_n(w.v.begin() + t.vFirst, t.nv, w.z.begin() + t.vFirst);
    for (int i = t.first; i < t.first + t.tree.count; i++) w.state[i].t2 = w.state[i].t;
    t.saddle->solve(t.tree, g, w.a.data(), false);
  } else {
    dynamics::sweepUp(t.tree, g, w.z.data());
  }
}

void finishAccelerations(TreeWorld& w, TreeRuntime& t, bool changed) {
  if (t.saddle) {
    if (changed) {
      const Vec6 base = t.tree.base.twist;
      t.tree.base.twist.setZero();
      dynamics::updateTwists(t.tree, w.a.data());
      t.tree.base.twist = base;
    }
    for (int i = t.first; i < t.first + t.tree.count; i++) std::swap(w.state[i].t, w.state[i].t2);
    for (int i = t.first; i < t.first + t.tree.count; i++) {  // the bodies' velocities were written with them
      dynamics::LinkState& s = w.state[i];
      const Vec3 omega = s.t.head<3>();
      s.v = Vec3(s.t.tail<3>()) + omega.cross(s.c - t.tree.O);
      s.w = s.R.transpose() * omega;
    }
  }
  const Vec6 rest = Vec6::Zero();
  LinkRuntime* const links = &w.links[t.first];
  const double* const z = w.z.data();
  double* const rates = w.a.data();
  const Vec3 gravity = w.settings.gravity, O = t.tree.O;
  const bool forced = w.anyForce, swept = !t.saddle;
  for (int i = 0, count = t.tree.count; i < count; i++) {
    if (swept) dynamics::sweepDownAt(t.tree, i, &dynamics::LinkState::t2, rest, z, rates);
    const dynamics::LinkModel& m = t.tree.model[i];
    const dynamics::LinkState& s = t.tree.state[i];
    LinkRuntime& r = links[i];
    const Vec3 turning = s.t2.head<3>();
    const Vec3 angular = s.R.transpose() * (turning + s.biasAngular);
    const Vec3 linear = Vec3(s.t2.tail<3>()) + cross(turning, s.c - O) + s.biasLinear;
    if (m.freeRoot) {
      double* a = rates + m.vOffset;
      for (int k = 0; k < 3; k++) a[k] = angular[k], a[3 + k] = linear[k];
    }
    r.reactionLinear = linear - r.gravityScale * gravity;
    r.reactionAngular = angular - torqueFreeAcceleration(r, s.w);
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      if (m.mass > 0) r.reactionLinear -= b.appliedForce() / m.mass;
      r.reactionAngular -= m.inverseInertia.cwiseProduct(s.R.transpose() * b.appliedTorque());
    }
    if (r.light) {
      const BodySlot& b = w.bodies[r.body];
      const Vec3 torque = s.R.transpose() * b.appliedTorque();
      if (!(m.mass > 0)) r.reactionLinear = -b.appliedForce();
      for (int k = 0; k < 3; k++)
        if (!(m.inertia[k] > 0)) r.reactionAngular[k] = -torque[k];
    }
  }
}

void accelerations(TreeWorld& w, TreeRuntime& t, double h) {
  freeAccelerations(w, t, h);
  finishAccelerations(w, t, false);
}

double kineticTwice(const TreeWorld& w, const TreeRuntime& t) {
  const Vec3 base = baseVelocity(w, t);
  double sum = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) sum += twiceEnergy(w.model[i], w.state[i], base);
  return sum + rotorsTwice(w, t);
}

double workTwice(const TreeWorld& w, const TreeRuntime& t, double h) {
  const Vec3 carried = h * baseVelocity(w, t);
  double sum = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    const dynamics::LinkState& s = w.state[i];
    const LinkRuntime& r = w.links[i];
    const Vec3 way = s.c - r.startC - carried;
    sum += m.mass * r.gravityScale * w.settings.gravity.dot(way);
    if (w.anyForce) {
      const BodySlot& b = w.bodies[r.body];
      sum += b.appliedForce().dot(way) + 0.5 * h * b.appliedTorque().dot(s.R * Vec3(s.w + r.startW));
    }
  }
  if (t.driven) {
    sum += springEnergy(w, t, w.q0.data()) - springEnergy(w, t, nullptr);
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      if (!w.links[i].driven) continue;
      const dynamics::LinkModel& m = w.model[i];
      const JointSlot& j = w.joints[w.links[i].joint];
      for (int k = 0; k < m.nv; k++) {
        const double v0 = w.v0[m.vOffset + k], v1 = w.v[m.vOffset + k];
        sum -= 0.5 * h * j.axes[k].damping * (v0 * v0 + v1 * v1);
        if (j.axes[k].motor.mode == MotorMode::Torque) sum += 0.5 * h * j.axes[k].motorForce * (v0 + v1);
      }
    }
  }
  return 2 * sum;
}

double scaleRelativeMotion(TreeWorld& w, TreeRuntime& t, double now, double target) {
  Vec6 rigid = Vec6::Zero();
  double relative = now;
  if (t.floating) {
    if (t.tree.count == 1) return 1;
    Mat6 total = Mat6::Zero(), A;
    Vec6 momentum = Vec6::Zero();
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const dynamics::LinkState& s = w.state[i];
      dynamics::bodyInertia(w.model[i], s, t.tree.O, A);
      total += A;
      momentum += A * s.t;
    }
    rigid = total.llt().solve(momentum);
    relative = now - rigid.dot(momentum);
  }
  if (!(relative > 1e-9 * now) || !(now > 0)) return 1;
  const double wanted = relative + target - now;
  constexpr double kMost = 0.02;  // share of the relative motion corrected in one step; more would hide a failure
  double scale = wanted > 0 ? std::sqrt(wanted / relative) : 1 - kMost;
  scale = std::min(1 + kMost, std::max(1 - kMost, scale));
  double* const v = w.v.data() + t.vFirst;
  int own = 0;  // velocities of the root, whose motion is not all relative
  if (t.floating) {
    const dynamics::LinkModel& m = w.model[t.first];
    double rates[6];
    if (m.freeRoot)
      std::copy_n(rigid.data(), 6, rates);
    else  // in a planar world
      fitVelocity(m, w.state[t.first], t.tree.O, rigid, rates);
    for (; own < m.nv; own++) v[own] = rates[own] + scale * (v[own] - rates[own]);
  }
  for (int k = own; k < t.nv; k++) v[k] *= scale;
  if (t.floating || t.movingBase) {
    dynamics::updateTwists(t.tree, w.v.data());
  } else {
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      dynamics::LinkState& s = w.state[i];
      s.t *= scale;
      s.v *= scale;
      s.w *= scale;
    }
  }
  return scale;
}

void capSpeeds(TreeWorld& w, TreeRuntime& t, StepTally& tally) {
  const double maxSpeed2 = w.settings.maxSpeed * w.settings.maxSpeed,
               maxAngularSpeed2 = w.settings.maxAngularSpeed * w.settings.maxAngularSpeed;
  double speed2 = 0, omega2 = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    speed2 = std::max(speed2, w.state[i].v.squaredNorm());
    omega2 = std::max(omega2, w.state[i].w.squaredNorm());
  }
  if (!(speed2 > maxSpeed2) && !(omega2 > maxAngularSpeed2)) return;
  double ratio = 1;
  if (speed2 > maxSpeed2) ratio = std::min(ratio, std::sqrt(maxSpeed2 / speed2));
  if (omega2 > maxAngularSpeed2) ratio = std::min(ratio, std::sqrt(maxAngularSpeed2 / omega2));
  for (int k = 0; k < t.nv; k++) w.v[t.vFirst + k] *= ratio;
  const double before = kineticTwice(w, t);
  dynamics::updateTwists(t.tree, w.v.data());
  tally.account.lostClamp += 0.5 * (before - kineticTwice(w, t));
}

}  // namespace vertebra::trees
