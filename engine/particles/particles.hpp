// Systems of particles: balls that do not rotate, thousands at a time, beside the bodies of a world. They move under gravity and force
// fields, collide with each other and with shapes (with friction and restitution), push bodies, are created by emitters and removed by
// sinks or at the end of their life. They move after the bodies in each step. SI units, world axes. Source: Servin 3.3.3, 5.1, 5.2.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/geometry/point_grid.hpp"
#include "engine/state/definitions.hpp"

namespace vertebra::inline state {
struct WorldData;
}

namespace vertebra::particles {

struct Particle {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double mass = 1e-3, radius = 0.01;
  double life = kInf;    // s left
  std::uint64_t id = 0;  // given by the system, from 1 on
};

struct EmitterDefinition {  // from a disc, into a cone about its normal
  Vec3 position = Vec3::Zero(), direction = Vec3::UnitZ();
  double discRadius = 0, coneAngle = 0;
  double speed = 1, speedSpread = 0;  // m/s; speeds are uniform within the spread to both sides
  double rate = 0;                    // 1/s
  double mass = 1e-3, radius = 0.01, life = kInf;
  std::uint64_t seed = 1;
};

enum class SinkType : std::uint8_t { HalfSpace, Box, Sphere };
struct SinkDefinition {
  SinkType type = SinkType::HalfSpace;
  Pose pose;                 // half-space: below its plane z = 0
  Vec3 size = Vec3::Zero();  // half extents; x = radius
};

struct ParticleDefinition {
  int maxCount = 1000;
  int iterations = 8;  // sweeps over contacts, at most
  geometry::Surface surface;
  double gravityScale = 1;
  bool touchEachOther = true, touchShapes = true;
  std::uint32_t category = 1, mask = 0xffffffffu;
};

struct ParticleCounts {
  std::uint64_t emitted = 0, expired = 0, absorbed = 0;
  std::uint64_t refused = 0;  // not emitted because the system was full
  int contacts = 0;           // of the last physics step
  double penetration = 0;     // m, deepest, at its end
};

struct ParticleContact {  // of two particles
  int a = -1, b = -1;     // a < b
  Vec3 normal;            // unit, towards a
  double gap = 0;
  double target = 0;   // m/s, least relative velocity along the normal
  double mass = 0;     // kg, effective
  double impulse = 0;  // along the normal
  Vec3 tangentImpulse = Vec3::Zero();
};
struct ParticleTouch : ParticleContact {  // of a particle, a, and a shape
  int body = -1;                          // that carries the shape, -1 = the world
  int other = 0;                          // identifies shape and point in the memory
  Vec3 arm = Vec3::Zero();                // from the body's centre of mass
  double friction = 0, tangentMass = 0;   // tangentMass: least effective mass along the tangents
};
struct ParticleMemory {  // of a contact of the last step
  int other = 0;         // the other particle; negative: shape and point
  double impulse = 0;
  Vec3 tangentImpulse = Vec3::Zero();
};

struct ParticleSystem {
  bool alive = false;
  ParticleDefinition def;
  std::vector<Vec3> x, v, a;  // a: by fields and gravity at x
  std::vector<double> mass, radius, life;
  std::vector<std::uint64_t> id;
  bool fresh = true;  // a is not known
  std::uint64_t lastId = 0;
  std::vector<EmitterDefinition> emitters;
  struct EmitterState {
    double due = 0;  // particles that are due by now, minus those emitted
    std::uint64_t random = 0;
  };
  std::vector<EmitterState> emitterState;
  std::vector<SinkDefinition> sinks;
  ParticleCounts counts;
  // Contacts of the last step, by their first particle in the numbering of that step; wasAt: that number of the present particles, -1 =
  // none.
  std::vector<ParticleMemory> memory;
  std::vector<int> memoryFirst, wasAt;

  // Scratch.
  geometry::PointGrid grid;
  std::vector<Vec3> before, shift;  // positions before the move; displacements that remove overlap
  std::vector<ParticleContact> contacts;
  std::vector<ParticleTouch> touches;

  int count() const { return static_cast<int>(x.size()); }
  void push(const Particle& p);
  void keepFirst(std::size_t n);
  void clear();  // no particles, and no memory of contacts
  void reserve();
};

struct ParticleBody {  // a body in a step of the particles
  Vec3 c = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
  double inverseMass = 0;
  Mat3 inverseInertia = Mat3::Zero();                          // world axes
  Vec3 impulse = Vec3::Zero(), angularImpulse = Vec3::Zero();  // by particles on it, about c
};

// particles/particles.cpp
void stepParticles(WorldData& w, double h);  // all systems, once the bodies have moved
// particles/forces.cpp
void findParticleAccelerations(WorldData& w, int system, double h);  // and the reaction on a field's source over h
void dragParticles(WorldData& w, int system, double h);
// particles/contacts.cpp
void meetBodies(WorldData& w);                                 // fills WorldData::particleBodies
void stopAtShapes(WorldData& w, ParticleSystem& s, double h);  // particles that would pass through a shape
void touchParticles(WorldData& w, ParticleSystem& s, double h);
void strikeBodies(WorldData& w);  // applies the particles' impulses to the trees

}  // namespace vertebra::particles
