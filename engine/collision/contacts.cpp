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
#include "engine/collision/contact_starts.hpp"
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
    return Pose{l.c, l.q} * s.place->inInertial;
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

// Asked when pairs are searched: whatever changes it makes new trees or lets the broad phase forget its pairs.
bool mayTouch(const ContactWorld& w, const ShapeSlot& a, const ShapeSlot& b) {
  if (a.body == b.body) return false;
  if (!(a.def->category & b.def->mask) || !(b.def->category & a.def->mask)) return false;
  const bool movesA = a.body >= 0 && w.bodies[a.body].link >= 0, movesB = b.body >= 0 && w.bodies[b.body].link >= 0;
  if (!movesA && !movesB) return false;
  return a.body < 0 || b.body < 0 || !(w.jointedPairs.contains(a.body, b.body) || w.ignoredPairs.contains(a.body, b.body));
}

// m/s, of any point of a shape at the start of the step.
double fastestPoint(const ContactWorld& w, const ShapeSlot& s) {
  if (s.body < 0) return 0;
  const BodySlot& body = w.bodies[s.body];
  Vec3 velocity = body.velocity;  // of a prescribed body's origin
  double omega = body.omega.norm(), reach = s.place->reach;
  if (body.link >= 0) {
    const LinkRuntime& r = w.links[body.link];
    velocity = r.startV;
    omega = r.startW.norm();
  } else {
    reach += body.inertialInLink().p.norm();
  }
  return velocity.norm() + (omega > 0 ? omega * reach : 0);
}

// For any two points of two shapes. Either body may be stopped or thrown back by a third within the step, so that their speeds count, not
// the difference of their velocities.
double fastestApproach(const ContactWorld& w, const ShapeSlot& a, const ShapeSlot& b) { return fastestPoint(w, a) + fastestPoint(w, b); }

}  // namespace

namespace {

bool takesPart(const ContactWorld& w, const ShapeSlot& s) {
  if (!s.alive || geometry::traitsOf(s.def->geometry.type).kind == geometry::ShapeKind::Frame) return false;
  return s.body < 0 || w.bodies[s.body].enabled;
}

// What a search for contacts is about.
struct Search {
  double step = 0;       // s, the present one; 0: contacts are wanted up to the margin
  Foresight foresight;   // in which contacts are predicted
  bool swept = false;    // some body is fast: pairs are those of the boxes of motion
  bool resting = false;  // contacts of the last search may be still valid
  double fastest = 0;    // m/s, of any point that moves, where shapes bounce: what is struck by it may strike others within the step

