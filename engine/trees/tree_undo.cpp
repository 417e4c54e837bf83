// Trees as they were before a step: see steppers/undo.hpp.
#include "engine/trees/changing_state.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

// What few trees have: a base that may move, axes with forces, and a last step in parts.
bool isRich(const TreeRuntime& t) { return t.onBase || t.hasAxisForces || t.divided; }

template <class A>
void visitRich(Archive<A>& v, TreeWorld& w, TreeRuntime& t) {
  if (t.onBase) v(t.onBase->velocity, t.onBase->omega);
  if (v.flag(t.divided)) v.list(t.stepStart, [&](StartVelocity& s) { v(s.v, s.w); });
  if (!t.hasAxisForces) return;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < j.nv; k++) visitAxis(v, j.axes[k]);
  }
}

}  // namespace

void keepMotion(TreeWorld& w, int tree) {
  const TreeRuntime& t = w.trees[tree];
  w.kept.trees[tree] = {t.step,    t.idle,  t.interval, t.asPlaced, t.smooth,     t.expectHalving, t.fresh, t.ahead,
                        t.shifted, t.falls, t.asleep,   t.settled,  t.movingBase, t.divided,       true};
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const LinkRuntime& l = w.links[i];
    const dynamics::LinkState& s = w.state[i];
    w.kept.links[i] = {l.reactionLinear, l.reactionAngular, l.startV, l.startW, l.startC, s.v, s.w, s.t};
  }
}

namespace {

struct Counter {
  std::size_t size = 0;
  void bytes(const void*, std::size_t n) { size += n; }
  std::size_t count(std::size_t n) {
    size += sizeof(std::uint64_t);
    return n;
  }
};
struct Placer {
  std::uint8_t* at;
  void bytes(const void* data, std::size_t n) {
    if (n > 0) std::memcpy(at, data, n);
    at += n;
  }
  std::size_t count(std::size_t n) {
    const std::uint64_t x = n;
    bytes(&x, sizeof x);
    return n;
  }
};

template <class A>
void keepRichIn(A& archive, TreeWorld& w, int tree) {
  if (!isRich(w.trees[tree])) return;
  Archive<A> v{archive};
  v(tree);
  visitRich(v, w, w.trees[tree]);
}

}  // namespace

void keepRich(TreeWorld& w, int tree) {
  Keeper keeper{w.kept.bytes, w.kept.size};
  keepRichIn(keeper, w, tree);
}

std::size_t sizeOfRich(TreeWorld& w, int tree) {
  Counter counter;
  keepRichIn(counter, w, tree);
  return counter.size;
}

std::size_t keepRichAt(TreeWorld& w, int tree, std::uint8_t* to) {
  Placer placer{to};
  keepRichIn(placer, w, tree);
  return static_cast<std::size_t>(placer.at - to);
}

void keepTree(TreeWorld& w, int tree) {
  if (!w.kept.open) return;
  keepMotion(w, tree);
  keepRich(w, tree);
}

void restoreMotion(TreeWorld& w, int tree) {
  TreeRuntime& t = w.trees[tree];
  const KeptTree& k = w.kept.trees[tree];
  t.step = k.step;
  t.asPlaced = k.asPlaced;
  t.held = false;
  if (!k.motion) return;
  t.idle = k.idle, t.interval = k.interval;
  t.smooth = k.smooth, t.expectHalving = k.expectHalving, t.fresh = k.fresh, t.ahead = k.ahead, t.shifted = k.shifted;
  t.falls = k.falls, t.asleep = k.asleep, t.settled = k.settled, t.movingBase = k.movingBase, t.divided = k.divided;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    LinkRuntime& l = w.links[i];
    dynamics::LinkState& s = w.state[i];
    const KeptLink& from = w.kept.links[i];
    l.reactionLinear = from.reactionLinear, l.reactionAngular = from.reactionAngular;
    l.startV = from.startV, l.startW = from.startW, l.startC = from.startC;
    s.v = from.v, s.w = from.w, s.t = from.t;
    w.bodies[l.body].asleep = t.asleep;
  }
  standAgain(w, t);
}

void restoreRich(TreeWorld& w, Archive<Reader>& v) {
  int tree = 0;
  v(tree);
  visitRich(v, w, w.trees[tree]);
}

// Velocities and twists of its bodies are kept beside the coordinates: they were computed during a solve, whose last bits differ.
void standAgain(TreeWorld& w, TreeRuntime& t) {
  placeBase(w, t);
  dynamics::updatePoses(t.tree, w.q.data());
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t);
  dynamics::updateSubspaces(t.tree);
}

}  // namespace vertebra::trees
