// Contacts under the stepper `displacement` (Waterson 7): found at the predicted poses; each keeps its two points on their bodies and its
// normal. The normal row keeps the gap that the step may leave at least; friction opposes the points' displacement along the surface, up to
// the static coefficient times the normal impulse; contacts that slip nevertheless after the sweeps have settled get the dynamic
// coefficient, and the sweeps go on. (Deciding this in each sweep, as Waterson's eq. 101 does, lets a box slide whose corners carry unequal
// shares of it.) Eqs. 90 and 95 clamp the change of the impulse, where the sum is meant; in eq. 100 the projector along s is s s^T. See
// displacement.hpp.
#include <algorithm>
#include <cmath>

#include "engine/geometry/surface.hpp"
#include "engine/particles/particles.hpp"
#include "engine/steppers/displacement/displacement.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

Vec3 pointOn(const WorldData& w, int link, const Vec3& inBody) {
  return link < 0 ? inBody : Vec3(w.state[link].c + w.state[link].R * inBody);
}

// The end of an arm that was found at the predicted pose, turned with its body but for the part along the normal.
Vec3 turned(const WorldData& w, int link, const Vec3& n, const Vec3& arm) {
  const dynamics::LinkState& s = w.state[link];
  const Vec3 along = n.dot(arm) * n;
  return s.c + along + s.q * (w.displacement.bodies[link].freeTurn.conjugate() * Vec3(arm - along));
}

// The contact's point on its first or second body. The arm of a foreseen impact turns, from the predicted pose on, but for its part along
// the normal: otherwise a ball could avoid the impact by rolling on.
Vec3 pointOf(const WorldData& w, const DisplacedContact& c, bool second) {
  const int link = second ? c.linkB : c.linkA;
  const Vec3& in = second ? c.inB : c.inA;
  if (!c.foreseen || link < 0) return pointOn(w, link, in);
  return turned(w, link, w.contacts[c.contact].normal, in);
}

// Velocity of a point before the step.
Vec3 startVelocity(const WorldData& w, int body, const Vec3& p) {
  if (body < 0) return Vec3::Zero();
  const BodySlot& b = w.bodies[body];
  if (b.link >= 0) return w.links[b.link].startV + (w.state[b.link].R * w.links[b.link].startW).cross(p - w.state[b.link].c);
  return b.kind == BodyKind::Kinematic ? Vec3(b.velocity + b.omega.cross(p - b.pose.p)) : Vec3(Vec3::Zero());
}

Vec3 withinDisc(const Vec3& impulse, double most) {
  const double size = impulse.norm();
  return size <= most ? impulse : Vec3(most / size * impulse);
}

}  // namespace

void DisplacementIsland::addContacts() {
  const WorldSettings& set = w_.settings;
  std::vector<DisplacedContact>& all = w_.displacement.contacts;
  const std::vector<Contact>& starts = w_.starts();
  std::size_t next = 0;
  for (int index : island_.contacts) {
    const Contact& from = w_.contacts[index];
    DisplacedContact c;
    c.surface = geometry::combine(w_.shapes[from.shapeA].def->surface, w_.shapes[from.shapeB].def->surface);
    c.contact = index;
    c.linkA = linkOf(from.bodyA);
    c.linkB = linkOf(from.bodyB);
    const Vec3 pointA = from.position - 0.5 * from.gap * from.normal, pointB = from.position + 0.5 * from.gap * from.normal;
    if (from.speculative >= 0) {  // it keeps what was found before the step, and lets nothing through
      const ForeseenContact& foreseen = w_.displacement.foreseen[from.speculative];
      const Vec3 atA = c.linkA < 0 ? foreseen.arm[0] : Vec3(w_.state[c.linkA].c + foreseen.arm[0]);
      const Vec3 atB = c.linkB < 0 ? foreseen.arm[1] : Vec3(w_.state[c.linkB].c + foreseen.arm[1]);
      c.inA = foreseen.arm[0];
      c.inB = foreseen.arm[1];
      c.allowed = from.normal.dot(atB - atA) - foreseen.gap;
      c.foreseen = true;
      if (foreseen.inner)
        c.surface = geometry::ContactSurface();
      else
        c.startRate = foreseen.rate;
      w_.displacement.items.push_back({DisplacedItem::Contact, static_cast<int>(all.size())});
      all.push_back(c);
      continue;
    }
    c.inA = pointInBody(w_, c.linkA, pointA);
    c.inB = pointInBody(w_, c.linkB, pointB);
    c.startRate = from.normal.dot(startVelocity(w_, from.bodyB, pointB) - startVelocity(w_, from.bodyA, pointA));
    // An open gap may close; penetration is reduced by a share, no faster than bodies may separate.
    const double closing = h_ * from.normal.dot(pointVelocity(from.bodyB, pointB, false) - pointVelocity(from.bodyA, pointA, false));
    const double before = std::min(0.0, from.gap - closing + set.contactSlop);
    c.allowed = before + std::min(-set.contactCorrection * before, h_ * set.contactSpeed) - set.contactSlop;
    // Warm start by feature; both lists are sorted by shapes.
    const std::pair shapes(from.shapeA, from.shapeB);
    while (next < starts.size() && std::pair(starts[next].shapeA, starts[next].shapeB) < shapes) next++;
    for (std::size_t k = next; k < starts.size() && std::pair(starts[k].shapeA, starts[k].shapeB) == shapes; k++)
      if (starts[k].feature == from.feature && w_.pressed(k)) {
        const Vec3 &n = from.normal, impulse = h_ * starts[k].force, angular = h_ * w_.startTorque(k);
        c.normal = std::max(0.0, n.dot(impulse));
        c.tangential = warmStart_ * (impulse - n.dot(impulse) * n);
        c.torsion = n.dot(angular);
        c.rolling = warmStart_ * (angular - c.torsion * n);
        break;
      }
    w_.displacement.items.push_back({DisplacedItem::Contact, static_cast<int>(all.size())});
    all.push_back(c);
  }
}

