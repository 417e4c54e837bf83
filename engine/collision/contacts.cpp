// Collision stage of a step: boxes of all shapes, candidate pairs, filters, manifolds, contact points with features, begin and end of
// touching. Pairs of which both sleep or are static are skipped and keep their contacts, forces included. Order is by shape ids throughout,
// so that results do not depend on history.
#include "engine/collision/contacts.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/collision/contact_at.hpp"
#include "engine/collision/continuous.hpp"
#include "engine/collision/reach.hpp"
#include "engine/dynamics/joints/common.hpp"
#include "engine/state/contact_world.hpp"
#include "engine/state/growth.hpp"

namespace vertebra::collision {

Pose shapeWorldPose(const ContactWorld& w, const ShapeSlot& s) {
  if (s.body < 0) return poseInBody(w, s);
  const BodySlot& b = w.bodies[s.body];
  if (b.link >= 0) {
    const dynamics::LinkState& l = w.state[b.link];
    return Pose{l.c, l.q} * s.inInertial;
  }
  return b.pose * poseInBody(w, s);
}

namespace {

// For shapes with many vertices: around their box, which is looser but costs the same for any number of them.
geometry::Aabb boxOf(const ShapeSlot& s, const Pose& pose, double margin) {
  if (s.def->geometry.type != geometry::ShapeType::Mesh) return geometry::bounds(s.def->geometry, pose, margin);
  return geometry::placedBox(s.def->localBox, pose.q.toRotationMatrix(), pose.p, margin);
}

bool stands(const ContactWorld& w, int body) {
  if (body < 0) return true;
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) return b.kind != BodyKind::Kinematic || (b.velocity.squaredNorm() == 0 && b.omega.squaredNorm() == 0);
  return b.asleep || w.trees[b.tree].held || (w.trees[b.tree].immobile && !w.trees[b.tree].movingBase);
}

// Neither can move in this step, but one of the two may at another time.
bool rests(const ContactWorld& w, const Contact& c) {
  const ShapeSlot &a = w.shapes[c.shapeA], &b = w.shapes[c.shapeB];
  if (!a.alive || !b.alive || a.body != c.bodyA || b.body != c.bodyB) return false;  // destroyed in between
  bool mayMove = false;
  for (int body : {c.bodyA, c.bodyB}) {
    if (!stands(w, body) || (body >= 0 && !w.bodies[body].enabled)) return false;
    mayMove |= body >= 0 && w.bodies[body].link >= 0;
  }
  return mayMove;
}

bool contains(const std::vector<std::pair<int, int>>& sorted, int a, int b) {
  return std::binary_search(sorted.begin(), sorted.end(), std::pair<int, int>(std::min(a, b), std::max(a, b)));
}

bool mayTouch(const ContactWorld& w, const ShapeSlot& a, const ShapeSlot& b) {
  if (a.body == b.body) return false;
  if (!(a.def->category & b.def->mask) || !(b.def->category & a.def->mask)) return false;
  const bool movesA = a.body >= 0 && w.bodies[a.body].link >= 0, movesB = b.body >= 0 && w.bodies[b.body].link >= 0;
  if (!movesA && !movesB) return false;
  if (a.body >= 0 && b.body >= 0) {
    if (!w.jointedPairs.empty() && contains(w.jointedPairs, a.body, b.body)) return false;
    if (!w.ignoredPairs.empty() && contains(w.ignoredPairs, a.body, b.body)) return false;
  }
  if (w.callbacks.filter && !w.callbacks.filter(w.callbacks.user, a.body, b.body)) return false;
  return true;
}

// For any two points of two shapes, by the velocities at the start of the step.
double fastestApproach(const ContactWorld& w, const ShapeSlot& a, const ShapeSlot& b) {
  Vec3 between = Vec3::Zero();
  double turning = 0;
  for (const ShapeSlot* s : {&a, &b}) {
    if (s->body < 0) continue;
    const BodySlot& body = w.bodies[s->body];
    Vec3 velocity = body.velocity;  // of a prescribed body's origin
    double omega = body.omega.norm(), reach = s->reach;
    if (body.link >= 0) {
      const LinkRuntime& r = w.links[body.link];
      velocity = r.startV;
      omega = r.startW.norm();
    } else {
      reach += body.inertialInLink().p.norm();
    }
    between += s == &a ? velocity : Vec3(-velocity);
    if (omega > 0) turning += omega * reach;
  }
  return between.norm() + turning;
}

}  // namespace

