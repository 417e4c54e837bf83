// Collision stage of a step: boxes of all shapes, candidate pairs, filters, manifolds, contact points with features, begin and end of
// touching. Pairs of which both sleep or are static are skipped and keep their contacts, forces included. Order is by shape ids throughout,
// so that results do not depend on history.
#include "engine/collision/contacts.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>
#include <limits>

#include "engine/collision/continuous.hpp"
#include "engine/dynamics/joints/common.hpp"
#include "engine/state/growth.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra {

Pose shapeWorldPose(const WorldData& w, const ShapeSlot& s) {
  if (s.body < 0) return poseInBody(w, s);
  const BodySlot& b = w.bodies[s.body];
  if (b.link >= 0) {
    const LinkState& l = w.state[b.link];
    return Pose{l.c, l.q} * s.inInertial;
  }
  return b.pose * poseInBody(w, s);
}

namespace {

// For shapes with many vertices: around their box, which is looser but costs the same for any number of them.
Aabb boxOf(const ShapeSlot& s, const Pose& pose, double margin) {
  if (s.shape.geometry.type != ShapeType::Mesh) return bounds(s.shape.geometry, pose, margin);
  return placedBox(s.localBox, pose.q.toRotationMatrix(), pose.p, margin);
}

bool stands(const WorldData& w, int body) {
  if (body < 0) return true;
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) return b.kind != BodyKind::Kinematic || (b.velocity.squaredNorm() == 0 && b.omega.squaredNorm() == 0);
  return b.asleep || w.trees[b.tree].held || (w.trees[b.tree].immobile && !w.trees[b.tree].movingBase);
}

// Neither can move in this step, but one of the two may at another time.
bool rests(const WorldData& w, const Contact& c) {
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

bool mayTouch(WorldData& w, const ShapeSlot& a, const ShapeSlot& b) {
  if (a.body == b.body) return false;
  if (!(a.shape.category & b.shape.mask) || !(b.shape.category & a.shape.mask)) return false;
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
double fastestApproach(const WorldData& w, const ShapeSlot& a, const ShapeSlot& b) {
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
      reach += body.com().norm();
    }
    between += s == &a ? velocity : Vec3(-velocity);
    if (omega > 0) turning += omega * reach;
  }
  return between.norm() + turning;
}

}  // namespace

// Twice the approach so far, gravity, and a millimetre for pushes.
double reachOfStep(const WorldData& w, double approach, double step) {
  constexpr double kNear = 1e-3;
  return kNear + 2 * step * std::max(0.0, approach) + 2 * step * step * w.settings.gravity.norm();
}

