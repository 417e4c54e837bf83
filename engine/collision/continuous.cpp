// Continuous collision: contacts that bodies will make within the next step. A body that moves farther in a step than the contact margin is
// swept with the motion that it would have without new contacts; where that meets a shape, a speculative contact is made whose normal is
// the one at the time of impact and whose gap is the approach allowed until then, so that the body arrives there instead of behind it. A
// motion that misses gets no contact. Slow pairs cost two comparisons. Source: Mirtich 1996, ch. 2 (conservative advancement).
#include "engine/collision/continuous.hpp"

#include <algorithm>
#include <cmath>

#include "engine/collision/contact_at.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/distance.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"
#include "engine/state/contact_world.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::collision {
namespace {

constexpr int kMeetings = 64;       // examined for a pair
constexpr int kContacts = 16;       // made for a pair
constexpr int kGuards = 4;          // examined for the ball inside a shape
constexpr double kNear = 0.1;       // of the contact margin: distance at which shapes are treated as in contact
constexpr double kSameWay = 0.999;  // cosine: a later meeting with the normal of an existing contact adds nothing
constexpr double kDeepest = 1;      // share of the thinner shape's inner radius that may be lost without a contact
constexpr double kWild = 1;         // rad a step: a free body that rotates faster is swept as the ball inside it
constexpr double kSpins = 0.5;      // rad a step: a body that rotates faster is guarded by the ball inside it
constexpr double kPoint = 1e-2;     // of the ball inside a shape: smaller ones are points
constexpr double kSmall = 1e-3;     // m; penetration that an existing contact may allow
constexpr double kSoftness = 5e-3;  // of resting contacts, as a share of the approach velocity

struct Predicted : geometry::RigidMotion {
  bool turnsPivot = false;  // in a joint: the whole body rotates about the pivot; a free one translates and rotates
  bool jointed = false;     // held by or linked to other bodies, also where it turns too little for turnsPivot
};

// By a joint that is not in a tree.
bool bound(const ContactWorld& w, int body) {
  for (int id : w.auxiliaryJoints) {
    const JointSlot& d = w.joints[id];
    if (d.def->constraint == ConstraintType::Joint && (d.a == body || d.b == body)) return true;
  }
  return false;
}

using From = Foresight::From;

// Centre of mass and its velocity (world axes), angular velocity (inertial axes), from which a link moves.
struct Start {
  const Vec3 &c, &v, &w;
};
Start startOf(const ContactWorld& w, int link, From from) {
  const dynamics::LinkState& s = w.state[link];
  const LinkRuntime& r = w.links[link];
  return from == From::NextStep ? Start{r.startC, r.startV, r.startW} : Start{s.c, s.v, s.w};
}

Predicted predict(const ContactWorld& w, int body, const Foresight& foresight) {
  Predicted m;
  if (body < 0) return m;
  const double h = foresight.time;
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) {
    m.pivot = b.pose.p;
    if (b.kind != BodyKind::Kinematic) return m;
    if (foresight.from == From::Within) {
      m.velocity = b.velocity;
      m.omega = b.omega;
      return m;
    }
    if (b.arrived) return m;
    m.velocity = b.rare->target->time > 0 ? Vec3((b.rare->target->pose.p - b.pose.p) / b.rare->target->time) : b.velocity;
    m.omega = b.rare->target->time > 0 ? Vec3(quatLog(b.rare->target->pose.q * b.pose.q.conjugate()) / b.rare->target->time) : b.omega;
    return m;
  }
  const TreeRuntime& t = w.trees[b.tree];
  const dynamics::LinkState& s = w.state[b.link];
  const Start from = t.immobile ? startOf(w, b.link, From::Now) : startOf(w, b.link, foresight.from);
  m.pivot = s.c;
  const bool alone = !t.immobile && t.freeRoot && t.tree.count == 1 && !bound(w, body);
  m.jointed = !alone;
  if (t.asleep) return m;
  m.velocity = from.v;
  m.omega = s.R * from.w;
  if (!t.immobile) {
    m.velocity += h * b.gravityScale * w.settings.gravity;
    if (w.anyForce && b.mass() > 0) m.velocity += (h * (b.applied->force + b.applied->persistentForce) + b.applied->impulse) / b.mass();
    if (alone) return m;
  }
  const double rate = m.omega.norm();
  if (rate * h < 1e-2) return m;
  // The screw motion of the link since the velocities were taken.
  const Vec3 axis = m.omega / rate;
  m.pivot = from.c + m.omega.cross(from.v) / (rate * rate);
  m.velocity = axis * axis.dot(from.v);
  m.turnsPivot = true;
  return m;
}

