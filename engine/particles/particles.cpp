// World: particle systems and the order of their step. See particles.hpp.
// 1 x += h v + h^2/2 a     3 lives, sinks        5 contacts: velocities, then overlap
// 2 fast ones stop at shapes     4 a at the new places, v += h/2 (both a); drag before and after     6 emitters
#include "engine/particles/particles.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::particles {
namespace {

double uniform(std::uint64_t& state) {  // [0, 1), by splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators")
  std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Keeps those for which good(i), in order.
template <class F>
void keep(ParticleSystem& s, F&& good) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < s.x.size(); i++) {
    if (!good(i)) continue;
    if (to != i) {
      s.x[to] = s.x[i];
      s.v[to] = s.v[i];
      s.a[to] = s.a[i];
      s.mass[to] = s.mass[i];
      s.radius[to] = s.radius[i];
      s.life[to] = s.life[i];
      s.id[to] = s.id[i];
      s.wasAt[to] = s.wasAt[i];
    }
    to++;
  }
  for (std::vector<Vec3>* x : {&s.x, &s.v, &s.a}) x->resize(to);
  for (std::vector<double>* x : {&s.mass, &s.radius, &s.life}) x->resize(to);
  s.id.resize(to);
  s.wasAt.resize(to);
}

void age(ParticleSystem& s, double h) {
  const std::size_t before = s.x.size();
  for (double& life : s.life) life -= h;
  const double end = 1e-9 * h;
  if (std::any_of(s.life.begin(), s.life.end(), [&](double life) { return life <= end; }))
    keep(s, [&](std::size_t i) { return s.life[i] > end; });
  s.counts.expired += before - s.x.size();
}

void absorb(ParticleSystem& s) {
  for (const SinkDefinition& k : s.sinks) {
    auto inside = [&](const Vec3& x) {
      const Vec3 p = k.pose.q.conjugate() * (x - k.pose.p);
      if (k.type == SinkType::HalfSpace) return p.z() < 0;
      if (k.type == SinkType::Sphere) return p.squaredNorm() < k.size.x() * k.size.x();
      return std::fabs(p.x()) < k.size.x() && std::fabs(p.y()) < k.size.y() && std::fabs(p.z()) < k.size.z();
    };
    const std::size_t before = s.x.size();
    if (std::any_of(s.x.begin(), s.x.end(), inside)) keep(s, [&](std::size_t i) { return !inside(s.x[i]); });
    s.counts.absorbed += before - s.x.size();
  }
}

// Each particle starts at its own instant of the step and has moved since.
void emit(ParticleSystem& s, const Vec3& gravity, double h) {
  for (std::size_t e = 0; e < s.emitters.size(); e++) {
    const EmitterDefinition& d = s.emitters[e];
    ParticleSystem::EmitterState& state = s.emitterState[e];
    state.due += h * d.rate;
    if (state.due < 1) continue;
    const Quat turn = quatBetween(Vec3::UnitZ(), d.direction);
    const double narrowest = cosine(d.coneAngle);
    while (state.due >= 1) {
      state.due -= 1;
      const double since = state.due / d.rate;
      if (s.count() >= s.def.maxCount) {
        s.counts.refused++;
        continue;
      }
      const double away = d.discRadius * std::sqrt(uniform(state.random));
      const SinCos at = sincos(2 * kPi * uniform(state.random)), about = sincos(2 * kPi * uniform(state.random));
      const double up = 1 - (1 - narrowest) * uniform(state.random), across = std::sqrt(std::max(0.0, 1 - up * up));
      const double speed = d.speed + d.speedSpread * (2 * uniform(state.random) - 1);
      Particle p;
      p.velocity = turn * Vec3(speed * across * about.c, speed * across * about.s, speed * up);
      p.position = d.position + turn * Vec3(away * at.c, away * at.s, 0) + since * p.velocity + 0.5 * since * since * gravity;
      p.velocity += since * gravity;
      p.mass = d.mass;
      p.radius = d.radius;
      p.life = d.life - since;
      if (!(p.life > 0)) continue;
      s.push(p);
      s.counts.emitted++;
      s.fresh = true;
    }
  }
}

}  // namespace

void ParticleSystem::push(const Particle& p) {
  x.push_back(p.position);
  v.push_back(p.velocity);
  a.push_back(Vec3::Zero());
  mass.push_back(p.mass);
  radius.push_back(p.radius);
  life.push_back(p.life);
  wasAt.push_back(-1);
  id.push_back(p.id ? p.id : ++lastId);
  lastId = std::max(lastId, id.back());
}

void ParticleSystem::keepFirst(std::size_t n) {
  keep(*this, [&](std::size_t i) { return i < n; });
}

void ParticleSystem::clear() {
  for (std::vector<Vec3>* list : {&x, &v, &a}) list->clear();
  for (std::vector<double>* list : {&mass, &radius, &life}) list->clear();
  for (std::vector<int>* list : {&memoryFirst, &wasAt}) list->clear();
  id.clear();
  memory.clear();
  emitterState.resize(std::min(emitterState.size(), emitters.size()));
  emitters.resize(emitterState.size());
  fresh = true;
}

void ParticleSystem::reserve() {
  const std::size_t n = static_cast<std::size_t>(def.maxCount);
  for (std::vector<Vec3>* list : {&x, &v, &a, &before, &shift}) list->reserve(n);
  for (std::vector<double>* list : {&mass, &radius, &life}) list->reserve(n);
  id.reserve(n);
  wasAt.reserve(n);
  memoryFirst.reserve(n + 1);
  grid.reserve(n);
  contacts.reserve(7 * n);  // equal balls touch at most twelve others, each pair once
  touches.reserve(2 * n);
  memory.reserve(9 * n);
}

void stepParticles(WorldData& w, double h) {
  if (std::none_of(w.particles.begin(), w.particles.end(), [](const ParticleSystem& s) { return s.alive; })) return;
  meetBodies(w);
  for (std::size_t k = 0; k < w.particles.size(); k++) {
    ParticleSystem& s = w.particles[k];
    if (!s.alive) continue;
    const int system = static_cast<int>(k);
    if (s.fresh) findParticleAccelerations(w, system, 0);
    s.fresh = false;
    dragParticles(w, system, 0.5 * h);
    s.before = s.x;
    for (std::size_t i = 0; i < s.x.size(); i++) s.x[i] += h * s.v[i] + 0.5 * h * h * s.a[i];
    if (s.def.touchShapes) stopAtShapes(w, s, h);
    for (std::size_t i = 0; i < s.x.size(); i++) s.v[i] += 0.5 * h * s.a[i];
    age(s, h);
    absorb(s);
    findParticleAccelerations(w, system, h);
    for (std::size_t i = 0; i < s.x.size(); i++) s.v[i] += 0.5 * h * s.a[i];
    dragParticles(w, system, 0.5 * h);
    touchParticles(w, s, h);
    emit(s, s.def.gravityScale * w.settings.gravity, h);
  }
  strikeBodies(w);
}

}  // namespace vertebra::particles
