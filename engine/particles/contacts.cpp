// Contacts of particles with each other and with shapes. Impulses by symmetric Gauss-Seidel sweeps with a warm start, restitution by
// Newton's law on the approach before, friction in the disc of the normal impulse; then displacements remove overlap (Servin 5.2.4). A body
// takes part with the mass that it would have alone, which is the least it can have; its tree receives the sum of the impulses afterwards.
#include <algorithm>
#include <cmath>

#include "engine/collision/contacts.hpp"
#include "engine/geometry/raycast.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/surface.hpp"
#include "engine/particles/particles.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::particles {
namespace {

constexpr double kMargin = 0.1;     // times the radius: within this distance particles are near
constexpr double kSlop = 0.01;      // times the radius: overlap that is not removed
constexpr double kSettled = 1e-5;   // m/s, largest change in a sweep at which sweeps end
constexpr double kLiftSpeed = 0.5;  // m/s, largest speed that lifts a body out of particles; the lift is a tenth of the depth per step

bool meets(const WorldData& w, const ParticleSystem& s, const ShapeSlot& shape) {
  if (!shape.alive || geometry::traitsOf(shape.def->geometry.type).kind == geometry::ShapeKind::Frame) return false;
  if (shape.body >= 0 && !w.bodies[shape.body].enabled) return false;
  return (s.def.category & shape.def->mask) && (shape.def->category & s.def.mask);
}

Vec3 velocityAt(const ParticleBody& b, const Vec3& arm) { return b.v + cross(b.w, arm); }

Vec3 relativeVelocity(const WorldData&, const ParticleSystem& s, const ParticleContact& c) { return s.v[c.a] - s.v[c.b]; }
Vec3 relativeVelocity(const WorldData& w, const ParticleSystem& s, const ParticleTouch& c) {
  return c.body < 0 ? s.v[c.a] : Vec3(s.v[c.a] - velocityAt(w.particleBodies[c.body], c.arm));
}

void push(WorldData&, ParticleSystem& s, const ParticleContact& c, const Vec3& impulse) {
  s.v[c.a] += impulse / s.mass[c.a];
  s.v[c.b] -= impulse / s.mass[c.b];
}
void push(WorldData& w, ParticleSystem& s, const ParticleTouch& c, const Vec3& impulse) {
  s.v[c.a] += impulse / s.mass[c.a];
  if (c.body < 0) return;
  ParticleBody& b = w.particleBodies[c.body];
  const Vec3 turn = cross(c.arm, impulse);
  b.v -= b.inverseMass * impulse;
  b.w -= b.inverseInertia * turn;
  b.impulse -= impulse;
  b.angularImpulse -= turn;
}

double frictionOf(double pairs, const ParticleContact&) { return pairs; }
double frictionOf(double, const ParticleTouch& c) { return c.friction; }
double tangentMassOf(const ParticleContact& c) { return c.mass; }
double tangentMassOf(const ParticleTouch& c) { return c.tangentMass; }

const ParticleMemory* remembered(const ParticleSystem& s, int a, int other) {
  const int was = s.wasAt[a];
  if (was < 0) return nullptr;
  for (int k = s.memoryFirst[was]; k < s.memoryFirst[was + 1]; k++)
    if (s.memory[k].other == other) return &s.memory[k];
  return nullptr;
}

// Target velocity and initial impulse of the contact: Newton's law for a fast approach, otherwise the impulse of the last step.
template <class C>
void begin(const WorldData& w, const ParticleSystem& s, C& c, double restitution, const ParticleMemory* last, double h) {
  const double speed = c.normal.dot(relativeVelocity(w, s, c));
  c.target = c.gap > 0 ? -c.gap / h : 0;
  const double slowest = std::max(w.settings.restitutionSpeed, 4 * h * w.settings.gravity.norm());
  if (speed < -slowest && c.gap + h * speed < 0) {
    c.target = std::max(c.target, -restitution * speed);
  } else if (last) {
    c.impulse = last->impulse;
    c.tangentImpulse = last->tangentImpulse - c.normal.dot(last->tangentImpulse) * c.normal;
  }
}

void findPairs(const WorldData& w, ParticleSystem& s, double widest, double h) {
  s.contacts.clear();
  s.grid.build(s.x, (2 + kMargin) * widest);
  if (!s.def.touchEachOther) return;
  const double restitution = geometry::combine(s.def.surface, s.def.surface).restitution;
  s.grid.eachPair([&](int i, int k) {
    const int a = std::min(i, k), b = std::max(i, k);
    const Vec3 r = s.x[a] - s.x[b];
    const double reach = s.radius[a] + s.radius[b], far = reach + kMargin * std::min(s.radius[a], s.radius[b]), square = r.squaredNorm();
    if (!(square < far * far)) return;
    const double distance = std::sqrt(square);
    ParticleContact& c = s.contacts.emplace_back();
    c.a = a;
    c.b = b;
    c.normal = distance > 1e-9 * reach ? Vec3(r / distance) : Vec3(Vec3::UnitZ());
    c.gap = distance - reach;
    c.mass = s.mass[a] * s.mass[b] / (s.mass[a] + s.mass[b]);
    begin(w, s, c, restitution, s.wasAt[b] < 0 ? nullptr : remembered(s, a, s.wasAt[b]), h);
  });
}

void findTouches(const WorldData& w, ParticleSystem& s, double widest, double h) {
  s.touches.clear();
  if (!s.def.touchShapes) return;
  geometry::Geometry ball;
  geometry::Collider particle(ball, Pose());
  geometry::Manifold found;
  for (std::size_t id = 0; id < w.shapes.size(); id++) {
    const ShapeSlot& shape = w.shapes[id];
    if (!meets(w, s, shape)) continue;
    const Pose pose = collision::shapeWorldPose(w, shape);
    const geometry::Collider other(shape.def->geometry, pose, shape.def->bvh.get());
    const geometry::ContactSurface surface = geometry::combine(s.def.surface, shape.def->surface);
    const geometry::Aabb box = geometry::bounds(shape.def->geometry, pose, (1 + kMargin) * widest);
    s.grid.eachIn(box.lo, box.hi, [&](int i) {
      const Vec3& x = s.x[i];
      if (!(x.array() >= box.lo.array()).all() || !(x.array() <= box.hi.array()).all()) return;
      ball.size.x() = s.radius[i];
      particle.p = x;
      geometry::collide(particle, other, kMargin * s.radius[i], found);
      for (int k = 0; k < found.count; k++) {
        ParticleTouch& c = s.touches.emplace_back();
        c.a = i;
        c.body = shape.body;
        c.other = -1 - (static_cast<int>(id) * geometry::Manifold::kCapacity + k);
        c.normal = -found.points[k].normal;
        c.gap = found.points[k].gap;
        c.friction = surface.friction;
        double along = 1 / s.mass[i], across = along;
        if (c.body >= 0) {
          const ParticleBody& b = w.particleBodies[c.body];
          c.arm = found.points[k].position - b.c;
          const Vec3 turn = cross(c.arm, c.normal);
          along += b.inverseMass + turn.dot(b.inverseInertia * turn);
          across += b.inverseMass + c.arm.squaredNorm() * b.inverseInertia.trace();
        }
        c.mass = 1 / along;
        c.tangentMass = 1 / across;
        const ParticleMemory* last = remembered(s, i, c.other);
        begin(w, s, c, surface.restitution, last, h);
        // A body that presses on a particle for more than a step is lifted; otherwise only the particles move to remove overlap.
        if (last && c.body >= 0 && w.particleBodies[c.body].inverseMass > 0)
          c.target = std::max(c.target, std::min(kLiftSpeed, 0.1 * (-c.gap - kSlop * s.radius[i]) / h));
      }
    });
  }
}

// For the next step, grouped by first particle: counted, then put in place.
void remember(ParticleSystem& s) {
  const std::size_t n = s.x.size();
  s.memoryFirst.assign(n + 1, 0);
  s.memory.resize(s.contacts.size() + s.touches.size());
  for (const ParticleContact& c : s.contacts) s.memoryFirst[c.a + 1]++;
  for (const ParticleTouch& c : s.touches) s.memoryFirst[c.a + 1]++;
  for (std::size_t i = 0; i < n; i++) s.memoryFirst[i + 1] += s.memoryFirst[i];
  for (const ParticleContact& c : s.contacts) s.memory[--s.memoryFirst[c.a + 1]] = {c.b, c.impulse, c.tangentImpulse};
  for (const ParticleTouch& c : s.touches) s.memory[--s.memoryFirst[c.a + 1]] = {c.other, c.impulse, c.tangentImpulse};
  for (std::size_t i = 0; i < n; i++) s.memoryFirst[i] = s.memoryFirst[i + 1];
  s.memoryFirst[n] = static_cast<int>(s.memory.size());
  for (std::size_t i = 0; i < n; i++) s.wasAt[i] = static_cast<int>(i);
}

template <class C>
double solveContact(WorldData& w, ParticleSystem& s, C& c, double pairFriction) {
  const Vec3 u = relativeVelocity(w, s, c);
  const double along = c.normal.dot(u), impulse = std::max(0.0, c.impulse - c.mass * (along - c.target)), change = impulse - c.impulse;
  if (impulse == 0 && c.impulse == 0) return 0;
  Vec3 tangent = c.tangentImpulse - tangentMassOf(c) * (u - along * c.normal);
  const double most = frictionOf(pairFriction, c) * impulse, size = tangent.squaredNorm();
  if (size > most * most) tangent *= most / std::sqrt(size);
  push(w, s, c, change * c.normal + (tangent - c.tangentImpulse));
  c.impulse = impulse;
  c.tangentImpulse = tangent;
  return std::fabs(change) / c.mass;
}

// f on all contacts, forward in even sweeps, backward in odd ones, until it returns no more than `enough`.
template <class F>
void sweepContacts(ParticleSystem& s, double enough, F&& f) {
  for (int sweep = 0; sweep < s.def.iterations; sweep++) {
    double worst = 0;
    auto visit = [&](auto& c) { worst = std::max(worst, f(c)); };
    if (sweep % 2) {
      for (std::size_t k = s.touches.size(); k-- > 0;) visit(s.touches[k]);
      for (std::size_t k = s.contacts.size(); k-- > 0;) visit(s.contacts[k]);
    } else {
      for (ParticleContact& c : s.contacts) visit(c);
      for (ParticleTouch& c : s.touches) visit(c);
    }
    if (worst <= enough) return;
  }
}

double depthOf(const ParticleSystem& s, const ParticleContact& c) { return -c.gap - c.normal.dot(s.shift[c.a] - s.shift[c.b]); }
double depthOf(const ParticleSystem& s, const ParticleTouch& c) { return -c.gap - c.normal.dot(s.shift[c.a]); }
void part(ParticleSystem& s, const ParticleContact& c, double depth) {
  const double share = s.mass[c.b] / (s.mass[c.a] + s.mass[c.b]);
  s.shift[c.a] += share * depth * c.normal;
  s.shift[c.b] -= (1 - share) * depth * c.normal;
}
void part(ParticleSystem& s, const ParticleTouch& c, double depth) { s.shift[c.a] += depth * c.normal; }

void takeOverlapAway(ParticleSystem& s) {
  s.shift.assign(s.x.size(), Vec3::Zero());
  sweepContacts(s, 0.1, [&](const auto& c) {
    const double slop = kSlop * s.radius[c.a], over = depthOf(s, c) - slop;
    if (!(over > 0)) return 0.0;
    part(s, c, over);
    return over / slop;
  });
  for (const ParticleContact& c : s.contacts) s.counts.penetration = std::max(s.counts.penetration, depthOf(s, c));
  for (const ParticleTouch& c : s.touches) s.counts.penetration = std::max(s.counts.penetration, depthOf(s, c));
  for (std::size_t i = 0; i < s.x.size(); i++) s.x[i] += s.shift[i];
}

}  // namespace

