// World: couplings, user constraints, joints that break.
#include <algorithm>
#include <cmath>

#include "engine/constraints/joint_forces.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/points.hpp"
#include "engine/islands/islands.hpp"
#include "engine/islands/islands.hpp"
#include "engine/steppers/undo.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/edits.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

Failure checkCoupling(const WorldData& w, const CouplingDefinition& c) {
  if (c.terms.empty()) return {Failure::Argument, "a coupling needs at least one axis"};
  for (std::size_t i = 0; i < c.terms.size(); i++) {
    const CouplingTerm& t = c.terms[i];
    if (!constraints::isScalar(w.joints[t.joint], t.axis))
      return {Failure::Unsupported, "a coupling needs axes with one coordinate each, which axis " + std::to_string(t.axis) + " of joint " +
                                        std::to_string(t.joint) + " is not"};
    for (std::size_t k = 0; k < i; k++)
      if (c.terms[k].joint == t.joint && c.terms[k].axis == t.axis) return {Failure::Argument, "a coupling names an axis twice"};
  }
  return {};
}

// Fills in what a constraint over points shares with user constraints.
Failure placePoints(const WorldData& w, UserConstraintDefinition& d) {
  const std::size_t count = d.points.size();
  if (d.measure == PointMeasure::Length ? count < 2 : count != 4)
    return {Failure::Argument, "a length needs two points or more, a volume four"};
  d.rows = 1;
  d.bodies.clear();
  d.joints.clear();
  for (int body : d.pointBodies)
    if (body >= 0) d.bodies.push_back(body);
  if (d.bodies.empty()) return {Failure::Argument, "all points are the world's: nothing could move"};
  if (d.value == 0) d.value = constraints::measurePoints(w.bodies, w, d);
  if (d.measure == PointMeasure::Volume && !(std::fabs(d.value) > 1e-15))
    return {Failure::Argument, "the points lie in a plane: a volume of 0 has no side"};
  if (d.measure == PointMeasure::Volume) {  // |value|^(-2/3), by Newton's method for the cube root
    const double square = d.value * d.value;
    double root = std::max(1.0, square);
    for (double next = 0; next < root; root = next) {
      next = (2 * root + square / (root * root)) / 3;
      if (!(next < root)) break;
    }
    d.scale = 1 / root;
  }
  return {};
}

}  // namespace

void dropCoupling(WorldData& w, int coupling) {
  for (const CouplingTerm& t : w.couplings[coupling].def.terms) w.joints[t.joint].named--;
  w.couplings[coupling] = CouplingSlot();
  w.firstFreeCoupling = std::min<std::size_t>(w.firstFreeCoupling, coupling);
}
void dropConstraint(WorldData& w, int constraint) {
  for (int joint : w.constraints[constraint].def.joints) w.joints[joint].named--;
  w.constraints[constraint] = UserConstraintSlot();
  w.firstFreeConstraint = std::min<std::size_t>(w.firstFreeConstraint, constraint);
}

Failure World::createCoupling(const CouplingDefinition& d, int& id) {
  WorldData& w = *data_;
  if (Failure f = checkCoupling(w, d)) return f;
  wakeAll();
  NewSlot slot(w.couplings, w.firstFreeCoupling);
  *slot = CouplingSlot();
  (*slot).alive = true;
  (*slot).def = d;
  trees::addCoupling(w, slot.at());
  for (const CouplingTerm& t : d.terms) w.joints[t.joint].named++;
  id = slot.keep();
  return {};
}

Failure World::setCoupling(int coupling, const CouplingDefinition& d) {
  WorldData& w = *data_;
  if (Failure f = checkCoupling(w, d)) return f;
  CouplingSlot& c = w.couplings[coupling];
  bool same = c.def.terms.size() == d.terms.size();
  for (std::size_t i = 0; same && i < d.terms.size(); i++) same = c.def.terms[i].joint == d.terms[i].joint;
  if (!same) return {Failure::Argument, "the joints of a coupling stay; to change them, make another"};
  c.def = d;
  for (const CouplingTerm& t : d.terms)  // another ratio is an impact: no reactions of the old one
    for (int body : {w.joints[t.joint].a, w.joints[t.joint].b})
      if (body >= 0) steppers::wakeDriven(w, body);
  return {};
}

const CouplingDefinition& World::coupling(int coupling) const { return data_->couplings[coupling].def; }
double World::couplingForce(int coupling) const {
  const CouplingSlot& c = data_->couplings[coupling];
  const double step = islands::stepOf(*data_, c);
  return step > 0 ? c.impulse / step : 0;
}
void World::destroyCoupling(int coupling) {
  wakeAll();
  trees::invalidateTopology(*data_);
  dropCoupling(*data_, coupling);
  data_->destroyed = Destroyed();
  data_->destroyed.couplings.push_back(coupling);
}
bool World::couplingAlive(int coupling) const {
  return coupling >= 0 && coupling < static_cast<int>(data_->couplings.size()) && data_->couplings[coupling].alive;
}

Failure World::createConstraint(const UserConstraintDefinition& given, int& id) {
  WorldData& w = *data_;
  UserConstraintDefinition d = given;
  if (d.measure != PointMeasure::None)
    if (Failure f = placePoints(w, d)) return f;
  if (d.rows < 1 || d.rows > 1000) return {Failure::Argument, "a constraint has 1 to 1000 rows"};
  if (d.bodies.empty() && d.joints.empty()) return {Failure::Argument, "a constraint needs a body or a joint to act on"};
  if (!d.evaluate && d.measure == PointMeasure::None) return {Failure::Argument, "a constraint needs its callback"};
  wakeAll();
  NewSlot slot(w.constraints, w.firstFreeConstraint);
  UserConstraintSlot& c = *slot;
  c = UserConstraintSlot();
  c.alive = true;
  c.def = d;
  c.bodyNumbers = 6 * static_cast<int>(d.bodies.size());
  for (int joint : d.joints) c.jointNumbers += w.joints[joint].nv;
  c.rows.resize(d.rows);
  c.blocks.resize(static_cast<std::size_t>(d.rows) * (c.bodyNumbers + c.jointNumbers));
  c.impulse.assign(d.rows, 0.0);
  c.force.assign(d.rows, 0.0);
  trees::addConstraint(w, slot.at());
  for (int joint : d.joints) w.joints[joint].named++;
  id = slot.keep();
  return {};
}
void World::destroyConstraint(int constraint) {
  wakeAll();
  trees::invalidateTopology(*data_);
  dropConstraint(*data_, constraint);
  data_->destroyed = Destroyed();
  data_->destroyed.constraints.push_back(constraint);
}
bool World::constraintAlive(int constraint) const {
  return constraint >= 0 && constraint < static_cast<int>(data_->constraints.size()) && data_->constraints[constraint].alive;
}
const UserConstraintDefinition& World::constraint(int constraint) const { return data_->constraints[constraint].def; }
const std::vector<double>& World::constraintForces(int constraint) const { return data_->constraints[constraint].force; }

bool World::jointBroken(int joint) const { return data_->joints[joint].broken; }
const std::vector<JointEvent>& World::jointEvents() const { return data_->jointEvents; }

}  // namespace vertebra::world
