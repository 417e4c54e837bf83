// See bilateral_rows.hpp.
#include "engine/constraints/bilateral_rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/full_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {

constexpr double kMostDoubt = 0.01;  // no row that keeps more of itself than this is taken for implied

// 1/m: of the smallest moving body of the island, by its radius of gyration.
double smallness(const RowBuffer& rows) {
  double most = 0;
  for (int t : rows.islandTrees) {
    const dynamics::Tree& tree = rows.topology.trees[t].tree;
    for (int i = 0; i < tree.count; i++) {
      const double moment = tree.model[i].inertia.maxCoeff();
      if (moment > 0) most = std::max(most, tree.model[i].mass / moment);
    }
  }
  return std::sqrt(most);
}

// 1/kg: less than what a force on a joint moves, unless the other joints hold it already.
double leastMobility(const RowBuffer& rows) {
  constexpr double kShare = 1e-3;
  double mass = 0;
  for (int t : rows.islandTrees) mass = std::max(mass, rows.topology.trees[t].mass);
  return mass > 0 ? kShare / mass : 0;
}

// Adds the rows of an island in their order: f(row, target) finishes each.
template <class F>
void addRows(RowBuffer& rows, Island& island, Slots& slots, const WorldSettings& settings, double doubt, F&& finish) {
  const double size = smallness(rows);
  double opening = 0;  // of joints, relative
  const double back = settings.stabilisation == Stabilisation::Baumgarte ? settings.baumgarte : 0;
  for (int id : island.joints) {
    JointSlot& j = slots.joints[id];
    PairConstraint c;
    viewPair(slots.bodies, rows.topology, j, j.q, c);
    int first[2] = {-1, -1};  // row that holds a rotation, a position
    for (int k = 0; k < c.rows; k++) {
      if (!staysExact(settings, softnessOf(j, c.row[k]))) continue;
      const FullRow to = rows.addBilateralRow();
      const bool linear = c.row[k].tail<3>().squaredNorm() > 0;
      opening = std::max(opening, std::fabs(c.error[k]) * (linear ? size : 1));
      int& sibling = first[linear];
      if (sibling < 0) sibling = to.row;
      rows.work.bilateral.setSibling(to.row, sibling);
      double base = addBody(rows, to, j.b, c.row[k], c.point);
      base += addBody(rows, to, j.a, -c.row[k], c.point);
      finish(to, -base - back * c.error[k]);
    }
  }
  for (int id : island.couplings) {
    const CouplingDefinition& c = slots.couplings[id].def;
    if (!staysExact(settings, c)) continue;
    const FullRow to = rows.addBilateralRow();
    const double base = addCoupling(rows, to, slots.joints, c);
    const double wanted = c.velocityLevel ? c.target : back > 0 ? -back * couplingError(slots, rows.topology, c) : 0;
    finish(to, wanted - base);
  }
  for (int id : island.constraints) {
    UserConstraintSlot& c = slots.constraints[id];
    if (!evaluateConstraint(slots.bodies, rows.topology, c, id)) island.tally->badConstraint = id;
    for (int k = 0; k < c.count; k++) {
      const UserRow& r = c.rows[k];
      if (!staysExact(settings, r)) continue;
      const FullRow to = rows.addBilateralRow();
      const double base = addUserRow(rows, to, slots.joints, c, r), wanted = r.velocityLevel ? r.rate : -r.rate - back * r.error;
      finish(to, wanted - base);
    }
  }
  const double scale = island.joints.empty() ? 0 : leastMobility(rows) * std::min(1.0, size * size);
  rows.work.bilateral.build(rows.articulated, std::min(kMostDoubt, doubt * opening), scale);
  if (rows.work.bilateral.inconsistency() > 1e-3) island.tally->infeasible++;
}

// Where the multipliers of the rows go, read in the order of the rows.
struct BilateralStore {
  const RowBuffer& rows;
  const WorldSettings& settings;
  const double h;
  const double* next;  // multiplier
  const bool accelerations = rows.level == RowLevel::Acceleration;
  // Impulses of the step's end are added to what acceleration level stored.
  const bool onTop = !accelerations && traitsOf(settings.stepper).accelerationRows && settings.bilateralAccelerations;

  void joint(JointSlot& j) {
    PairConstraint c;
    viewPair(rows.bodies.bodies, rows.topology, j, j.q, c);
    Vec6 sum = Vec6::Zero();
    for (int k = 0; k < c.rows; k++) {
      if (staysExact(settings, softnessOf(j, c.row[k])))
        sum += *next++ * c.row[k];
      else if (!accelerations)
        sum += j.between->hold[k] * c.row[k];
    }
    JointBetween& between = j.between.make();
    if (!onTop) between.force = between.torque = Vec3::Zero();
    between.force += sum.tail<3>() / h;
    between.torque += sum.head<3>() / h;
  }

