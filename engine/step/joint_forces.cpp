// Forces in joints after a step, coordinates of powered axes. The reaction of a tree joint is what the momentum balance of the bodies
// beyond it leaves over: change of momentum minus gravity, applied forces, contacts and auxiliary rows; computed when asked for.
#include <algorithm>
#include <cmath>

#include "engine/dynamics/joints/common.hpp"
#include "engine/step/pair_constraint.hpp"

namespace vertebra {

double axisCoordinate(const WorldData& w, const JointSlot& j, double near) {
  const Pose a = j.def.a < 0 ? j.def.frameA : poseOf(w, j.def.a) * j.def.frameA;
  const Pose b = j.def.b < 0 ? j.def.frameB : poseOf(w, j.def.b) * j.def.frameB;
  if (j.def.constraint == ConstraintType::AxisLinear) return (a.q * j.def.axis).dot(b.p - a.p);
  const Quat r = a.q.conjugate() * b.q;
  const double along = Vec3(r.x(), r.y(), r.z()).dot(j.def.axis);
  const double angle = 2 * arctan2(r.w() < 0 ? -along : along, std::fabs(r.w()));
  return angle + 2 * kPi * std::nearbyint((near - angle) / (2 * kPi));
}

void clearJointForces(WorldData& w) {
  for (const TreeRuntime& t : w.trees) {
    if (!t.restrained || t.asleep) continue;
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      if (!w.links[i].restrained) continue;
      JointSlot& j = w.joints[w.links[i].joint];
      for (int k = 0; k < 6; k++) j.motorForce[k] = j.springForce[k] = j.frictionForce[k] = j.limitForce[k] = 0;
    }
  }
  auto sleeps = [&](int body) { return body >= 0 && w.bodies[body].asleep; };
  for (int id : w.auxiliaryJoints) {
    JointSlot& j = w.joints[id];
    if (sleeps(j.def.a) || sleeps(j.def.b)) continue;  // one island
    for (int k = 0; k < 6; k++) j.motorForce[k] = j.springForce[k] = j.frictionForce[k] = j.limitForce[k] = 0;
  }
}

void keepRestingMemory(WorldData& w) {
  auto sleeps = [&](int shape) {
    const int body = w.shapes[shape].body;
    if (body < 0 || w.bodies[body].link < 0 || w.bodies[body].asleep) return true;
    const TreeRuntime& t = w.trees[w.bodies[body].tree];
    return t.immobile || t.held;
  };
  for (const ContactMemory& m : w.memory)
    if (w.shapes[m.shapeA].alive && w.shapes[m.shapeB].alive && sleeps(m.shapeA) && sleeps(m.shapeB)) w.memoryNext.push_back(m);
}

void World::jointForces(int joint, JointForces& out) const {
  const WorldData& w = *data_;
  const JointSlot& j = w.joints[joint];
  out = JointForces();
  for (int k = 0; k < 6; k++) {
    out.motor[k] = j.motorForce[k];
    out.spring[k] = j.springForce[k];
    out.friction[k] = j.frictionForce[k];
    out.limit[k] = j.limitForce[k];
  }
  if (j.role == Role::Auxiliary || !w.current || j.link < 0) {
    out.force = j.auxForce;
    out.torque = j.auxTorque;
    return;
  }
  const TreeRuntime& t = w.trees[w.bodies[w.links[j.link].body].tree];
  if (!(t.step > 0)) return;
  const double rate = 1 / t.step;
  const LinkState& child = w.state[j.link];
  // The bodies at and beyond the link, about the joint's origin on body b.
  const Vec3 origin = j.def.b < 0 ? j.def.frameB.p : (poseOf(w, j.def.b) * j.def.frameB).p;
  std::vector<char> beyond(t.tree.count, 0);
  const int start = j.link - t.first;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (int i = start; i < t.tree.count; i++) {
    const LinkModel& m = t.tree.model[i];
    beyond[i] = i == start || (m.parent >= start && beyond[m.parent]);
    if (!beyond[i]) continue;
    const LinkState& s = t.tree.state[i];
    const LinkRuntime& r = w.links[t.first + i];
    const BodySlot& b = w.bodies[r.body];
    Vec3 f = m.mass * (rate * (s.v - r.stepV) - r.gravityScale * w.settings.gravity);
    const Vec3 mid = 0.5 * (s.w + r.stepW);
    Vec3 l = s.R * Vec3(m.inertia.cwiseProduct(rate * (s.w - r.stepW)) - m.inertia.cwiseProduct(mid).cross(mid));
    f -= b.appliedForce();
    l -= b.appliedTorque();
    force += f;
    torque += l + (s.c - origin).cross(f);
  }
  auto isBeyond = [&](int body) {
    if (body < 0 || w.bodies[body].link < 0 || w.bodies[body].tree != w.bodies[w.links[j.link].body].tree) return false;
    return beyond[w.bodies[body].link - t.first] != 0;
  };
  for (const Contact& c : w.contacts) {
    const double sign = (isBeyond(c.bodyB) ? 1 : 0) - (isBeyond(c.bodyA) ? 1 : 0);
    if (sign == 0) continue;
    force -= sign * c.force;
    torque -= sign * ((c.position - origin).cross(c.force) + c.torque);
  }
  for (int id : w.auxiliaryJoints) {
    const JointSlot& o = w.joints[id];
    const double sign = (isBeyond(o.def.b) ? 1 : 0) - (isBeyond(o.def.a) ? 1 : 0);
    if (sign == 0) continue;
    const Pose frame = o.def.b < 0 ? o.def.frameB : poseOf(w, o.def.b) * o.def.frameB;
    Vec3 f, l;
    pairForce(w, o, f, l);
    force -= sign * f;
    torque -= sign * (l + (frame.p - origin).cross(f));
  }
  // What is left is all the joint transmits; its axes' own forces are reported apart.
  for (int k = 0; k < w.model[j.link].nv; k++) {
    const Vec3 angular = child.S[k].head<3>();
    const double along = j.motorForce[k] + j.springForce[k] + j.frictionForce[k] + j.limitForce[k];
    if (angular.squaredNorm() > 0)
      torque -= along * angular;
    else
      force -= along * Vec3(child.S[k].tail<3>());
  }
  out.force = j.flipped ? Vec3(-force) : force;
  out.torque = j.flipped ? Vec3(-torque) : torque;
}

}  // namespace vertebra
