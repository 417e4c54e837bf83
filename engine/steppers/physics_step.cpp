// Common to all steppers in a physics step: prescribed bodies move, the stepper moves the trees, contacts and islands are stored, put to
// sleep and counted. A step that fails, or whose result is not finite, is undone as a whole (undo.hpp). See steppers.hpp.
#include "engine/steppers/physics_step.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <tuple>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/joint_forces.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/driveline/step.hpp"
#include "engine/forces/fields.hpp"
#include "engine/forces/pair_springs.hpp"
#include "engine/islands/islands.hpp"
#include "engine/particles/particles.hpp"
#include "engine/sensors/sensors.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/multirate.hpp"
#include "engine/steppers/part_means.hpp"
#include "engine/steppers/prescribed_work.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/told_contacts.hpp"
#include "engine/steppers/undo.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

bool same(const Vec3& a, const Vec3& b) { return (a - b).norm() <= 1e-9 * (a.norm() + b.norm()); }

Failure nowhere(int body) {
  return {Failure::Diverged,
          "the prescribed motion of body " + std::to_string(body) +
              " leads to a pose that is not a number, and the step was undone; give it a smaller velocity",
          body};
}

Failure movePrescribed(WorldData& w, double h) {
  for (int id : w.prescribed) {
    BodySlot& b = w.bodies[id];
    w.stepPrescribed.push_back({id, b.pose, b.pose, b.velocity, b.omega, b.rare->target->time, b.arrived, b.launched});
    b.launched = false;
    if (b.rare->target->time > 0) {
      PrescribedTarget& target = b.rare.make().target.make();
      const double left = target.time;
      b.velocity = (target.pose.p - b.pose.p) / left;
      b.omega = quatLog(target.pose.q * b.pose.q.conjugate()) / left;
      target.time = left - h > 1e-9 * h ? left - h : 0;
      if (target.time == 0) {
        b.velocity *= left / h;
        b.omega *= left / h;
        b.pose = w.stepPrescribed.back().end = target.pose;
        b.arrived = true;
        continue;
      }
    } else if (b.arrived) {
      b.velocity.setZero();
      b.omega.setZero();
      b.arrived = false;
    }
    b.pose.p += h * b.velocity;
    b.pose.q = normalized(quatExp(h * b.omega) * b.pose.q);
    w.stepPrescribed.back().end = b.pose;
  }
  for (const PrescribedMotion& p : w.stepPrescribed) {
    const BodySlot& b = w.bodies[p.body];
    if (!(b.pose.p.allFinite() && b.pose.q.coeffs().allFinite() && b.velocity.allFinite() && b.omega.allFinite())) return nowhere(p.body);
  }
  (void)anyTree(w, [&](TreeRuntime& t) {
    t.asPlaced = t.held = false;
    t.parts = 1;
    trees::takeStep(t, h);
    if (t.baseBody < 0) return false;
    const BodySlot& b = w.bodies[t.baseBody];
    const bool moves = b.kind == BodyKind::Kinematic && (b.velocity.squaredNorm() > 0 || b.omega.squaredNorm() > 0);
    if (moves && t.asleep) trees::wakeTree(w, static_cast<int>(&t - w.trees.data()));
    // The motion of its base is part of a tree's motion while it is steady; a change of it is an impact, and its step of first order. The
    // second-order form treats a rotating base as one that rotates about its centre of mass.
    const bool even = same(b.velocity, t.onBase->velocity) && same(b.omega, t.onBase->omega);
    if (!even || (b.omega.squaredNorm() > 0 && b.inertialInLink().p.squaredNorm() > 0)) t.smooth = t.coasting = t.fresh = false;
    t.onBase->velocity = b.velocity;
    t.onBase->omega = b.omega;
    t.movingBase = moves;
    return true;
  });
  return {};
}

// m, at most, by which a point on a body moved in the step.
double wayOf(const WorldData& w, int body, const Vec3& point, double h) {
  if (body < 0) return 0;
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) return h * (b.velocity.norm() + b.omega.norm() * (point - b.pose.p).norm());
  if (w.trees[b.tree].asleep) return 0;
  const LinkRuntime& r = w.links[b.link];
  const Vec3 arm = point - w.state[b.link].c;
  const double last = (w.state[b.link].c - r.startC).norm();  // of its parts
  return (w.trees[b.tree].divided ? std::max(last, h * r.startV.norm()) : last) + h * r.startW.norm() * arm.norm();
}