  const geometry::Aabb* boxes(const ContactWorld& w) const { return (swept ? w.sweptBoxes : w.boxes).data(); }
};

void searchPairs(ContactWorld& w, const Search& search) {
  w.jointedPairs.prepare();
  w.ignoredPairs.prepare();
  w.broad.search(search.boxes(w), w.passive.data(), static_cast<int>(w.shapes.size()));
  w.broad.dropIf([&](const geometry::BroadPhase::Pair& pair) { return !mayTouch(w, w.shapes[pair.a], w.shapes[pair.b]); });
  w.pairedTrees = w.treesMade;
}

// Boxes of the shapes, and where any body is fast those of their motion; pairs of these.
void findPairs(ContactWorld& w, Search& search) {
  constexpr int kPiece = 128;
  const int count = static_cast<int>(w.shapes.size());
  const bool known = w.broad.count() == count && w.pairedTrees == w.treesMade;
  w.boxes.resize(count);
  w.passive.resize(count);
  w.shapePose.resize(count);
  const double margin = 0.5 * w.settings.contactMargin;
  std::atomic<bool> fast{false}, rests{false}, bounce{false}, holds{known};
  w.parallelFor(count, kPiece, [&](int, int first, int last) {
    bool anyFast = false, anyRests = false, anyBounces = false, all = known;
    for (int i = first; i < last; i++) {
      const ShapeSlot& s = w.shapes[i];
      w.passive[i] = 1;
      if (takesPart(w, s)) {
        w.passive[i] = stands(w, s.body);
        anyBounces |= s.def->surface.restitution > 0;
        anyRests |= w.passive[i] && s.body >= 0 && w.bodies[s.body].link >= 0;
        const Pose pose = shapeWorldPose(w, s);
        const bool boxed = known && w.boxes[i].lo.x() <= w.boxes[i].hi.x(), moved = !(boxed && pose == w.shapePose[i]);
        w.shapePose[i] = pose;  // also where it is equal: zeros have signs, and equal runs are equal to the last bit
        if (moved) w.boxes[i] = boxOf(s, pose, margin);
        geometry::Aabb box = w.boxes[i];
        anyFast = anyFast || (search.foresight.time > 0 && sweepBox(w, i, search.foresight, box));
      } else {
        w.boxes[i] = geometry::Aabb();
      }
      all = all && (anyFast || w.broad.holdsFor(i, w.boxes[i], w.passive[i]));  // if any is fast, it is asked below
    }
    if (anyFast) fast.store(true, std::memory_order_relaxed);
    if (anyRests) rests.store(true, std::memory_order_relaxed);
    if (anyBounces) bounce.store(true, std::memory_order_relaxed);
    if (!all) holds.store(false, std::memory_order_relaxed);
  });
  search.resting = rests;
  if (bounce)
    for (const ShapeSlot& s : w.shapes)
      if (takesPart(w, s)) search.fastest = std::max(search.fastest, fastestPoint(w, s));
  search.swept = fast;
  if (fast) {
    w.sweptBoxes = w.boxes;
    holds = known;
    w.parallelFor(count, kPiece, [&](int, int first, int last) {
      bool all = known;
      for (int i = first; i < last; i++) {
        if (takesPart(w, w.shapes[i])) (void)sweepBox(w, i, search.foresight, w.sweptBoxes[i]);
        all = all && w.broad.holdsFor(i, w.sweptBoxes[i], w.passive[i]);
      }
      if (!all) holds.store(false, std::memory_order_relaxed);
    });
  } else {
    search.foresight.time = 0;
  }
  if (!holds) searchPairs(w, search);
}

// A pair of the broad phase that may touch in this step.
bool isNear(const ContactWorld& w, const geometry::Aabb* boxes, const geometry::BroadPhase::Pair& pair) {
  return boxes[pair.a].overlaps(boxes[pair.b]) && !(w.passive[pair.a] && w.passive[pair.b]);
}

// The filter is a function of the caller: for the calling thread alone.
void askFilter(ContactWorld& w, const Search& search) {
  if (!w.callbacks.filter) return;
  const std::vector<geometry::BroadPhase::Pair>& pairs = w.broad.pairs();
  w.allowed.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); i++) {
    const int a = w.shapes[pairs[i].a].body, b = w.shapes[pairs[i].b].body;
    w.allowed[i] = isNear(w, search.boxes(w), pairs[i]) && w.callbacks.filter(w.callbacks.user, a, b);
  }
}

// Appends the contacts of a piece of the pairs to `found`, in order: those at the present poses, those that the pairs will make within
// search.foresight, and those of the last search, of pairs that are not searched, which are still valid.
class PieceSearch {
 public:
  PieceSearch(const ContactWorld& w, const Search& search, std::vector<Contact>& found, std::vector<Vec3>& torques,
              std::vector<SpeculativeContact>& speculative)
      : w_(w), search_(search), pairs_(w.broad.pairs()), found_(found), torques_(torques), speculative_(speculative) {}

  std::int64_t distances = 0;  // that were measured

  void find(int first, int last, PieceOfPairs& piece) {
    piece.first = static_cast<int>(found_.size());
    piece.speculativeFirst = static_cast<int>(speculative_.size());
    piece.pairs = piece.predicted = 0;
    next_ = !search_.resting ? w_.contactsBefore.size() : first == 0 ? 0 : firstBefore(first);
    for (int i = first; i < last; i++) {
      const geometry::BroadPhase::Pair& pair = pairs_[i];
      if (!(w_.callbacks.filter ? w_.allowed[i] != 0 : isNear(w_, search_.boxes(w_), pair))) continue;
      keepUntil({pair.a, pair.b});
      collidePair(pair, piece);
    }
    if (search_.resting) keepUntil(last == static_cast<int>(pairs_.size()) ? kAfterAll : std::pair(pairs_[last].a, pairs_[last].b));
    if (w_.anyTwist) torques_.resize(found_.size(), Vec3::Zero());
    piece.count = static_cast<int>(found_.size()) - piece.first;
    piece.speculativeCount = static_cast<int>(speculative_.size()) - piece.speculativeFirst;
  }