double halfDiagonal(const geometry::Aabb& box) { return 0.5 * (box.hi - box.lo).norm(); }

// Where a point at time t lies against a body at the start of its motion: its velocity and its arm there are those at t. A body in a joint
// turns about its pivot, so that only its way along the axis is taken back.
Vec3 pointAtStart(const Predicted& m, const Vec3& p, double t) { return p - t * m.velocity; }

// The body that is hit moves straight at velocity v, while the surface that hits it rotates: how far the surface outruns the straight way
// along the normal [m] in the remaining time. With x the arm along the surface and u the speed along it: tan(angle) (x + u t) - angle x.
// `extent`: m, of the surface from the pivot.
double outrun(const Predicted& m, const Vec3& point, const Vec3& normal, const Vec3& v, double time, double extent) {
  const double rate = m.omega.norm(), angle = std::min(1.0, time * rate);
  if (!(angle > 0) || (!m.turnsPivot && time * rate > kWild)) return 0;
  const Vec3 along = normal.cross(m.omega) / rate;
  const double arm = along.dot(point - m.pivot), reach = std::min(extent, arm + time * along.dot(v - m.velocity));
  if (!(arm > 0) || !(reach > 0)) return 0;
  const SinCos a = sincos(angle);
  return std::max(0.0, a.s / a.c * reach - angle * arm);
}

bool flies(const ContactWorld& w, int body) { return body >= 0 && w.bodies[body].link >= 0 && !w.trees[w.bodies[body].tree].immobile; }

class PairSweep {
 public:
  std::int64_t distances = 0;  // measured so far

  PairSweep(const ContactWorld& w, int shapeA, int shapeB, const Foresight& foresight, std::vector<Contact>& contacts,
            std::vector<SpeculativeContact>& speculative)
      : w_(w),
        contacts_(contacts),
        speculative_(speculative),
        a_(w.shapes[shapeA]),
        b_(w.shapes[shapeB]),
        ia_(shapeA),
        ib_(shapeB),
        h_(foresight.time),
        ma_(predict(w, a_.body, foresight)),
        mb_(predict(w, b_.body, foresight)) {}

  void find(std::size_t firstContact) {
    const double margin = w_.settings.contactMargin;
    bool struck = h_ * std::max(ma_.omega.norm(), mb_.omega.norm()) > kSpins;
    for (std::size_t i = firstContact; i < contacts_.size(); i++) struck |= h_ * harden(contacts_[i]) > margin;
    geometry::Geometry ballA, ballB;
    const geometry::Collider a = standIn(a_, ia_, ma_, ballA), b = standIn(b_, ib_, mb_, ballB);
    geometry::Meeting found[kMeetings];
    const bool swap = !geometry::isSolid(*a.geometry);
    if (swap && !geometry::isSolid(*b.geometry)) return;  // surfaces and planes among themselves make no contacts
    const int count = swap ? geometry::meetings(b, mb_, a, ma_, h_, kNear * margin, margin, found, kMeetings, &distances)
                           : geometry::meetings(a, ma_, b, mb_, h_, kNear * margin, margin, found, kMeetings, &distances);
    Vec3 taken[kContacts];
    int contacts = 0;
    for (int k = 0; k < count && contacts < kContacts; ++k) {
      const Vec3 normal = swap ? Vec3(-found[k].normal) : found[k].normal;
      auto isNew = [&](const Vec3& n, int of) {
        for (int i = 0; i < of; ++i)
          if (taken[i].dot(n) > kSameWay) return false;
        return true;
      };
      if (!isNew(normal, contacts)) continue;
      geometry::Manifold manifold;
      geometry::collide(geometry::moved(a, ma_, found[k].t), geometry::moved(b, mb_, found[k].t), margin, manifold);
      distances += manifold.effort;
      const int before = contacts;
      SpeculativeContact speculative[geometry::Manifold::kCapacity];
      bool strikes = false;
      for (int i = 0; i < manifold.count; ++i) strikes |= foresee(manifold.points[i], found[k].t, ma_, mb_, speculative[i]);
      for (int i = 0; i < manifold.count && contacts < kContacts; ++i) {
        if (!isNew(manifold.points[i].normal, before)) continue;
        if (strikes) {
          speculative[i].allowed -= outrunBy(speculative[i], manifold.points[i].normal, h_ - found[k].t);
          add(manifold.points[i], speculative[i]);
        }
        taken[contacts++] = manifold.points[i].normal;
      }
      struck |= strikes;
    }
    if (!struck) return;
    guard(a_, ma_, b, mb_, false);
    guard(b_, mb_, a, ma_, true);
  }

