// From slots to trees and back. Bodies and joints that were added since the last update, and connect no bodies that moved before, get trees
// of their own behind the present ones, which are unaffected; any other edit carries all state to the slots and makes all trees again.
// Trees are in the order of their root bodies, so that both ways give the same arrays.
#include "engine/trees/topology.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/state/growth.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/axis_summary.hpp"
#include "engine/trees/combined_joints.hpp"
#include "engine/trees/tree_plan.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

// Links whose coordinates depend on others through a cycle or a coupling: from both ends of the closing joint up to their common ancestor.
void markCycle(TreeWorld& w, const JointSlot& j) {
  std::vector<int> up[2];
  for (int side = 0; side < 2; side++) {
    const int body = side ? j.b : j.a;
    if (!movesByPhysics(w, body)) continue;
    const int first = w.trees[w.bodies[body].tree].first;
    for (int l = w.bodies[body].link; l >= 0; l = w.model[l].parent < 0 ? -1 : first + w.model[l].parent) up[side].push_back(l);
  }
  while (!up[0].empty() && !up[1].empty() && up[0].back() == up[1].back()) up[0].pop_back(), up[1].pop_back();
  for (const std::vector<int>& links : up)
    for (int l : links) w.links[l].looped = true;
}
void markLooped(TreeWorld& w, int joint) {
  if (w.joints[joint].link >= 0) w.links[w.joints[joint].link].looped = true;
}
void markCoupled(TreeWorld& w, const CouplingSlot& c) {
  if (!c.alive || !c.def.softness.rigid()) return;
  for (const CouplingTerm& t : c.def.terms) markLooped(w, t.joint);
}
void markConstrained(TreeWorld& w, const UserConstraintSlot& c) {
  if (!c.alive) return;
  for (int joint : c.def.joints) markLooped(w, joint);
  for (int body : c.def.bodies)
    if (movesByPhysics(w, body))
      for (int l = w.bodies[body].link, first = w.trees[w.bodies[body].tree].first; l >= 0;
           l = w.model[l].parent < 0 ? -1 : first + w.model[l].parent)
        w.links[l].looped = true;
}

// An implicit field may couple rotation and translation of a lone root.
bool mayCouple(const TreeWorld& w) {
  return std::any_of(w.fields.begin(), w.fields.end(), [](const FieldSlot& f) { return f.alive && f.def.implicit; });
}

void addLink(TreeWorld& w, const PlannedLink& planned, TreeRuntime& tree) {
  const auto [body, joint, parent, reversed, combined] = planned;
  BodySlot& b = w.bodies[body];
  dynamics::LinkModel m;
  m.parent = parent;
  dynamics::setInertia(m, b.mass(), b.def->moments);
  m.qOffset = static_cast<int>(w.q.size());
  m.vOffset = static_cast<int>(w.v.size());
  LinkRuntime r;
  r.body = body;
  r.joint = joint;
  r.combined = combined;
  r.gravityScale = b.gravityScale;
  r.light = !(m.mass > 0) || !(m.inertia.minCoeff() > 0);
  if (joint >= 0) {
    w.joints[joint].reversed = reversed;
    w.joints[joint].link = static_cast<int>(w.model.size());
  }
  for (int id = combined; id >= 0; id = w.joints[id].nextCombined) w.joints[id].combinedLink = static_cast<int>(w.model.size());
  const dynamics::JointFrames frames = setJointOf(w, r, m);
  const dynamics::JointTraits& traits = dynamics::traitsOf(m.type);
  const bool constrained = w.settings.treeSolver != TreeSolver::Articulated;  // by rows, which need the frames of every type
  if (constrained || traits.needsFrames)
    dynamics::keepFrames(m, frames, w.frames);
  else if (!m.velocityIsTwist)
    w.places.push_back(frames);
  growTo(w.q, w.q.size() + static_cast<std::size_t>(traits.nq));
  growTo(w.v, w.v.size() + static_cast<std::size_t>(m.nv));
  tree.mass += m.mass;
  b.tree = static_cast<int>(w.trees.size());
  b.link = static_cast<int>(w.model.size());
  w.model.push_back(m);
  w.links.push_back(r);
}