namespace {

// Shapes that take part; false if there are none.
bool findShapes(WorldData& w) {
  w.boxShape.clear();
  for (std::size_t i = 0; i < w.shapes.size(); i++) {
    const ShapeSlot& s = w.shapes[i];
    if (!s.alive || traitsOf(s.shape.geometry.type).kind == ShapeKind::Frame) continue;
    if (s.body >= 0 && !w.bodies[s.body].enabled) continue;
    w.boxShape.push_back(static_cast<int>(i));
  }
  return !w.boxShape.empty();
}

void placeBoxes(WorldData& w) {
  constexpr int kPiece = 128;
  const int count = static_cast<int>(w.boxShape.size());
  w.boxes.resize(count);
  w.passive.resize(count);
  w.shapePose.resize(w.shapes.size());
  const double margin = 0.5 * w.settings.contactMargin;
  w.parallelFor(count, kPiece, [&](int, int first, int last) {
    for (int i = first; i < last; i++) {
      const ShapeSlot& s = w.shapes[w.boxShape[i]];
      w.passive[i] = stands(w, s.body);
      w.shapePose[w.boxShape[i]] = shapeWorldPose(w, s);
      w.boxes[i] = boxOf(s, w.shapePose[w.boxShape[i]], margin);
    }
  });
}

void findCandidates(WorldData& w, bool swept) {
  w.candidates.clear();
  for (const BroadPhase::Pair& pair : w.broad.pairs()) {
    if (!mayTouch(w, w.shapes[w.boxShape[pair.a]], w.shapes[w.boxShape[pair.b]])) continue;
    CandidatePair c;
    c.a = pair.a;
    c.b = pair.b;
    c.swept = swept && !w.boxes[pair.a].overlaps(w.boxes[pair.b]);
    w.candidates.push_back(c);
  }
}

// Appends the contacts of a pair at its present poses to `out`.
void collidePair(const WorldData& w, CandidatePair& pair, double step, Manifold& manifold, std::vector<Contact>& out) {
  pair.first = static_cast<int>(out.size());
  pair.count = 0;
  if (pair.swept) return;
  const int ia = w.boxShape[pair.a], ib = w.boxShape[pair.b];
  const ShapeSlot &a = w.shapes[ia], &b = w.shapes[ib];
  const Collider ca(a.shape.geometry, w.shapePose[ia], a.bvh.get()), cb(b.shape.geometry, w.shapePose[ib], b.bvh.get());
  double seen = w.settings.contactMargin;
  if (step > 0) seen = std::min(seen, reachOfStep(w, fastestApproach(w, a, b), step));
  collide(ca, cb, seen, manifold);
  pair.count = manifold.count;
  makeRoom(out, out.size() + static_cast<std::size_t>(manifold.count));
  for (int k = 0; k < manifold.count; k++) {
    const ContactPoint& p = manifold.points[k];
    Contact c;
    c.bodyA = a.body;
    c.bodyB = b.body;
    c.shapeA = ia;
    c.shapeB = ib;
    c.position = p.position;
    c.normal = p.normal;
    c.gap = p.gap;
    c.feature = p.feature;
    out.push_back(c);
  }
}

// All candidates; each thread fills a list of its own.
void collidePairs(WorldData& w, double step, double foresee) {
  constexpr int kPiece = 32;
  if (static_cast<int>(w.found.size()) < w.threads()) w.found.resize(w.threads());
  std::size_t room = 0;
  for (std::vector<Contact>& list : w.found) {
    list.clear();
    room = std::max({room, list.capacity(), w.contacts.capacity()});
  }
  for (std::vector<Contact>& list : w.found) list.reserve(room);  // any thread may find as many as any found before
  w.parallelFor(static_cast<int>(w.candidates.size()), kPiece, [&](int worker, int first, int last) {
    Manifold manifold;
    for (int i = first; i < last; i++) {
      CandidatePair& pair = w.candidates[i];
      pair.worker = worker;
      collidePair(w, pair, step, manifold, w.found[worker]);
      pair.fast = foresee > 0 && meetFast(w, w.boxShape[pair.a], w.boxShape[pair.b], w.boxes[pair.a], w.boxes[pair.b], foresee);
    }
  });
}

// Contacts of the last search that are still valid, of pairs of shapes before a given one.
class RestingContacts {
 public:
  explicit RestingContacts(WorldData& w) : w_(w) {}
  void keepBefore(const std::pair<int, int>& shapes) {
    for (; next_ < w_.contactsBefore.size(); next_++) {
      const Contact& c = w_.contactsBefore[next_];
      if (!(std::pair(c.shapeA, c.shapeB) < shapes)) return;
      if (!rests(w_, c)) continue;
      w_.contacts.push_back(c);
      w_.contacts.back().speculative = -1;
    }
  }

 private:
  WorldData& w_;
  std::size_t next_ = 0;
};

}  // namespace

void collideAll(WorldData& w, double foresee, double step) {
  const StageScope stage(w, Stage::Collide);
  const bool any = findShapes(w);
  w.speculative.clear();
  w.contactsBefore.swap(w.contacts);
  w.collided = true;
  w.contacts.clear();
  w.statistics.pairs = w.statistics.contacts = 0;
  if (!any) return;
  placeBoxes(w);
  const bool swept = foresee > 0 && sweepBoxes(w, foresee);
  w.broad.update(swept ? w.sweptBoxes.data() : w.boxes.data(), w.passive.data(), static_cast<int>(w.boxShape.size()));
  findCandidates(w, swept);
  const bool together = w.threads() > 1;
  const double ahead = swept ? foresee : 0;
  if (together) collidePairs(w, step, ahead);
  RestingContacts resting(w);
  Manifold manifold;
  for (CandidatePair& pair : w.candidates) {
    const int ia = w.boxShape[pair.a], ib = w.boxShape[pair.b];
    resting.keepBefore({ia, ib});
    const std::size_t first = w.contacts.size();
    if (together) {
      const auto from = w.found[pair.worker].begin() + pair.first;
      w.contacts.insert(w.contacts.end(), from, from + pair.count);
    } else {
      collidePair(w, pair, step, manifold, w.contacts);
      pair.fast = ahead > 0 && meetFast(w, ia, ib, w.boxes[pair.a], w.boxes[pair.b], ahead);
    }
    if (pair.fast) addSpeculativeContacts(w, ia, ib, ahead, first);
    w.statistics.pairs += !pair.swept;
  }
  resting.keepBefore({std::numeric_limits<int>::max(), 0});
  w.statistics.contacts = static_cast<int>(w.contacts.size());
}

// After the solve: a pair touches if its surfaces meet or a force acts, a bounce before the touch included. One event a pair, in the order
// of shapes.
void updateTouching(WorldData& w) {
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

}  // namespace vertebra
