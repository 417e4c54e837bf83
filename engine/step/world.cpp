// World: settings, stepping, totals; see world.hpp. Bodies: world_bodies.cpp; shapes, joints: world_parts.cpp.
#include "engine/step/world.hpp"

#include <cmath>

#include "engine/step/steppers.hpp"
#include "engine/step/tree_step.hpp"

namespace vertebra {

World::World(const WorldSettings& settings) : data_(std::make_unique<WorldData>(*this)) { data_->settings = settings; }
World::~World() = default;

const WorldSettings& World::settings() const { return data_->settings; }

Failure World::setSettings(const WorldSettings& s) {
  if (!s.gravity.allFinite() || !(s.timeStep > 0) || !std::isfinite(s.timeStep) || s.substeps < 1 || s.substeps > 10000)
    return {Failure::Argument, "settings: gravity must be finite, time_step positive, substeps from 1 to 10000"};
  for (const FieldSlot& f : data_->fields)
    if (f.alive && f.def.implicit && !takesImplicitFields(s))
      return {Failure::Unsupported, "a force field is implicit, which the stepper ode cannot take"};
  for (const BodySlot& b : data_->bodies)
    if (b.alive)
      if (Failure f = vertebra::checkIntegration(b.integration, s.stepper)) return f;
  if (s.equality != data_->settings.equality || s.freePoses != data_->settings.freePoses || s.planar != data_->settings.planar ||
      s.stepper != data_->settings.stepper)
    dissolve(*data_);
  if (!s.sleeping && data_->settings.sleeping) wakeAll();
  if (s.gravity != data_->settings.gravity) wakeAll();
  data_->settings = s;
  return {};
}

Failure World::reserve(int contacts) {
  WorldData& w = *data_;
  if (Failure f = ensure(w)) return f;
  const std::size_t n = static_cast<std::size_t>(contacts);
  int longest = 12;
  for (const TreeRuntime& t : w.trees) longest = std::max(longest, 2 * t.nv);
  std::size_t limits = 0;
  for (const JointSlot& j : w.joints)
    if (j.alive) limits += 24;
  const std::size_t rows = 6 * n + limits;
  w.contacts.reserve(n);
  w.contactsBefore.reserve(n);
  w.memory.reserve(n);
  w.memoryNext.reserve(n);
  w.touching.reserve(n);
  w.touchingNext.reserve(n);
  w.events.reserve(2 * n);
  w.impacts.reserve(n);
  w.boxes.reserve(w.shapes.size());
  w.sweptBoxes.reserve(w.shapes.size());
  w.passive.reserve(w.shapes.size());
  w.boxShape.reserve(w.shapes.size());
  w.shapePose.reserve(w.shapes.size());
  w.broad.reserve(static_cast<int>(w.shapes.size()), static_cast<int>(n));
  w.rows.rows.reserve(rows);
  w.rows.blocks.reserve(rows);
  w.rows.paths.reserve(rows + 1);
  w.rows.pieces.reserve(rows * 16);
  w.rowMeta.reserve(rows);
  w.statedRows.reserve(rows);
  // Rows are as long as their paths; this is enough for whole islands of loops only where those are small.
  const std::size_t length = static_cast<std::size_t>(std::min(longest, 128));
  w.rows.numbers.reserve(rows * length);
  w.rows.reserveWork(w.settings.lcp, static_cast<int>(rows), static_cast<int>(w.v.size()), static_cast<int>((n + limits) * length));
  w.rows.scratch.reserve(2 * (w.v.size() + 2));
  w.pieceScratch.reserve(w.model.size() + w.trees.size());
  w.lambdaScratch.reserve(rows);
  w.impactScratch.reserve(rows);
  w.blowForces.reserve(w.v.size());
  w.blowImpulses.reserve(rows);
  w.blowRates.reserve(rows);
  w.blowRows.reserve(rows);
  w.drivePoints.reserve(w.v.size());
  w.drivePointsBefore.reserve(w.v.size());
  w.fullScratch.reserve(std::max(w.q.size(), w.v.size() + 1));
  w.reference.reserve(w.v.size());
  w.referenceRate.reserve(w.v.size());
  std::size_t userRows = 0;
  for (const UserConstraintSlot& c : w.constraints) userRows += c.rows.size();
  w.errorScratch.reserve(6 * w.auxiliaryJoints.size() + w.couplings.size() + userRows);
  w.treeStart.reserve(w.trees.size());
  w.treeParent.reserve(w.trees.size());
  w.groupParts.reserve(w.trees.size());
  w.stepQ.reserve(w.q.size());
  w.stepV.reserve(w.v.size());
  w.stepPrescribed.reserve(w.bodies.size());
  w.startContacts.reserve(n);
  w.particleBodies.reserve(w.bodies.size());
  w.baseTwist.reserve(w.model.size());
  w.baseRate.reserve(w.v.size());
  const int bilateral = static_cast<int>(w.couplings.size() + userRows + 6 * w.auxiliaryJoints.size());
  if (bilateral > 0) {
    w.bilateral.reserve(bilateral, static_cast<int>(w.v.size()));
    w.loopShares.reserve(rows * bilateral);
  }
  w.displacement.items.reserve(n + w.joints.size() + w.couplings.size() + w.constraints.size());
  w.displacement.joints.reserve(w.joints.size());
  w.displacement.contacts.reserve(n);
  std::size_t parts = 0;
  for (const CouplingSlot& c : w.couplings) parts = std::max(parts, 2 * c.def.terms.size());
  for (const UserConstraintSlot& c : w.constraints) parts = std::max(parts, c.def.bodies.size() + 2 * c.def.joints.size());
  w.displacement.parts.reserve(parts);
  w.islands.resize(std::max(w.islands.size(), w.trees.size()));
  for (Island& island : w.islands) {  // any island may come to hold everything
    if (w.trees.size() <= 64 || w.trees.size() * n <= 500000) {
      island.trees.reserve(w.trees.size());
      island.contacts.reserve(n);
      island.joints.reserve(w.auxiliaryJoints.size());
      island.couplings.reserve(w.couplings.size());
      island.constraints.reserve(w.constraints.size());
    }
  }
  if (!w.islands.empty()) {
    w.islands[0].trees.reserve(w.trees.size());
    w.islands[0].contacts.reserve(n);
  }
  if (w.settings.stepper == Stepper::Ode) reserveOde(w, n);
  return {};
}

Failure World::step() {
  WorldData& w = *data_;
  const double h = w.settings.timeStep / w.settings.substeps;
  w.deadline = w.settings.timeBudget > 0 ? clockSeconds() + w.settings.timeBudget : 0;
  Failure failure;
  for (int i = 0; i < w.settings.substeps && !failure; i++) failure = stepInParts(w, h, 0);
  if (w.anyForce) {
    w.anyForce = false;
    for (BodySlot& b : w.bodies) {
      b.force.setZero();
      b.torque.setZero();
      b.impulse.setZero();  // of a step that failed: made once, not kept for another
      b.angularImpulse.setZero();
      w.anyForce |= b.fieldKnown || b.persistentForce.squaredNorm() > 0 || b.persistentTorque.squaredNorm() > 0;
    }
  }
  if (!failure && w.statistics.infeasible > 0)
    failure = {Failure::Infeasible,
               "constraints of an island contradict each other; see max_joint_error and lcp_residual of the statistics"};
  return failure;
}

double World::time() const { return data_->time; }

void World::wakeAll() {
  for (std::size_t i = 0; i < data_->bodies.size(); i++)
    if (data_->bodies[i].asleep) wakeBody(static_cast<int>(i));
}

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
  s.halvings = s.restarts = s.hurried = s.rollbacks = s.merges = s.stops = 0;
  s.maxPenetration = s.maxJointError = s.maxEnergyCorrection = 0;
  for (double& seconds : s.seconds) seconds = 0;
  data_->events.clear();
  data_->jointEvents.clear();
}