void addTree(TreeWorld& w, const TreePlan& plan, const PlannedTree& planned) {
  TreeRuntime tree;
  tree.first = static_cast<int>(w.model.size());
  tree.qFirst = static_cast<int>(w.q.size());
  tree.vFirst = static_cast<int>(w.v.size());
  tree.floating = plan.links[planned.first].joint < 0 && plan.links[planned.first].combined < 0;
  tree.baseBody = planned.baseBody;
  for (int i = planned.first; i < planned.first + planned.count; i++) addLink(w, plan.links[i], tree);
  tree.tree.count = planned.count;
  tree.nq = static_cast<int>(w.q.size()) - tree.qFirst;
  tree.nv = static_cast<int>(w.v.size()) - tree.vFirst;
  tree.immobile = tree.nv == 0;
  w.longestTree = std::max(w.longestTree, tree.tree.count);
  tree.freeRoot = w.model[tree.first].type == dynamics::JointType::FreeRoot;
  w.model[tree.first].lone = tree.freeRoot && tree.tree.count == 1;
  w.model[tree.first].tight = w.model[tree.first].lone && !mayCouple(w);
  tree.firstTwist = w.keptTwists;
  if (!isFreeBody(tree)) w.keptTwists += tree.tree.count;
  w.trees.push_back(std::move(tree));
}

// Whether its bodies have, to round-off, the poses and velocities of the slots from which it was placed.
bool standsAsPlaced(const TreeWorld& w, const TreeRuntime& t) {
  constexpr double kRoundOff = 1e-9;
  if (!t.asPlaced) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const BodySlot& b = w.bodies[w.links[i].body];
    const Pose pose = poseOf(w, w.links[i].body);
    Vec3 velocity, omega;
    twistOf(w, w.links[i].body, velocity, omega);
    const auto near = [&](const Vec3& x, const Vec3& y) { return (x - y).norm() <= kRoundOff * (1 + y.norm()); };
    if (!near(pose.p, b.pose.p) || !near(velocity, b.velocity) || !near(omega, b.omega)) return false;
    if (!(std::fabs(pose.q.dot(b.pose.q)) > 1 - kRoundOff)) return false;
  }
  return true;
}

// A tree that has not moved since it was placed leaves the slots unchanged: whether trees were made between two edits has no effect.
void carryToSlots(TreeWorld& w, const TreeRuntime& t) {
  const bool kept = standsAsPlaced(w, t);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const int body = w.links[i].body;
    BodySlot& b = w.bodies[body];
    if (!kept) {
      const Pose pose = poseOf(w, body);
      twistOf(w, body, b.velocity, b.omega);
      b.pose = pose;
    }
    b.link = b.tree = -1;
    for (int id = w.links[i].combined; id >= 0; id = w.joints[id].nextCombined) {
      w.joints[id].combinedLink = -1;
      w.joints[id].placed &= kept;  // the bodies' poses tell where it stands
    }
    if (w.links[i].joint < 0) continue;
    JointSlot& j = w.joints[w.links[i].joint];
    j.link = -1;
    if (kept) continue;
    std::copy_n(w.q.data() + w.model[i].qOffset, j.nq, j.q);
    for (int k = 0; k < j.nv; k++) j.axes[k].v = w.v[w.model[i].vOffset + k];
    j.placed = true;
  }
}

void forgetAdded(TreeWorld& w) {
  for (int id : w.addedBodies) w.bodies[id].added = false;
  for (int id : w.addedJoints) w.joints[id].added = false;
  for (std::vector<int>* list : {&w.addedBodies, &w.addedJoints, &w.addedCouplings, &w.addedConstraints}) list->clear();
}

