// Forces in joints after a step. The reaction of a tree joint is the remainder of the momentum balance of the
// bodies beyond it: change of momentum minus gravity, applied forces, contacts and auxiliary rows; computed on demand.
#include "engine/constraints/joint_forces.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/pair_constraint.hpp"
#include "engine/dynamics/joints/common.hpp"
#include "engine/state/contact_world.hpp"
#include "engine/trees/combined_joints.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::constraints {

namespace {

void clear(JointSlot& j) {
  for (JointAxis *a = j.axes, *end = a + j.nv; a != end; a++) a->motorForce = a->springForce = a->frictionForce = a->limitForce = 0;
}

}  // namespace

void clearJointForces(ContactWorld& w) {
  constexpr int kPiece = 64;
  w.parallelFor(static_cast<int>(w.trees.size()), kPiece, [&](int, int first, int last) {
    for (int k = first; k < last; k++) {
      const TreeRuntime& t = w.trees[k];
      if (!t.hasAxisForces || t.asleep) continue;
      for (int i = t.first; i < t.first + t.tree.count; i++) {
        if (!w.links[i].hasAxisForces) continue;
        clear(w.joints[w.links[i].joint]);
      }
    }
  });
  auto sleeps = [&](int body) { return body >= 0 && w.bodies[body].asleep; };
  for (int id : w.auxiliaryJoints) {
    JointSlot& j = w.joints[id];
    if (sleeps(j.a) || sleeps(j.b)) continue;  // one island
    clear(j);
  }
}

namespace {

// What a force along an axis is on b: `wrench` has the torque, then the force, of one.
void addAlong(const Vec6& wrench, int axis, JointForces& out) {
  const auto add = [&](double along, Wrench& sum) {
    sum.force += along * wrench.tail<3>();
    sum.torque += along * wrench.head<3>();
  };
  add(out.motor[axis], out.motors);
  add(out.spring[axis], out.springs);
  add(out.friction[axis], out.frictions);
  add(out.limit[axis], out.limits);
}

void pairForces(const TreeWorld& w, const JointSlot& j, JointForces& out) {
  out.force = j.between->force;
  out.torque = j.between->torque;
  PairConstraint c;
  double q[7];
  std::copy_n(j.q, j.nq, q);
  viewPair(w.bodies, w, j, q, c);
  for (int k = 0; k < c.axes; k++) addAlong(c.axis[k], k, out);
}

// All that a link's joint transmits to its body: force, and torque about `origin`.
void throughLink(const TreeWorld& w, const TreeRuntime& t, int link, const Vec3& origin, std::vector<char>& beyond, Vec3& force,
                 Vec3& torque) {
  const double rate = 1 / t.step;
  // The bodies at and beyond the link.
  beyond.assign(static_cast<std::size_t>(t.tree.count), 0);
  const int start = link - t.first, tree = w.bodies[w.links[link].body].tree;
  force = torque = Vec3::Zero();
  for (int i = start; i < t.tree.count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    beyond[i] = i == start || (m.parent >= start && beyond[m.parent]);
    if (!beyond[i]) continue;
    const dynamics::LinkState& s = t.tree.state[i];
    const LinkRuntime& r = w.links[t.first + i];
    const BodySlot& b = w.bodies[r.body];
    const StartVelocity before = startOfStep(t, r, i);
    Vec3 f = m.mass * (rate * (s.v - before.v) - r.gravityScale * w.settings.gravity);
    const Vec3 mid = 0.5 * (s.w + before.w);
    Vec3 l = s.R * Vec3(m.inertia.cwiseProduct(rate * (s.w - before.w)) - m.inertia.cwiseProduct(mid).cross(mid));
    f -= b.applied->stepForce;
    l -= b.applied->stepTorque;
    force += f;
    torque += l + (s.c - origin).cross(f);
  }
  auto isBeyond = [&](int body) {
    if (body < 0 || w.bodies[body].link < 0 || w.bodies[body].tree != tree) return false;
    return beyond[w.bodies[body].link - t.first] != 0;
  };
  for (std::size_t i = 0; i < w.contacts.size(); i++) {
    const Contact& c = w.contacts[i];
    const double sign = (isBeyond(c.bodyB) ? 1 : 0) - (isBeyond(c.bodyA) ? 1 : 0);
    if (sign == 0) continue;
    force -= sign * c.force;
    torque -= sign * ((c.position - origin).cross(c.force) + torqueAt(w.torques, i));
  }
  for (int id : w.auxiliaryJoints) {
    const JointSlot& o = w.joints[id];
    const double sign = (isBeyond(o.b) ? 1 : 0) - (isBeyond(o.a) ? 1 : 0);
    if (sign == 0) continue;
    const Pose frame = o.b < 0 ? o.def->frameB : trees::poseOf(w, o.b) * o.def->frameB;
    Vec3 f, l;
    pairForce(w.bodies, w, o, f, l);
    force -= sign * f;
    torque -= sign * (l + (frame.p - origin).cross(f));
  }
}

Vec3 originOf(const TreeWorld& w, const JointSlot& j) { return j.b < 0 ? j.def->frameB.p : (trees::poseOf(w, j.b) * j.def->frameB).p; }

// Ball joints that share what their link transmits, as forces of the least sum of squares.
void combinedForces(const TreeWorld& w, int joint, std::vector<char>& beyond, JointForces& out) {
  const int link = w.joints[joint].combinedLink, body = w.links[link].body;
  const TreeRuntime& t = w.trees[w.bodies[body].tree];
  if (!(t.step > 0)) return;
  trees::WrenchShares shares;
  for (int id = w.links[link].combined; id >= 0; id = w.joints[id].nextCombined) shares.add(originOf(w, w.joints[id]));
  Vec3 force, torque;
  throughLink(w, t, link, shares.middle(), beyond, force, torque);
  const Vec3 own = shares.at(originOf(w, w.joints[joint]), force, torque);
  out.force = w.joints[joint].b == body ? own : Vec3(-own);
}

}  // namespace