 private:
  // A free body that is struck off its centre begins to spin, and contacts that are linear in its velocities may then let it through. The
  // ball inside its shape does not rotate: where that would meet the other shape, a contact of its own stops it there.
  void guard(const ShapeSlot& s, const Predicted& motion, const geometry::Collider& other, const Predicted& otherMotion, bool second) {
    if (!flies(w_, s.body) || motion.turnsPivot || !geometry::isSolid(s.def->geometry)) return;
    geometry::Geometry ball;
    const Ball inside = ballOf(s, second ? ib_ : ia_);
    if (s.def->geometry.type == geometry::ShapeType::Sphere && inside.radius == s.def->inner) return;
    ball.size.x() = inside.radius;
    Predicted straight = motion;
    straight.omega.setZero();
    const geometry::Collider collider(ball, {inside.centre, Quat::Identity()});
    const double margin = w_.settings.contactMargin;
    const auto stop = [&](double t) {
      geometry::Manifold manifold;
      geometry::collide(geometry::moved(collider, straight, t), geometry::moved(other, otherMotion, t), margin, manifold);
      distances += manifold.effort;
      if (manifold.count == 0) return false;
      geometry::ContactPoint p = manifold.points[0];
      if (second) p.normal = -p.normal;
      SpeculativeContact speculative;
      if (!foresee(p, t, second ? otherMotion : straight, second ? straight : otherMotion, speculative)) return true;
      speculative.inner = true;
      p.feature ^= 0x40000000u;
      add(p, speculative);
      return true;
    };
    if (stop(0)) return;
    geometry::Meeting found[kGuards];
    const int count = geometry::meetings(collider, straight, other, otherMotion, h_, kNear * margin, margin, found, kGuards, &distances);
    for (int k = 0; k < count; ++k) (void)stop(found[k].t);
  }

  struct Ball {
    Vec3 centre;  // world
    double radius;
  };
  // The largest ball about the centre of mass inside the shape; where that centre is outside, the ball that the shape is known to hold.
  Ball ballOf(const ShapeSlot& s, int id) {
    const Vec3& middle = w_.state[w_.bodies[s.body].link].c;
    geometry::Geometry point;
    point.size.x() = kPoint * s.def->inner;
    geometry::Manifold manifold;
    const geometry::Collider shape(s.def->geometry, w_.shapePose[id], s.def->bvh.get());
    geometry::collide(geometry::Collider(point, {middle, Quat::Identity()}), shape, 0, manifold);
    distances += manifold.effort;
    double depth = 0;
    for (int k = 0; k < manifold.count; ++k) depth = std::max(depth, -manifold.points[k].gap);
    if (depth > point.size.x()) return {middle, depth - point.size.x()};
    return {w_.shapePose[id] * geometry::innerCentre(s.def->geometry), s.def->inner};
  }

  // The shape, or, for a free body that rotates very fast, the ball inside it, which translates without rotation.
  geometry::Collider standIn(const ShapeSlot& s, int id, Predicted& m, geometry::Geometry& ball) {
    const geometry::Collider shape(s.def->geometry, w_.shapePose[id], s.def->bvh.get());
    if (!flies(w_, s.body) || m.turnsPivot || h_ * m.omega.norm() < kWild || !geometry::isSolid(s.def->geometry)) return shape;
    const Ball inside = ballOf(s, id);
    ball.size.x() = inside.radius;
    m.omega.setZero();
    return geometry::Collider(ball, {inside.centre, Quat::Identity()});
  }

