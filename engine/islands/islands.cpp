// Islands: trees that contacts, auxiliary joints or couplings connect. Sleep: an island whose bodies have all been slow for a while is
// skipped; it wakes when something awake connects to it, or by a force or an edit.
#include "engine/islands/islands.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>

#include "engine/state/growth.hpp"
#include "engine/state/island_world.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::islands {
namespace {

int find(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}
void join(std::vector<int>& parent, int a, int b) {
  a = find(parent, a);
  b = find(parent, b);
  if (a != b) parent[std::max(a, b)] = std::min(a, b);  // the lowest tree leads: independent of order
}
int treeOf(const IslandWorld& w, int body) { return body >= 0 ? w.bodies[body].tree : -1; }
bool takesPart(const IslandWorld& w, int tree) { return tree >= 0 && !w.trees[tree].immobile && !w.trees[tree].held; }

int movingBody(const IslandWorld& w, int joint) {  // of a joint, whose bodies are in one island
  const JointDefinition& d = w.joints[joint].def;
  const int tree = treeOf(w, d.b);
  return tree >= 0 && !w.trees[tree].immobile ? d.b : d.a;
}
bool acts(const IslandWorld& w, const CouplingSlot& c) {  // not on a joint of a disabled body
  return c.alive && std::all_of(c.def.terms.begin(), c.def.terms.end(),
                                [&](const CouplingTerm& t) { return w.joints[t.joint].role != Role::Inactive; });
}
// For a user's constraint: a moving body, or -1.
int anchorOf(const IslandWorld& w, const UserConstraintSlot& c) {
  auto moving = [&](int body) { return treeOf(w, body) >= 0 && !w.trees[treeOf(w, body)].immobile; };
  for (int body : c.def.bodies)
    if (moving(body)) return body;
  for (int joint : c.def.joints)
    if (moving(movingBody(w, joint))) return movingBody(w, joint);
  return -1;
}

// Trees that slept until now start with the parts of the step of those that woke them.
void takePartsOfIslands(IslandWorld& w) {
  for (int k = 0; k < w.islandCount; k++) {
    const std::vector<int>& trees = w.islands[k].trees;
    const auto awake = std::find_if(trees.begin(), trees.end(), [&](int t) { return w.trees[t].parts > 0; });
    if (awake == trees.end()) continue;
    for (int t : trees) {
      if (w.trees[t].parts > 0) continue;
      w.trees[t].parts = w.trees[*awake].parts;
      w.trees[t].step = w.trees[*awake].step;
    }
  }
}

}  // namespace

void joinTrees(IslandWorld& w) {
  const int n = static_cast<int>(w.trees.size());
  std::vector<int>& parent = w.treeParent;
  parent.resize(n);
  for (int i = 0; i < n; i++) parent[i] = i;
  auto link = [&](int bodyA, int bodyB) {
    const int a = treeOf(w, bodyA), b = treeOf(w, bodyB);
    if (takesPart(w, a) && takesPart(w, b)) join(parent, a, b);
  };
  for (const Contact& c : w.contacts) link(c.bodyA, c.bodyB);
  for (int id : w.auxiliaryJoints) link(w.joints[id].def.a, w.joints[id].def.b);
  for (const CouplingSlot& c : w.couplings)
    if (acts(w, c))
      for (const CouplingTerm& t : c.def.terms) link(movingBody(w, c.def.terms[0].joint), movingBody(w, t.joint));
  for (const UserConstraintSlot& c : w.constraints) {
    if (!c.alive) continue;
    const int anchor = anchorOf(w, c);
    if (anchor < 0) continue;
    for (int body : c.def.bodies) link(anchor, body);
    for (int joint : c.def.joints)
      if (w.joints[joint].role != Role::Inactive) link(anchor, movingBody(w, joint));
  }
}

int treeOf(const IslandWorld& w, const UserConstraintSlot& c) { return treeOf(w, anchorOf(w, c)); }
double stepOf(const IslandWorld& w, const CouplingSlot& c) {
  const int tree = treeOf(w, movingBody(w, c.def.terms[0].joint));
  return tree >= 0 ? w.trees[tree].step : w.lastStep;
}
int leaderOf(IslandWorld& w, int tree) { return find(w.treeParent, tree); }

