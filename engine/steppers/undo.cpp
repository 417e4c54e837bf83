// See undo.hpp.
#include "engine/steppers/undo.hpp"

#include <algorithm>
#include <utility>

#include "engine/collision/contact_starts.hpp"
#include "engine/forces/pair_springs.hpp"
#include "engine/state/growth.hpp"
#include "engine/steppers/changing_state.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::steppers {
namespace {

constexpr int kPiece = 8;  // trees

bool forced(const WorldData& w) {
  return w.anyForce || std::any_of(w.fields.begin(), w.fields.end(), [](const FieldSlot& f) { return f.alive; });
}

// Whether there are any of these. Impulses, forces and particles: in the order of the slots.
bool anySlots(const WorldData& w) {
  return w.anyForce ||
         !(w.auxiliaryJoints.empty() && w.couplings.empty() && w.constraints.empty() && w.particles.empty() && w.fields.empty());
}
template <class A>
void visitSlots(trees::Archive<A>& v, WorldData& w) {
  for (int id : w.auxiliaryJoints) {
    JointSlot& j = w.joints[id];
    trees::visitBetween(v, j);
    for (int k = 0; k < j.nv; k++) trees::keepForces(v, j.axes[k]);
    trees::visitOwnCoordinates(v, j);
  }
  for (CouplingSlot& c : w.couplings) v(c.impulse, c.endForce);
  for (UserConstraintSlot& c : w.constraints) visitConstraint(v, c);
  for (particles::ParticleSystem& s : w.particles) visitParticles(v, s);
  if (!v.flag(forced(w))) return;
  v(w.anyForce);
  for (BodySlot& b : w.bodies)
    if (v.flag(static_cast<bool>(b.applied)))
      trees::visitApplied(v, b.applied.make());
    else
      b.applied.reset();
}

void keepSlots(WorldData& w) {
  trees::Keeper keeper{w.kept.bytes, w.kept.size};
  trees::Archive<trees::Keeper> v{keeper};
  visitSlots(v, w);
}

bool stands(const TreeRuntime& t) { return t.immobile && t.baseBody < 0; }

bool moves(const TreeRuntime& t) { return !t.asleep && !stands(t); }

// Of neighbouring trees, whose coordinates are neighbours, too.
void keepTrees(WorldData& w, int first, int last) {
  for (int i = first; i < last; i++) {
    const TreeRuntime& t = w.trees[i];
    KeptTree& kept = w.kept.trees[i];
    static_cast<TreeMotion&>(kept) = t;
    kept.moves = moves(t);
    kept.saved = kept.apart = false;
    if (kept.moves) trees::keepLinks(w, t);
  }
  const TreeRuntime &begin = w.trees[first], &end = w.trees[last - 1];
  const auto keep = [](const std::vector<double>& from, std::vector<double>& to, int start, int stop) {
    if (!from.empty()) std::copy(from.data() + start, from.data() + stop, to.data() + start);
  };
  const int v = begin.vFirst, vEnd = end.vFirst + end.nv;
  keep(w.a, w.stepA, v, vEnd);
  keep(w.increment, w.stepIncrement, v, vEnd);
}

// Room for what is kept of each tree and link, after an edit that changed their number.
bool hasRoom(const WorldData& w) {
  return w.kept.trees.size() == w.trees.size() && w.kept.links.size() == w.links.size() &&
         w.kept.twists.size() == static_cast<std::size_t>(w.keptTwists) && w.stepA.size() == w.a.size() &&
         w.stepIncrement.size() == w.increment.size();
}
[[gnu::cold, gnu::noinline]] void makeKeptRoom(WorldData& w) {
  growTo(w.kept.trees, w.trees.size());
  growTo(w.kept.links, w.links.size());
  growTo(w.kept.twists, static_cast<std::size_t>(w.keptTwists));
  w.stepA.resize(w.a.size());
  w.stepIncrement.resize(w.increment.size());
}

// Of what few trees have, one thread writes as it goes; several count the bytes of their pieces first.
void keepAllTrees(WorldData& w) {
  const int count = static_cast<int>(w.trees.size());
  const auto each = [&](int first, int last, auto&& f) {
    for (int i = first; i < last; i++)
      if (w.kept.trees[i].moves && trees::isRich(w.trees[i])) f(i);
  };
  if (w.threads() == 1) {
    if (count > 0) keepTrees(w, 0, count);
    return each(0, count, [&](int i) { trees::keepRich(w, i); });
  }
  w.pieceStart.assign(static_cast<std::size_t>((count + kPiece - 1) / kPiece) + 1, 0);
  w.parallelFor(count, kPiece, [&](int, int first, int last) {
    keepTrees(w, first, last);
    std::size_t size = 0;
    each(first, last, [&](int i) { size += trees::sizeOfRich(w, i); });
    w.pieceStart[first / kPiece + 1] = static_cast<int>(size);
  });
  for (std::size_t i = 1; i < w.pieceStart.size(); i++) w.pieceStart[i] += w.pieceStart[i - 1];
  const std::size_t start = w.kept.size, size = start + static_cast<std::size_t>(w.pieceStart.back());
  if (size == start) return;
  growTo(w.kept.bytes, std::max(w.kept.bytes.size(), size));
  w.kept.size = size;
  w.parallelFor(count, kPiece, [&](int, int first, int last) {
    std::uint8_t* to = w.kept.bytes.data() + start + w.pieceStart[first / kPiece];
    each(first, last, [&](int i) { to += trees::keepRichAt(w, i, to); });
  });
}

void restoreContacts(WorldData& w) {
  if (w.kept.contacts) {
    w.contacts.swap(w.startContacts);
    w.torques.swap(w.torquesAtStart);
    if (w.startsAtStart == StartsAt::Memory) {
      w.memory.swap(w.memoryAtStart);
      w.memoryTorques.swap(w.memoryTorquesAtStart);
    }
  } else if (w.collided) {
    w.contacts.swap(w.contactsBefore);
    w.torques.swap(w.torquesBefore);
  }
  w.startsAt = w.startsAtStart;
  if (w.kept.touched) w.touching.swap(w.touchingNext);
  w.statistics.contacts = static_cast<int>(w.contacts.size());
}

void restorePrescribed(WorldData& w) {
  for (const PrescribedMotion& s : w.stepPrescribed) {
    BodySlot& b = w.bodies[s.body];
    b.pose = s.pose;
    b.velocity = s.velocity;
    b.omega = s.omega;
    if (b.rare->target) b.rare.make().target.make().time = s.moveTime;
    b.arrived = s.arrived;
    b.launched = s.launched;
  }
}

}  // namespace