void clearTrees(TreeWorld& w) {
  w.longestTree = w.keptTwists = 0;
  w.slenderness = 0;
  w.slender.clear();
  w.model.clear();
  w.frames.clear();
  w.places.clear();
  w.state.clear();
  w.columns.clear();
  w.links.clear();
  w.trees.clear();
  w.auxiliaryJoints.clear();
  w.prescribed.clear();
  w.jointedPairs.clear();
  w.interval.clear();
  for (std::vector<double>* x : {&w.q, &w.v, &w.a, &w.z, &w.extra, &w.extraFull, &w.fromRest, &w.fromTarget, &w.generalized, &w.shift,
                                 &w.increment, &w.leftOver, &w.q0, &w.v0})
    x->clear();
}

std::size_t columnsFrom(const TreeWorld& w, std::size_t link) {  // numbers, of the links from this one on
  std::size_t numbers = 0;
  for (; link < w.model.size(); link++) numbers += dynamics::columnNumbers(w.model[link]);
  return numbers;
}

// Free bodies alone, which nothing ties, have no forces along axes and no displacements but their own.
bool needsAxisScratch(const TreeWorld& w) {
  if (w.settings.stepper != Stepper::Impulse || w.settings.treeSolver != TreeSolver::Articulated) return true;
  if (!w.auxiliaryJoints.empty() || !w.couplings.empty() || !w.constraints.empty()) return true;
  return std::any_of(w.trees.begin(), w.trees.end(), [](const TreeRuntime& t) { return !isFreeBody(t); });
}

std::size_t onJoints(const TreeWorld& w, const TreePlan& plan) {  // links
  if (w.settings.planar) return plan.links.size();
  return std::count_if(plan.links.begin(), plan.links.end(), [](const PlannedLink& l) { return l.joint >= 0 || l.combined >= 0; });
}
void attachPlaces(TreeWorld& w, std::size_t link, std::size_t place) {  // from these on
  for (; link < w.model.size(); link++)
    if (dynamics::LinkModel& m = w.model[link]; !m.frames && !m.velocityIsTwist) m.joint = &w.places[place++];
}

