// Trees as they were before a step: see steppers/undo.hpp.
#include "engine/trees/changing_state.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

template <class T>
void copyNumbers(T& to, const T& from) {  // in few instructions, where Eigen copies vectors of three one number after the other
  static_assert(sizeof(T) % sizeof(double) == 0);
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(T));
}

template <class A>
void visitRich(Archive<A>& v, TreeWorld& w, TreeRuntime& t) {
  if (t.onBase) v(t.onBase->velocity, t.onBase->omega);
  if (v.flag(t.divided)) v.list(t.rare.make().stepStart, [&](StartVelocity& s) { v(s.v, s.w); });
  if (v.flag(t.shifted))
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) v(w.shift[k]);
  if (!t.hasAxisForces) return;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < j.nv; k++) keepForces(v, j.axes[k]);
  }
}

}  // namespace

void keepLinks(TreeWorld& w, const TreeRuntime& t) {
  LinkMotion* to = &w.kept.links[t.first];
  const LinkRuntime* link = &w.links[t.first];
  if (isFreeBody(t)) return copyNumbers<LinkMotion>(*to, *link);
  Vec6* twist = &w.kept.twists[t.firstTwist];
  const dynamics::LinkState* state = t.tree.state;
  for (int i = t.tree.count; i > 0; i--, to++, link++, twist++, state++) {
    copyNumbers<LinkMotion>(*to, *link);
    *twist = state->t;
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
  Archive<A> v{archive};
  v(tree);
  visitRich(v, w, w.trees[tree]);
}

}  // namespace

// Room is made once, for the most that the tree may have: asking at each axis takes a third longer.
void keepRich(TreeWorld& w, int tree) {
  const std::size_t most = w.kept.size + mostOfRich(w.trees[tree]);
  if (w.kept.bytes.size() < most) growTo(w.kept.bytes, most);
  w.kept.size += keepRichAt(w, tree, w.kept.bytes.data() + w.kept.size);
}

std::size_t mostOfRich(const TreeRuntime& t) {
  constexpr std::size_t kFlag = 1, kOnce = sizeof(int) + 2 * kFlag + sizeof(std::uint64_t);
  const std::size_t base = t.onBase ? 2 * sizeof(Vec3) : 0, axis = t.hasAxisForces ? kFlag + sizeof(AxisForces) : 0;
  return kOnce + base + static_cast<std::size_t>(t.tree.count) * sizeof(StartVelocity) +
         static_cast<std::size_t>(t.nv) * (sizeof(double) + axis);
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
  if (!w.kept.open || w.kept.trees[tree].moves) return;
  w.kept.trees[tree].moves = true;
  keepLinks(w, w.trees[tree]);
  if (isRich(w.trees[tree])) keepRich(w, tree);
}

namespace {

// f(present, saved, count) for what saveTree takes and TreeRare::undone may hold: coordinates, velocities, those of the links.
template <class F>
void eachOfStart(TreeWorld& w, TreeRuntime& t, F&& f) {
  f(w.q.data() + t.qFirst, w.q0.data() + t.qFirst, t.nq);
  f(w.v.data() + t.vFirst, w.v0.data() + t.vFirst, t.nv);
  for (int i = 0; i < t.tree.count; i++) {
    LinkRuntime& link = w.links[t.first + i];
    dynamics::LinkState& state = t.tree.state[i];
    f(state.v.data(), link.startV.data(), 3);
    f(state.w.data(), link.startW.data(), 3);
  }
}

std::size_t undoneNumbers(const TreeRuntime& t) { return static_cast<std::size_t>(t.nq + t.nv + 6 * t.tree.count); }

void keepStartApart(TreeWorld& w, TreeRuntime& t, KeptTree& kept) {
  std::vector<double>& to = t.rare.make().undone;
  to.resize(undoneNumbers(t));
  double* at = to.data();
  eachOfStart(w, t,
              [&](const double* present, const double* saved, int count) { at = std::copy_n(kept.saved ? saved : present, count, at); });
  kept.apart = true;
}

void restoreStart(TreeWorld& w, TreeRuntime& t, const KeptTree& kept) {
  const double* at = t.rare->undone.data();
  if (kept.apart)
    eachOfStart(w, t, [&](double* present, const double*, int count) {
      std::copy_n(at, count, present);
      at += count;
    });
  else if (kept.saved)
    eachOfStart(w, t, [](double* present, const double* saved, int count) { std::copy_n(saved, count, present); });
}

}  // namespace

void noteSaving(TreeWorld& w, TreeRuntime& t) {
  if (!w.kept.open) return;
  KeptTree& kept = w.kept.trees[&t - w.trees.data()];
  if (kept.saved && !kept.apart) keepStartApart(w, t, kept);
  kept.saved = true;
}

void noteChange(TreeWorld& w, TreeRuntime& t) {
  if (!w.kept.open) return;
  KeptTree& kept = w.kept.trees[&t - w.trees.data()];
  if (!kept.saved && !kept.apart) keepStartApart(w, t, kept);
}

void restoreMotion(TreeWorld& w, int tree) {
  TreeRuntime& t = w.trees[tree];
  const KeptTree& kept = w.kept.trees[tree];
  restoreStart(w, t, kept);
  static_cast<TreeMotion&>(t) = kept;
  t.held = false;
  if (!kept.moves) return;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    dynamics::LinkState& s = w.state[i];
    copyNumbers<LinkMotion>(w.links[i], w.kept.links[i]);
    if (isFreeBody(t))
      std::copy_n(w.v.data() + t.vFirst, 6, s.t.data());
    else
      s.t = w.kept.twists[t.firstTwist + i - t.first];
    w.bodies[w.links[i].body].asleep = t.asleep;
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

void reserve(TreeWorld& w) {
  w.beyond.reserve(static_cast<std::size_t>(w.longestTree));
  prepareSlenderLinks(w);
  w.jointedPairs.prepare();
  for (TreeRuntime& t : w.trees) {
    TreeRare& rare = t.rare.make();
    rare.stepStart.reserve(static_cast<std::size_t>(t.tree.count));
    rare.undone.reserve(undoneNumbers(t));
  }
}

}  // namespace vertebra::trees