// A penalty contact, and the general form of any force F(C, u) in the sweeps (Waterson 8): Newton's step for l = h F at the end, dl = (h F
// - l) / (1 - h (h dF/dC + dF/du) w). Linear: -k C - d u; Hertz: k (-C)^(3/2) (1 - d u). Neither pulls.
void DisplacementIsland::pushBack(DisplacedContact& c, double gap, const Direction& d) {
  const double k = c.surface.stiffness, u = rate(d), depth = std::max(0.0, -gap), root = std::sqrt(depth);
  double force = k * depth - (depth > 0 ? c.surface.damping * u : 0), slope = k, damping = c.surface.damping;
  if (c.surface.hertz) {
    const double approach = std::max(0.0, 1 - c.surface.damping * u);
    force = k * depth * root * approach;
    slope = 1.5 * k * root * approach;
    damping = k * depth * root * c.surface.damping;
  }
  apply(Kind::Bound, c.normal, (h_ * force - c.normal) / (1 + h_ * (h_ * slope + damping) * d.inverseMass), 0, kInf, d);
}

void DisplacementIsland::contact(DisplacedContact& c) {
  const Contact& from = w_.contacts[c.contact];
  const Vec3& n = from.normal;
  Direction d;
  d.a = from.bodyA;
  d.b = from.bodyB;
  d.pointA = pointOf(w_, c, false);
  d.pointB = pointOf(w_, c, true);
  if (pass_ == Pass::Start || (pass_ != Pass::Push && !w_.settings.displacementFrozen)) {
    c.linear.setZero();
    c.angular.setZero();
    addMobility(d.a, d.pointA, c.linear, c.angular);
    addMobility(d.b, d.pointB, c.linear, c.angular);
  }
  relaxation_ = w_.settings.solverRelaxation;
  d.force = n;
  d.inverseMass = n.dot(c.linear * n);
  if (!(d.inverseMass > 0)) return;
  const double threshold = std::max(w_.settings.restitutionSpeed, 2 * h_ * w_.settings.gravity.norm());
  double gap = n.dot(d.pointB - d.pointA);
  if (pass_ == Pass::Push) gap += h_ * (rate(d) - c.freeRate);  // nothing has been moved
  if (pass_ == Pass::Start) {
    c.freeRate = freeRate(d);
    c.heldA = d.pointA;
    c.heldB = d.pointB;
  } else if (w_.settings.displacementFrozen) {
    d.pointA = carried(d.a, c.heldA);
    d.pointB = carried(d.b, c.heldB);
  } else if (pass_ == Pass::Bounce && !c.foreseen && onlyContacts()) {  // beside joints it makes energy
    if (c.linkA >= 0) d.pointA = turned(w_, c.linkA, n, carried(d.a, c.heldA) - w_.state[c.linkA].c);
    if (c.linkB >= 0) d.pointB = turned(w_, c.linkB, n, carried(d.b, c.heldB) - w_.state[c.linkB].c);
  }
  if (pass_ == Pass::Settle) {
    if (c.surface.stiffness > 0 || !(c.normal > 0) || (c.surface.restitution > 0 && -c.startRate > threshold)) return;
    return settle(c, d);
  }
  if (c.surface.stiffness > 0)
    pushBack(c, gap, d);
  else if (pass_ != Pass::Bounce || -c.startRate > threshold)
    bound(c.normal, gap - c.allowed, c.startRate, c.surface.restitution, d);
  if (pass_ == Pass::Bounce) {
    if (c.surface.restitution > 0 && c.normal > 0 && -c.startRate > threshold) rub(c, d, c.surface.friction);
    return;
  }
  resistSlip(c, d, n);
}

