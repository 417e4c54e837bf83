// Coordinates and velocities of a new tree, from the slots of its bodies and joints.
#include <algorithm>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/trees/combined_joints.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

// Joint frame in a body's inertial frame; for the world, or a body without inertial frame of its own, in the link frame.
Pose inInertial(const TreeWorld& w, int body, const Pose& frame) {
  return body < 0 ? frame : w.bodies[body].inertialInLink().inverse() * frame;
}
// Of combined joints, the first whose coordinates are given; or -1.
int givenJoint(const TreeWorld& w, int first) {
  for (int id = first; id >= 0; id = w.joints[id].nextCombined)
    if (w.joints[id].placed) return id;
  return -1;
}
Pose inertialPose(const TreeWorld& w, int body) { return body < 0 ? Pose() : w.bodies[body].pose * w.bodies[body].inertialInLink(); }

}  // namespace

dynamics::JointFrames setJointOf(const TreeWorld& w, const LinkRuntime& link, dynamics::LinkModel& m) {
  if (link.combined >= 0) {
    const CombinedJoint c = combinedJoint(w, link.combined, link.body);
    const int parent = parentBody(w.joints[link.combined], link.body);
    return dynamics::setJoint(m, c.shape, inInertial(w, parent, c.inParent), inInertial(w, link.body, c.inChild));
  }
  if (link.joint < 0 && !w.settings.planar) return dynamics::setJoint(m, {.type = dynamics::JointType::FreeRoot}, {}, {});
  if (link.joint < 0) {
    // Measured from the body's pose at creation: its height, and its axes then for those of the world.
    const Pose start = *w.bodies[link.body].rare->created * w.bodies[link.body].inertialInLink();
    const dynamics::JointShape plane{.type = dynamics::JointType::Planar, .axis = Vec3::UnitY()};
    return dynamics::setJoint(m, plane, {Vec3(0, start.p.y(), 0), Quat::Identity()}, {Vec3::Zero(), start.q.conjugate()});
  }
  const JointSlot& j = w.joints[link.joint];
  const Pose inParent = inInertial(w, j.reversed ? j.b : j.a, j.reversed ? j.def->frameB : j.def->frameA);
  const Pose inChild = inInertial(w, link.body, j.reversed ? j.def->frameA : j.def->frameB);
  return dynamics::setJoint(m, *j.def, inParent, inChild, j.reversed);
}

dynamics::JointFrames framesOf(const TreeWorld& w, int link) {
  dynamics::LinkModel m = w.model[link];
  return m.frames ? *m.frames : setJointOf(w, w.links[link], m);
}