  // False if the gap of the point at the end of the step is no smaller than allowed.
  bool foresee(const geometry::ContactPoint& p, double t, const Predicted& a, const Predicted& b, SpeculativeContact& speculative) const {
    const Predicted* motion[2] = {&a, &b};
    double rate = 0;
    for (int side = 0; side < 2; ++side) {
      const Vec3 onSurface = p.position + (side ? 0.5 : -0.5) * p.gap * p.normal;
      speculative.point[side] = pointAtStart(*motion[side], onSurface, t);
      speculative.arm[side] = onSurface - centreAt(side ? b_ : a_, *motion[side], t);
      rate += (side ? -1 : 1) * p.normal.dot(motion[side]->at(speculative.point[side]));
    }
    speculative.time = t;
    speculative.rate = rate;
    speculative.allowed = std::max(0.0, rate * t + p.gap);
    return rate * h_ > speculative.allowed;
  }

  void add(const geometry::ContactPoint& p, const SpeculativeContact& speculative) {
    Contact c = contactAt(w_, ia_, ib_, p);
    c.gap = std::max(0.0, speculative.rate * speculative.time + p.gap);
    c.feature ^= 0x80000000u;  // its impulse is no warm start for the contact of the next step
    c.speculative = static_cast<int>(speculative_.size());
    speculative_.push_back(speculative);
    contacts_.push_back(c);
  }

  // An existing contact of surfaces that approach fast or rotate: the softness of resting contacts must not apply to it.
  // Returns their rate of approach.
  double harden(Contact& c) {
    const Vec3 half = 0.5 * c.gap * c.normal;
    SpeculativeContact speculative;
    speculative.point[0] = c.position - half;
    speculative.point[1] = c.position + half;
    speculative.arm[0] = speculative.point[0] - centreAt(a_, ma_, 0);
    speculative.arm[1] = speculative.point[1] - centreAt(b_, mb_, 0);
    speculative.allowed = std::max(0.0, c.gap);
    speculative.rate = c.normal.dot(ma_.at(c.position) - mb_.at(c.position));
    const double by = outrunBy(speculative, c.normal, h_);
    const double approach = h_ * speculative.rate;
    if (by < kSmall && kSoftness * approach < kSmall && approach < w_.settings.contactMargin) return speculative.rate;
    speculative.allowed -= by;
    c.speculative = static_cast<int>(speculative_.size());
    speculative_.push_back(speculative);
    return speculative.rate;
  }

  // The centre of mass at time t; of a body without link the world's origin.
  Vec3 centreAt(const ShapeSlot& s, const Predicted& m, double t) const {
    if (s.body < 0 || w_.bodies[s.body].link < 0) return Vec3::Zero();
    const Vec3& c = w_.state[w_.bodies[s.body].link].c;
    return m.turnsPivot ? Vec3(m.pivot + quatExp(t * m.omega) * (c - m.pivot) + t * m.velocity) : Vec3(c + t * m.velocity);
  }

  double extentOf(const ShapeSlot& s, const Predicted& m) const {
    if (s.body < 0 || w_.bodies[s.body].link < 0) return kInf;
    return s.place->reach + (w_.state[w_.bodies[s.body].link].c - m.pivot).norm();
  }

  double outrunBy(const SpeculativeContact& speculative, const Vec3& normal, double time) const {
    const Vec3 &onA = speculative.point[0], &onB = speculative.point[1];
    // What is held turns on while a free body flies away from it straight. A link does not fly straight, and what is free turns on less
    // once it struck: those leave no faster than they came, or the contact would make energy of nothing.
    const auto isFree = [&](const ShapeSlot& s, const Predicted& m) { return flies(w_, s.body) && !m.jointed; };
    double by = 0, bounded = 0;
    const auto take = [&](double way, bool free, const Predicted& hit) { (free || hit.jointed ? bounded : by) += way; };
    if (flies(w_, b_.body) || !ma_.turnsPivot) take(outrun(ma_, onA, normal, mb_.velocity, time, extentOf(a_, ma_)), isFree(a_, ma_), mb_);
    if (flies(w_, a_.body) || !mb_.turnsPivot) take(outrun(mb_, onB, -normal, ma_.velocity, time, extentOf(b_, mb_)), isFree(b_, mb_), ma_);
    return by + std::min(bounded, std::max(0.0, speculative.rate) * time);
  }