namespace {

// Shapes that take part; false if there are none.
bool findShapes(ContactWorld& w) {
  w.boxShape.clear();
  for (std::size_t i = 0; i < w.shapes.size(); i++) {
    const ShapeSlot& s = w.shapes[i];
    if (!s.alive || geometry::traitsOf(s.def->geometry.type).kind == geometry::ShapeKind::Frame) continue;
    if (s.body >= 0 && !w.bodies[s.body].enabled) continue;
    w.boxShape.push_back(static_cast<int>(i));
  }
  return !w.boxShape.empty();
}

// Boxes of the shapes, and with foresee > 0 also those of their motion until then; true if any of these is larger than its box.
bool placeBoxes(ContactWorld& w, double foresee) {
  constexpr int kPiece = 128;
  const int count = static_cast<int>(w.boxShape.size());
  w.boxes.resize(count);
  w.passive.resize(count);
  w.shapePose.resize(w.shapes.size());
  const double margin = 0.5 * w.settings.contactMargin;
  std::atomic<bool> swept{false};
  w.parallelFor(count, kPiece, [&](int, int first, int last) {
    bool any = false;
    for (int i = first; i < last; i++) {
      const ShapeSlot& s = w.shapes[w.boxShape[i]];
      w.passive[i] = stands(w, s.body);
      w.shapePose[w.boxShape[i]] = shapeWorldPose(w, s);
      w.boxes[i] = boxOf(s, w.shapePose[w.boxShape[i]], margin);
      geometry::Aabb box = w.boxes[i];
      any = any || (foresee > 0 && sweepBox(w, i, foresee, box));
    }
    if (any) swept.store(true, std::memory_order_relaxed);
  });
  if (!swept) return false;
  w.sweptBoxes = w.boxes;
  w.parallelFor(count, kPiece, [&](int, int first, int last) {
    for (int i = first; i < last; i++) (void)sweepBox(w, i, foresee, w.sweptBoxes[i]);
  });
  return true;
}

// Appends the contacts of a pair to `found`: those at its present poses, and those that it will make within `foresee`.
void collidePair(const ContactWorld& w, CandidatePair& pair, double step, double foresee, geometry::Manifold& manifold,
                 std::vector<Contact>& found, std::vector<SpeculativeContact>& speculative) {
  pair.first = static_cast<int>(found.size());
  pair.speculativeFirst = static_cast<int>(speculative.size());
  pair.predicted = 0;
  const int ia = w.boxShape[pair.a], ib = w.boxShape[pair.b];
  const ShapeSlot &a = w.shapes[ia], &b = w.shapes[ib];
  if (!pair.swept) {
    const geometry::Collider ca(a.def->geometry, w.shapePose[ia], a.def->bvh.get()), cb(b.def->geometry, w.shapePose[ib], b.def->bvh.get());
    double seen = w.settings.contactMargin;
    if (step > 0) seen = std::min(seen, reachOfStep(w.settings, fastestApproach(w, a, b), step));
    geometry::collide(ca, cb, seen, manifold);
    makeRoom(found, found.size() + static_cast<std::size_t>(manifold.count));
    for (int k = 0; k < manifold.count; k++) found.push_back(contactAt(w, ia, ib, manifold.points[k]));
  }
  const int present = static_cast<int>(found.size());
  if (foresee > 0 && meetFast(w, ia, ib, w.boxes[pair.a], w.boxes[pair.b], foresee))
    addSpeculativeContacts(w, ia, ib, foresee, pair.first, found, speculative);
  pair.count = static_cast<int>(found.size()) - pair.first;
  pair.predicted = pair.first + pair.count - present;
  pair.speculativeCount = static_cast<int>(speculative.size()) - pair.speculativeFirst;
}

// Any thread may find as many contacts as any found before.
void clearFound(ContactWorld& w) {
  if (static_cast<int>(w.found.size()) < w.threads()) w.found.resize(w.threads());
  std::size_t contacts = w.contacts.capacity(), speculative = w.speculative.capacity();
  for (FoundContacts& list : w.found) {
    list.contacts.clear();
    list.speculative.clear();
    contacts = std::max(contacts, list.contacts.capacity());
    speculative = std::max(speculative, list.speculative.capacity());
  }
  for (FoundContacts& list : w.found) {
    list.contacts.reserve(contacts);
    list.speculative.reserve(speculative);
  }
}

// Contacts of the last search that are still valid, of pairs of shapes before a given one.
class RestingContacts {
 public:
  explicit RestingContacts(const ContactWorld& w) : w_(w) {
    const auto may = [](const TreeRuntime& t) { return t.asleep || t.held || t.immobile; };
    if (std::none_of(w.trees.begin(), w.trees.end(), may)) next_ = w.contactsBefore.size();
  }
  template <class F>
  void eachBefore(const std::pair<int, int>& shapes, F&& keep) {  // keep(index)
    for (; next_ < w_.contactsBefore.size(); next_++) {
      const Contact& c = w_.contactsBefore[next_];
      if (!(std::pair(c.shapeA, c.shapeB) < shapes)) return;
      if (rests(w_, c)) keep(static_cast<int>(next_));
    }
  }

