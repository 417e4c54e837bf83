// Islands: trees that contacts, auxiliary joints or couplings connect. Sleep: an island whose bodies have all been slow for a while is
// skipped; it wakes when something awake connects to it, or by a force or an edit.
#include "engine/islands/islands.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>
#include <utility>

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
int treeOfBody(const IslandWorld& w, int body) { return body >= 0 ? w.bodies[body].tree : -1; }
TreePart partOf(const TreeRuntime& t) {
  return t.immobile ? TreePart::Absent : t.held ? TreePart::Held : t.asleep ? TreePart::Asleep : TreePart::Awake;
}
bool takesPart(const IslandWorld& w, int tree) { return tree >= 0 && w.treeParts[tree] >= TreePart::Asleep; }
bool isHeld(const IslandWorld& w, int tree) { return tree >= 0 && w.treeParts[tree] == TreePart::Held; }

int movingBody(const IslandWorld& w, int joint) {  // of a joint, whose bodies are in one island
  const JointSlot& d = w.joints[joint];
  const int tree = treeOfBody(w, d.b);
  return tree >= 0 && !w.trees[tree].immobile ? d.b : d.a;
}
bool acts(const IslandWorld& w, const CouplingSlot& c) {  // not on a joint of a disabled body
  return c.alive && std::all_of(c.def.terms.begin(), c.def.terms.end(),
                                [&](const CouplingTerm& t) { return w.joints[t.joint].role != Role::Inactive; });
}
// For a user's constraint: a moving body, or -1.
int anchorOf(const IslandWorld& w, const UserConstraintSlot& c) {
  auto moving = [&](int body) { return treeOfBody(w, body) >= 0 && !w.trees[treeOfBody(w, body)].immobile; };
  for (int body : c.def.bodies)
    if (moving(body)) return body;
  for (int joint : c.def.joints)
    if (moving(movingBody(w, joint))) return movingBody(w, joint);
  return -1;
}

// Trees that slept until now start with the parts of the step of those that woke them.
void takePartsOfIslands(IslandWorld& w) {
  for (int k = 0; k < w.islandCount; k++) {
    const std::span<const int> trees = w.island(k).trees;
    const auto awake = std::find_if(trees.begin(), trees.end(), [&](int t) { return w.trees[t].parts > 0; });
    if (awake == trees.end()) continue;
    for (int t : trees) {
      if (w.trees[t].parts > 0) continue;
      w.trees[t].parts = w.trees[*awake].parts;
      w.trees[t].step = w.trees[*awake].step;
    }
  }
}

// What the islands ask of trees and contacts, in short lists: each thread reads those that it moved and found.
void gatherTrees(IslandWorld& w) {
  constexpr int kPiece = 128;
  const int trees = static_cast<int>(w.trees.size()), contacts = static_cast<int>(w.contacts.size());
  w.treeParent.resize(trees);
  w.treeParts.resize(trees);
  growTo(w.contactTrees, w.contacts.size());
  w.parallelFor(trees, kPiece, [&](int, int first, int last) {
    for (int i = first; i < last; i++) {
      w.treeParent[i] = i;
      w.treeParts[i] = partOf(w.trees[i]);
    }
  });
  w.parallelFor(contacts, kPiece, [&](int, int first, int last) {
    for (int i = first; i < last; i++) w.contactTrees[i] = {treeOfBody(w, w.contacts[i].bodyA), treeOfBody(w, w.contacts[i].bodyB)};
  });
}

// A body with prescribed motion wakes the bodies that it touches.
void wakeByPrescribed(IslandWorld& w) {
  if (w.partial || !w.anyAsleep) return;
  auto prescribed = [&](int body) {
    if (body < 0) return false;
    const BodySlot& b = w.bodies[body];
    return b.link >= 0 ? w.trees[b.tree].immobile && w.trees[b.tree].movingBase
                       : b.kind == BodyKind::Kinematic && (b.velocity.squaredNorm() > 0 || b.omega.squaredNorm() > 0);
  };
  for (const Contact& c : w.contacts)
    for (int side = 0; side < 2; side++) {
      const int tree = treeOfBody(w, side ? c.bodyB : c.bodyA);
      if (tree < 0 || !w.trees[tree].asleep || !prescribed(side ? c.bodyA : c.bodyB)) continue;
      trees::wakeTree(w, tree);
      w.treeParts[tree] = partOf(w.trees[tree]);
    }
}

