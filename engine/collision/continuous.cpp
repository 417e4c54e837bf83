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
constexpr double kNear = 0.1;       // of the contact margin: distance at which shapes are treated as in contact
constexpr double kSameWay = 0.999;  // cosine: a later meeting with the normal of an existing contact adds nothing
constexpr double kDeepest = 1;      // share of the thinner shape's inner radius that may be lost without a contact
constexpr double kWild = 1;         // rad a step: a free body that rotates faster is swept as the ball inside it
constexpr double kSmall = 1e-3;     // m; penetration that an existing contact may allow
constexpr double kSoftness = 5e-3;  // of resting contacts, as a share of the approach velocity

struct Predicted : geometry::RigidMotion {
  bool turnsPivot = false;  // in a joint: the whole body rotates about the pivot; a free one translates and rotates
};

// By a joint that is not in a tree.
bool bound(const ContactWorld& w, int body) {
  for (int id : w.auxiliaryJoints) {
    const JointSlot& d = w.joints[id];
    if (d.def->constraint == ConstraintType::Joint && (d.a == body || d.b == body)) return true;
  }
  return false;
}

Predicted predict(const ContactWorld& w, int body, double h) {
  Predicted m;
  if (body < 0) return m;
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) {
    m.pivot = b.pose.p;
    if (b.kind != BodyKind::Kinematic || b.arrived) return m;
    m.velocity = b.target->time > 0 ? Vec3((b.target->pose.p - b.pose.p) / b.target->time) : b.velocity;
    m.omega = b.target->time > 0 ? Vec3(quatLog(b.target->pose.q * b.pose.q.conjugate()) / b.target->time) : b.omega;
    return m;
  }
  const TreeRuntime& t = w.trees[b.tree];
  const dynamics::LinkState& s = w.state[b.link];
  m.pivot = s.c;
  if (t.asleep) return m;
  if (t.immobile) {
    m.velocity = s.v;
    m.omega = s.R * s.w;
  } else {
    m.velocity = w.links[b.link].startV + h * b.gravityScale * w.settings.gravity;
    m.omega = s.R * w.links[b.link].startW;
    if (w.anyForce && b.mass() > 0) m.velocity += (h * (b.applied->force + b.applied->persistentForce) + b.applied->impulse) / b.mass();
    if (t.freeRoot && t.tree.count == 1 && !bound(w, body)) return m;
  }
  const double rate = m.omega.norm();
  if (rate * h < 1e-2) return m;
  // The screw motion of the link since the velocities were taken.
  const Vec3 axis = m.omega / rate, start = t.immobile ? s.v : w.links[b.link].startV;
  m.pivot = (t.immobile ? s.c : w.links[b.link].startC) + m.omega.cross(start) / (rate * rate);
  m.velocity = axis * axis.dot(start);
  m.turnsPivot = true;
  return m;
}

double halfDiagonal(const geometry::Aabb& box) { return 0.5 * (box.hi - box.lo).norm(); }

// Point and direction in the body at the start of the motion.
Vec3 pointAtStart(const Predicted& m, const Vec3& p, double t) {
  return m.turnsPivot ? geometry::movedBack(p, m, t) : Vec3(p - t * m.velocity);
}
Vec3 directionAtStart(const Predicted& m, const Vec3& n, double t) { return m.turnsPivot ? Vec3(quatExp(-t * m.omega) * n) : n; }

// The body that is hit moves straight at velocity v, while the surface that hits it rotates: how far the surface outruns the straight way
// along the normal [m] in the remaining time. With x the arm along the surface and u the speed along it: tan(angle) (x + u t) - angle x.
double outrun(const Predicted& m, const Vec3& point, const Vec3& normal, const Vec3& v, double time) {
  const double rate = m.omega.norm(), angle = std::min(1.0, time * rate);
  if (!(angle > 0) || (!m.turnsPivot && time * rate > kWild)) return 0;
  const Vec3 along = normal.cross(m.omega) / rate;
  const double arm = along.dot(point - m.pivot), reach = arm + time * along.dot(v - m.velocity);
  if (!(arm > 0) || !(reach > 0)) return 0;
  const SinCos a = sincos(angle);
  return std::max(0.0, a.s / a.c * reach - angle * arm);
}

bool flies(const ContactWorld& w, int body) { return body >= 0 && w.bodies[body].link >= 0 && !w.trees[w.bodies[body].tree].immobile; }

