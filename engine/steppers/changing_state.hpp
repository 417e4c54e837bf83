// What a step changes, beside trees and joints (trees/changing_state.hpp), value by value, for an archive.
#pragma once
#include "engine/driveline/driveline.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/changing_state.hpp"

namespace vertebra::steppers {

template <class A>
void visitConstraint(trees::Archive<A>& v, UserConstraintSlot& c) {
  v.numbers(c.impulse);
  v.numbers(c.force);
  if (!c.driveline) return;
  driveline::DrivelineInput& in = c.driveline->in;
  driveline::DrivelineState& s = c.driveline->state;
  v(in.gear, in.throttle, in.speed, in.clutch, in.lock, in.stroke, s.powerIn, s.powerOut, s.workIn, s.workOut, s.throttle, s.fuelRate,
    s.fuel, s.ratio, s.pressure, s.integral, s.shiftLeft, s.change, s.input);
  for (double& x : s.torque) v(x);
}

template <class A>
void visitParticles(trees::Archive<A>& v, particles::ParticleSystem& s) {
  for (std::vector<Vec3>* list : {&s.x, &s.v, &s.a}) v.list(*list, [&](Vec3& x) { v(x); });
  for (std::vector<double>* list : {&s.mass, &s.radius, &s.life}) v.list(*list, [&](double& x) { v(x); });
  v.list(s.id, [&](std::uint64_t& x) { v(x); });
  v.list(s.memory, [&](particles::ParticleMemory& m) { v(m.other, m.impulse, m.tangentImpulse); });
  for (std::vector<int>* list : {&s.memoryFirst, &s.wasAt}) v.list(*list, [&](int& x) { v(x); });
  v.list(s.emitters, [&](particles::EmitterDefinition& e) {
    v(e.position, e.direction, e.discRadius, e.coneAngle, e.speed, e.speedSpread, e.rate, e.mass, e.radius, e.life, e.seed);
  });
  v.list(s.emitterState, [&](particles::ParticleSystem::EmitterState& e) { v(e.due, e.random); });
  v.list(s.sinks, [&](particles::SinkDefinition& k) { v(k.type, k.pose, k.size); });
  particles::ParticleCounts& c = s.counts;
  v(s.fresh, s.lastId, c.emitted, c.expired, c.absorbed, c.refused, c.contacts, c.penetration);
}

}  // namespace vertebra::steppers