// Makes the trees of a plan behind the present ones.
void makeTrees(TreeWorld& w, const TreePlan& plan, const std::vector<int>& joints) {
  const std::size_t before = w.trees.size(), links = w.model.size() + plan.links.size();
  makeRoom(w.model, links);
  makeRoom(w.links, links);
  makeRoom(w.trees, before + plan.trees.size());
  const std::size_t oldPlaces = w.places.size(), oldLinks = w.state.size();
  const dynamics::JointPlace* placed = w.places.data();
  makeRoom(w.places, oldPlaces + onJoints(w, plan));
  for (const PlannedTree& planned : plan.trees) addTree(w, plan, planned);
  if (placed == w.places.data())
    attachPlaces(w, oldLinks, oldPlaces);
  else
    attachPlaces(w, 0, 0);
  const auto keepSorted = [](auto& list, std::size_t old) { std::inplace_merge(list.begin(), list.begin() + old, list.end()); };
  const std::size_t auxiliary = w.auxiliaryJoints.size();
  std::vector<std::pair<int, int>> jointed;
  for (int id : joints) {
    const JointSlot& d = w.joints[id];
    if (!d.def->bodiesCollide && d.a >= 0 && d.b >= 0) jointed.push_back(std::minmax(d.a, d.b));
  }
  w.jointedPairs.add(std::move(jointed));
  w.auxiliaryJoints.insert(w.auxiliaryJoints.end(), plan.auxiliary.begin(), plan.auxiliary.end());
  keepSorted(w.auxiliaryJoints, auxiliary);
  const std::size_t oldColumns = w.columns.size(), columns = oldColumns + columnsFrom(w, oldLinks);
  const dynamics::LinkState* stood = w.state.data();
  const double* columnsStood = w.columns.data();
  const dynamics::LinkModel* modelled = before == 0 ? nullptr : w.trees[0].tree.model;
  growTo(w.state, links);
  growTo(w.columns, columns);
  if (columnsStood != w.columns.data())
    dynamics::attachColumns(w.model.data(), w.state.data(), links, w.columns.data());
  else
    dynamics::attachColumns(w.model.data() + oldLinks, w.state.data() + oldLinks, links - oldLinks, w.columns.data() + oldColumns);
  if (const auto resize = traitsOf(w.settings.stepper).resize) resize(w);
  for (std::vector<double>* x : {&w.a, &w.z, &w.shift, &w.v0}) growTo(*x, w.v.size());
  if (needsAxisScratch(w))
    for (std::vector<double>* x : {&w.extraFull, &w.generalized}) growTo(*x, w.v.size());
  reserveReference(w);
  const auto hasBase = [](const TreeRuntime& t) { return t.baseBody >= 0; };
  if (!w.baseTwist.empty() || std::any_of(w.trees.begin() + static_cast<std::ptrdiff_t>(before), w.trees.end(), hasBase)) {
    growTo(w.baseTwist, links);
    growTo(w.baseRate, w.v.size());
  }
  growTo(w.q0, w.q.size());
  const bool moved = stood != w.state.data() || modelled != w.model.data();
  for (std::size_t i = moved ? 0 : before; i < w.trees.size(); i++) {
    TreeRuntime& t = w.trees[i];
    t.tree.model = w.model.data() + t.first;
    t.tree.state = w.state.data() + t.first;
  }
  for (std::size_t i = before; i < w.trees.size(); i++) {
    TreeRuntime& t = w.trees[i];
    t.step = w.lastStep;
    placeTree(w, t);
    t.asPlaced = true;
    // An island that slept through an edit elsewhere stays asleep; a tree of sleeping and awake bodies wakes.
    t.asleep = !t.immobile;
    for (int k = t.first; k < t.first + t.tree.count; k++) t.asleep &= w.bodies[w.links[k].body].asleep;
    for (int k = t.first; k < t.first + t.tree.count; k++) w.bodies[w.links[k].body].asleep = t.asleep;
    if (w.settings.treeSolver != TreeSolver::Articulated) {
      t.saddle = w.settings.treeSolver == TreeSolver::Dense ? dynamics::makeDenseOperator() : dynamics::makeSparseOperator();
      t.saddle->reserve(t.tree);
    }
    findSlenderLinks(t);
    w.slenderness = std::max(w.slenderness, t.slenderness);
    collectAxisForces(w, t);
    saveTree(w, t, true);  // as waking would do: whether it wakes before the next step has no effect
  }
  for (int id : plan.auxiliary)
    if (w.joints[id].def->constraint == ConstraintType::Joint) markCycle(w, w.joints[id]);
  w.linksMade += plan.links.size();
  w.treesMade++;
}

void notePrescribed(TreeWorld& w, const std::vector<int>& bodies) {
  for (int id : bodies)
    if (w.bodies[id].kind == BodyKind::Kinematic && w.bodies[id].enabled) w.prescribed.push_back(id);
  std::sort(w.prescribed.begin(), w.prescribed.end());
}

void rebuild(TreeWorld& w) {
  invalidateTopology(w);
  clearTrees(w);
  std::vector<int> bodies, joints;
  for (std::size_t i = 0; i < w.bodies.size(); i++)
    if (w.bodies[i].alive) bodies.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < w.joints.size(); i++)
    if (w.joints[i].alive) joints.push_back(static_cast<int>(i));
  makeTrees(w, planTrees(w, bodies, joints), joints);
  notePrescribed(w, bodies);
  for (const CouplingSlot& c : w.couplings) markCoupled(w, c);
  for (const UserConstraintSlot& c : w.constraints) markConstrained(w, c);
  holdByContacts(w);
}

// False: a new tree would precede a present one, because its root took the slot of a destroyed body.
bool append(TreeWorld& w) {
  std::sort(w.addedBodies.begin(), w.addedBodies.end());
  std::sort(w.addedJoints.begin(), w.addedJoints.end());
  const TreePlan plan = planTrees(w, w.addedBodies, w.addedJoints);
  if (!w.trees.empty() && !plan.trees.empty() && plan.links[plan.trees[0].first].body < w.links[w.trees.back().first].body) {
    for (const PlannedLink& link : plan.links) w.bodies[link.body].tree = -1;
    return false;
  }
  makeTrees(w, plan, w.addedJoints);
  notePrescribed(w, w.addedBodies);
  for (int id : w.addedCouplings) markCoupled(w, w.couplings[id]);
  for (int id : w.addedConstraints) markConstrained(w, w.constraints[id]);
  return true;
}

