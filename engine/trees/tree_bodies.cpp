// Bodies whose poses trees hold: poses and twists of their link frames, world axes; waking; frames of their shapes. See topology.hpp.
#include "engine/state/growth.hpp"
#include "engine/trees/body_poses.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {

void holdByContacts(TreeWorld& w) {
  for (const Contact& c : w.contacts)
    for (int body : {c.bodyA, c.bodyB})
      if (body >= 0 && w.bodies[body].tree >= 0 && c.force.squaredNorm() > 0) {
        w.trees[w.bodies[body].tree].fresh = false;
        w.trees[w.bodies[body].tree].ahead = true;
      }
}

Pose poseOf(const TreeWorld& w, int body) { return poseOf(w.bodies, w, body); }

void twistOf(const TreeWorld& w, int body, Vec3& velocity, Vec3& omega) {
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) {
    velocity = b.velocity;
    omega = b.omega;
    return;
  }
  const dynamics::LinkState& s = w.state[b.link];
  omega = s.R * s.w;
  velocity = s.v + omega.cross(s.q * b.inertialInLink().inverse().p);
}

void accelerationOf(const TreeWorld& w, int body, Vec3& linear, Vec3& angular) {
  const BodySlot& b = w.bodies[body];
  linear.setZero();
  angular.setZero();
  if (b.link < 0 || b.asleep || !(w.trees[b.tree].step > 0)) return;
  const TreeRuntime& t = w.trees[b.tree];
  const dynamics::LinkState& s = w.state[b.link];
  const StartVelocity start = startOfStep(t, w.links[b.link], b.link - t.first);
  const Vec3 omega = s.R * s.w;
  angular = s.R * Vec3((s.w - start.w) / t.step);
  const Vec3 d = s.q * b.inertialInLink().inverse().p;
  linear = (s.v - start.v) / t.step + angular.cross(d) + omega.cross(omega.cross(d));
}

void wakeTree(TreeWorld& w, int tree) {
  TreeRuntime& t = w.trees[tree];
  t.idle = 0;
  if (!t.asleep) return;  // a caller may set the drives of a figure one by one
  keepTree(w, tree);
  t.asleep = false;
  saveTree(w, t, true);
  for (int i = t.first; i < t.first + t.tree.count; i++) w.bodies[w.links[i].body].asleep = false;
}

void wakeBody(TreeWorld& w, int body) {
  BodySlot& b = w.bodies[body];
  b.asleep = false;  // this is all while the trees are not yet built
  if (b.link >= 0) wakeTree(w, b.tree);
}

void reserveReference(TreeWorld& w) {
  if (!w.settings.energyAccount) return;
  for (std::vector<double>* x : {&w.reference, &w.referenceRate}) growTo(*x, w.v.size());
}

void updateShapeFrames(TreeWorld& w, int body) {
  const BodySlot& b = w.bodies[body];
  const Pose toInertial = b.inertialInLink().inverse();
  std::vector<Shared<ShapePlace>> places;  // all, before any changes: memory may run out
  for (int id : ShapesOf(w, body)) {
    const ShapeSlot& s = w.shapes[id];
    ShapePlace place = *s.place;
    place.inInertial = toInertial * poseInBody(w, s);
    place.inInertial.q = normalized(place.inInertial.q);
    place.reach = place.inInertial.p.norm() + s.def->localBox.lo.cwiseAbs().cwiseMax(s.def->localBox.hi.cwiseAbs()).norm();
    places.push_back(w.shapePlaces.keep(place));
  }
  auto place = places.begin();
  for (int id : ShapesOf(w, body)) w.shapes[id].place = *place++;
}

}  // namespace vertebra::trees
