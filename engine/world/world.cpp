// World: settings, stepping, totals; see world.hpp. Bodies: bodies.cpp; shapes: shapes.cpp; joints: joints.cpp; memory: reserve.cpp.
#include "engine/world/world.hpp"

#include <cmath>

#include "engine/state/stage_clock.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/steppers/multirate.hpp"
#include "engine/trees/topology.hpp"
#include "engine/world/divided_step.hpp"

namespace vertebra::world {

World::World(const WorldSettings& settings) : data_(std::make_unique<WorldData>()) {
  data_->settings = settings;
  if (settings.threads > 1) data_->pool = std::make_shared<tasks::TaskPool>(settings.threads);
}
World::~World() = default;

const WorldSettings& World::settings() const { return data_->settings; }

Failure World::setSettings(const WorldSettings& s) {
  if (!s.gravity.allFinite() || !(s.timeStep > 0) || !std::isfinite(s.timeStep) || s.substeps < 1 || s.substeps > 10000)
    return {Failure::Argument, "settings: gravity must be finite, time_step positive, substeps from 1 to 10000"};
  if (s.threads < 1 || s.threads > tasks::TaskPool::kMostThreads)
    return {Failure::Argument, "settings: threads must be from 1 to " + std::to_string(tasks::TaskPool::kMostThreads)};
  for (const FieldSlot& f : data_->fields)
    if (f.alive && f.def.implicit && !traitsOf(s.stepper).implicitFields)
      return {Failure::Unsupported, "a force field is implicit, which the stepper ode cannot take"};
  for (const BodySlot& b : data_->bodies)
    if (b.alive)
      if (Failure f = steppers::checkIntegration(*b.rare->integration, s.stepper)) return f;
  if (s.treeSolver != data_->settings.treeSolver || s.freePoses != data_->settings.freePoses || s.planar != data_->settings.planar ||
      s.stepper != data_->settings.stepper)
    trees::invalidateTopology(*data_);
  if (s.planar)
    for (std::size_t i = 0; i < data_->bodies.size(); i++)
      if (BodySlot& b = data_->bodies[i]; b.alive && !b.rare->created)
        b.rare.make().created.make() = trees::poseOf(*data_, static_cast<int>(i));
  if (!s.sleeping && data_->settings.sleeping) wakeAll();
  if (s.gravity != data_->settings.gravity) wakeAll();
  if (s.contactMargin != data_->settings.contactMargin) data_->broad.forget();  // boxes have it
  if (s.threads != data_->settings.threads) data_->pool = s.threads > 1 ? std::make_shared<tasks::TaskPool>(s.threads) : nullptr;
  data_->settings = s;
  trees::reserveReference(*data_);
  return {};
}

void World::setTaskHost(const tasks::TaskHost& host) {
  data_->pool = std::make_shared<tasks::TaskPool>(host);
  data_->settings.threads = data_->pool->threads();
}

Failure World::step() {
  WorldData& w = *data_;
  const double h = w.settings.timeStep / w.settings.substeps;
  w.deadline = w.settings.timeBudget > 0 ? clockSeconds() + w.settings.timeBudget : 0;
  const int unsolved = w.statistics.unsolved;
  Failure failure;
  for (int i = 0; i < w.settings.substeps && !failure; i++) {
    failure = stepWholeOrInParts(w, h);
    if (!failure && w.callbacks.afterStep) w.callbacks.afterStep(w.callbacks.user);
  }
  w.driven.clear();
  if (!failure) w.pushed.clear();
  if (w.anyForce && !failure) {
    w.anyForce = false;
    for (BodySlot& b : w.bodies) {
      AppliedForces* f = b.applied.get();
      if (!f) continue;
      f->force.setZero();
      f->torque.setZero();
      w.anyForce |= f->fieldKnown;
      for (const Vec3* x : {&f->persistentForce, &f->persistentTorque, &f->stepForce, &f->stepTorque})  // the last two: to be forgotten
        w.anyForce |= x->squaredNorm() > 0;
    }
  }
  if (!failure && w.statistics.infeasible > 0)
    failure = {Failure::Infeasible,
               "constraints of an island contradict each other; see max_joint_error and solver_residual of the statistics"};
  if (!failure && w.settings.tellUnsolved && w.statistics.unsolved > unsolved)
    failure = {Failure::Unsolved, std::to_string(w.statistics.unsolved - unsolved) +
                                      " islands are unsolved: their contacts or limits may give way by more than contact.slop, see "
                                      "solver_residual of the statistics; use shorter steps or more solver.iterations"};
  return failure;
}

Callbacks& World::callbacks() { return data_->callbacks; }

double World::time() const { return data_->time; }

void World::wakeAll() {
  if (!data_->anyAsleep) return;
  for (std::size_t i = 0; i < data_->bodies.size(); i++)
    if (data_->bodies[i].asleep) wakeBody(static_cast<int>(i));
  data_->anyAsleep = false;
}

std::uint64_t World::linksMade() const { return data_->linksMade; }

const Statistics& World::statistics() const {
  Statistics& s = data_->statistics;
  s.bodies = s.joints = s.sleepingBodies = 0;
  for (const BodySlot& b : data_->bodies) {
    s.bodies += b.alive && !b.hidden;
    s.sleepingBodies += b.alive && !b.hidden && b.asleep;
  }
  for (const JointSlot& j : data_->joints) s.joints += j.alive;
  return s;
}
void World::resetStatistics() {
  Statistics& s = data_->statistics;
  s.halvings = s.restarts = s.hurried = s.unsolved = s.capped = s.rollbacks = s.merges = s.stops = 0;
  s.maxPenetration = s.maxJointError = s.maxEnergyCorrection = 0;
  for (double& seconds : s.seconds) seconds = 0;
  data_->events.clear();
  data_->jointEvents.clear();
}

const std::vector<Contact>& World::contacts() const { return data_->contacts; }
Vec3 World::contactTorque(std::size_t contact) const { return torqueAt(data_->torques, contact); }
Vec3 World::contactSlip(const Contact& c) const {
  Vec3 slip = Vec3::Zero();
  for (int side = 0; side < 2; side++) {
    const int body = side ? c.bodyB : c.bodyA;
    if (body < 0) continue;
    Vec3 velocity, omega;
    bodyTwist(body, velocity, omega);
    velocity += omega.cross(c.position - bodyPose(body).p);
    slip += side ? velocity : Vec3(-velocity);
  }
  return slip - slip.dot(c.normal) * c.normal;
}
const std::vector<ContactEvent>& World::events() const { return data_->events; }

}  // namespace vertebra::world
