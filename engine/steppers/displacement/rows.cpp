// Laws of a row, and rows over any number of bodies. See displacement.hpp. For a row with impulse l, rate u = J v, inverse mass w = J M^-1
// J^T and error C at the newest poses, a change dl changes u by w dl and C by h w dl. Rigid: C + h w dl = 0. Spring and damper, l = -h k C
// - h d u at the end: dl = -(l + h k C + h d u) / (1 + (h^2 k + h d) w), which is XPBD's update (Waterson 8.1). Regularised by a: dl = -(C
// / h + a l) / (w + a); Waterson's eq. 59 has the sign of the last term wrong.
#include <algorithm>
#include <cmath>

#include "engine/constraints/full_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/dynamics/joints/common.hpp"
#include "engine/particles/particles.hpp"
#include "engine/steppers/displacement/displacement.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::steppers {

Vec3 DisplacementIsland::omegaOf(int body, bool before) const {
  if (body < 0) return Vec3::Zero();
  const BodySlot& b = w_.bodies[body];
  if (b.link < 0) return b.kind == BodyKind::Kinematic ? b.omega : Vec3(Vec3::Zero());
  const DisplacedBody& displaced = w_.displacement.bodies[linkOf(body)];
  return before ? displaced.startOmega : displaced.omega;
}

Vec3 DisplacementIsland::carried(int body, const Vec3& p) const {
  const int link = linkOf(body);
  return link < 0 ? p : Vec3(p + w_.state[link].c - w_.displacement.bodies[link].freeCentre);
}

Vec3 DisplacementIsland::pointVelocity(int body, const Vec3& p, bool before) const {
  if (body < 0) return Vec3::Zero();
  const BodySlot& b = w_.bodies[body];
  if (b.link < 0) return b.kind == BodyKind::Kinematic ? Vec3(b.velocity + b.omega.cross(p - b.pose.p)) : Vec3(Vec3::Zero());
  const dynamics::LinkState& s = w_.state[linkOf(body)];
  return (before ? w_.displacement.bodies[linkOf(body)].startVelocity : s.v) + omegaOf(body, before).cross(p - s.c);
}

double DisplacementIsland::rate(const Direction& d, bool before) const {
  double u = d.torque.dot(omegaOf(d.b, before) - omegaOf(d.a, before));
  if (d.force.squaredNorm() > 0) u += d.force.dot(pointVelocity(d.b, d.pointB, before) - pointVelocity(d.a, d.pointA, before));
  return u;
}

double DisplacementIsland::freeRate(const Direction& d) const {
  double u = 0;
  for (int side = 0; side < 2; side++) {
    const int body = side ? d.b : d.a, link = linkOf(body);
    const Vec3& point = side ? d.pointB : d.pointA;
    Vec3 velocity = pointVelocity(body, point, false);
    if (link >= 0) {
      const DisplacedBody& b = w_.displacement.bodies[link];
      velocity = b.freeVelocity + b.freeOmega.cross(point - w_.state[link].c);
    }
    u += (side ? 1 : -1) * d.force.dot(velocity);
  }
  return u;
}

void DisplacementIsland::pushBody(int link, const Vec3& impulse, const Vec3& torque) {
  dynamics::LinkState& s = w_.state[link];
  DisplacedBody& b = w_.displacement.bodies[link];
  const Vec3 dv = b.speedBy(impulse, torque), dw = b.spinBy(impulse, torque);
  s.v += dv;
  b.omega += dw;
  if (pass_ == Pass::Settle) lifted_ += h_ * w_.model[link].mass * w_.links[link].gravityScale * w_.settings.gravity.dot(dv);
  if (b.rotor) {
    if (pass_ == Pass::Start || pass_ == Pass::Move) w_.q[w_.model[link].qOffset] += h_ * b.axis.dot(dw);
    return;
  }
  if (pass_ == Pass::Move) displace(link, dw);
  s.w = s.R.transpose() * b.omega;
}

// Rotations by impulses that cancel must cancel, too, and rotations one after the other do not: a light box under a heavy one would be
// spun. So the rotation is that of the sum where only contacts act. A sum of more than a radian says little about the next change; there,
// and between joints, which impacts turn by radians, it is made of changes.
void DisplacementIsland::displace(int link, const Vec3& dw) {
  dynamics::LinkState& s = w_.state[link];
  const DisplacedBody& b = w_.displacement.bodies[link];
  s.c = b.freeCentre + h_ * (s.v - b.freeVelocity);
  if (dw.squaredNorm() > 0) {
    const Vec3 turn = h_ * (b.omega - b.freeOmega);
    s.q = onlyContacts() && turn.squaredNorm() < 1 ? normalized(quatExp(turn) * b.freeTurn) : normalized(quatExp(h_ * dw) * s.q);
    s.R = dynamics::rotationOf(s.q);
    if (!w_.settings.displacementFrozen) refreshInertia(w_, link, h_);
  }
  carryWelded(w_, link);
}

