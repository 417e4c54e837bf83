// Collision stage of a step: boxes of all shapes, candidate pairs, filters, manifolds, contact points with features, begin and end of
// touching. Pairs of which both sleep or stand are not looked at and keep the contacts they had, forces included. Order is by shape ids
// throughout, so that results do not depend on history.
#include "engine/collision/contacts.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>
#include <limits>

#include "engine/collision/continuous.hpp"
#include "engine/dynamics/joints/common.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra {

Pose shapeWorldPose(const WorldData& w, const ShapeSlot& s) {
  if (s.body < 0) return s.inBody;
  const BodySlot& b = w.bodies[s.body];
  if (b.link >= 0) {
    const LinkState& l = w.state[b.link];
    return Pose{l.c, l.q} * s.inInertial;
  }
  return b.pose * s.inBody;
}

namespace {

// Of what has many vertices: around its box, which is looser but costs the same for any number of them.
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

// Neither can move in this step, and one of the two could at another time.
bool rests(const WorldData& w, const Contact& c) {
  const ShapeSlot &a = w.shapes[c.shapeA], &b = w.shapes[c.shapeB];
  if (!a.alive || !b.alive || a.body != c.bodyA || b.body != c.bodyB) return false;  // destroyed meanwhile
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

// Of any two points of two shapes, by the velocities at the start of the step.
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
      reach += body.com.norm();
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

void collideAll(WorldData& w, double foresee, double step) {
  const StageScope stage(w, Stage::Collide);
  // Boxes of what moved; others keep theirs.
  w.boxShape.clear();
  for (std::size_t i = 0; i < w.shapes.size(); i++) {
    const ShapeSlot& s = w.shapes[i];
    if (!s.alive || traitsOf(s.shape.geometry.type).kind == ShapeKind::Frame) continue;
    if (s.body >= 0 && !w.bodies[s.body].enabled) continue;
    w.boxShape.push_back(static_cast<int>(i));
  }
  const int count = static_cast<int>(w.boxShape.size());
  if (count == 0) {
    w.speculative.clear();
    w.contactsBefore.swap(w.contacts);
    w.collided = true;
    w.contacts.clear();
    w.statistics.pairs = w.statistics.contacts = 0;
    return;
  }
  w.boxes.resize(count);
  w.passive.resize(count);
  w.shapePose.resize(w.shapes.size());
  const double margin = 0.5 * w.settings.contactMargin;
  for (int i = 0; i < count; i++) {
    const ShapeSlot& s = w.shapes[w.boxShape[i]];
    w.passive[i] = stands(w, s.body);
    w.shapePose[w.boxShape[i]] = shapeWorldPose(w, s);
    w.boxes[i] = boxOf(s, w.shapePose[w.boxShape[i]], margin);
  }
  const bool swept = foresee > 0 && sweepBoxes(w, foresee);
  w.broad.update(swept ? w.sweptBoxes.data() : w.boxes.data(), w.passive.data(), count);
  w.speculative.clear();
  w.contactsBefore.swap(w.contacts);
  w.collided = true;
  w.contacts.clear();
  std::size_t before = 0;
  auto keepUpTo = [&](const std::pair<int, int>& shapes) {  // resting contacts of pairs that come before
    for (; before < w.contactsBefore.size(); before++) {
      const Contact& c = w.contactsBefore[before];
      if (!(std::pair(c.shapeA, c.shapeB) < shapes)) return;
      if (!rests(w, c)) continue;
      w.contacts.push_back(c);
      w.contacts.back().speculative = -1;
    }
  };
  Manifold manifold;
  int pairs = 0;
  for (const BroadPhase::Pair& pair : w.broad.pairs()) {
    const int ia = w.boxShape[pair.a], ib = w.boxShape[pair.b];
    const ShapeSlot &a = w.shapes[ia], &b = w.shapes[ib];
    if (!mayTouch(w, a, b)) continue;
    keepUpTo({ia, ib});
    const std::size_t first = w.contacts.size();
    if (!swept || w.boxes[pair.a].overlaps(w.boxes[pair.b])) {
      pairs++;
      const Collider ca(a.shape.geometry, w.shapePose[ia], a.bvh.get()), cb(b.shape.geometry, w.shapePose[ib], b.bvh.get());
      double seen = w.settings.contactMargin;
      if (step > 0) seen = std::min(seen, reachOfStep(w, fastestApproach(w, a, b), step));
      collide(ca, cb, seen, manifold);
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
        w.contacts.push_back(c);
      }
    }
    if (swept) addSpeculativeContacts(w, ia, ib, w.boxes[pair.a], w.boxes[pair.b], foresee, first);
  }
  keepUpTo({std::numeric_limits<int>::max(), 0});
  w.statistics.pairs = pairs;
  w.statistics.contacts = static_cast<int>(w.contacts.size());
}

// After the solve: a pair touches if its surfaces meet or a force passes, a bounce taken before the touch included. One event a pair, in
// the order of shapes.
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
