// What a step changes, value by value, for an archive (archive.hpp): of trees, their links and joints. Coordinates lie in lists of their
// own.
#pragma once
#include <bit>

#include "engine/state/tree_world.hpp"
#include "engine/trees/archive.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {

inline bool acted(const JointBetween& b) {
  const auto any = [](const double(&x)[6]) { return std::any_of(x, x + 6, [](double e) { return e != 0; }); };
  return b.force != Vec3::Zero() || b.torque != Vec3::Zero() || b.endForce != Vec3::Zero() || b.endTorque != Vec3::Zero() || any(b.hold) ||
         any(b.drive) || any(b.spring);
}

inline bool acted(const AxisForces& f) {  // without a branch for each number
  std::uint64_t bits = static_cast<std::uint8_t>(f.saturated);
  for (const double x : {f.motorForce, f.springForce, f.frictionForce, f.limitForce}) bits |= std::bit_cast<std::uint64_t>(x);
  for (const double x : f.impulse) bits |= std::bit_cast<std::uint64_t>(x);
  return bits != 0;
}

template <class A>
void visitBetween(Archive<A>& v, JointSlot& j) {
  if (v.flag(acted(*j.between))) {
    JointBetween& b = j.between.make();
    v(b.force, b.torque, b.endForce, b.endTorque);
    for (double* x : {b.hold, b.drive, b.spring}) v.plain(x, 6);
  } else if (JointBetween* b = j.between.get()) {
    *b = JointBetween();
  }
}

template <class A>
void visitAxis(Archive<A>& v, JointAxis& a) {
  v(a.saturated);
  double forces[4] = {a.motorForce, a.springForce, a.frictionForce, a.limitForce};
  v.plain(a.impulse, 4);
  v.plain(forces, 4);
  a.motorForce = forces[0], a.springForce = forces[1], a.frictionForce = forces[2], a.limitForce = forces[3];
}

// The same for undoing a step, in fewer instructions: limp joints take a byte, others their memory.
template <class A>
void keepForces(Archive<A>& v, AxisForces& forces) {
  if (v.flag(acted(forces)))
    v.raw(forces);
  else
    forces = AxisForces();
}

// Coordinates and rates of a joint that carries no link.
template <class A>
void visitOwnCoordinates(Archive<A>& v, JointSlot& j) {
  for (int k = 0; k < j.nq; k++) v(j.q[k]);
  for (int k = 0; k < j.nv; k++) v(j.axes[k].v);
}

template <class A>
void visitApplied(Archive<A>& v, AppliedForces& f) {
  v(f.force, f.torque, f.persistentForce, f.persistentTorque, f.impulse, f.angularImpulse, f.fieldForce, f.fieldTorque, f.lastFieldForce,
    f.lastFieldTorque, f.fieldKnown, f.potentialForce, f.potentialTorque, f.lastPotentialForce, f.lastPotentialTorque, f.stepForce,
    f.stepTorque);
}

template <class A>
void visitTree(Archive<A>& v, TreeRuntime& t) {
  v(t.smooth, t.coasting, t.unheld, t.expectHalving, t.fresh, t.ahead, t.shifted, t.falls, t.asleep, t.settled, t.movingBase, t.idle,
    t.interval, t.step);
  if (t.onBase) v(t.onBase->velocity, t.onBase->omega);
}

template <class A>
void visitLinks(Archive<A>& v, TreeWorld& w, TreeRuntime& t) {
  bool divided = false;
  for (int i = 0; i < t.tree.count; i++) {
    LinkRuntime& l = w.links[t.first + i];
    dynamics::LinkState& s = w.state[t.first + i];
    StartVelocity start = startOfStep(t, l, i);
    v(l.reactionLinear, l.reactionAngular, l.startV, l.startW, l.startC, s.v, s.w, s.t);
    const bool differs = v.flag(start.v != l.startV || start.w != l.startW);
    if (differs)
      v(start.v, start.w);
    else
      start = {l.startV, l.startW};
    if (differs && !t.asleep && t.rare->stepStart.empty()) keepStepStart(w, t);
    if (!t.rare->stepStart.empty()) t.rare.make().stepStart[i] = start;
    divided |= differs;
  }
  t.divided = divided && !t.asleep;
}

}  // namespace vertebra::trees
