// The whole state of a world, for the rooms that use all of it: particles, steppers, world.
#pragma once
#include <vector>

#include "engine/particles/particles.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/island_world.hpp"
#include "engine/state/ode.hpp"

namespace vertebra::inline state {

struct PushedBody {  // and the forces of one step that it had before
  int body;
  Vec3 force, torque;
  bool anyForce;  // in the world
};

struct WorldData : IslandWorld {
  std::vector<particles::ParticleSystem> particles;
  std::vector<particles::ParticleBody> particleBodies;  // by body, scratch of the particles' step
  OdeWork ode;
  DisplacementData displacement;
  // Bodies whose drives or forces were set for the step that begins at wakeTime: it wakes them, so that one that fails wakes nothing.
  std::vector<int> driven;
  std::vector<PushedBody> pushed;
  double wakeTime = 0;      // s
  bool drivesWait = false;  // setters of drives and forces note bodies there
};

}  // namespace vertebra::inline state