bool finite(const WorldData& w, const TreeRuntime& t) {
  double sum = 0;
  for (int k = 0; k < t.nv; k++) sum += std::fabs(w.v[t.vFirst + k]);
  for (int k = 0; k < t.nq; k++) sum += std::fabs(w.q[t.qFirst + k]);
  return std::isfinite(sum) && sum < 1e100;
}

bool placed(const TreeRuntime& t) {  // at poses that are poses
  constexpr double kNoRotation = 0.1;
  for (int i = 0; i < t.tree.count; i++) {
    const dynamics::LinkState& s = t.tree.state[i];
    if (!(std::fabs(s.q.squaredNorm() - 1) < kNoRotation) || !s.c.allFinite()) return false;
  }
  return true;
}

std::string noInertia(const WorldData& w, int link) {
  const std::string body = "body " + std::to_string(w.links[link].body);
  const int joint = w.links[link].joint;
  const bool jointed = joint >= 0;
  const std::string place = jointed ? "moves on joint " + std::to_string(joint) : "is free";
  if (!jointed && keepsFreePoses(w.settings))
    return body +
           " has no mass, or no inertia about some axis, which with free poses (VTB_WORLD_FLAG_FREE_POSES, the stepper displacement) "
           "each body needs of its own, whatever joints it is on: give it both (vtb_body_set_mass, vtb_body_set_mass_from_shapes)";
  return body + " " + place + " but nothing from it on has inertia that way: give it or what hangs on it mass and inertia" +
         (jointed ? ", or its joint armature" : "");
}

void accountApplied(WorldData& w) {  // work of applied forces
  for (const TreeRuntime& t : w.trees) {
    if (t.held) continue;
    const double h = t.step;
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const BodySlot& b = w.bodies[w.links[i].body];
      const dynamics::LinkState& s = w.state[i];
      const AppliedForces& f = *b.applied;  // what a potential tells is no work
      const Vec3 p = h * (b.appliedForce() - f.potentialForce - f.springForce) + f.impulse,
                 l = h * (b.appliedTorque() - f.potentialTorque - f.springTorque) + f.angularImpulse;
      const StartVelocity start = startOfStep(t, w.links[i], i - t.first);
      const Vec3 v = 0.5 * (s.v + start.v), omega = 0.5 * s.R * Vec3(s.w + start.w);
      w.account.workApplied += p.dot(v) + l.dot(omega);
      w.account.workDrives += h * (f.springForce.dot(v) + f.springTorque.dot(omega));
    }
  }
}

double treeJointError(const WorldData& w) {
  double worst = 0;
  for (const TreeRuntime& t : w.trees)
    for (int i = 0; i < t.tree.count; i++) {
      const dynamics::LinkModel& m = t.tree.model[i];
      if (!dynamics::fixesPoint(m.type)) continue;
      const dynamics::LinkState& s = t.tree.state[i];
      const dynamics::BodyPose& p = m.parent >= 0 ? static_cast<const dynamics::BodyPose&>(t.tree.state[m.parent]) : t.tree.base->pose;
      worst = std::max(worst, (p.c + p.R * m.joint->inParent - s.c - s.R * m.joint->inChild).norm());
    }
  return worst;
}

void resetStepStatistics(Statistics& s) {
  s.rows = s.firstOrder = s.solverIterations = s.infeasible = s.speculative = s.evaluations = 0;
  s.solverResidual = s.complementarity = 0;
}

// The topology of the step, and its start. What most worlds have none of is asked for here and in makeStep, before a call: the code of a
// small world's step is larger than the instruction cache (docs/notes/performance.md).
Failure beginStep(WorldData& w) {
  w.stage = Stage::Forces;
  if (w.settings.stageTimes) w.stageSince = clockSeconds();
  if (w.anyBreakable) constraints::dropBroken(w);
  if (!w.current)
    if (Failure f = trees::updateTopology(w)) return f;
  if (w.callbacks.beforeStep) w.callbacks.beforeStep(w.callbacks.user);
  keepStart(w);
  if (w.pastContacts) {
    keepContacts(w);
    forgetPastContacts(w);
  }
  resetStepStatistics(w.statistics);
  w.ode.work = 0;
  return {};
}