  void coupling(CouplingSlot& c, std::vector<JointSlot>& joints) {
    const bool exact = staysExact(settings, c.def);
    if (accelerations && !exact) return;
    const double impulse = exact ? *next++ : c.impulse;
    if (exact) c.impulse = accelerations ? impulse : (onTop ? c.impulse : 0) + impulse;
    for (const CouplingTerm& t : c.def.terms) {
      JointSlot& j = joints[t.joint];
      if (j.role != Role::Auxiliary) continue;
      PairConstraint pair;
      viewPair(rows.bodies.bodies, rows.topology, j, j.q, pair);
      j.between.make().force += t.coefficient * impulse / h * pair.axis[t.axis].tail<3>();
      j.between.make().torque += t.coefficient * impulse / h * pair.axis[t.axis].head<3>();
    }
  }

  void constraint(UserConstraintSlot& c) {
    for (int k = 0; k < static_cast<int>(c.force.size()); k++) {
      const bool there = k < c.count, exact = there && staysExact(settings, c.rows[k]), before = onTop && exact;
      if (exact) c.impulse[k] = *next++;
      c.force[k] = (before ? c.force[k] : 0) + (there && (exact || !accelerations) ? c.impulse[k] / h : 0);
    }
  }
};

}  // namespace

bool holdsDirections(const JointSlot& j) {
  switch (j.def->constraint) {
    case ConstraintType::Motor:
    case ConstraintType::AxisAngular:
    case ConstraintType::AxisLinear:
      return false;
    case ConstraintType::Distance:
      return j.axes[0].parameters->lower == j.axes[0].parameters->upper;
    default:
      return true;
  }
}

void addBilateralRows(RowBuffer& rows, Island& island, Slots& slots, const WorldSettings& settings, RowFindings& found, double doubt) {
  addRows(rows, island, slots, settings, doubt, [&](const FullRow& row, double target) {
    found.prescribed |= target != 0;
    rows.finishBilateral(row, target);
  });
}

void addBilateralAccelerations(RowBuffer& rows, Island& island, Slots& slots, const WorldSettings& settings, const double* targets) {
  addRows(rows, island, slots, settings, 0, [&](const FullRow& row, double) { rows.finishBilateral(row, targets[row.row]); });
}

void storeCycleForces(const RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h) {
  std::vector<double>& lambda = rows.work.errorScratch;
  lambda.resize(rows.work.bilateral.count());
  rows.work.bilateral.multipliers(lambda.data());
  BilateralStore store{rows, settings, h, lambda.data()};
  for (int id : island.joints) store.joint(slots.joints[id]);
}

void storeEndForces(const RowWorkspace& work, const RowBodies& bodies, const Island& island, Slots& slots, const WorldSettings& settings,
                    std::vector<double>& lambda) {
  lambda.resize(work.bilateral.count());
  work.bilateral.multipliers(lambda.data());
  const double* next = lambda.data();
  for (int id : island.joints) {
    JointSlot& j = slots.joints[id];
    PairConstraint c;
    viewPair(bodies.bodies, bodies.topology, j, j.q, c);
    Vec6 sum = Vec6::Zero();
    for (int k = 0; k < c.rows; k++)
      if (staysExact(settings, softnessOf(j, c.row[k]))) sum += *next++ * c.row[k];
    j.between.make().endForce = sum.tail<3>();
    j.between.make().endTorque = sum.head<3>();
  }
  for (int id : island.couplings) {
    CouplingSlot& coupling = slots.couplings[id];
    if (!staysExact(settings, coupling.def)) continue;
    coupling.endForce = *next++;
    for (const CouplingTerm& t : coupling.def.terms) {
      JointSlot& j = slots.joints[t.joint];
      if (j.role != Role::Auxiliary) continue;
      PairConstraint pair;
      viewPair(bodies.bodies, bodies.topology, j, j.q, pair);
      j.between.make().endForce += t.coefficient * coupling.endForce * pair.axis[t.axis].tail<3>();
      j.between.make().endTorque += t.coefficient * coupling.endForce * pair.axis[t.axis].head<3>();
    }
  }
}

void dropEndForces(const Island& island, Slots& slots) {
  for (int id : island.joints)
    if (JointBetween* b = slots.joints[id].between.get()) b->endForce = b->endTorque = Vec3::Zero();
  for (int id : island.couplings) slots.couplings[id].endForce = 0;
}

void addStartForces(const Island& island, Slots& slots, double h) {
  for (int id : island.joints)
    if (JointBetween* b = slots.joints[id].between.get()) {
      b->force += 0.5 * b->endForce;
      b->torque += 0.5 * b->endTorque;
    }
  for (int id : island.couplings) slots.couplings[id].impulse += 0.5 * h * slots.couplings[id].endForce;
}

void storeBilateralRows(const RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h) {
  std::vector<double>& lambda = rows.work.errorScratch;
  lambda.resize(rows.work.bilateral.count());
  if (rows.work.bilateral.count() > 0) rows.work.bilateral.multipliers(lambda.data());
  BilateralStore store{rows, settings, h, lambda.data()};
  for (int id : island.joints) store.joint(slots.joints[id]);
  for (int id : island.couplings) store.coupling(slots.couplings[id], slots.joints);
  for (int id : island.constraints) store.constraint(slots.constraints[id]);
}

}  // namespace vertebra::constraints