// Where memory ran out while trees were made: those that stood before, `trees` of them, carry their state to the slots, and there are none.
void giveUpTrees(TreeWorld& w, std::size_t trees) {
  if (w.standing())
    for (std::size_t i = 0; i < trees; i++) carryToSlots(w, w.trees[i]);
  for (BodySlot& b : w.bodies) b.link = b.tree = -1;
  for (JointSlot& j : w.joints) j.link = j.combinedLink = -1;
  forgetAdded(w);
  clearTrees(w);
  w.current = w.grown = false;
}

// For an edit that connects joints and bodies: the present trees stay if all of these are new.
bool tiesAdded(TreeWorld& w, const std::vector<int>& joints, const std::vector<int>& bodies) {
  if (!w.standing()) return false;
  const bool added = std::all_of(joints.begin(), joints.end(), [&](int j) { return w.joints[j].added; }) &&
                     std::all_of(bodies.begin(), bodies.end(), [&](int b) { return !movesByPhysics(w, b) || w.bodies[b].added; });
  if (added) return true;
  invalidateTopology(w);
  return false;
}

}  // namespace

void widenRoots(TreeWorld& w) {
  if (!w.standing() || std::none_of(w.model.begin(), w.model.end(), [](const dynamics::LinkModel& m) { return m.tight; })) return;
  const auto widened = [](dynamics::LinkModel m) {
    m.tight = false;
    return m;
  };
  std::size_t numbers = 0;
  for (const dynamics::LinkModel& m : w.model) numbers += dynamics::columnNumbers(widened(m));
  w.columns.resize(numbers);
  for (dynamics::LinkModel& m : w.model) m = widened(m);
  dynamics::attachColumns(w.model.data(), w.state.data(), w.state.size(), w.columns.data());
  for (TreeRuntime& t : w.trees) dynamics::updateSubspaces(t.tree);
}

void invalidateTopology(TreeWorld& w) {
  if (!w.standing()) return;
  for (const TreeRuntime& t : w.trees) carryToSlots(w, t);
  forgetAdded(w);
  w.current = w.grown = false;
}

void addBody(TreeWorld& w, int body) {
  if (!w.standing()) return;
  w.addedBodies.push_back(body);
  w.current = false;
  w.grown = w.bodies[body].added = true;
}

void addJoint(TreeWorld& w, int joint) {
  if (!w.standing()) return;
  JointSlot& j = w.joints[joint];
  for (int body : {j.a, j.b})
    if (movesByPhysics(w, body) && !w.bodies[body].added) return invalidateTopology(w);
  w.addedJoints.push_back(joint);
  w.current = false;
  w.grown = j.added = true;
}

void addCoupling(TreeWorld& w, int coupling) {
  std::vector<int> joints;
  for (const CouplingTerm& t : w.couplings[coupling].def.terms) joints.push_back(t.joint);
  if (tiesAdded(w, joints, {})) w.addedCouplings.push_back(coupling);
}

void addConstraint(TreeWorld& w, int constraint) {
  const UserConstraintDefinition& d = w.constraints[constraint].def;
  if (tiesAdded(w, d.joints, d.bodies)) w.addedConstraints.push_back(constraint);
}

Failure updateTopology(TreeWorld& w) {
  if (w.current) return {};
  const std::size_t before = w.trees.size();
  try {
    if (!w.grown || !append(w)) rebuild(w);
  } catch (...) {  // memory
    giveUpTrees(w, before);
    throw;
  }
  forgetAdded(w);
  w.current = true;
  w.grown = false;
  return {};
}

}  // namespace vertebra::trees