 private:
  const ContactWorld& w_;
  std::size_t next_ = 0;
};

constexpr std::pair<int, int> kAfterAll{std::numeric_limits<int>::max(), 0};

Contact kept(const Contact& before) {
  Contact c = before;
  c.speculative = -1;
  return c;
}

// Contacts of all candidates by one thread, which puts them in order as it finds them.
void collideAlone(ContactWorld& w, double step, double foresee) {
  w.contacts.clear();
  RestingContacts resting(w);
  const auto keep = [&](int i) { w.contacts.push_back(kept(w.contactsBefore[i])); };
  geometry::Manifold manifold;
  for (CandidatePair& pair : w.candidates) {
    if (!pair.near) continue;
    resting.eachBefore({w.boxShape[pair.a], w.boxShape[pair.b]}, keep);
    collidePair(w, pair, step, foresee, manifold, w.contacts, w.speculative);
  }
  resting.eachBefore(kAfterAll, keep);
}

// By several: each fills lists of its own, which are then copied to their places.
void collideTogether(ContactWorld& w, double step, double foresee) {
  constexpr int kPiece = 32, kCopied = 256;
  clearFound(w);
  const int count = static_cast<int>(w.candidates.size());
  w.parallelFor(count, kPiece, [&](int worker, int first, int last) {
    geometry::Manifold manifold;
    FoundContacts& found = w.found[worker];
    for (int i = first; i < last; i++) {
      CandidatePair& pair = w.candidates[i];
      pair.worker = worker;
      if (pair.near) collidePair(w, pair, step, foresee, manifold, found.contacts, found.speculative);
    }
  });
  int contacts = 0, speculative = 0;
  w.kept.clear();
  RestingContacts resting(w);
  const auto keep = [&](int i) { w.kept.push_back({i, contacts++}); };
  for (CandidatePair& pair : w.candidates) {
    if (!pair.near) continue;
    resting.eachBefore({w.boxShape[pair.a], w.boxShape[pair.b]}, keep);
    pair.to = contacts;
    pair.speculativeTo = speculative;
    contacts += pair.count;
    speculative += pair.speculativeCount;
  }
  resting.eachBefore(kAfterAll, keep);
  w.contacts.resize(contacts);
  w.speculative.resize(speculative);
  for (const auto& [from, to] : w.kept) w.contacts[to] = kept(w.contactsBefore[from]);
  w.parallelFor(count, kCopied, [&](int, int first, int last) {
    for (int i = first; i < last; i++) {
      const CandidatePair& pair = w.candidates[i];
      if (!pair.near) continue;
      const FoundContacts& found = w.found[pair.worker];
      for (int k = 0; k < pair.count; k++) {
        Contact& c = w.contacts[pair.to + k] = found.contacts[pair.first + k];
        if (c.speculative >= 0) c.speculative += pair.speculativeTo - pair.speculativeFirst;
      }
      std::copy_n(found.speculative.begin() + pair.speculativeFirst, pair.speculativeCount, w.speculative.begin() + pair.speculativeTo);
    }
  });
}

// The pairs of the broad phase, and which of them may touch.
void findCandidates(ContactWorld& w, bool swept) {
  constexpr int kPiece = 256;
  const std::vector<geometry::BroadPhase::Pair>& pairs = w.broad.pairs();
  w.candidates.resize(pairs.size());
  const auto choose = [&](int, int first, int last) {
    for (int i = first; i < last; i++) {
      CandidatePair& c = w.candidates[i];
      c.a = pairs[i].a;
      c.b = pairs[i].b;
      c.near = mayTouch(w, w.shapes[w.boxShape[c.a]], w.shapes[w.boxShape[c.b]]);
      c.swept = swept && !w.boxes[c.a].overlaps(w.boxes[c.b]);
    }
  };
  const int count = static_cast<int>(pairs.size());
  if (w.callbacks.filter)  // a function of the caller, for the calling thread
    choose(0, 0, count);
  else
    w.parallelFor(count, kPiece, choose);
}

}  // namespace

