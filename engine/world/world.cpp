// World: settings, stepping, totals; see world.hpp. Bodies: bodies.cpp; shapes: shapes.cpp; joints: joints.cpp.
#include "engine/world/world.hpp"
#include "engine/state/stage_clock.hpp"
#include "engine/state/stepper_traits.hpp"

#include <algorithm>
#include <cmath>

#include "engine/forces/fields.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/multirate.hpp"
#include "engine/steppers/part_means.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/undo.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/divided_step.hpp"
#include "engine/world/snapshot.hpp"

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
      if (Failure f = vertebra::steppers::checkIntegration(*b.rare->integration, s.stepper)) return f;
  if (s.treeSolver != data_->settings.treeSolver || s.freePoses != data_->settings.freePoses || s.planar != data_->settings.planar ||
      s.stepper != data_->settings.stepper)
    trees::invalidateTopology(*data_);
  if (s.planar)
    for (std::size_t i = 0; i < data_->bodies.size(); i++)
      if (BodySlot& b = data_->bodies[i]; b.alive && !b.rare->created)
        b.rare.make().created.make() = trees::poseOf(*data_, static_cast<int>(i));
  if (!s.sleeping && data_->settings.sleeping) wakeAll();
  if (s.gravity != data_->settings.gravity) wakeAll();
  if (s.threads != data_->settings.threads) data_->pool = s.threads > 1 ? std::make_shared<tasks::TaskPool>(s.threads) : nullptr;
  data_->settings = s;
  trees::reserveReference(*data_);
  return {};
}

void World::setTaskHost(const tasks::TaskHost& host) {
  data_->pool = std::make_shared<tasks::TaskPool>(host);
  data_->settings.threads = data_->pool->threads();
}

Failure World::reserve(int contacts) {
  WorldData& w = *data_;
  if (Failure f = trees::updateTopology(w)) return f;
  const std::size_t n = static_cast<std::size_t>(contacts);
  int longest = 12;
  for (const TreeRuntime& t : w.trees) longest = std::max(longest, 2 * t.nv);
  std::size_t limits = 0;
  for (const JointSlot& j : w.joints)
    if (j.alive) limits += 24;
  const std::size_t rows = 6 * n + limits;
  w.contacts.reserve(n);
  w.contactsBefore.reserve(n);
  for (std::vector<Contact>* list : {&w.memory, &w.memoryAtStart}) list->reserve(n);
  if (w.anyTwist)
    for (std::vector<Vec3>* list : {&w.torques, &w.torquesBefore, &w.torquesAtStart, &w.memoryTorques, &w.memoryTorquesAtStart})
      list->reserve(n);
  w.touching.reserve(n);
  w.touchingNext.reserve(n);
  w.events.reserve(2 * n);
  w.speculative.reserve(n);
  w.boxes.reserve(w.shapes.size());
  w.sweptBoxes.reserve(w.shapes.size());
  w.passive.reserve(w.shapes.size());
  w.beyond.reserve(static_cast<std::size_t>(w.longestTree));
  w.allowed.reserve(2 * n);
  w.found.resize(std::max(w.found.size(), static_cast<std::size_t>(w.threads())));
  for (FoundContacts& list : w.found) {
    list.contacts.reserve(n);
    if (w.anyTwist) list.torques.reserve(n);
    list.speculative.reserve(n);
  }
  w.pieces.reserve(n / 16 + 1);
  w.pieceStart.reserve(n / 16 + 2);
  w.idleContacts.reserve(n);
  w.shapePose.reserve(w.shapes.size());
  w.broad.reserve(static_cast<int>(w.shapes.size()), static_cast<int>(n));
  std::size_t userRows = 0;
  for (const UserConstraintSlot& c : w.constraints) userRows += c.rows.size();
  RowWorkspace::Sizes sizes;
  sizes.rows = rows;
  sizes.limits = limits;
  sizes.contacts = n;
  sizes.coordinates = w.q.size();
  sizes.velocities = w.v.size();
  sizes.links = w.model.size();
  sizes.trees = w.trees.size();
  sizes.bilateral = w.couplings.size() + userRows + 6 * w.auxiliaryJoints.size();
  sizes.longestPath = longest;
  sizes.longestTree = static_cast<std::size_t>(w.longestTree);
  steppers::reserveLoops(w);
  trees::makeSlenderLinks(w);
  w.jointedPairs.prepare();
  w.ignoredPairs.prepare();
  for (TreeRuntime& tree : w.trees) {
    TreeRare& rare = tree.rare.make();
    rare.stepStart.reserve(static_cast<std::size_t>(tree.tree.count));
    rare.undone.reserve(trees::undoneNumbers(tree));
  }
  for (RowWorkspace& work : w.workspaces) work.reserve(sizes, w.settings.solver);
  w.treeParent.reserve(w.trees.size());
  w.rateParts.reserve(w.trees.size());
  w.stepPrescribed.reserve(w.bodies.size());
  w.startContacts.reserve(n);
  w.told.reserve(n);
  w.divided.start.reserve(w.links.size());
  w.divided.shift.reserve(w.v.size());
  w.divided.shifts.reserve(w.trees.size());
  w.gone.reserve(n);
  w.particleBodies.reserve(w.bodies.size());
  if (std::any_of(w.fields.begin(), w.fields.end(), [](const FieldSlot& f) { return f.alive; }))
    for (BodySlot& b : w.bodies) b.applied.make();
  w.displacement.items.reserve(n + w.joints.size() + w.couplings.size() + w.constraints.size());
  w.displacement.joints.reserve(w.joints.size());
  w.displacement.contacts.reserve(n);
  std::size_t parts = 0;
  for (const CouplingSlot& c : w.couplings) parts = std::max(parts, 2 * c.def.terms.size());
  for (const UserConstraintSlot& c : w.constraints) parts = std::max(parts, c.def.bodies.size() + 2 * c.def.joints.size());
  w.displacement.parts.reserve(parts);
  if (w.islands.size() < w.trees.size()) w.islands.resize(w.trees.size());
  for (std::vector<int>* list : {&w.treeIsland, &w.members.trees}) list->reserve(w.trees.size());
  w.treeParts.reserve(w.trees.size());
  w.contactTrees.reserve(n);
  w.members.contacts.reserve(n);
  w.members.joints.reserve(w.auxiliaryJoints.size());
  w.members.couplings.reserve(w.couplings.size());
  w.members.constraints.reserve(w.constraints.size());
  if (const auto reserve = traitsOf(w.settings.stepper).reserve) reserve(w, n);
  steppers::reserveUndo(w);
  if (w.settings.adaptiveSubsteps > 1) {
    steppers::reserveParts(w, n);
    saveState(w, w.divided.state);
    constexpr std::size_t kActing = 24 * sizeof(double), kAxis = 9 * sizeof(double);  // joints between bodies, once forces act in them
    constexpr std::size_t kStart = 3 * sizeof(int) + 6 * sizeof(double) + 1;          // a contact of the memory
    std::size_t more = n * kStart;
    for (int id : w.auxiliaryJoints) more += kActing + static_cast<std::size_t>(w.joints[id].nv) * kAxis;
    w.divided.state.reserve(w.divided.state.size() + more);
  }
  return {};
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