// Friction, torsional and rolling friction: against the displacement of the points, and the turn, since the step began.
void DisplacementIsland::resistSlip(DisplacedContact& c, Direction d, const Vec3& n) {
  auto stop = [&](Vec3& impulse, const Mat3& mobility, const Vec3& moved, double most, bool turning) {
    Vec3& along = turning ? d.torque : d.force;
    (turning ? d.force : d.torque).setZero();
    Vec3 to = impulse;
    if (sweeps()) {
      const double speed = moved.norm();
      if (speed > 0) {
        const Vec3 s = moved / speed;
        d.inverseMass = s.dot(mobility * s);
        if (d.inverseMass > 0) to -= relaxation_ * speed / d.inverseMass * s;
      }
    }
    if (pass_ != Pass::Account) to = withinDisc(to, most);
    along = sweeps() ? Vec3(to - impulse) : to;
    if (pass_ == Pass::Account)
      work_[static_cast<int>(Kind::Friction)] += 0.5 * (rate(d) + rate(d, true));
    else
      push(d, 1);
    if (sweeps()) residual_ = std::max(residual_, along.norm() * d.inverseMass);
    impulse = to;
  };
  auto across = [&](const Vec3& x) { return Vec3(x - n.dot(x) * n); };
  const Vec3 none = Vec3::Zero();
  if (c.surface.staticFriction > 0) {
    const Vec3 moved = sweeps() ? across(pointVelocity(d.b, d.pointB, false) - pointVelocity(d.a, d.pointA, false)) : none;
    stop(c.tangential, c.linear, moved, (c.slips ? c.surface.friction : c.surface.staticFriction) * c.normal, false);
  }
  if (c.surface.torsionalFriction > 0) {
    d.force.setZero();
    d.torque = n;
    d.inverseMass = n.dot(c.angular * n);
    const double most = c.surface.torsionalFriction * c.normal;
    if (d.inverseMass > 0) apply(Kind::Friction, c.torsion, -rate(d) / d.inverseMass, -most, most, d);
  }
  if (c.surface.rollingFriction > 0) {
    const Vec3 turned = sweeps() ? across(omegaOf(d.b, false) - omegaOf(d.a, false)) : none;
    stop(c.rolling, c.angular, turned, c.surface.rollingFriction * c.normal, true);
  }
}

// Velocities that follow from displacements by sweeps which have not settled are their errors by h. What a contact that presses leaves of
// its points' relative velocity is taken, but for slip, within the bounds of its impulses: where these bounds stay, kinetic energy falls by
// that.
void DisplacementIsland::settle(DisplacedContact& c, Direction d) {
  const double u = rate(d), to = std::max(0.0, c.normal - u / d.inverseMass);
  push(d, to - c.normal);
  residual_ = std::max(residual_, std::fabs(to - c.normal) * d.inverseMass);
  c.normal = to;
  if (!c.slips) rub(c, d, c.surface.staticFriction);
}

// Friction of velocities: what slips is stopped within the bound of the normal impulse so far, or slides on. The friction of displacements
// knows neither the impulse of a rebound, nor that bodies which met within the step flew until then.
void DisplacementIsland::rub(DisplacedContact& c, Direction d, double sliding) {
  const Vec3& n = w_.contacts[c.contact].normal;
  Vec3 slip = pointVelocity(d.b, d.pointB, false) - pointVelocity(d.a, d.pointA, false);
  slip -= n.dot(slip) * n;
  const double speed = slip.norm();
  if (!(speed > 0)) return;
  d.torque.setZero();
  d.inverseMass = slip.dot(c.linear * slip) / (speed * speed);
  if (!(d.inverseMass > 0)) return;
  Vec3 impulse = c.tangential - slip / d.inverseMass;
  if (impulse.norm() > c.surface.staticFriction * c.normal) impulse = withinDisc(impulse, sliding * c.normal);
  d.force = impulse - c.tangential;
  push(d, 1);
  residual_ = std::max(residual_, d.force.norm() * d.inverseMass);
  c.tangential = impulse;
}

// Replaces static by dynamic friction where friction is at its static bound and the contact moves.
bool DisplacementIsland::letSlip(double tolerance) {
  bool any = false;
  for (DisplacedContact& c : w_.displacement.contacts) {
    const double bound = c.surface.staticFriction * c.normal * (1 - 1e-6);
    if (c.slips || !(c.surface.friction < c.surface.staticFriction) || !(c.normal > 0) || c.tangential.norm() < bound) continue;
    const Contact& from = w_.contacts[c.contact];
    Vec3 slip = pointVelocity(from.bodyB, pointOf(w_, c, true), false) - pointVelocity(from.bodyA, pointOf(w_, c, false), false);
    slip -= from.normal.dot(slip) * from.normal;
    if (slip.norm() > tolerance) any = c.slips = true;
  }
  return any;
}

void DisplacementIsland::storeContact(DisplacedContact& c) {
  Contact& to = w_.contacts[c.contact];
  const Vec3 pointA = pointOf(w_, c, false), pointB = pointOf(w_, c, true);
  to.speculative = Contact::kFound;  // what was foreseen is of this step and this stepper alone
  to.position = 0.5 * (pointA + pointB);
  to.gap = to.normal.dot(pointB - pointA) - (c.foreseen ? c.allowed : 0);
  to.force = (c.normal * to.normal + c.tangential) / h_;
  if (!w_.torques.empty()) w_.torques[c.contact] = (c.torsion * to.normal + c.rolling) / h_;
}

}  // namespace vertebra::steppers