void keepStart(WorldData& w) {
  w.stepAccount = w.account;
  w.stepPrescribed.clear();
  w.kept.contacts = w.kept.touched = w.collided = false;
  w.startsAtStart = w.startsAt;
  w.kept.events = w.events.size();
  w.kept.jointEvents = w.jointEvents.size();
  w.kept.size = 0;
  w.kept.slots = anySlots(w);
  if (w.kept.slots) keepSlots(w);
  if (!hasRoom(w)) makeKeptRoom(w);
  keepAllTrees(w);
  w.kept.open = true;
}

void reserveUndo(WorldData& w) {
  keepStart(w);
  for (std::size_t i = 0; i < w.trees.size(); i++)
    if (w.trees[i].asleep) trees::keepTree(w, static_cast<int>(i));
  keepNoMore(w);
  // And what may act or exist by then: forces on bodies, particles with their contacts.
  constexpr std::size_t kForces = sizeof(AppliedForces) + 2, kParticle = 14 * sizeof(double) + 9 * sizeof(particles::ParticleMemory);
  std::size_t more = w.bodies.size() * kForces;
  for (const TreeRuntime& t : w.trees) more += trees::mostOfRich(t);
  for (const particles::ParticleSystem& s : w.particles) more += s.alive ? static_cast<std::size_t>(s.def.maxCount) * kParticle : 0;
  growTo(w.kept.bytes, std::max(w.kept.bytes.size(), w.kept.size + more));
}

void keepContacts(WorldData& w) {
  if (w.kept.contacts) return;
  w.startContacts.reserve(w.contacts.capacity());
  w.startContacts = w.contacts;
  w.torquesAtStart = w.torques;
  if (w.startsAt == StartsAt::Memory) {
    w.memoryAtStart = w.memory;
    w.memoryTorquesAtStart = w.memoryTorques;
  }
  collision::keepStarts(w);
  w.kept.contacts = true;
}

void keepNoMore(WorldData& w) { w.kept.open = false; }

void undo(WorldData& w) {
  keepNoMore(w);
  forces::dropSprings(w);
  w.islandTally = StepTally();
  restoreContacts(w);
  restorePrescribed(w);
  w.a = w.stepA;
  w.increment = w.stepIncrement;
  w.account = w.stepAccount;
  w.events.resize(w.kept.events);
  w.jointEvents.resize(w.kept.jointEvents);
  trees::Reader reader{w.kept.bytes.data(), w.kept.bytes.data() + w.kept.size};
  trees::Archive<trees::Reader> v{reader};
  if (w.kept.slots) visitSlots(v, w);
  for (std::size_t i = 0; i < w.trees.size(); i++) trees::restoreMotion(w, static_cast<int>(i));
  w.partial = false;
  while (reader.at < reader.end) trees::restoreRich(w, v);
}

bool wakeTogether(const WorldData& w, int a, int b) {
  return w.bodies[a].link >= 0 && w.bodies[b].link >= 0 && w.bodies[a].tree == w.bodies[b].tree;
}

void wakeDriven(WorldData& w) {
  int before = -1;  // bodies of one tree mostly follow each other, and waking it goes through all of its links
  for (int body : w.driven) {
    if (before < 0 || !wakeTogether(w, before, body)) wakeDriven(w, body);
    before = body;
  }
  for (const PushedBody& p : w.pushed) {
    if (w.bodies[p.body].link >= 0) trees::keepTree(w, w.bodies[p.body].tree);
    trees::wakeBody(w, p.body);
  }
}

void wakeDriven(WorldData& w, int body) {
  const int tree = w.bodies[body].link >= 0 ? w.bodies[body].tree : -1;
  if (tree >= 0) trees::keepTree(w, tree);  // of one that stands nothing is kept else
  trees::wakeBody(w, body);
  if (tree < 0) return;
  w.trees[tree].smooth = false;
  w.trees[tree].fresh = true;
}

}  // namespace vertebra::steppers