void DisplacementIsland::push(const Direction& d, double impulse) {
  if (impulse == 0) return;
  const int la = linkOf(d.a), lb = linkOf(d.b);
  const Vec3 force = impulse * d.force, torque = impulse * d.torque;
  const Vec3 onA = la >= 0 ? Vec3(torque + (d.pointA - w_.state[la].c).cross(force)) : Vec3(Vec3::Zero());
  const Vec3 onB = lb >= 0 ? Vec3(torque + (d.pointB - w_.state[lb].c).cross(force)) : Vec3(Vec3::Zero());
  if (la >= 0) pushBody(la, -force, -onA);
  if (lb >= 0) pushBody(lb, force, onB);
}

// Waterson's eq. 64: how a force at the point displaces it, how a torque rotates the body.
void DisplacementIsland::addMobility(int body, const Vec3& point, Mat3& linear, Mat3& angular) const {
  const int link = linkOf(body);
  if (link < 0) return;
  const DisplacedBody& b = w_.displacement.bodies[link];
  const Mat3 arm = skew(point - w_.state[link].c);
  if (b.pulled)
    linear += b.moving + b.mixed * arm - arm * b.mixed.transpose() - arm * b.inverseInertia * arm;
  else
    linear += b.inverseMass * Mat3::Identity() - arm * b.inverseInertia * arm;
  angular += b.inverseInertia;
}

double DisplacementIsland::inverseMassOf(const Direction& d) const {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    const int link = linkOf(side ? d.b : d.a);
    if (link < 0) continue;
    const DisplacedBody& b = w_.displacement.bodies[link];
    const Vec3 torque = d.torque + ((side ? d.pointB : d.pointA) - w_.state[link].c).cross(d.force);
    sum += b.inverseMassOf(d.force, torque);
  }
  return sum;
}

double DisplacementIsland::changeBy(const RowLaw& law, double impulse, double rate, double inverseMass) const {
  if (!(inverseMass > 0)) return 0;
  const double offRate = law.velocityLevel ? rate - law.wanted : rate + law.wanted;
  if (!law.softness.rigid()) {
    const double k = law.velocityLevel ? 0 : h_ * law.softness.stiffness, d = h_ * law.softness.damping;
    return -(impulse + k * law.error + d * offRate) / (1 + (h_ * k + d) * inverseMass);
  }
  const double alpha = law.regularisation * inverseMass;
  return -((law.velocityLevel ? offRate : law.error / h_) + alpha * impulse) / (inverseMass + alpha);
}

void DisplacementIsland::apply(Kind kind, double& impulse, double change, double lower, double upper, const Direction& d) {
  switch (pass_) {
    case Pass::Start:
      impulse *= kind == Kind::Bound ? warmStart_ : std::min(kHeldStart, warmStart_);
      impulse = std::min(upper, std::max(lower, impulse));
      return push(d, impulse);
    case Pass::Push:
    case Pass::Move: {
      const double to = std::min(upper, std::max(lower, impulse + relaxation_ * change));
      residual_ = std::max(residual_, std::fabs(to - impulse) * d.inverseMass);
      push(d, to - impulse);
      impulse = to;
      return;
    }
    case Pass::Account:
      if (impulse != 0) work_[static_cast<int>(kind)] += 0.5 * impulse * (rate(d) + rate(d, true));
      if (kind == Kind::Hold || kind == Kind::Bound)
        leave(h_ * d.inverseMass * std::fabs(std::min(upper, std::max(lower, impulse + change)) - impulse));
      return;
    case Pass::Settle:
    case Pass::Bounce:
      return;
  }
}

void DisplacementIsland::leave(double error, double before) {
  left_ = std::max(left_, error);
  tooFar_ |= error - before > w_.divided.least;
}

// ---- rows over several bodies: their parts are gathered first, those on one body as one

void DisplacementIsland::addPart(int body, const Vec6& wrench, const Vec3& point) {
  if (body < 0) return;
  const int link = linkOf(body);
  const Vec3 centre = link >= 0 ? w_.state[link].c : w_.bodies[body].pose.p, force = wrench.tail<3>();
  const Vec3 torque = Vec3(wrench.head<3>()) + (point - centre).cross(force);
  for (DisplacedPart& p : w_.displacement.parts)
    if (link >= 0 ? p.link == link : p.body == body) {
      p.force += force;
      p.torque += torque;
      return;
    }
  w_.displacement.parts.push_back({body, link, force, torque});
}

