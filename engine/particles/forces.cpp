// Force fields on particles: those that name the system, and those that name neither bodies nor a system, which act on everything that
// moves. Gravitation between bodies and users' fields do not act on particles; Lennard-Jones acts between particles of one system. Drag is
// solved apart: exact for its own law over a step, hence stable for the lightest particles. See particles.hpp; laws in
// forces/field_laws.hpp.
#include <cmath>

#include "engine/forces/field_laws.hpp"
#include "engine/math/elementary.hpp"
#include "engine/particles/particles.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::particles {
namespace {

bool actsOn(const FieldSlot& f, int system) {
  return f.alive && (f.def.particles == system || (f.def.particles < 0 && f.def.bodies.empty()));
}

void radial(WorldData& w, const FieldDefinition& d, ParticleSystem& s, double h) {
  const int body = d.source;
  const Vec3 centre = body >= 0 ? Vec3((trees::poseOf(w, body) * w.bodies[body].inertialInLink()).p) : d.point;
  Vec3 back = Vec3::Zero();
  for (std::size_t i = 0; i < s.x.size(); i++) {
    const Vec3 pull = forces::radialPull(d, centre - s.x[i]);
    s.a[i] += pull;
    back -= s.mass[i] * pull;
  }
  if (body >= 0) w.particleBodies[body].impulse += h * back;
}

void lennardJones(const FieldDefinition& d, ParticleSystem& s) {
  auto act = [&](int i, int k) {
    const Vec3 r = s.x[k] - s.x[i];
    const double square = r.squaredNorm();
    if (!(square < d.range * d.range)) return;
    const Vec3 force = forces::lennardJonesForce(d, r, square);
    s.a[i] -= force / s.mass[i];
    s.a[k] += force / s.mass[k];
  };
  if (d.range < kInf) {
    s.grid.build(s.x, d.range);
    s.grid.eachPair(act);
    return;
  }
  for (int i = 0; i < s.count(); i++)
    for (int k = i + 1; k < s.count(); k++) act(i, k);
}

}  // namespace

void findParticleAccelerations(WorldData& w, int system, double h) {
  ParticleSystem& s = w.particles[system];
  std::fill(s.a.begin(), s.a.end(), Vec3(s.def.gravityScale * w.settings.gravity));
  for (const FieldSlot& f : w.fields) {
    if (!actsOn(f, system)) continue;
    const FieldDefinition& d = f.def;
    if (d.type == FieldType::Radial) radial(w, d, s, h);
    if (d.type == FieldType::LennardJones) lennardJones(d, s);
    if (d.type == FieldType::Attractor)
      for (std::size_t i = 0; i < s.x.size(); i++) s.a[i] += forces::attractorForce(d, s.x[i]) / s.mass[i];
  }
}

// m u' = -l u, then m u' = -q |u| u: each solved over h.
void dragParticles(WorldData& w, int system, double h) {
  ParticleSystem& s = w.particles[system];
  for (const FieldSlot& f : w.fields) {
    if (!actsOn(f, system) || f.def.type != FieldType::Drag) continue;
    for (std::size_t i = 0; i < s.v.size(); i++) {
      Vec3 u = s.v[i] - f.def.wind;
      if (f.def.linear > 0) u *= exponential(-h * f.def.linear / s.mass[i]);
      if (f.def.quadratic > 0) u /= 1 + h * f.def.quadratic / s.mass[i] * u.norm();
      s.v[i] = f.def.wind + u;
    }
  }
}

}  // namespace vertebra::particles
