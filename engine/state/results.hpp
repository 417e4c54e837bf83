// Results of a world: forces in joints, contacts, events, answers to queries, statistics, energies. SI units, world axes.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::inline state {

struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

struct JointForces {  // of the last physics step; see vtb_joint_forces
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Wrench motors, springs, frictions, limits;  // what the axes' forces below are on b, at its joint origin
  double motor[6] = {}, spring[6] = {}, friction[6] = {}, limit[6] = {};
};

struct Contact {  // one point
  int bodyA = -1, bodyB = -1, shapeA = -1, shapeB = -1;
  Vec3 position = Vec3::Zero(), normal = Vec3::UnitZ();  // normal from a to b
  double gap = 0;
  std::uint32_t feature = 0;
  static constexpr int kFound = -1, kPast = -2;
  int speculative = kFound;                           // 0 or more: predicted by continuous collision, index into WorldData::speculative; or
  Vec3 force = Vec3::Zero();                          // on b, mean over the step
  bool past() const { return speculative == kPast; }  // it pressed within the step and ended: nothing of the present state
};
struct TwistedContact : Contact {
  Vec3 torque = Vec3::Zero();  // on b, as the force, by torsional and rolling friction
};
// Torques of contacts lie in lists beside them, which are empty where no surface has such friction.
inline Vec3 torqueAt(const std::vector<Vec3>& torques, std::size_t contact) {
  return torques.empty() ? Vec3(Vec3::Zero()) : torques[contact];
}
struct StartVelocity {  // of a link
  Vec3 v, w;            // of the centre of mass, world axes; angular, inertial axes
};

struct JointEvent {  // a joint that broke, with its load
  int joint = -1;
  double force = 0, torque = 0;
};
struct ContactEvent {
  enum Kind : std::uint8_t { Begin, End, Persist } kind = Begin;
  int shapeA = -1, shapeB = -1;
  double time = 0;              // at the end of its physics step
  Vec3 impulse = Vec3::Zero();  // on b in that step
};
struct RayCastResult {        // also of a shape that is cast
  int body = -1, shape = -1;  // shape -1: nothing hit
  double distance = 0;
  Vec3 position = Vec3::Zero(), normal = Vec3::Zero();
};

struct ClosestResult {
  int body = -1, shape = -1;                // shape -1: nothing within the distance asked for
  double distance = 0;                      // negative: depth of penetration
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // closest (deepest) points: on the first or given shape, on the other
  Vec3 normal = Vec3::Zero();               // unit, from the first to the other
};

// Stages of a step, in this order. Move: coordinates, and the parts of a stepper that belong to no other stage; Factor: momenta, inertias,
// free velocities; Rows: of constraints; Finish: velocities and accelerations, accounts, events, sleep.
enum class Stage : std::uint8_t { Forces, Move, Collide, Factor, Rows, Solve, Finish, Particles };
inline constexpr int kStages = 8;

struct Statistics {
  int bodies = 0, joints = 0, islands = 0, sleepingBodies = 0, pairs = 0, contacts = 0, rows = 0, solverIterations = 0, halvings = 0,
      infeasible = 0, firstOrder = 0, speculative = 0, rollbacks = 0, merges = 0, stops = 0, evaluations = 0, restarts = 0, hurried = 0,
      unsolved = 0, capped = 0, parts = 0;
  double solverResidual = 0, complementarity = 0, maxPenetration = 0, maxJointError = 0, maxEnergyCorrection = 0;
  double seconds[kStages] = {};  // wall-clock time, by Stage; not part of the state
};
struct EnergyAccount {
  double kinetic = 0, potential = 0, workDrives = 0, workApplied = 0, lostDamping = 0, lostFriction = 0, lostImpact = 0, lostClamp = 0,
         corrected = 0, discretisation = 0;
};

// What a part of a step (an island, some trees) adds to the world's statistics and account. Each part has its own tally, and they are
// summed in a fixed order, so that sums do not depend on the threads.
struct StepTally {
  EnergyAccount account;
  int rows = 0, halvings = 0, infeasible = 0, firstOrder = 0, hurried = 0, unsolved = 0, capped = 0;
  double solverProducts = 0;  // SolveReport::products
  int solverIterations = 0;   // this and the following: the maximum
  double solverResidual = 0, complementarity = 0, maxJointError = 0, maxEnergyCorrection = 0;
  int badConstraint = -1;  // a user's, whose row is not finite
};
void add(const StepTally& tally, Statistics& statistics, EnergyAccount& account);

struct Destroyed {  // ids that the last destroying call destroyed, the named one included
  std::vector<int> bodies, shapes, joints, couplings, constraints, fields, particles, sensors;
};

}  // namespace vertebra::inline state