void jointForces(const TreeWorld& w, int joint, std::vector<char>& beyond, JointForces& out) {
  const JointSlot& j = w.joints[joint];
  out = JointForces();
  if (j.role == Role::Inactive) return;
  for (int k = 0; k < j.nv; k++) {
    out.motor[k] = j.axes[k].motorForce;
    out.spring[k] = j.axes[k].springForce;
    out.friction[k] = j.axes[k].frictionForce;
    out.limit[k] = j.axes[k].limitForce;
  }
  if (j.combinedLink >= 0) return combinedForces(w, joint, beyond, out);
  if (j.role == Role::Auxiliary || j.link < 0) {
    pairForces(w, j, out);
    return;
  }
  const TreeRuntime& t = w.trees[w.bodies[w.links[j.link].body].tree];
  if (!(t.step > 0)) return;
  const dynamics::LinkState& child = w.state[j.link];
  Vec3 force, torque;
  throughLink(w, t, j.link, originOf(w, j), beyond, force, torque);
  // The remainder is all that the joint transmits; its axes' own forces are reported apart.
  const double side = j.reversed ? -1 : 1;
  for (int k = 0; k < w.model[j.link].nv; k++) {
    const Vec3 angular = child.S[k].head<3>(), none = Vec3::Zero();
    const bool turns = angular.squaredNorm() > 0;
    addAlong(side * dynamics::stack(turns ? angular : none, turns ? none : Vec3(child.S[k].tail<3>())), k, out);
  }
  out.force = side * force - out.motors.force - out.springs.force - out.frictions.force - out.limits.force;
  out.torque = side * torque - out.motors.torque - out.springs.torque - out.frictions.torque - out.limits.torque;
}

void jointDirections(TreeWorld& w, int joint, Vec3* out) {
  const JointSlot& j = w.joints[joint];
  PairConstraint c;
  double q[7];
  jointState(w, joint, q, nullptr);
  viewPair(w.bodies, w, j, q, c);
  for (int k = 0; k < j.nv; k++) {
    const Vec6 along = k < c.axes ? c.motion[k] : c.row[k];  // a rod holds its axis
    const Vec3 angular = along.head<3>();
    out[k] = (angular.squaredNorm() > 1e-12 ? angular : Vec3(along.tail<3>())).normalized();
  }
}

void jointState(TreeWorld& w, int joint, double* q, double* v) {
  const JointSlot& j = w.joints[joint];
  if (!w.current) (void)trees::updateTopology(w);  // coordinates of a new joint come from poses
  if (j.link >= 0) {
    const dynamics::LinkModel& m = w.model[j.link];
    if (q) std::copy_n(w.q.data() + m.qOffset, j.nq, q);
    if (v) std::copy_n(w.v.data() + m.vOffset, j.nv, v);
    return;
  }
  PairConstraint c;
  double at[7];
  std::copy_n(j.q, j.nq, at);
  viewPair(w.bodies, w, j, at, c);
  if (q) std::copy_n(at, j.nq, q);
  if (!v) return;
  Vec3 velocity[2], omega[2];
  for (int side = 0; side < 2; side++) {
    const int body = side ? j.b : j.a;
    velocity[side].setZero();
    omega[side].setZero();
    if (body < 0) continue;
    trees::twistOf(w, body, velocity[side], omega[side]);
    velocity[side] += omega[side].cross(c.point - trees::poseOf(w, body).p);
  }
  const Vec6 relative = dynamics::stack(omega[1] - omega[0], velocity[1] - velocity[0]);
  for (int k = 0; k < j.nv; k++) v[k] = k < c.axes ? c.axis[k].dot(relative) : c.row[k].dot(relative);  // a rod holds its axis
}

bool isScalar(const JointSlot& j, int axis) {
  if (axis < 0 || axis >= j.nv) return false;
  if (j.def->constraint != ConstraintType::Joint) return j.def->constraint != ConstraintType::Motor || axis < 3;
  return j.def->type != dynamics::JointType::Spherical && (j.def->type != dynamics::JointType::Floating || axis < 3);
}

// After a step: joints whose load exceeded their bounds. They leave the topology with the next step.
void breakJoints(TreeWorld& w) {
  for (std::size_t i = 0; i < w.joints.size(); i++) {
    JointSlot& j = w.joints[i];
    if (!j.alive || j.broken || j.role == Role::Inactive || !j.def->breakable()) continue;
    Vec3 force, torque;
    if (j.role == Role::Auxiliary) {
      pairForce(w.bodies, w, j, force, torque);
    } else {
      JointForces f;
      jointForces(w, static_cast<int>(i), w.beyond, f);
      force = f.force;
      torque = f.torque;
    }
    if (force.norm() <= j.def->breakForce && torque.norm() <= j.def->breakTorque) continue;
    w.jointEvents.push_back({static_cast<int>(i), force.norm(), torque.norm()});
    j.broken = true;
  }
}

void dropBroken(TreeWorld& w) {
  if (!w.standing()) return;
  for (const JointSlot& j : w.joints)
    if (j.broken && j.role != Role::Inactive) {
      for (int body : {j.a, j.b})
        if (body >= 0) trees::wakeBody(w, body);
      trees::invalidateTopology(w);
      return;
    }
}

}  // namespace vertebra::constraints