// One island for each group of trees of which any is awake; it wakes the others.
void numberIslands(IslandWorld& w) {
  constexpr int kNone = -1, kAwake = -2;
  const int n = static_cast<int>(w.trees.size());
  w.treeIsland.assign(n, kNone);
  for (int i = 0; i < n; i++)
    if (w.treeParts[i] == TreePart::Awake) w.treeIsland[find(w.treeParent, i)] = kAwake;
  w.islandCount = 0;
  for (int i = 0; i < n; i++) {
    if (!takesPart(w, i)) continue;
    const int leader = find(w.treeParent, i);  // no tree of its group is before it
    if (w.treeIsland[leader] == kNone) continue;
    if (w.treeParts[i] == TreePart::Asleep) trees::wakeTree(w, i);
    w.treeParts[i] = TreePart::Awake;
    w.treeIsland[i] = leader == i ? w.islandCount++ : w.treeIsland[leader];
  }
  if (w.islandCount > static_cast<int>(w.islands.size())) growTo(w.islands, w.islandCount);
}

// Fills a list of members with those i below count, value(i), that belong to an island: islandOf(i), -1 for none.
template <class IslandOf, class Value>
void fillMembers(IslandWorld& w, std::vector<int> IslandLists::*list, int IslandEnds::*end, std::size_t count, IslandOf&& islandOf,
                 Value&& value) {
  std::vector<int>& members = w.members.*list;
  for (int k = 0; k < w.islandCount; k++) w.islands[k].*end = 0;
  if (count == 0) return members.clear();
  for (std::size_t i = 0; i < count; i++)
    if (const int k = islandOf(i); k >= 0) w.islands[k].*end += 1;
  int sum = 0;
  for (int k = 0; k < w.islandCount; k++) sum += std::exchange(w.islands[k].*end, sum);
  growTo(members, sum);
  for (std::size_t i = 0; i < count; i++)  // filling moves each start to the end
    if (const int k = islandOf(i); k >= 0) members[(w.islands[k].*end)++] = value(i);
}

// Nothing connects trees: each that is awake is an island.
void islandsOfTrees(IslandWorld& w) {
  const int n = static_cast<int>(w.trees.size());
  w.treeParent.resize(n);
  w.treeParts.resize(n);
  w.treeIsland.resize(n);
  growTo(w.members.trees, w.trees.size());
  w.islandCount = 0;
  for (int i = 0; i < n; i++) {
    w.treeParent[i] = i;
    w.treeParts[i] = partOf(w.trees[i]);
    const bool awake = w.treeParts[i] == TreePart::Awake;
    w.treeIsland[i] = awake ? w.islandCount : -1;
    if (awake) w.members.trees[w.islandCount++] = i;
  }
  if (w.islandCount > static_cast<int>(w.islands.size())) growTo(w.islands, w.islandCount);
  for (int k = 0; k < w.islandCount; k++) {
    w.islands[k] = IslandEnds();
    w.islands[k].trees = k + 1;
  }
  for (std::vector<int>* list : {&w.members.contacts, &w.members.joints, &w.members.couplings, &w.members.constraints, &w.idleContacts})
    list->clear();
  w.contactTrees.clear();
}

}  // namespace

