// World: particle systems. Their part in a step: particles/particles.cpp.
#include <algorithm>
#include <cmath>

#include "engine/particles/particles.hpp"
#include "engine/state/world_data.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

Failure checkParticle(const Vec3& position, const Vec3& velocity, double mass, double radius, double life) {
  if (!position.allFinite() || !velocity.allFinite()) return {Failure::Argument, "a position or velocity of a particle is not a number"};
  if (!(mass > 0) || !(mass < kInf) || !(radius > 0) || !(radius < kInf))
    return {Failure::Argument, "mass and radius of a particle must be positive and finite"};
  if (!(life > 0)) return {Failure::Argument, "the life of a particle must be positive"};
  return {};
}

}  // namespace

Failure World::createParticles(const particles::ParticleDefinition& d, int& id) {
  WorldData& w = *data_;
  if (d.maxCount < 1 || d.maxCount > 10000000) return {Failure::Argument, "max_count is from 1 to 10000000"};
  if (d.iterations < 1 || d.iterations > 1000) return {Failure::Argument, "iterations is from 1 to 1000"};
  std::size_t at = 0;
  while (at < w.particles.size() && w.particles[at].alive) at++;
  if (at == w.particles.size()) w.particles.emplace_back();
  particles::ParticleSystem& s = w.particles[at];
  s = particles::ParticleSystem();
  s.def = d;
  s.reserve();
  s.alive = true;
  id = static_cast<int>(at);
  return {};
}
void World::destroyParticles(int system) {
  WorldData& w = *data_;
  w.particles[system] = particles::ParticleSystem();
  w.destroyed = Destroyed();
  w.destroyed.particles.push_back(system);
  for (std::size_t i = 0; i < w.fields.size(); i++)
    if (w.fields[i].alive && w.fields[i].def.particles == system) {
      destroyField(static_cast<int>(i));
      w.destroyed.fields.push_back(static_cast<int>(i));
    }
}
bool World::particlesAlive(int system) const {
  return system >= 0 && system < static_cast<int>(data_->particles.size()) && data_->particles[system].alive;
}
int World::particleCount(int system) const { return data_->particles[system].count(); }
const particles::ParticleCounts& World::particleCounts(int system) const { return data_->particles[system].counts; }
const particles::ParticleDefinition& World::particleDefinition(int system) const { return data_->particles[system].def; }
const std::vector<particles::EmitterDefinition>& World::emitters(int system) const { return data_->particles[system].emitters; }
const std::vector<particles::SinkDefinition>& World::sinks(int system) const { return data_->particles[system].sinks; }
particles::Particle World::particle(int system, int index) const {
  const particles::ParticleSystem& s = data_->particles[system];
  return {s.x[index], s.v[index], s.mass[index], s.radius[index], s.life[index], s.id[index]};
}

Failure World::setParticles(int system, int first, const std::vector<particles::Particle>& particles) {
  particles::ParticleSystem& s = data_->particles[system];
  if (first < 0 || first > s.count())
    return {Failure::Argument, "first is " + std::to_string(first) + ", there are " + std::to_string(s.count())};
  if (first + particles.size() > static_cast<std::size_t>(s.def.maxCount))
    return {Failure::Argument, "more particles than max_count, " + std::to_string(s.def.maxCount)};
  for (const particles::Particle& p : particles)
    if (Failure f = checkParticle(p.position, p.velocity, p.mass, p.radius, p.life)) return f;
  s.keepFirst(static_cast<std::size_t>(first));
  for (const particles::Particle& p : particles) s.push(p);
  s.fresh = true;
  return {};
}

Failure World::setEmitters(int system, const std::vector<particles::EmitterDefinition>& emitters) {
  particles::ParticleSystem& s = data_->particles[system];
  for (const particles::EmitterDefinition& e : emitters) {
    if (Failure f = checkParticle(e.position, e.direction, e.mass, e.radius, e.life)) return f;
    const bool numbers = e.discRadius >= 0 && e.discRadius < kInf && e.coneAngle >= 0 && e.coneAngle <= kPi && std::isfinite(e.speed) &&
                         e.speedSpread >= 0 && e.speedSpread < kInf && e.rate >= 0 && e.rate < kInf;
    if (!numbers || !(e.direction.norm() > 0))
      return {Failure::Argument, "an emitter's rate, spread, disc and cone (at most pi) are not below 0, and its direction is not 0"};
  }
  for (std::size_t i = 0; i < emitters.size(); i++) {  // an emitter with an unchanged seed keeps its state
    if (i < s.emitters.size() && i < s.emitterState.size() && s.emitters[i].seed == emitters[i].seed) continue;
    s.emitterState.resize(std::max(s.emitterState.size(), i + 1));
    s.emitterState[i] = {0, emitters[i].seed};
  }
  s.emitterState.resize(emitters.size());
  s.emitters = emitters;
  for (particles::EmitterDefinition& e : s.emitters) e.direction = unit(e.direction);
  return {};
}
Failure World::setSinks(int system, const std::vector<particles::SinkDefinition>& sinks) {
  for (const particles::SinkDefinition& s : sinks) {
    const bool sized =
        s.type == particles::SinkType::HalfSpace || (s.type == particles::SinkType::Sphere ? s.size.x() > 0 : s.size.minCoeff() > 0);
    if (!sized || !s.size.allFinite()) return {Failure::Argument, "the size of a sink must be positive and finite"};
  }
  data_->particles[system].sinks = sinks;
  return {};
}

}  // namespace vertebra::world
