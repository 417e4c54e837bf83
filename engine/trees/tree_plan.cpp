// Cuts the graph of bodies and joints into spanning trees: a body joined to the world or to a prescribed body starts a tree there; other
// trees start at the lowest body of their component; joints are taken in id order, links are numbered parents first. The remaining joints
// close cycles, connect figures, or are drives: auxiliary rows.
#include "engine/trees/tree_plan.hpp"

#include <algorithm>

#include "engine/state/stepper_traits.hpp"
#include "engine/trees/combined_joints.hpp"

namespace vertebra::trees {

bool movesByPhysics(const TreeWorld& w, int body) {
  return body >= 0 && w.bodies[body].kind == BodyKind::Dynamic && w.bodies[body].enabled;
}

namespace {

bool takesPart(const TreeWorld& w, int body) { return body < 0 || w.bodies[body].enabled; }
// A frame that a file gives a name: it has no motion of its own, not even where every body has.
bool weightless(const TreeWorld& w, int body) {
  return movesByPhysics(w, body) && !(w.bodies[body].mass() > 0) && !(w.bodies[body].def->moments.maxCoeff() > 0);
}

struct Planner {
  TreeWorld& w;
  TreePlan plan;
  std::vector<std::pair<int, int>> ends;  // body and usable joint at it, sorted

  bool apart() const { return keepsFreePoses(w.settings) && !w.jointsInTrees; }
  bool usable(int j) const {
    const JointSlot& s = w.joints[j];
    const bool weld = s.def->type == dynamics::JointType::Fixed && (weightless(w, s.a) || weightless(w, s.b));
    return s.alive && !s.broken && (!apart() || s.def->rotor || weld) && s.def->rigid() && s.def->constraint == ConstraintType::Joint &&
           !s.def->auxiliary && takesPart(w, s.a) && takesPart(w, s.b);
  }
  bool placed(int body) const { return w.bodies[body].tree >= 0; }

  void addLink(int body, int parent, int joint, bool reversed) {
    w.bodies[body].tree = static_cast<int>(plan.trees.size());
    if (joint >= 0) w.joints[joint].role = Role::Primary;
    plan.links.push_back({body, joint, parent, reversed});
  }

  // Depth first, so that a chain lies in memory as it hangs.
  void startTree(int root, int joint) {
    PlannedTree tree{static_cast<int>(plan.links.size()), 0, -1};
    const bool reversed = joint >= 0 && w.joints[joint].a == root;
    if (joint >= 0) tree.baseBody = reversed ? w.joints[joint].b : w.joints[joint].a;
    addLink(root, -1, joint, reversed);
    struct Visit {
      int body, link;
      std::size_t next;  // into `ends`
    };
    const auto firstEnd = [&](int body) {
      return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), std::pair(body, 0)) - ends.begin());
    };
    std::vector<Visit> stack{{root, 0, firstEnd(root)}};
    while (!stack.empty()) {
      const int at = stack.back().body, link = stack.back().link;
      if (stack.back().next >= ends.size() || ends[stack.back().next].first != at) {
        stack.pop_back();
        continue;
      }
      const int id = ends[stack.back().next++].second;
      const JointSlot& j = w.joints[id];
      if (j.role == Role::Primary) continue;
      const int other = j.a == at ? j.b : j.a;
      if (!movesByPhysics(w, other) || placed(other) || w.bodies[at].figure != w.bodies[other].figure) continue;
      if (apart() && joint < 0 && !weightless(w, other)) continue;  // it keeps a pose of its own
      stack.push_back({other, static_cast<int>(plan.links.size()) - tree.first, firstEnd(other)});
      addLink(other, link, id, j.b == at);
    }
    tree.count = static_cast<int>(plan.links.size()) - tree.first;
    plan.trees.push_back(tree);
  }
};

}  // namespace

TreePlan planTrees(TreeWorld& w, const std::vector<int>& bodies, const std::vector<int>& joints) {
  Planner p{w, {}, {}};
  for (int id : joints) {
    w.joints[id].role = Role::Inactive;
    if (!p.usable(id)) continue;
    for (int body : {w.joints[id].a, w.joints[id].b})
      if (movesByPhysics(w, body)) p.ends.emplace_back(body, id);
  }
  std::sort(p.ends.begin(), p.ends.end());
  for (int id : joints) {  // trees on what does not move by physics
    if (!p.usable(id)) continue;
    const JointSlot& d = w.joints[id];
    if (movesByPhysics(w, d.a) == movesByPhysics(w, d.b)) continue;
    const int body = movesByPhysics(w, d.a) ? d.a : d.b;
    if (!p.placed(body)) p.startTree(body, id);
  }
  for (const bool withMass : {true, false})  // what has none goes with what has
    for (int body : bodies) {
      if (withMass && p.apart() && weightless(w, body)) continue;
      if (movesByPhysics(w, body) && !p.placed(body)) p.startTree(body, -1);
    }
  combineJoints(w, p.plan);
  for (int id : joints) {
    JointSlot& j = w.joints[id];
    if (p.apart()) j.between.make();  // of rotors, too
    if (j.broken || j.role == Role::Primary || j.role == Role::Combined || !takesPart(w, j.a) || !takesPart(w, j.b)) continue;
    if (!movesByPhysics(w, j.a) && !movesByPhysics(w, j.b)) continue;
    j.role = Role::Auxiliary;
    j.between.make();
    j.placed = false;  // should a tree take it one day, its bodies tell where it stands
    p.plan.auxiliary.push_back(id);
  }
  std::sort(p.plan.trees.begin(), p.plan.trees.end(),
            [&](const PlannedTree& a, const PlannedTree& b) { return p.plan.links[a.first].body < p.plan.links[b.first].body; });
  return std::move(p.plan);
}

}  // namespace vertebra::trees