 private:
  using Shapes = std::pair<int, int>;
  static constexpr Shapes kAfterAll{std::numeric_limits<int>::max(), 0};

  std::size_t firstBefore(int pair) const {  // contact of the last search that is not of an earlier pair
    const Shapes shapes(pairs_[pair].a, pairs_[pair].b);
    const auto isEarlier = [](const Contact& c, const Shapes& x) { return Shapes(c.shapeA, c.shapeB) < x; };
    return std::lower_bound(w_.contactsBefore.begin(), w_.contactsBefore.end(), shapes, isEarlier) - w_.contactsBefore.begin();
  }

  void keepUntil(const Shapes& shapes) {
    for (; next_ < w_.contactsBefore.size(); next_++) {
      const Contact& c = w_.contactsBefore[next_];
      if (!(Shapes(c.shapeA, c.shapeB) < shapes)) return;
      if (rests(w_, c)) keep(c);
    }
  }

  void keep(const Contact& before) {
    found_.push_back(before);
    found_.back().speculative = Contact::kFound;
    if (w_.torquesBefore.empty()) return;
    torques_.resize(found_.size(), Vec3::Zero());
    torques_.back() = w_.torquesBefore[next_];
  }

  void collidePair(const geometry::BroadPhase::Pair& pair, PieceOfPairs& piece) {
    const std::size_t first = found_.size();
    const ShapeSlot &a = w_.shapes[pair.a], &b = w_.shapes[pair.b];
    if (!search_.swept || w_.boxes[pair.a].overlaps(w_.boxes[pair.b])) {
      const geometry::Collider ca(a.def->geometry, w_.shapePose[pair.a], a.def->bvh.get());
      const geometry::Collider cb(b.def->geometry, w_.shapePose[pair.b], b.def->bvh.get());
      double seen = w_.settings.contactMargin;
      const bool bounces = a.def->surface.restitution > 0 || b.def->surface.restitution > 0;
      const double approach = bounces ? std::max(search_.fastest, fastestApproach(w_, a, b)) : fastestApproach(w_, a, b);
      if (search_.step > 0) seen = std::min(seen, reachOfStep(w_.settings, approach, search_.step));
      geometry::collide(ca, cb, seen, manifold_);
      distances += manifold_.effort;
      makeRoom(found_, first + static_cast<std::size_t>(manifold_.count));
      for (int k = 0; k < manifold_.count; k++) found_.push_back(contactAt(w_, pair.a, pair.b, manifold_.points[k]));
      piece.pairs++;
    }
    const std::size_t present = found_.size();
    if (search_.foresight.time > 0 && meetFast(w_, pair.a, pair.b, w_.boxes[pair.a], w_.boxes[pair.b], search_.foresight))
      distances += addSpeculativeContacts(w_, pair.a, pair.b, search_.foresight, first, found_, speculative_);
    piece.predicted += static_cast<int>(found_.size() - present);
  }

  const ContactWorld& w_;
  const Search& search_;
  const std::vector<geometry::BroadPhase::Pair>& pairs_;
  std::vector<Contact>& found_;
  std::vector<Vec3>& torques_;
  std::vector<SpeculativeContact>& speculative_;
  geometry::Manifold manifold_;
  std::size_t next_ = 0;  // in contactsBefore
};

// Any thread may find as many contacts as any found before.
void clearFound(ContactWorld& w) {
  if (static_cast<int>(w.found.size()) < w.threads()) w.found.resize(w.threads());
  std::size_t contacts = w.contacts.capacity(), speculative = w.speculative.capacity();
  for (FoundContacts& list : w.found) {
    list.contacts.clear();
    list.torques.clear();
    list.speculative.clear();
    contacts = std::max(contacts, list.contacts.capacity());
    speculative = std::max(speculative, list.speculative.capacity());
  }
  for (FoundContacts& list : w.found) {
    list.contacts.reserve(contacts);
    if (w.anyTwist) list.torques.reserve(contacts);
    list.speculative.reserve(speculative);
  }
}

