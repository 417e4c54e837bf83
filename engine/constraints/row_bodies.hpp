// Bodies and trees as rows read them: velocities of points at the start of the step, and those due to prescribed motion alone. World axes,
// m/s, rad/s.
#pragma once
#include <vector>

#include "engine/state/slots.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::constraints {

struct RowEnd {  // of a constraint: a link of a tree, or a static or prescribed body
  int link = -1;
  int body = -1;
};

struct RowBodies {
  const std::vector<BodySlot>& bodies;
  const TreeState& topology;
  const TreeScratch& scratch;

  RowEnd endOf(int body) const { return {body >= 0 ? bodies[body].link : -1, body}; }
  int treeOf(int link) const { return link >= 0 ? bodies[topology.links[link].body].tree : -1; }

  // Due to the prescribed motion alone: of the body itself, or of the base of its tree.
  Vec3 baseVelocity(const RowEnd& e, const Vec3& p) const {
    if (e.link >= 0) {
      const TreeRuntime& t = topology.trees[bodies[e.body].tree];
      if (!t.movingBase) return Vec3::Zero();
      const Vec6& twist = scratch.baseTwist[e.link];
      return Vec3(twist.tail<3>()) + Vec3(twist.head<3>()).cross(p - t.tree.O);
    }
    if (e.body < 0 || bodies[e.body].kind != BodyKind::Kinematic) return Vec3::Zero();
    const BodySlot& b = bodies[e.body];
    return b.velocity + b.omega.cross(p - b.pose.p);
  }
  Vec3 baseOmega(const RowEnd& e) const {
    if (e.link >= 0) {
      const TreeRuntime& t = topology.trees[bodies[e.body].tree];
      return t.movingBase ? Vec3(scratch.baseTwist[e.link].head<3>()) : Vec3(Vec3::Zero());
    }
    return e.body >= 0 && bodies[e.body].kind == BodyKind::Kinematic ? bodies[e.body].omega : Vec3(Vec3::Zero());
  }

  // Before the step's forces.
  Vec3 startVelocity(const RowEnd& e, const Vec3& p) const {
    if (e.link < 0) return baseVelocity(e, p);
    const dynamics::LinkState& s = topology.state[e.link];
    return topology.links[e.link].startV + (s.R * topology.links[e.link].startW).cross(p - s.c);
  }
  // After a solution: at the end of the step.
  Vec3 velocity(const RowEnd& e, const Vec3& p) const {
    if (e.link < 0) return baseVelocity(e, p);
    const dynamics::LinkState& s = topology.state[e.link];
    return s.v + (s.R * s.w).cross(p - s.c);
  }
  Vec3 startOmega(const RowEnd& e) const {
    return e.link < 0 ? baseOmega(e) : Vec3(topology.state[e.link].R * topology.links[e.link].startW);
  }
  Vec3 omega(const RowEnd& e) const { return e.link < 0 ? baseOmega(e) : Vec3(topology.state[e.link].R * topology.state[e.link].w); }
  double startRate(const JointSlot& j, int axis) const {
    return j.link >= 0 ? scratch.v0[topology.model[j.link].vOffset + axis] : j.axes[axis].v;
  }
};

}  // namespace vertebra::constraints