void meetBodies(WorldData& w) {
  w.particleBodies.resize(w.bodies.size());
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    const BodySlot& b = w.bodies[i];
    ParticleBody& p = w.particleBodies[i];
    p = ParticleBody();
    if (!b.alive || b.hidden) continue;
    if (b.link < 0) {
      p.c = b.pose.p;
      p.v = b.velocity;
      p.w = b.omega;
      continue;
    }
    const dynamics::LinkState& s = w.state[b.link];
    p.c = s.c;
    p.v = s.v;
    p.w = s.R * s.w;
    const dynamics::LinkModel& m = w.model[b.link];
    if (b.asleep || w.trees[b.tree].immobile || !(m.mass > 0)) continue;
    p.inverseMass = 1 / m.mass;
    p.inverseInertia = s.R * dynamics::inverseInertia(m).asDiagonal() * s.R.transpose();
  }
}

// The path of a fast particle, relative to the shape, is a ray; the particle stops where the ray enters the shape.
void stopAtShapes(WorldData& w, ParticleSystem& s, double h) {
  auto far = [&](std::size_t i) { return (s.x[i] - s.before[i]).squaredNorm() > s.radius[i] * s.radius[i]; };
  bool any = false;
  for (std::size_t i = 0; i < s.x.size() && !any; i++) any = far(i);
  if (!any) return;
  for (const ShapeSlot& shape : w.shapes) {
    if (!meets(w, s, shape) || geometry::traitsOf(shape.def->geometry.type).kind == geometry::ShapeKind::Plane) continue;
    const Pose pose = collision::shapeWorldPose(w, shape);
    const geometry::Collider other(shape.def->geometry, pose, shape.def->bvh.get());
    const geometry::Aabb box = geometry::bounds(shape.def->geometry, pose, 0);
    for (std::size_t i = 0; i < s.x.size(); i++) {
      if (!far(i)) continue;
      Vec3 from = s.before[i];
      if (shape.body >= 0) {
        const ParticleBody& b = w.particleBodies[shape.body];
        from += h * velocityAt(b, from - b.c);
      }
      const Vec3 way = s.x[i] - from;
      const geometry::Aabb swept{from.cwiseMin(s.x[i]), from.cwiseMax(s.x[i])};
      const double length = way.norm();
      if (!(length > 0) || !box.overlaps(swept)) continue;
      geometry::RayHit hit;
      if (geometry::raycast(other, {from, way / length}, length, hit) && hit.t > 0 && hit.normal.dot(way) < 0)
        s.x[i] = hit.point + s.radius[i] * hit.normal;
    }
  }
}

