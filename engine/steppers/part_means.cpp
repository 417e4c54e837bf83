// See part_means.hpp.
#include "engine/steppers/part_means.hpp"

#include <algorithm>

#include "engine/sensors/sensors.hpp"
#include "engine/steppers/told_contacts.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

// f(number of the joint's axis, kind, force) for what is told of an axis.
template <class F>
void eachForce(JointSlot& j, F&& f) {
  for (int k = 0; k < j.nv; k++) {
    JointAxis& a = j.axes[k];
    f(k, 0, a.motorForce);
    f(k, 1, a.springForce);
    f(k, 2, a.frictionForce);
    f(k, 3, a.limitForce);
  }
}

}  // namespace

void reserveParts(WorldData& w, std::size_t contacts) {
  DividedStep& d = w.divided;
  d.joints.reserve(w.joints.size());
  d.bodies.reserve(w.bodies.size());
  d.contacts.reserve(contacts);
  std::size_t rows = w.couplings.size();
  for (const UserConstraintSlot& c : w.constraints) rows += c.impulse.size();
  d.rows.reserve(rows);
}

void noteStart(WorldData& w) {
  std::vector<StartVelocity>& start = w.divided.start;
  start.assign(w.links.size(), {Vec3::Zero(), Vec3::Zero()});
  for (const TreeRuntime& t : w.trees)
    for (int i = t.first; !t.asleep && i < t.first + t.tree.count; i++) start[i] = {w.state[i].v, w.state[i].w};
}

void tellStart(WorldData& w) {
  for (TreeRuntime& t : w.trees) {
    if (t.asleep || t.immobile) continue;
    t.divided = true;
    const auto first = w.divided.start.begin() + t.first;
    t.rare.make().stepStart.assign(first, first + t.tree.count);
  }
}

void beginParts(WorldData& w) {
  DividedStep& d = w.divided;
  d.inParts = true;
  noteStart(w);
  d.joints.assign(w.joints.size(), JointSum());
  d.bodies.assign(w.bodies.size(), {Vec3::Zero(), Vec3::Zero()});
  d.contacts.clear();
  std::size_t rows = w.couplings.size();
  for (const UserConstraintSlot& c : w.constraints) rows += c.impulse.size();
  d.rows.assign(rows, 0);
}

void addPart(WorldData& w, double step) {
  DividedStep& d = w.divided;
  addTold(d.contacts, w, step);
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    d.bodies[i].first += step * w.bodies[i].applied->stepForce;
    d.bodies[i].second += step * w.bodies[i].applied->stepTorque;
  }
  for (std::size_t i = 0; i < w.joints.size(); i++) {
    JointSlot& j = w.joints[i];
    JointSum& sum = d.joints[i];
    eachForce(j, [&](int axis, int kind, double force) { sum.axis[axis][kind] += step * force; });
    sum.force += step * j.between->force;
    sum.torque += step * j.between->torque;
  }
  double* row = d.rows.data();
  for (const CouplingSlot& c : w.couplings) *row++ += c.impulse;
  for (const UserConstraintSlot& c : w.constraints)
    for (const double impulse : c.impulse) *row++ += impulse;
}

void tellParts(WorldData& w, double h) {
  DividedStep& d = w.divided;
  forgetPastContacts(w);
  tellContacts(w, d.contacts, h);
  listPastContacts(w);
  for (std::size_t i = 0; i < w.bodies.size(); i++)
    if (AppliedForces* const f = w.bodies[i].applied.get()) {
      f->stepForce = d.bodies[i].first / h;
      f->stepTorque = d.bodies[i].second / h;
    }
  for (std::size_t i = 0; i < w.joints.size(); i++) {
    JointSlot& j = w.joints[i];
    const JointSum& sum = d.joints[i];
    eachForce(j, [&](int axis, int kind, double& force) { force = sum.axis[axis][kind] / h; });
    if (JointBetween* const between = j.between.get()) {
      between->force = sum.force / h;
      between->torque = sum.torque / h;
    }
  }
  const double* row = d.rows.data();
  for (CouplingSlot& c : w.couplings) c.impulse = *row++;
  for (UserConstraintSlot& c : w.constraints)
    for (double& impulse : c.impulse) impulse = *row++;
  for (TreeRuntime& t : w.trees)
    if (!t.asleep && !t.immobile) trees::takeStep(t, h);
  tellStart(w);
  w.lastStep = h;
  if (!w.sensors.empty()) sensors::sampleSensors(w, h);
}

void takeImpulses(WorldData& w, double of) {
  DividedStep& d = w.divided;
  if (d.scale == of) return;
  const double factor = of / d.scale;
  d.scale = of;
  const auto scale = [&](auto& numbers) {
    for (double& x : numbers) x *= factor;
  };
  for (JointSlot& j : w.joints) {
    for (int k = 0; k < j.nv; k++) scale(j.axes[k].impulse);
    JointBetween* const between = j.between.get();
    if (!between) continue;
    scale(between->hold);
    scale(between->drive);
    scale(between->spring);
  }
  for (CouplingSlot& c : w.couplings) c.impulse *= factor;
  for (UserConstraintSlot& c : w.constraints) scale(c.impulse);
}

}  // namespace vertebra::steppers