// Impulses act once. What acted is kept for those who ask for forces.
void dropImpulses(WorldData& w, double h) {
  for (BodySlot& b : w.bodies) {
    AppliedForces* const f = b.applied.get();
    if (!f || (b.tree >= 0 && w.trees[b.tree].held)) continue;
    const double step = b.tree >= 0 ? w.trees[b.tree].step : h;
    f->stepForce = b.appliedForce() - f->springForce + f->impulse / step;  // springs are told as joints
    f->stepTorque = b.appliedTorque() - f->springTorque + f->angularImpulse / step;
    f->impulse.setZero();
    f->angularImpulse.setZero();
  }
}

// Results of a good step.
void tellStep(WorldData& w) {
  if (w.settings.energyAccount) w.statistics.maxJointError = std::max(w.statistics.maxJointError, treeJointError(w));
  w.statistics.islands = w.islandCount;
  enterStage(w, Stage::Particles);
}

void endStep(WorldData& w, double h) {
  enterStage(w, Stage::Finish);
  if (w.anyBreakable) constraints::breakJoints(w);
  if (!w.sensors.empty() && !w.divided.inParts) sensors::sampleSensors(w, h);
  w.lastStep = h;
  w.aheadStep = moveAfter(w, h);
  w.time += h;
  w.steps++;
  enterStage(w, Stage::Forces);
}

}  // namespace

Failure failTooDeep(WorldData& w, double h) {
  constexpr double kMoved = 2;      // times the way: the last part of a step that a stepper halves is known only
  constexpr double kCreep = 0.125;  // of `least`, by which a contact that is deep may get deeper: it would sink in step by step
  constexpr double kTold = 2;       // times `least`: what parts that are divided no more leave beyond it is told
  const bool divides = w.divided.least < kInf;
  const double least = divides ? w.divided.least : w.settings.adaptiveDepth;
  if (!(divides || w.divided.inParts) || w.partial || !w.collided || w.contacts.empty()) return {};
  const std::vector<Contact>& old = w.kept.contacts ? w.startContacts : w.contactsBefore;
  const auto byShapes = [](const Contact& a, const Contact& b) { return std::pair(a.shapeA, a.shapeB) < std::pair(b.shapeA, b.shapeB); };
  const double bound = divides ? least : kTold * least;
  const auto tooDeep = [&](const Contact& c) {
    if (!(-c.gap > bound) || c.past() || constraints::pushesBack(w.shapes, c)) return false;
    double depth = 0;
    const auto [first, last] = std::equal_range(old.begin(), old.end(), c, byShapes);
    for (auto k = first; k != last; ++k) depth = std::max(depth, -k->gap);
    const double deeper = -c.gap - depth;
    return deeper > std::max(least - depth, kCreep * least) &&
           deeper < kMoved * (wayOf(w, c.bodyA, c.position, h) + wayOf(w, c.bodyB, c.position, h));
  };
  constexpr int kPiece = 256;
  std::atomic<bool> any{false};
  w.parallelFor(static_cast<int>(w.contacts.size()), kPiece, [&](int, int first, int last) {
    if (std::any_of(w.contacts.begin() + first, w.contacts.begin() + last, tooDeep)) any.store(true, std::memory_order_relaxed);
  });
  if (any && !divides) w.statistics.unsolved++;
  return any && divides ? Failure{Failure::TooDeep, ""} : Failure{};
}

Failure diverged(const WorldData& w) {
  return {Failure::Diverged, "the step at " + std::to_string(w.time) +
                                 " s gave coordinates that are not numbers and was undone; use a smaller time step or softer drives"};
}

Failure badField(const WorldData& w) {
  return {Failure::Argument, "force field " + std::to_string(w.badField) + " gave a force that is not a number; the step was undone"};
}

Failure badConstraint(int constraint) {
  return {Failure::Argument, "user constraint " + std::to_string(constraint) +
                                 " gave a row that is not a number or has its bounds or softness out of range; the step was undone"};
}

Failure noFactor(const WorldData& w, const TreeRuntime& t, int link) {
  return finite(w, t) && placed(t) ? Failure{Failure::Argument, noInertia(w, link), w.links[link].body} : diverged(w);
}

