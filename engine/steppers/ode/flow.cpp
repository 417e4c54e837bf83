// See flow.hpp.
#include "engine/steppers/ode/flow.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/forces/fields.hpp"
#include "engine/forces/pair_springs.hpp"
#include "engine/steppers/ode/work.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {

namespace {

Failure projectMomenta(WorldData& w, TreeRuntime& t, bool forces) {
  trees::momenta(w, t, 0, forces);
  trees::setArmature(w, t);
  if (t.hasAxisForces)
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.generalized[k] = w.extra[k] * w.v0[k];
  trees::updateGeometry(w, t);
  const int bad = trees::factorAndSolveTree(w, t);
  if (bad >= 0) return noFactor(w, t, bad);
  if (w.settings.energyAccount) {
    std::copy_n(trees::coordinatesOf(w) + t.vFirst, t.nv, w.reference.begin() + t.vFirst);
  }
  return {};
}

double* quaternionOf(const dynamics::LinkModel& m, double* q) {
  const int at = dynamics::traitsOf(m.type).quaternion;
  return at < 0 ? nullptr : q + at;
}

}  // namespace

Failure projectAtRest(WorldData& w, TreeRuntime& t, double) { return projectMomenta(w, t, false); }
Failure projectImpact(WorldData& w, TreeRuntime& t, double) { return projectMomenta(w, t, true); }

Failure keepMotionOnBase(WorldData& w, TreeRuntime& t, double h) {
  if (!t.onBase || t.smooth || t.fresh) return {};  // movePrescribed has asked
  trees::lendInertias(w.workspaces[0], t);
  placePrescribed(w, h);
  trees::placeBase(w, t);
  trees::moveBase(w, t);
  placePrescribed(w, 0);
  dynamics::updateSubspaces(t.tree);
  if (Failure f = projectAtRest(w, t, h)) return f;
  trees::velocitiesOf(w, t);
  trees::saveTree(w, t, true);
  return {};
}

OdeFlow::OdeFlow(WorldData& w, TreeSystem& system, double tau, double end)
    : w_(w), island_(system.island), contacts_(system.contacts), tau_(tau), end_(end) {
  const Island& island = island_;
  trees::lendInertias(w, w.workspaces[0], island.trees);
  for (int ti : island.trees) {
    const TreeRuntime& t = w.trees[ti];
    positions_ += t.nq;
    velocities_ += t.nv;
    bounded_ |= t.hasAxisForces;
  }
  bilateral_ = !island.joints.empty() || !island.couplings.empty() || !island.constraints.empty();
  for (const FieldSlot& f : w.fields) fields_ |= f.alive;
  for (int index : island.contacts) touching_ += presses(contacts_[index]);
  if (!w.auxiliaryJoints.empty()) springs_ = forces::countSprings(w, island.trees);
}

void OdeFlow::addSprings(const std::vector<double>& y) const {
  if (springs_ > 0) forces::addImpulses(w_, island_.trees, y.data() + y.size() - 6 * springs_);
}

bool OdeFlow::presses(const Contact& c) const { return w_.settings.unilateralAccelerations && constraints::touches(w_.shapes, c); }

void OdeFlow::begin(std::vector<double>& y) const {
  y.resize(static_cast<std::size_t>(size()));
  std::fill(y.end() - integrals(), y.end(), 0.0);
}

void OdeFlow::read(std::vector<double>& y) const {
  begin(y);
  double *q = y.data(), *v = q + positions_;
  for (int ti : island_.trees) {
    const TreeRuntime& t = w_.trees[ti];
    q = std::copy_n(w_.q.begin() + t.qFirst, t.nq, q);
    v = std::copy_n(w_.v.begin() + t.vFirst, t.nv, v);
  }
}

void OdeFlow::pose() {
  for (int ti : island_.trees) {
    TreeRuntime& t = w_.trees[ti];
    trees::placeBase(w_, t);
    dynamics::updatePoses(t.tree, w_.q.data());
    t.tree.O = t.tree.state[0].c;
    trees::moveBase(w_, t);
    dynamics::updateSubspaces(t.tree);
    dynamics::updateTwists(t.tree, w_.v.data());
    trees::saveTree(w_, t, false);
  }
}

void OdeFlow::place(double t, const double* y) {
  placePrescribed(w_, end_ - t);
  const double *q = y, *v = y + positions_;
  for (int ti : island_.trees) {
    const TreeRuntime& tree = w_.trees[ti];
    std::copy_n(q, tree.nq, w_.q.begin() + tree.qFirst);
    std::copy_n(v, tree.nv, w_.v.begin() + tree.vFirst);
    q += tree.nq;
    v += tree.nv;
  }
  pose();
}

bool OdeFlow::anyRows() const {
  if (bilateral_ && w_.settings.bilateralAccelerations) return true;
  return w_.settings.unilateralAccelerations && (bounded_ || !island_.contacts.empty());
}

