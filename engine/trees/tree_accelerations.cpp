// Accelerations of a tree by forces, with the factor of its step, and the reactions that they leave for the next. See tree_step.hpp.
#include "engine/trees/tree_step.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/implicit_fields.hpp"

namespace vertebra::trees {

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
    const Vec3 spinning = dynamics::torqueFreeAcceleration(m, s.w);
    Vec3 torque;
    for (int k = 0; k < 3; k++) torque[k] = m.inertia[k] * (spinning[k] - angular[k]);
    Vec3 force = m.mass * (r.gravityScale * gravity - s.biasLinear);
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      force += b.appliedForce();
      torque += s.R.transpose() * b.appliedTorque();
    }
    t.tree.P[i].head<3>() = s.R * torque + cross(s.c - O, force);
    t.tree.P[i].tail<3>() = force;
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
    if (m.velocityIsTwist) dynamics::FreeRootJoint::storeAccelerations(angular, linear, rates + m.vOffset);
    r.reactionLinear = linear - r.gravityScale * gravity;
    r.reactionAngular = angular - dynamics::torqueFreeAcceleration(m, s.w);
    if (forced) {
      const BodySlot& b = w.bodies[r.body];
      if (m.mass > 0) r.reactionLinear -= b.appliedForce() / m.mass;
      r.reactionAngular -= dynamics::inverseInertia(m).cwiseProduct(s.R.transpose() * b.appliedTorque());
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

}  // namespace vertebra::trees