void placePrescribed(WorldData& w, double after) {
  for (const PrescribedMotion& p : w.stepPrescribed) {
    BodySlot& b = w.bodies[p.body];
    b.pose = after == 0 ? p.end : Pose{p.end.p - after * b.velocity, normalized(quatExp(-after * b.omega) * p.end.q)};
  }
}

void prepareForces(WorldData& w, double h) {
  if (!w.fields.empty()) forces::applyFields(w);
  if (!w.auxiliaryJoints.empty()) forces::startSprings(w);
  if (!w.constraints.empty()) driveline::prepareDrivelines(w, h);
}

Failure refusedField(WorldData& w) {
  int pair[2];
  if (!w.fields[w.badField].def.implicit || !trees::stiffBetween(w, w.badField, pair)) return badField(w);
  return {Failure::Unsupported,
          "force field " + std::to_string(w.badField) + " is implicit and stiff between bodies " + std::to_string(pair[0]) + " and " +
              std::to_string(pair[1]) +
              ", but an implicit field acts on each body against the world, which would not keep the pair stable: make it rows with a "
              "softness (a user constraint, or a joint or distance with stiffness and damping), or explicit with shorter steps; the step "
              "was undone",
          pair[0]};
}

Failure advance(WorldData& w, double h) {
  constraints::clearJointForces(w);
  enterStage(w, Stage::Move);
  Failure failure = w.badField >= 0 ? refusedField(w) : traitsOf(w.settings.stepper).step(w, h);
  enterStage(w, Stage::Finish);
  if (!failure && anyTree(w, [&](const TreeRuntime& t) { return !t.asleep && !t.held && !finite(w, t); })) failure = diverged(w);
  if (failure) return failure;
  if (w.settings.energyAccount && w.anyForce) accountApplied(w);
  if (!w.constraints.empty()) driveline::concludeDrivelines(w, h);
  w.startsAt = StartsAt::Contacts;  // those of islands that sleep and of held trees keep their forces
  if (w.anyForce) dropImpulses(w, h);
  if (!w.auxiliaryJoints.empty()) forces::dropSprings(w);
  enterStage(w, Stage::Forces);
  return {};
}

namespace {
Failure makeLastPart(WorldData& w, double h) {
  prepareForces(w, h);
  Failure failure = advance(w, h);
  enterStage(w, Stage::Finish);
  return failure;
}
}  // namespace

namespace {

Failure makeStep(WorldData& w, double h) {
  const StepperTraits& stepper = traitsOf(w.settings.stepper);
  w.told.clear();
  w.gone.clear();
  if (w.time == w.wakeTime) wakeDriven(w);
  if (w.settings.continuous && stepper.foresee && !w.shapes.empty())
    if (Failure f = stepper.foresee(w, h)) return f;
  if (Failure f = movePrescribed(w, h)) return f;
  planParts(w, h);
  if (w.inParts || stepper.searchesOften) keepContacts(w);
  if (w.inParts)
    if (Failure f = makeFirstParts(w, h)) return f;
  if (Failure f = makeLastPart(w, h)) return f;
  if (!w.told.empty() && !stepper.searchesOften) {  // by impacts of bodies that were set in motion
    addTold(w.told, w, h);
    tellContacts(w, w.told, h);
    if (!w.divided.inParts) tellStart(w);
  }
  if (!w.gone.empty()) listPastContacts(w);
  if (w.settings.energyAccount && !w.stepPrescribed.empty()) accountPrescribed(w, h, stepper.sweepsPositions);
  if (!w.contacts.empty() || !w.touching.empty()) collision::updateTouching(w, h);
  if (w.settings.sleeping) islands::sleepIslands(w, h);
  tellStep(w);
  if (!w.particles.empty()) particles::stepParticles(w, h);
  endStep(w, h);
  return {};
}

}  // namespace

Failure physicsStep(WorldData& w, double h) {
  if (Failure f = beginStep(w)) return f;
  Failure failure;
  try {
    failure = makeStep(w, h);
  } catch (...) {  // memory
    undo(w);
    // What was being made may be in disorder: numbers that a solver had not yet taken back, pairs of which some are missing.
    for (RowWorkspace& work : w.workspaces) work = RowWorkspace();
    w.broad = geometry::BroadPhase();
    throw;
  }
  if (failure)
    undo(w);
  else
    keepNoMore(w);
  return failure;
}

}  // namespace vertebra::steppers