double DisplacementIsland::addAxis(int joint, int axis, double coefficient) {
  JointSlot& j = w_.joints[joint];
  if (j.role == Role::Inactive) return 0;
  if (j.link >= 0) {  // a rotor
    const dynamics::LinkState& s = w_.state[j.link];
    addPart(w_.links[j.link].body, dynamics::stack(coefficient * w_.displacement.bodies[j.link].axis, Vec3::Zero()), s.c);
    return w_.q[w_.model[j.link].qOffset];
  }
  constraints::PairConstraint c;
  constraints::viewPair(w_.bodies, w_, j, j.q, c);
  if (axis >= c.axes) return j.q[axis];  // a rod holds its length
  const Vec6 wrench = coefficient * c.axis[axis];
  addPart(j.b, wrench, c.point);
  addPart(j.a, -wrench, c.point);
  return j.q[axis];
}

double DisplacementIsland::partsRate(bool before) const {
  double u = 0;
  for (const DisplacedPart& p : w_.displacement.parts) {
    const Vec3 centre = p.link >= 0 ? w_.state[p.link].c : w_.bodies[p.body].pose.p;
    u += p.force.dot(pointVelocity(p.body, centre, before)) + p.torque.dot(omegaOf(p.body, before));
  }
  return u;
}

void DisplacementIsland::generalRow(Kind kind, double& impulse, const RowLaw& law) {
  double inverseMass = 0;
  for (const DisplacedPart& p : w_.displacement.parts) {
    if (p.link < 0) continue;
    inverseMass += w_.displacement.bodies[p.link].inverseMassOf(p.force, p.torque);
  }
  double to = impulse;
  switch (pass_) {
    case Pass::Start:
      to = std::min(law.upper, std::max(law.lower, std::min(kHeldStart, warmStart_) * impulse));
      impulse = 0;
      break;
    case Pass::Push:
    case Pass::Move:
      to = std::min(law.upper, std::max(law.lower, impulse + relaxation_ * changeBy(law, impulse, partsRate(false), inverseMass)));
      residual_ = std::max(residual_, std::fabs(to - impulse) * inverseMass);
      break;
    case Pass::Account:
      work_[static_cast<int>(kind)] += 0.5 * impulse * (partsRate(false) + partsRate(true));
      if (law.softness.rigid() && !law.velocityLevel) {
        const double all = impulse + changeBy(law, impulse, partsRate(false), inverseMass);
        leave(h_ * inverseMass * std::fabs(std::min(law.upper, std::max(law.lower, all)) - impulse), kInf);  // in any unit
      }
      break;
    case Pass::Settle:
    case Pass::Bounce:
      break;
  }
  if (to == impulse) return;
  for (const DisplacedPart& p : w_.displacement.parts)
    if (p.link >= 0) pushBody(p.link, (to - impulse) * p.force, (to - impulse) * p.torque);
  impulse = to;
}

void DisplacementIsland::coupling(CouplingSlot& c) {
  w_.displacement.parts.clear();
  double error = -c.def.target;
  for (const CouplingTerm& t : c.def.terms) error += t.coefficient * addAxis(t.joint, t.axis, t.coefficient);
  RowLaw law{c.def.velocityLevel, error, c.def.velocityLevel ? c.def.target : 0, c.def.softness};
  law.upper = c.def.maxForce < kInf ? h_ * c.def.maxForce : kInf;
  law.lower = -law.upper;
  law.regularisation = regularisation_;
  generalRow(c.def.softness.rigid() && !(law.upper < kInf) ? Kind::Hold : Kind::Drive, c.impulse, law);
}

void DisplacementIsland::userConstraint(int id) {
  UserConstraintSlot& c = w_.constraints[id];
  if (!constraints::evaluateConstraint(w_.bodies, w_, w_.constraints[id], id)) island_.tally->badConstraint = id;
  for (int k = 0; k < c.count; k++) {
    const UserRow& r = c.rows[k];
    w_.displacement.parts.clear();
    for (std::size_t i = 0; i < c.def.bodies.size(); i++) {
      const double* b = r.bodies + 6 * i;
      const Vec6 wrench = dynamics::stack(Vec3(b[3], b[4], b[5]), Vec3(b[0], b[1], b[2]));
      if (wrench.squaredNorm() > 0) addPart(c.def.bodies[i], wrench, trees::poseOf(w_, c.def.bodies[i]).p);
    }
    const double* g = r.joints;
    for (int joint : c.def.joints)
      for (int axis = 0; axis < w_.joints[joint].nv; axis++, g++)
        if (*g != 0) addAxis(joint, axis, *g);
    const RowLaw law{r.velocityLevel, r.error, r.rate, r.softness, h_ * r.lower, h_ * r.upper, regularisation_};
    generalRow(Kind::Drive, c.impulse[k], law);
  }
}

}  // namespace vertebra::steppers