class PairSweep {
 public:
  PairSweep(const ContactWorld& w, int shapeA, int shapeB, double h, std::vector<Contact>& contacts,
            std::vector<SpeculativeContact>& speculative)
      : w_(w),
        contacts_(contacts),
        speculative_(speculative),
        a_(w.shapes[shapeA]),
        b_(w.shapes[shapeB]),
        ia_(shapeA),
        ib_(shapeB),
        h_(h),
        ma_(predict(w, a_.body, h)),
        mb_(predict(w, b_.body, h)) {}

  void find(std::size_t firstContact) {
    const double margin = w_.settings.contactMargin;
    for (std::size_t i = firstContact; i < contacts_.size(); i++) harden(contacts_[i]);
    geometry::Geometry ballA, ballB;
    const geometry::Collider a = standIn(a_, ia_, ma_, ballA), b = standIn(b_, ib_, mb_, ballB);
    geometry::Meeting found[kMeetings];
    const bool swap = !geometry::isSolid(*a.geometry);
    if (swap && !geometry::isSolid(*b.geometry)) return;  // surfaces and planes among themselves make no contacts
    const int count = swap ? geometry::meetings(b, mb_, a, ma_, h_, kNear * margin, margin, found, kMeetings)
                           : geometry::meetings(a, ma_, b, mb_, h_, kNear * margin, margin, found, kMeetings);
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
      const int before = contacts;
      SpeculativeContact speculative[geometry::Manifold::kCapacity];
      bool strikes = false;
      for (int i = 0; i < manifold.count; ++i) strikes |= foresee(manifold.points[i], found[k].t, speculative[i]);
      for (int i = 0; i < manifold.count && contacts < kContacts; ++i) {
        if (!isNew(manifold.points[i].normal, before)) continue;
        if (strikes) add(manifold.points[i], speculative[i]);
        taken[contacts++] = manifold.points[i].normal;
      }
    }
  }

 private:
  // The shape, or, for a free body that rotates very fast, the ball inside it, which translates without rotation.
  geometry::Collider standIn(const ShapeSlot& s, int id, Predicted& m, geometry::Geometry& ball) const {
    const geometry::Collider shape(s.def->geometry, w_.shapePose[id], s.def->bvh.get());
    if (!flies(w_, s.body) || m.turnsPivot || h_ * m.omega.norm() < kWild || !geometry::isSolid(s.def->geometry)) return shape;
    ball.size.x() = s.def->inner;
    m.omega.setZero();
    return geometry::Collider(ball, {w_.shapePose[id] * Vec3(0.5 * (s.def->localBox.lo + s.def->localBox.hi)), Quat::Identity()});
  }

  // False if the gap of the point at the end of the step is no smaller than allowed.
  bool foresee(const geometry::ContactPoint& p, double t, SpeculativeContact& speculative) const {
    const Predicted* motion[2] = {&ma_, &mb_};
    double rate = 0;
    for (int side = 0; side < 2; ++side) {
      const Vec3 onSurface = p.position + (side ? 0.5 : -0.5) * p.gap * p.normal;
      speculative.point[side] = pointAtStart(*motion[side], onSurface, t);
      speculative.normal[side] = directionAtStart(*motion[side], p.normal, t);
      rate += (side ? -1 : 1) * speculative.normal[side].dot(motion[side]->at(speculative.point[side]));
    }
    speculative.allowed = std::max(0.0, rate * t + p.gap);
    const bool strikes = rate * h_ > speculative.allowed;
    if (strikes) speculative.allowed -= outrunBy(speculative, h_ - t);
    return strikes;
  }

  void add(const geometry::ContactPoint& p, const SpeculativeContact& speculative) {
    Contact c = contactAt(w_, ia_, ib_, p);
    c.gap = speculative.allowed;
    c.feature ^= 0x80000000u;  // its impulse is no warm start for the contact of the next step
    c.speculative = static_cast<int>(speculative_.size());
    speculative_.push_back(speculative);
    contacts_.push_back(c);
  }

  // An existing contact of surfaces that approach fast or rotate: the softness of resting contacts must not apply to it.
  void harden(Contact& c) {
    SpeculativeContact speculative{{c.position, c.position}, {c.normal, c.normal}, std::max(0.0, c.gap)};
    const double by = outrunBy(speculative, h_), approach = h_ * c.normal.dot(ma_.at(c.position) - mb_.at(c.position));
    if (by < kSmall && kSoftness * approach < kSmall) return;
    speculative.allowed -= by;
    c.speculative = static_cast<int>(speculative_.size());
    speculative_.push_back(speculative);
  }

  double outrunBy(const SpeculativeContact& speculative, double time) const {
    double by = 0;
    const Vec3 &onA = speculative.point[0], &onB = speculative.point[1];
    if (flies(w_, b_.body) || !ma_.turnsPivot) by += outrun(ma_, onA, speculative.normal[0], mb_.velocity, time);
    if (flies(w_, a_.body) || !mb_.turnsPivot) by += outrun(mb_, onB, -speculative.normal[1], ma_.velocity, time);
    return by;
  }

  const ContactWorld& w_;
  std::vector<Contact>& contacts_;
  std::vector<SpeculativeContact>& speculative_;
  const ShapeSlot &a_, &b_;
  const int ia_, ib_;
  const double h_;
  Predicted ma_, mb_;
};

}  // namespace