EnergyAccount World::energy() const {
  WorldData& w = *data_;
  if (!w.current) (void)ensure(w);  // springs and rotors belong to trees
  EnergyAccount e = w.account;
  e.kinetic = e.potential = 0;
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    const BodySlot& b = w.bodies[i];
    if (!b.alive || b.kind != BodyKind::Dynamic || !b.enabled) continue;
    const Pose inertial = poseOf(w, static_cast<int>(i)) * b.inertialInLink;
    Vec3 v, spin;
    twistOf(w, static_cast<int>(i), v, spin);
    v += spin.cross(inertial.p - poseOf(w, static_cast<int>(i)).p);
    const Vec3 local = inertial.q.conjugate() * spin;
    e.kinetic += 0.5 * (b.mass * v.squaredNorm() + local.dot(b.moments.cwiseProduct(local)));
    e.potential -= b.mass * b.gravityScale * w.settings.gravity.dot(inertial.p);
  }
  if (!w.current) return e;
  for (const TreeRuntime& t : w.trees) {
    if (!t.restrained) continue;
    e.potential += springEnergy(w, t, w.q.data());
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      if (!w.links[i].restrained) continue;
      const JointSlot& j = w.joints[w.links[i].joint];
      for (int k = 0; k < j.nv; k++) {
        const double v = w.v[w.model[i].vOffset + k];
        e.kinetic += 0.5 * j.axes[k].armature * v * v;
      }
    }
  }
  return e;
}

void World::momentum(Vec3& linear, Vec3& angular) const {
  const WorldData& w = *data_;
  linear.setZero();
  angular.setZero();
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    const BodySlot& b = w.bodies[i];
    if (!b.alive || b.hidden || b.kind != BodyKind::Dynamic || !b.enabled) continue;
    const Pose link = poseOf(w, static_cast<int>(i)), inertial = link * b.inertialInLink;
    Vec3 v, spin;
    twistOf(w, static_cast<int>(i), v, spin);
    v += spin.cross(inertial.p - link.p);
    linear += b.mass * v;
    angular += inertial.q * b.moments.cwiseProduct(inertial.q.conjugate() * spin) + inertial.p.cross(b.mass * v);
  }
}

const std::vector<Contact>& World::contacts() const { return data_->contacts; }
const std::vector<ContactEvent>& World::events() const { return data_->events; }

}  // namespace vertebra