void placeTree(TreeWorld& w, TreeRuntime& t) {
  if (t.baseBody >= 0) {
    t.onBase = std::make_unique<TreeBase>();
    t.tree.base = &t.onBase->base;
    t.onBase->velocity = w.bodies[t.baseBody].velocity;
    t.onBase->omega = w.bodies[t.baseBody].omega;
    placeBase(w, t);
  }
  for (int i = 0; i < t.tree.count; i++) {
    const int link = t.first + i;
    const dynamics::LinkModel& m = w.model[link];
    dynamics::LinkState& s = w.state[link];
    const BodySlot& body = w.bodies[w.links[link].body];
    double* const q = w.q.data() + m.qOffset;  // a world of welded bodies has none
    const Pose inertial = body.pose * body.inertialInLink();
    const dynamics::BodyPose& parent = m.parent >= 0 ? static_cast<const dynamics::BodyPose&>(t.tree.state[m.parent]) : t.tree.base->pose;
    if (const int combined = w.links[link].combined; combined >= 0) {
      std::fill_n(q, dynamics::jointNq(m.type), 0.0);
      const int at = w.links[link].body, given = givenJoint(w, combined);
      const int other = parentBody(w.joints[combined], at);
      const Pose wanted = given < 0 ? body.pose : poseByJoint(w.joints[given], at, other < 0 ? Pose() : w.bodies[other].pose);
      fitCoordinates(m, framesOf(w, link), inertialPose(w, other), wanted * body.inertialInLink(), q);
    } else if (w.links[link].joint < 0) {
      std::fill_n(q, dynamics::jointNq(m.type), 0.0);
      fitCoordinates(m, framesOf(w, link), Pose(), inertial, q);
    } else {
      const JointSlot& j = w.joints[w.links[link].joint];
      std::copy_n(j.q, j.nq, q);
      // The parent's intended pose decides, not the one its own joint gives it: errors do not add up along a chain.
      if (!j.placed) fitCoordinates(m, framesOf(w, link), inertialPose(w, j.reversed ? j.b : j.a), inertial, q);
    }
    dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::pose(m, parent, q, s); });
  }
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t);
  dynamics::updateSubspaces(t.tree);
  // Joint velocities: the part of the bodies' relative twist that the joint allows.
  for (int i = 0; i < t.tree.count; i++) {
    const int link = t.first + i;
    const dynamics::LinkModel& m = w.model[link];
    dynamics::LinkState& s = w.state[link];
    double* v = w.v.data() + m.vOffset;  // of a tree without velocities past the end
    auto twistAboutO = [&](int id) {
      if (id < 0) return Vec6(Vec6::Zero());
      const BodySlot& b = w.bodies[id];
      return dynamics::stack(b.omega, b.velocity + b.omega.cross(t.tree.O - b.pose.p));
    };
    if (const int combined = w.links[link].combined; combined >= 0) {
      const int at = w.links[link].body, given = givenJoint(w, combined);
      Vec6 relative = twistAboutO(at) - twistAboutO(parentBody(w.joints[combined], at));
      if (given >= 0) {
        const JointSlot& j = w.joints[given];
        const double rates[3] = {j.axes[0].v, j.axes[1].v, j.axes[2].v};
        const Vec3 omega = omegaByJoint(j, at, j.b < 0 ? Quat(Quat::Identity()) : poseOf(w, j.b).q, rates);
        relative = dynamics::stack(omega, (s.anchor - t.tree.O).cross(omega));
      }
      fitVelocity(m, s, t.tree.O, relative, v);
      continue;
    }
    if (w.links[link].joint < 0) {
      fitVelocity(m, s, t.tree.O, twistAboutO(w.links[link].body), v);
      continue;
    }
    const JointSlot& j = w.joints[w.links[link].joint];
    if (j.placed) {
      for (int k = 0; k < j.nv; k++) v[k] = j.axes[k].v;
    } else {
      const Vec6 relative = twistAboutO(w.links[link].body) - twistAboutO(j.reversed ? j.b : j.a);
      fitVelocity(m, s, t.tree.O, relative, v);
    }
  }
  dynamics::updateTwists(t.tree, w.v.data());
}

void refreshTree(TreeWorld& w, TreeRuntime& t) {
  dynamics::updatePoses(t.tree, w.q.data());
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t);
  dynamics::updateSubspaces(t.tree);
  dynamics::updateTwists(t.tree, w.v.data());
  t.smooth = t.coasting = t.ahead = t.shifted = t.falls = t.settled = t.asPlaced = false;
  t.fresh = true;
  forgetAccelerations(w, t);
}

void touchTree(TreeWorld& w, int tree) {
  wakeTree(w, tree);
  for (std::size_t i = 0; w.anyAsleep && i < w.contacts.size(); i++) {  // what rested on it may lose its support
    const Contact& c = w.contacts[i];
    const int a = c.bodyA >= 0 ? w.bodies[c.bodyA].tree : -1, b = c.bodyB >= 0 ? w.bodies[c.bodyB].tree : -1;
    if (a == tree && b >= 0) wakeTree(w, b);
    if (b == tree && a >= 0) wakeTree(w, a);
  }
  refreshTree(w, w.trees[tree]);
}

}  // namespace vertebra::trees