bool isFast(const ContactWorld& w, int body, double h) {
  const Predicted m = predict(w, body, h);
  for (int id : ShapesOf(w, body)) {
    const ShapeSlot& s = w.shapes[id];
    if (geometry::traitsOf(s.def->geometry.type).kind == geometry::ShapeKind::Frame) continue;
    const bool finite = s.def->localBox.lo.allFinite() && s.def->localBox.hi.allFinite();
    const Vec3 centre =
        trees::poseOf(w, body) * (poseInBody(w, s) * (finite ? Vec3(0.5 * (s.def->localBox.lo + s.def->localBox.hi)) : Vec3(Vec3::Zero())));
    if (h * (m.at(centre).norm() + (finite ? m.omega.norm() * halfDiagonal(s.def->localBox) : 0)) > w.settings.contactMargin) return true;
  }
  return false;
}

bool sweepBox(const ContactWorld& w, int i, double h, geometry::Aabb& box) {
  const ShapeSlot& s = w.shapes[i];
  if (s.body < 0 || (w.passive[i] && w.bodies[s.body].kind != BodyKind::Kinematic)) return false;
  const BodySlot& body = w.bodies[s.body];
  if (!w.anyForce && body.link >= 0 && !w.trees[body.tree].immobile) {  // most are slow in every direction
    const LinkRuntime& r = w.links[body.link];
    const double fall = h * std::fabs(body.gravityScale) * w.settings.gravity.norm();
    if (h * (r.startV.norm() + fall + r.startW.norm() * s.reach) <= w.settings.contactMargin) return false;
  }
  if (!(box.lo.allFinite() && box.hi.allFinite())) return false;
  const Vec3 centre = 0.5 * (box.lo + box.hi);
  const double radius = halfDiagonal(box);
  const Predicted m = predict(w, s.body, h);
  const Vec3 way = h * m.at(centre);
  const double angle = h * m.omega.norm();
  if (way.norm() + angle * radius <= w.settings.contactMargin) return false;
  const Vec3 bulge = Vec3::Constant(std::min(angle, 2.0) * radius + 0.5 * angle * angle * (centre - m.pivot).norm());
  box = {box.lo.cwiseMin(box.lo + way) - bulge, box.hi.cwiseMax(box.hi + way) + bulge};
  return true;
}

bool meetFast(const ContactWorld& w, int shapeA, int shapeB, const geometry::Aabb& boxA, const geometry::Aabb& boxB, double h) {
  const ShapeSlot &a = w.shapes[shapeA], &b = w.shapes[shapeB];
  const Predicted ma = predict(w, a.body, h), mb = predict(w, b.body, h);
  const double ra = halfDiagonal(boxA), rb = halfDiagonal(boxB);
  const geometry::Aabb& small = ra <= rb ? boxA : boxB;
  const Vec3 centre = 0.5 * (small.lo + small.hi);
  const double speed = (ma.at(centre) - mb.at(centre)).norm() + (ma.omega - mb.omega).norm() * std::min(ra, rb);
  return h * speed > w.settings.contactMargin + kDeepest * std::min(a.def->inner, b.def->inner);
}

void addSpeculativeContacts(const ContactWorld& w, int shapeA, int shapeB, double h, std::size_t firstContact,
                            std::vector<Contact>& contacts, std::vector<SpeculativeContact>& speculative) {
  PairSweep(w, shapeA, shapeB, h, contacts, speculative).find(firstContact);
}

}  // namespace vertebra::collision