// The change of the rows' rates per second at constant velocities: differences of fourth order along the motion.
bool OdeFlow::drift(double t, const double* y, constraints::AccelerationRows& rows) {
  std::vector<double>&sum = w_.ode.drift, &sample = w_.ode.sample;
  place(t, y);
  rows.rates(sum);
  const std::size_t count = sum.size();
  std::fill(sum.begin(), sum.end(), 0.0);
  if (count == 0) return true;
  double fastest = 1;
  for (int k = 0; k < velocities_; k++) fastest = std::max(fastest, std::fabs(y[positions_ + k]));
  const double e = 1e-3 / fastest;
  constexpr double weight[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
  for (int s = 0; s < 4; s++) {
    place(t + e * at[s], y);
    for (int ti : island_.trees) {
      TreeRuntime& tree = w_.trees[ti];
      for (int k = tree.vFirst; k < tree.vFirst + tree.nv; k++) w_.extraFull[k] = e * at[s] * w_.v[k];
      trees::displaceTree(w_, tree, w_.extraFull.data());
    }
    pose();
    rows.rates(sample);
    if (sample.size() != count) return false;
    for (std::size_t i = 0; i < count; i++) sum[i] += weight[s] * sample[i] / (12 * e);
  }
  return true;
}

OdeFlow::Energy OdeFlow::energy() const {
  Energy e;
  for (int ti : island_.trees) {
    const TreeRuntime& t = w_.trees[ti];
    e.kinetic += 0.5 * t.startKinetic;  // by saveTree
    if (t.springs) e.potential += trees::springEnergy(w_, t, w_.q.data());
    for (int i = t.first; i < t.first + t.tree.count; i++)
      e.potential -= w_.model[i].mass * w_.links[i].gravityScale * w_.settings.gravity.dot(w_.state[i].c);
  }
  return e;
}

Vec3 OdeFlow::momentum() const {
  Vec3 p = Vec3::Zero();
  for (int ti : island_.trees)
    for (int i = w_.trees[ti].first; i < w_.trees[ti].first + w_.trees[ti].tree.count; i++) p += w_.model[i].mass * w_.state[i].v;
  return p;
}

Vec3 OdeFlow::lostMomentum(double time, const std::vector<double>& y) const {
  Vec3 p = momentum() - momentumAtStart_;
  for (int ti : island_.trees)
    for (int i = w_.trees[ti].first; i < w_.trees[ti].first + w_.trees[ti].tree.count; i++)
      p -= time * w_.model[i].mass * w_.links[i].gravityScale * w_.settings.gravity;
  const auto own = [&](int body) {
    return body >= 0 && w_.bodies[body].tree >= 0 && std::binary_search(island_.trees.begin(), island_.trees.end(), w_.bodies[body].tree);
  };
  eachImpulse(y, [&](const Contact& c, const Vec3& impulse, const Vec3&) { p += (own(c.bodyA) - own(c.bodyB)) * impulse; });
  return p;
}

bool OdeFlow::floats() const {
  if (!island_.joints.empty() || !isClosed()) return false;
  return std::all_of(island_.trees.begin(), island_.trees.end(), [&](int ti) { return w_.trees[ti].freeRoot; });
}

bool OdeFlow::isClosed() const {
  if (fields_ || !island_.couplings.empty() || !island_.constraints.empty()) return false;
  for (int index : island_.contacts)
    for (int body : {contacts_[index].bodyA, contacts_[index].bodyB}) {
      if (body < 0) continue;
      const BodySlot& b = w_.bodies[body];
      if (b.kind == BodyKind::Kinematic && (b.velocity != Vec3::Zero() || b.omega != Vec3::Zero())) return false;
    }
  for (int ti : island_.trees) {
    const TreeRuntime& t = w_.trees[ti];
    if (t.movingBase) return false;
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const LinkRuntime& r = w_.links[i];
      const BodySlot& b = w_.bodies[r.body];
      if (b.appliedForce() != Vec3::Zero() || b.appliedTorque() != Vec3::Zero()) return false;
    }
  }
  return true;
}

bool OdeFlow::keepsEnergy() const {
  if (!island_.contacts.empty() || !isClosed()) return false;
  for (int ti : island_.trees)
    for (int i = w_.trees[ti].first; i < w_.trees[ti].first + w_.trees[ti].tree.count; i++) {
      if (!w_.links[i].hasAxisForces) continue;
      const JointSlot& j = w_.joints[w_.links[i].joint];
      for (int k = 0; k < w_.model[i].nv; k++) {
        const dynamics::AxisParameters& p = *j.axes[k].parameters;
        if (p.friction > 0 || p.velocity < kInf) return false;
      }
    }
  return true;
}

int OdeFlow::links() const {
  int count = 1;
  for (int ti : island_.trees) count += w_.trees[ti].tree.count;
  return count;
}