  const ContactWorld& w_;
  std::vector<Contact>& contacts_;
  std::vector<SpeculativeContact>& speculative_;
  const ShapeSlot &a_, &b_;
  const int ia_, ib_;
  const double h_;
  Predicted ma_, mb_;
};

// Whether no point of a shape moves by more than the margin, whichever way it moves: true of most, and cheaper than to predict the motion.
bool isSlow(const ContactWorld& w, const ShapeSlot& s, const Foresight& foresight) {
  const BodySlot& body = w.bodies[s.body];
  if (body.link < 0 || w.trees[body.tree].immobile) return false;
  const double h = foresight.time;
  const Start from = startOf(w, body.link, foresight.from);
  double speed = from.v.norm() + h * std::fabs(body.gravityScale) * w.settings.gravity.norm() + from.w.norm() * s.place->reach;
  if (w.anyForce && body.applied && body.mass() > 0)
    speed += (h * (body.applied->force + body.applied->persistentForce) + body.applied->impulse).norm() / body.mass();
  return h * speed <= w.settings.contactMargin;
}

}  // namespace

bool isFast(const ContactWorld& w, int body, const Foresight& foresight) {
  const double h = foresight.time;
  for (int id : ShapesOf(w, body)) {
    const ShapeSlot& s = w.shapes[id];
    if (geometry::traitsOf(s.def->geometry.type).kind == geometry::ShapeKind::Frame || isSlow(w, s, foresight)) continue;
    const Predicted m = predict(w, body, foresight);
    const bool finite = s.def->localBox.lo.allFinite() && s.def->localBox.hi.allFinite();
    const Vec3 centre =
        trees::poseOf(w, body) * (poseInBody(w, s) * (finite ? Vec3(0.5 * (s.def->localBox.lo + s.def->localBox.hi)) : Vec3(Vec3::Zero())));
    if (h * (m.at(centre).norm() + (finite ? m.omega.norm() * halfDiagonal(s.def->localBox) : 0)) > w.settings.contactMargin) return true;
  }
  return false;
}

bool sweepBox(const ContactWorld& w, int i, const Foresight& foresight, geometry::Aabb& box) {
  const double h = foresight.time;
  const ShapeSlot& s = w.shapes[i];
  if (s.body < 0 || (w.passive[i] && w.bodies[s.body].kind != BodyKind::Kinematic)) return false;
  if (isSlow(w, s, foresight)) return false;
  if (!(box.lo.allFinite() && box.hi.allFinite())) return false;
  const Vec3 centre = 0.5 * (box.lo + box.hi);
  const double radius = halfDiagonal(box);
  const Predicted m = predict(w, s.body, foresight);
  const Vec3 way = h * m.at(centre);
  const double angle = h * m.omega.norm();
  if (way.norm() + angle * radius <= w.settings.contactMargin) return false;
  const Vec3 bulge = Vec3::Constant(std::min(angle, 2.0) * radius + 0.5 * angle * angle * (centre - m.pivot).norm());
  box = {box.lo.cwiseMin(box.lo + way) - bulge, box.hi.cwiseMax(box.hi + way) + bulge};
  return true;
}

bool meetFast(const ContactWorld& w, int shapeA, int shapeB, const geometry::Aabb& boxA, const geometry::Aabb& boxB,
              const Foresight& foresight) {
  const ShapeSlot &a = w.shapes[shapeA], &b = w.shapes[shapeB];
  const Predicted ma = predict(w, a.body, foresight), mb = predict(w, b.body, foresight);
  const double ra = halfDiagonal(boxA), rb = halfDiagonal(boxB);
  const geometry::Aabb& small = ra <= rb ? boxA : boxB;
  const Vec3 centre = 0.5 * (small.lo + small.hi);
  const double speed = (ma.at(centre) - mb.at(centre)).norm() + (ma.omega - mb.omega).norm() * std::min(ra, rb);
  return foresight.time * speed > w.settings.contactMargin + kDeepest * std::min(a.def->inner, b.def->inner);
}

std::int64_t addSpeculativeContacts(const ContactWorld& w, int shapeA, int shapeB, const Foresight& foresight, std::size_t firstContact,
                                    std::vector<Contact>& contacts, std::vector<SpeculativeContact>& speculative) {
  PairSweep sweep(w, shapeA, shapeB, foresight, contacts, speculative);
  sweep.find(firstContact);
  return sweep.distances;
}

}  // namespace vertebra::collision