void collideAll(ContactWorld& w, double foresee, double step) {
  const StageScope stage(w, Stage::Collide);
  const bool any = findShapes(w);
  w.speculative.clear();
  w.contactsBefore.swap(w.contacts);
  w.collided = true;
  w.statistics.pairs = w.statistics.contacts = 0;
  if (!any) return w.contacts.clear();
  const bool swept = placeBoxes(w, foresee);
  w.broad.update(swept ? w.sweptBoxes.data() : w.boxes.data(), w.passive.data(), static_cast<int>(w.boxShape.size()));
  findCandidates(w, swept);
  (w.threads() > 1 ? collideTogether : collideAlone)(w, step, swept ? foresee : 0);
  for (const CandidatePair& pair : w.candidates) {
    if (!pair.near) continue;
    w.statistics.pairs += !pair.swept;
    w.statistics.speculative += pair.predicted;
  }
  w.statistics.contacts = static_cast<int>(w.contacts.size());
}

// After the solve: a pair touches if its surfaces meet or a force acts, a bounce before the touch included. One event a pair, in the order
// of shapes.
void updateTouching(ContactWorld& w) {
  w.touchingNext.clear();
  for (const Contact& c : w.contacts) {
    const std::pair<int, int> pair(c.shapeA, c.shapeB);
    if (!(c.gap <= 1e-6) && !(c.force.squaredNorm() > 0)) continue;
    if (w.touchingNext.empty() || w.touchingNext.back() != pair) w.touchingNext.push_back(pair);
  }
  // Events: both lists are sorted by shapes.
  std::size_t i = 0, k = 0;
  while (i < w.touching.size() || k < w.touchingNext.size()) {
    if (k == w.touchingNext.size() || (i < w.touching.size() && w.touching[i] < w.touchingNext[k])) {
      w.events.push_back({ContactEvent::End, w.touching[i].first, w.touching[i].second});
      i++;
    } else if (i == w.touching.size() || w.touchingNext[k] < w.touching[i]) {
      w.events.push_back({ContactEvent::Begin, w.touchingNext[k].first, w.touchingNext[k].second});
      k++;
    } else {
      if (w.settings.persistEvents) w.events.push_back({ContactEvent::Persist, w.touchingNext[k].first, w.touchingNext[k].second});
      i++, k++;
    }
  }
  w.touching.swap(w.touchingNext);
}

}  // namespace vertebra::collision