// By one thread, which puts the contacts in order as it finds them.
std::int64_t collideAlone(ContactWorld& w, const Search& search) {
  w.contacts.clear();
  w.torques.clear();
  w.pieces.resize(1);
  PieceSearch all(w, search, w.contacts, w.torques, w.speculative);
  all.find(0, static_cast<int>(w.broad.pairs().size()), w.pieces[0]);
  return all.distances;
}

// By several: each fills lists of its own, which are then copied to their places.
std::int64_t collideTogether(ContactWorld& w, const Search& search) {
  constexpr int kPiece = 32, kCopied = 8;
  clearFound(w);
  const int count = static_cast<int>(w.broad.pairs().size());
  w.pieces.resize((count + kPiece - 1) / kPiece);
  std::atomic<std::int64_t> distances{0};
  w.parallelFor(count, kPiece, [&](int worker, int first, int last) {
    PieceOfPairs& piece = w.pieces[first / kPiece];
    piece.worker = worker;
    FoundContacts& found = w.found[worker];
    PieceSearch some(w, search, found.contacts, found.torques, found.speculative);
    some.find(first, last, piece);
    distances.fetch_add(some.distances, std::memory_order_relaxed);
  });
  int contacts = 0, speculative = 0;
  for (PieceOfPairs& piece : w.pieces) {
    piece.to = contacts;
    piece.speculativeTo = speculative;
    contacts += piece.count;
    speculative += piece.speculativeCount;
  }
  w.contacts.resize(contacts);
  w.torques.resize(w.anyTwist ? contacts : 0);
  w.speculative.resize(speculative);
  w.parallelFor(static_cast<int>(w.pieces.size()), kCopied, [&](int, int first, int last) {
    for (int i = first; i < last; i++) {
      const PieceOfPairs& piece = w.pieces[i];
      const FoundContacts& found = w.found[piece.worker];
      for (int k = 0; k < piece.count; k++) {
        Contact& c = w.contacts[piece.to + k] = found.contacts[piece.first + k];
        if (c.speculative >= 0) c.speculative += piece.speculativeTo - piece.speculativeFirst;
        if (!w.torques.empty()) w.torques[piece.to + k] = found.torques[piece.first + k];
      }
      std::copy_n(found.speculative.begin() + piece.speculativeFirst, piece.speculativeCount, w.speculative.begin() + piece.speculativeTo);
    }
  });
  return distances;
}

}  // namespace

std::int64_t collideAll(ContactWorld& w, const Foresight& foresight, double step) {
  const StageScope stage(w, Stage::Collide);
  w.speculative.clear();
  if (w.startsAt == StartsAt::Before) keepStarts(w);
  if (w.startsAt == StartsAt::Contacts) w.startsAt = StartsAt::Before;
  w.contactsBefore.swap(w.contacts);
  w.torquesBefore.swap(w.torques);
  w.collided = true;
  w.statistics.pairs = w.statistics.contacts = 0;
  if (w.shapes.empty()) {
    w.contacts.clear();
    w.torques.clear();
    return 0;
  }
  Search search{step, foresight};
  findPairs(w, search);
  askFilter(w, search);
  const std::int64_t distances = (w.threads() > 1 && !w.broad.pairs().empty() ? collideTogether : collideAlone)(w, search);
  for (const PieceOfPairs& piece : w.pieces) {
    w.statistics.pairs += piece.pairs;
    w.statistics.speculative += piece.predicted;
  }
  // These lists swap, where undo must take no memory, nor a second run of the same steps.
  w.contactsBefore.reserve(w.contacts.capacity());
  if (w.startContacts.capacity() > 0) w.startContacts.reserve(w.contacts.capacity());
  w.statistics.contacts = static_cast<int>(w.contacts.size());
  return distances;
}

}  // namespace vertebra::collision