void touchParticles(WorldData& w, ParticleSystem& s, double h) {
  s.counts.contacts = 0;
  s.counts.penetration = 0;
  if (s.x.empty() || (!s.def.touchEachOther && !s.def.touchShapes)) return;
  const double widest = *std::max_element(s.radius.begin(), s.radius.end());
  findPairs(w, s, widest, h);
  findTouches(w, s, widest, h);
  s.counts.contacts = static_cast<int>(s.contacts.size() + s.touches.size());
  for (const ParticleContact& c : s.contacts) push(w, s, c, c.impulse * c.normal + c.tangentImpulse);
  for (const ParticleTouch& c : s.touches) push(w, s, c, c.impulse * c.normal + c.tangentImpulse);
  const double friction = geometry::combine(s.def.surface, s.def.surface).friction;
  const double settled = std::max(kSettled, 0.01 * h * s.def.gravityScale * w.settings.gravity.norm());
  sweepContacts(s, settled, [&](auto& c) { return solveContact(w, s, c, friction); });
  takeOverlapAway(s);
  remember(s);
}

// A tree's momenta plus the impulses of particles, projected on its joints. Sleeping trees wake where the impulses exceed what sleep
// allows.
void strikeBodies(WorldData& w) {
  for (TreeRuntime& t : w.trees) {
    if (t.immobile) continue;
    bool struck = false;
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const ParticleBody& p = w.particleBodies[w.links[i].body];
      const double least = t.asleep ? t.mass * w.settings.sleepSpeed : 0;
      struck |= p.impulse.norm() > least || (!t.asleep && p.angularImpulse.squaredNorm() > 0);
    }
    if (!struck) continue;
    if (t.asleep) trees::wakeTree(w, static_cast<int>(&t - w.trees.data()));
    trees::saveTree(w, t, false);
    t.smooth = t.coasting = t.fresh = false;
    trees::lendInertias(w.workspaces[0], t);
    trees::momenta(w, t, 0, false);
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const ParticleBody& p = w.particleBodies[w.links[i].body];
      dynamics::LinkState& s = w.state[i];
      t.tree.P[i - t.first] += dynamics::stack(p.angularImpulse + cross(s.c - t.tree.O, p.impulse), p.impulse);
    }
    if (t.hasAxisForces)
      for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.generalized[k] = w.extra[k] * w.v0[k];
    trees::updateGeometry(w, t);
    if (trees::factorAndSolveTree(w, t) >= 0) continue;  // a tree without inertia cannot be pushed
    trees::velocitiesOf(w, t);
    if (!w.settings.energyAccount) continue;
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const ParticleBody& p = w.particleBodies[w.links[i].body];
      const dynamics::LinkState& s = w.state[i];
      const LinkRuntime& r = w.links[i];
      w.account.workApplied += 0.5 * (p.impulse.dot(s.v + r.startV) + p.angularImpulse.dot(s.R * Vec3(s.w + r.startW)));
    }
  }
}

}  // namespace vertebra::particles