void joinTrees(IslandWorld& w) {
  gatherTrees(w);
  std::vector<int>& parent = w.treeParent;
  auto linkTrees = [&](int a, int b) {
    if (takesPart(w, a) && takesPart(w, b)) join(parent, a, b);
  };
  auto link = [&](int bodyA, int bodyB) { linkTrees(treeOfBody(w, bodyA), treeOfBody(w, bodyB)); };
  std::pair<int, int> last(-1, -1);
  for (const std::pair<int, int>& c : w.contactTrees) {
    if (c != last) linkTrees(c.first, c.second);
    last = c;
  }
  for (int id : w.auxiliaryJoints) link(w.joints[id].a, w.joints[id].b);
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

int treeOf(const IslandWorld& w, const UserConstraintSlot& c) { return treeOfBody(w, anchorOf(w, c)); }
double stepOf(const IslandWorld& w, const CouplingSlot& c) {
  const int tree = treeOfBody(w, movingBody(w, c.def.terms[0].joint));
  return tree >= 0 ? w.trees[tree].step : w.lastStep;
}
int leaderOf(IslandWorld& w, int tree) { return find(w.treeParent, tree); }

void buildIslands(IslandWorld& w) {
  const StageScope stage(w, Stage::Collide);
  if (w.contacts.empty() && w.auxiliaryJoints.empty() && w.couplings.empty() && w.constraints.empty()) return islandsOfTrees(w);
  joinTrees(w);
  wakeByPrescribed(w);
  numberIslands(w);
  const auto same = [](std::size_t i) { return static_cast<int>(i); };
  const auto ofTrees = [&](int a, int b) {
    const int k = a >= 0 ? w.treeIsland[a] : -1;
    return k >= 0 || b < 0 ? k : w.treeIsland[b];
  };
  const auto ofContact = [&](std::size_t i) {
    const auto [a, b] = w.contactTrees[i];
    return w.partial && (isHeld(w, a) || isHeld(w, b)) ? -1 : ofTrees(a, b);
  };
  const auto ofJoint = [&](std::size_t i) {
    const JointSlot& d = w.joints[w.auxiliaryJoints[i]];
    if (d.mild) return -1;  // it connects trees, but has no rows
    return ofTrees(treeOfBody(w, d.a), treeOfBody(w, d.b));
  };
  const auto ofCoupling = [&](std::size_t i) {
    if (acts(w, w.couplings[i]))
      for (const CouplingTerm& t : w.couplings[i].def.terms)
        if (const int k = ofTrees(treeOfBody(w, movingBody(w, t.joint)), -1); k >= 0) return k;
    return -1;
  };
  const auto ofConstraint = [&](std::size_t i) { return w.constraints[i].alive ? ofTrees(treeOf(w, w.constraints[i]), -1) : -1; };
  fillMembers(
      w, &IslandLists::trees, &IslandEnds::trees, w.trees.size(), [&](std::size_t i) { return w.treeIsland[i]; }, same);
  fillMembers(w, &IslandLists::contacts, &IslandEnds::contacts, w.contacts.size(), ofContact, same);
  fillMembers(w, &IslandLists::joints, &IslandEnds::joints, w.auxiliaryJoints.size(), ofJoint,
              [&](std::size_t i) { return w.auxiliaryJoints[i]; });
  fillMembers(w, &IslandLists::couplings, &IslandEnds::couplings, w.couplings.size(), ofCoupling, same);
  fillMembers(w, &IslandLists::constraints, &IslandEnds::constraints, w.constraints.size(), ofConstraint, same);
  w.idleContacts.clear();
  if (w.members.contacts.size() < w.contacts.size())
    for (std::size_t i = 0; i < w.contacts.size(); i++)
      if (ofContact(i) < 0) w.idleContacts.push_back(same(i));
  if (w.inParts) takePartsOfIslands(w);
}

void sleepIslands(IslandWorld& w, double h) {
  const WorldSettings& set = w.settings;
  for (int k = 0; k < w.islandCount; k++) {
    const Island island = w.island(k);
    double idle = kInf;
    for (int ti : island.trees) {
      TreeRuntime& t = w.trees[ti];
      bool slow = !t.movingBase;
      for (int i = t.first; slow && i < t.first + t.tree.count; i++) {
        const dynamics::LinkState& s = w.state[i];
        slow = s.v.squaredNorm() < set.sleepSpeed * set.sleepSpeed && s.w.squaredNorm() < set.sleepAngularSpeed * set.sleepAngularSpeed;
      }
      // A body at the top of its flight is slow too: it may sleep only if something holds it, or no force acts.
      if (slow && t.floating && !t.sprung && island.contacts.empty() && island.joints.empty() && set.gravity.squaredNorm() > 0)
        slow = false;
      t.idle = slow ? t.idle + h : 0;
      idle = std::min(idle, t.idle);
    }
    if (idle < set.sleepTime) continue;
    w.anyAsleep = true;
    for (int ti : island.trees) {
      TreeRuntime& t = w.trees[ti];
      t.asleep = true;
      t.smooth = t.coasting = false;
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
