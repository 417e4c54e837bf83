// Accelerations of a tree by forces, with the factor of its step, and the reactions that they leave for the next. See tree_step.hpp.
#include "engine/trees/tree_step.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/implicit_fields.hpp"

namespace vertebra::trees {

namespace {

// Accelerations by the velocities, and with `forces` by the forces on the tree, in z (sparse and dense: in a).
void startAccelerations(TreeWorld& w, TreeRuntime& t, double h, bool forces) {
  const Vec6 ofBase = dynamics::biasOfBase(t.tree);
  // In locals: what is written below might be the world, for all that the compiler knows.
  const LinkRuntime* const links = &w.links[t.first];
  const double* const v = w.v.data();
  const Vec3 gravity = forces ? w.settings.gravity : Vec3(Vec3::Zero()), O = t.tree.O;
  const bool forced = forces && w.anyForce;
  for (int i = 0, count = t.tree.count; i < count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    dynamics::LinkState& s = t.tree.state[i];
    const LinkRuntime& r = links[i];
    dynamics::biasAt(t.tree, i, ofBase, v, nullptr);
    const Vec3 angular = s.R.transpose() * s.biasAngular;
    const Vec3 spinning = dynamics::torqueFreeAcceleration(m, s.w);
    Vec3 torque;
    for (int k = 0; k < 3; k++) torque[k] = m.inertia[k] * (spinning[k] - angular[k]);
    Vec3 force = m.mass * (r.gravityScale * gravity - s.biasLinear);
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      force += b.forceAtEnd();
      torque += s.R.transpose() * b.torqueAtEnd();
    }
    t.tree.P[i].head<3>() = s.R * torque + cross(s.c - O, force);
    t.tree.P[i].tail<3>() = force;
  }
  // Springs, dampers and torques at the new state; the factor holds h/2 c beyond the inertia, which the last acceleration compensates.
  const double* g = nullptr;
  if (forces && t.hasAxisForces) {
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

void endAccelerations(TreeWorld& w, TreeRuntime& t, bool changed, bool forces) {
  if (t.saddle) {
    if (changed) {
      const dynamics::Base* const base = t.tree.base;
      dynamics::Base still;
      still.pose = base->pose;
      t.tree.base = &still;
      dynamics::updateTwists(t.tree, w.a.data());
      t.tree.base = base;
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
  const Vec3 gravity = forces ? w.settings.gravity : Vec3(Vec3::Zero()), O = t.tree.O;
  const bool forced = forces && w.anyForce, swept = !t.saddle;
  for (int i = 0, count = t.tree.count; i < count; i++) {
    if (swept) dynamics::sweepDownAt(t.tree, i, &dynamics::LinkState::t2, rest, z, rates);
    const dynamics::LinkModel& m = t.tree.model[i];
    const dynamics::LinkState& s = t.tree.state[i];
    LinkRuntime& r = links[i];
    const Vec3 turning = s.t2.head<3>();
    const Vec3 angular = s.R.transpose() * (turning + s.biasAngular);
    const Vec3 linear = Vec3(s.t2.tail<3>()) + cross(turning, s.c - O) + s.biasLinear;
    if (m.velocityIsTwist) dynamics::FreeRootJoint::storeAccelerations(angular, linear, rates + m.vOffset);
    r.reactionLinear = linear - r.gravityScale * gravity;
    r.reactionAngular = angular - dynamics::torqueFreeAcceleration(m, s.w);
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      if (m.mass > 0) r.reactionLinear -= b.forceAtEnd() / m.mass;
      r.reactionAngular -= dynamics::inverseInertia(m).cwiseProduct(s.R.transpose() * b.torqueAtEnd());
    }
    if (r.light && !forces) {
      if (!(m.mass > 0)) r.reactionLinear.setZero();
      for (int k = 0; k < 3; k++)
        if (!(m.inertia[k] > 0)) r.reactionAngular[k] = 0;
    } else if (r.light) {
      const BodySlot& b = w.bodies[r.body];
      const Vec3 torque = s.R.transpose() * b.torqueAtEnd();
      if (!(m.mass > 0)) r.reactionLinear = -b.forceAtEnd();
      for (int k = 0; k < 3; k++)
        if (!(m.inertia[k] > 0)) r.reactionAngular[k] = -torque[k];
    }
  }
}

// Whether some drive is at its bound: it adds nothing to the factor, and may leave its bound in the next step.
bool isSaturated(const TreeWorld& w, const TreeRuntime& t) {
  if (!t.driven) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    if (std::any_of(j.axes, j.axes + w.model[i].nv, [](const JointAxis& a) { return a.saturated != 0; })) return true;
  }
  return false;
}

}  // namespace

void freeAccelerations(TreeWorld& w, TreeRuntime& t, double h) { startAccelerations(w, t, h, true); }
void finishAccelerations(TreeWorld& w, TreeRuntime& t, bool changed) { endAccelerations(w, t, changed, true); }

void coast(TreeWorld& w, TreeRuntime& t, double h, bool stuck) {
  constexpr double kFar = 0.3;  // rad a step
  if (t.slender || t.tree.count == 1 || isSaturated(w, t)) return;
  double turn = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) turn = std::max(turn, h * h * w.state[i].w.squaredNorm());
  if (!(turn > 0)) return;  // no smallest turn: motions on both sides of it would differ by more than the order of the step
  t.coasting = true;
  t.unheld = !stuck && turn < kFar * kFar;
  startAccelerations(w, t, h, false);
  endAccelerations(w, t, false, false);
  const double share = 1 / (1 + 0.25 * turn);  // half a step of what holds at its start would give more than a far turn takes
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    w.links[i].reactionLinear *= share;
    w.links[i].reactionAngular *= share;
  }
  for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.a[k] *= share;
}

void coastAnew(TreeWorld& w, TreeRuntime& t, double h) {
  if (t.hasAxisForces) implicitAxisForces(w, t, h, false);
  updateGeometry(w, t);    // a factor uses the inertias up
  (void)factorTree(w, t);  // it holds more on the diagonal than that of the smooth form, which succeeded
  const bool stuck = !t.unheld;
  t.coasting = false;
  coast(w, t, h, stuck);
}

void accelerations(TreeWorld& w, TreeRuntime& t, double h) {
  freeAccelerations(w, t, h);
  finishAccelerations(w, t, false);
}

}  // namespace vertebra::trees