bool OdeFlow::derivative(double t, const double* y, double* dy) {
  w_.statistics.evaluations++;
  w_.ode.work += workOfLinks(links(), anyRows());
  if (w_.ode.work > mostWork(w_)) {
    failure_ = tooMuchWork(w_);
    return false;
  }
  const auto own = [&](int shape) {  // forces of other tree systems stay as reported
    const int body = w_.shapes[shape].body;
    return body >= 0 && std::binary_search(island_.trees.begin(), island_.trees.end(), w_.bodies[body].tree);
  };
  std::erase_if(w_.acceleration.held, [&](const HeldContact& c) { return own(c.shapeA) || own(c.shapeB); });
  std::erase_if(w_.acceleration.heldAxes, [&](const AxisForce& f) {
    const int body = w_.links[w_.joints[f.meta.index].link].body;
    return std::binary_search(island_.trees.begin(), island_.trees.end(), w_.bodies[body].tree);
  });
  constraints::AccelerationRows rows(w_, w_.workspaces[0], island_, contacts_);
  const bool any = anyRows();
  if (any && !drift(t, y, rows)) {
    failure_ = {Failure::Argument, "a user's constraint changes its number of rows within a step of the stepper ode; the step was undone"};
    return false;
  }
  place(t, y);
  if (!started_) {
    atStart_ = energy();
    momentumAtStart_ = momentum();
  }
  started_ = true;
  if (fields_ && !forces::fieldsHere(w_)) return false;
  double* const loads = dy + positions_ + velocities_;
  std::fill_n(loads, integrals(), 0.0);
  if (springs_ > 0) loads[6 * touching_ + 1] += forces::springsHere(w_, island_.trees, loads + 6 * touching_ + 3);
  for (int ti : island_.trees) {
    TreeRuntime& tree = w_.trees[ti];
    trees::setArmature(w_, tree);
    trees::updateGeometry(w_, tree);
    const int bad = trees::factorTree(w_, tree);
    if (bad >= 0) {
      failure_ = noFactor(w_, tree, bad);
      return false;
    }
    if (tree.hasAxisForces) trees::measureAxes(w_, tree);
    trees::freeAccelerations(w_, tree, 0);
  }
  for (int ti : island_.trees) {
    if (!w_.trees[ti].driven) continue;
    const trees::AxisPower power = trees::axisPower(w_, w_.trees[ti]);
    loads[6 * touching_ + 1] += power.drives;
    loads[6 * touching_ + 2] += power.damping;
  }
  if (any) {
    loads[6 * touching_] = rows.accelerate(w_.ode.drift.data(), tau_, end_, loads);
    w_.ode.work += workOfRows(w_.settings, rows.count(), rows.iterations(), rows.products());
    w_.ode.work += workOfBilateralRows(w_.workspaces[0].bilateral.count(), links());
  }
  if (island_.tally->badConstraint >= 0) return false;
  double *dq = dy, *dv = dy + positions_;
  for (int ti : island_.trees) {
    TreeRuntime& tree = w_.trees[ti];
    trees::finishAccelerations(w_, tree, any);
    for (int i = tree.first; i < tree.first + tree.tree.count; i++) {
      const dynamics::LinkModel& m = w_.model[i];
      dynamics::withJoint(m.type, [&](auto joint) {
        decltype(joint)::rates(m, w_.q.data() + m.qOffset, w_.v.data() + m.vOffset, dq + (m.qOffset - tree.qFirst));
      });
      double* to = dv + (m.vOffset - tree.vFirst);
      if (m.velocityIsTwist)
        dynamics::FreeRootJoint::velocityRates(w_.state[i], w_.a.data() + m.vOffset, to);
      else
        std::copy_n(w_.a.data() + m.vOffset, m.nv, to);
    }
    dq += tree.nq;
    dv += tree.nv;
  }
  return true;
}

void OdeFlow::project(double t, double* y) {
  double* q = y;
  for (int ti : island_.trees) {
    const TreeRuntime& tree = w_.trees[ti];
    for (int i = tree.first; i < tree.first + tree.tree.count; i++) {
      double* turn = quaternionOf(w_.model[i], q + (w_.model[i].qOffset - tree.qFirst));
      if (!turn) continue;
      const double size = std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
      for (int k = 0; k < 4; k++) turn[k] /= size;
    }
    q += tree.nq;
  }
  if (!bilateral_ || w_.settings.bilateralAccelerations) return;
  place(t, y);
  constraints::IslandRows rows(w_, w_.workspaces[0], island_, contacts_, {tau_, tau_, 0, end_});
  for (int ti : island_.trees)
    if (Failure f = projectAtRest(w_, w_.trees[ti], tau_)) {
      failure_ = std::move(f);
      return;
    } else if (w_.trees[ti].movingBase) {
      trees::baseMotion(w_, w_.trees[ti]);
    }
  rows.hold();
  double* v = y + positions_;
  for (int ti : island_.trees) {
    trees::velocitiesOf(w_, w_.trees[ti]);
    v = std::copy_n(w_.v.begin() + w_.trees[ti].vFirst, w_.trees[ti].nv, v);
  }
}

}  // namespace vertebra::steppers