void buildIslands(IslandWorld& w) {
  const StageScope stage(w, Stage::Collide);
  const int n = static_cast<int>(w.trees.size());
  std::vector<int>& parent = w.treeParent;
  joinTrees(w);
  // A body with prescribed motion wakes the bodies that it touches.
  auto prescribed = [&](int body) {
    if (body < 0) return false;
    const BodySlot& b = w.bodies[body];
    return b.link >= 0 ? w.trees[b.tree].immobile && w.trees[b.tree].movingBase
                       : b.kind == BodyKind::Kinematic && (b.velocity.squaredNorm() > 0 || b.omega.squaredNorm() > 0);
  };
  for (const Contact& c : w.contacts)
    for (int side = 0; side < 2; side++) {
      const int tree = treeOf(w, side ? c.bodyB : c.bodyA);
      if (!w.partial && tree >= 0 && w.trees[tree].asleep && prescribed(side ? c.bodyA : c.bodyB)) trees::wakeTree(w, tree);
    }
  // An island is awake if any of its trees is.
  for (int i = 0; i < n; i++)
    if (!w.trees[i].asleep && takesPart(w, i)) w.trees[find(parent, i)].leaderAwake = w.steps + 1;
  w.islandCount = 0;
  for (int i = 0; i < n; i++) {
    TreeRuntime& t = w.trees[i];
    t.island = -1;
    if (!takesPart(w, i)) continue;
    const int leader = find(parent, i);
    if (w.trees[leader].leaderAwake != w.steps + 1) continue;
    if (t.asleep) trees::wakeTree(w, i);
    if (leader == i) {
      if (w.islandCount == static_cast<int>(w.islands.size())) growTo(w.islands, w.islands.size() + 1);
      Island& island = w.islands[w.islandCount];
      island.trees.clear();
      island.contacts.clear();
      island.joints.clear();
      island.couplings.clear();
      island.constraints.clear();
      island.tally = StepTally();
      t.island = w.islandCount++;
    } else {
      t.island = w.trees[leader].island;
    }
    w.islands[t.island].trees.push_back(i);
  }
  if (w.inParts) takePartsOfIslands(w);
  auto islandOf = [&](int bodyA, int bodyB) {
    for (int body : {bodyA, bodyB}) {
      const int t = treeOf(w, body);
      if (t >= 0 && w.trees[t].island >= 0) return w.trees[t].island;
    }
    return -1;
  };
  auto held = [&](int body) { return treeOf(w, body) >= 0 && w.trees[treeOf(w, body)].held; };
  w.idleContacts.clear();
  for (std::size_t i = 0; i < w.contacts.size(); i++) {
    const bool waits = w.partial && (held(w.contacts[i].bodyA) || held(w.contacts[i].bodyB));
    const int k = waits ? -1 : islandOf(w.contacts[i].bodyA, w.contacts[i].bodyB);
    (k >= 0 ? w.islands[k].contacts : w.idleContacts).push_back(static_cast<int>(i));
  }
  for (int id : w.auxiliaryJoints) {
    const int k = islandOf(w.joints[id].def.a, w.joints[id].def.b);
    if (k >= 0) w.islands[k].joints.push_back(id);
  }
  for (std::size_t i = 0; i < w.couplings.size(); i++) {
    const CouplingSlot& c = w.couplings[i];
    if (!acts(w, c)) continue;
    for (const CouplingTerm& t : c.def.terms) {
      const int body = movingBody(w, t.joint), k = islandOf(body, body);
      if (k < 0) continue;
      w.islands[k].couplings.push_back(static_cast<int>(i));
      break;
    }
  }
  for (std::size_t i = 0; i < w.constraints.size(); i++) {
    if (!w.constraints[i].alive) continue;
    const int anchor = anchorOf(w, w.constraints[i]), k = anchor < 0 ? -1 : islandOf(anchor, anchor);
    if (k >= 0) w.islands[k].constraints.push_back(static_cast<int>(i));
  }
}

void sleepIslands(IslandWorld& w, double h) {
  const WorldSettings& set = w.settings;
  if (!set.sleeping) return;
  for (int k = 0; k < w.islandCount; k++) {
    Island& island = w.islands[k];
    double idle = kInf;
    for (int ti : island.trees) {
      TreeRuntime& t = w.trees[ti];
      bool slow = !t.movingBase;
      for (int i = t.first; slow && i < t.first + t.tree.count; i++) {
        const dynamics::LinkState& s = w.state[i];
        slow = s.v.squaredNorm() < set.sleepSpeed * set.sleepSpeed && s.w.squaredNorm() < set.sleepAngularSpeed * set.sleepAngularSpeed;
      }
      // A body at the top of its flight is slow too: it may sleep only if something holds it, or no force acts.
      if (slow && t.floating && island.contacts.empty() && island.joints.empty() && set.gravity.squaredNorm() > 0) slow = false;
      t.idle = slow ? t.idle + h : 0;
      idle = std::min(idle, t.idle);
    }
    if (idle < set.sleepTime) continue;
    w.anyAsleep = true;
    for (int ti : island.trees) {
      TreeRuntime& t = w.trees[ti];
      t.asleep = true;
      t.smooth = false;
      std::fill_n(w.v.begin() + t.vFirst, t.nv, 0.0);
      for (int i = t.first; i < t.first + t.tree.count; i++) {
        dynamics::LinkState& s = w.state[i];
        s.t.setZero();
        s.v.setZero();
        s.w.setZero();
        w.bodies[w.links[i].body].asleep = true;
      }
    }
  }
}

}  // namespace vertebra::islands
