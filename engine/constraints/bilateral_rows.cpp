// Bilateral rows of an island: held directions of joints outside trees, couplings, and rigid user constraints; met exactly
// (solve/bilateral.hpp) and closed in position by Newton's method. See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/islands/islands.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {

double couplingError(WorldData& w, const CouplingDefinition& c) {
  double sum = -c.target;
  for (const CouplingTerm& t : c.terms) {
    JointSlot& j = w.joints[t.joint];
    if (j.link < 0) {
      PairConstraint pair;
      viewPair(w, j, j.q, pair);
      sum += t.coefficient * j.q[t.axis];
    } else {
      sum += t.coefficient * w.q[w.model[j.link].qOffset + t.axis];
    }
  }
  return sum;
}

}  // namespace

bool staysExact(const WorldData& w, const CouplingDefinition& c) {
  return c.softness.rigid() && !(c.maxForce < kInf) && rigidRowsAreExact(w.settings);
}
bool staysExact(const WorldData& w, const UserRow& r) {
  return r.softness.rigid() && !(r.lower > -kInf) && !(r.upper < kInf) && rigidRowsAreExact(w.settings);
}

IslandRows::RowTarget IslandRows::bilateralRow() {
  const int row = work_.bilateral.add(0);
  return {work_.bilateral.y(row), work_.bilateral.r(row), row};
}
void IslandRows::finishBilateral(const RowTarget& to, double target) {
  if (articulated_) std::copy_n(to.y, work_.rows.size, to.r);
  prescribes_ |= target != 0;
  work_.bilateral.setTarget(to.row, level_ ? level_->targets[to.row] : target);
}

void IslandRows::bilateral() {
  if (!full_) return;
  const double back = w_.settings.stabilisation == Stabilisation::Baumgarte ? w_.settings.baumgarte : 0;
  for (int id : island_.joints) {
    JointSlot& j = w_.joints[id];
    PairConstraint c;
    viewPair(w_, j, j.q, c);
    for (int k = 0; k < c.rows; k++) {
      if (!isBilateral(softnessOf(j, c.row[k]))) continue;
      const RowTarget to = bilateralRow();
      double base = addBody(to, j.def.b, c.row[k], c.point);
      base += addBody(to, j.def.a, -c.row[k], c.point);
      finishBilateral(to, -base - back * c.error[k]);
    }
  }
  for (int id : island_.couplings) {
    const CouplingDefinition& c = w_.couplings[id].def;
    if (!staysExact(w_, c)) continue;
    const RowTarget to = bilateralRow();
    const double base = addCoupling(to, c), wanted = c.velocityLevel ? c.target : back > 0 ? -back * couplingError(w_, c) : 0;
    finishBilateral(to, wanted - base);
  }
  for (int id : island_.constraints) {
    UserConstraintSlot& c = w_.constraints[id];
    if (!evaluateConstraint(w_, id)) tally_.badConstraint = id;
    for (int k = 0; k < c.count; k++) {
      const UserRow& r = c.rows[k];
      if (!staysExact(w_, r)) continue;
      const RowTarget to = bilateralRow();
      const double base = addUserRow(to, c, r), wanted = r.velocityLevel ? r.rate : -r.rate - back * r.error;
      finishBilateral(to, wanted - base);
    }
  }
  work_.bilateral.build(articulated_);
  if (work_.bilateral.inconsistency() > 1e-3) tally_.infeasible++;
}

// At acceleration level (forces, h_ = 1) the forces of the rows are stored; the impulses of the step's end are added.
void IslandRows::storeBilateral() {
  const bool onTop = !level_ && traitsOf(w_.settings.stepper).accelerationRows && w_.settings.bilateralAccelerations;
  std::vector<double>& lambda = work_.errorScratch;
  lambda.resize(work_.bilateral.count());
  if (work_.bilateral.count() > 0) work_.bilateral.multipliers(lambda.data());
  int row = 0;
  for (int id : island_.joints) {
    JointSlot& j = w_.joints[id];
    PairConstraint c;
    viewPair(w_, j, j.q, c);
    Vec6 sum = Vec6::Zero();
    for (int k = 0; k < c.rows; k++) {
      if (isBilateral(softnessOf(j, c.row[k])))
        sum += lambda[row++] * c.row[k];
      else if (!level_)
        sum += j.between->hold[k] * c.row[k];
    }
    JointBetween& between = j.between.make();
    if (!onTop) between.force = between.torque = Vec3::Zero();
    between.force += sum.tail<3>() / h_;
    between.torque += sum.head<3>() / h_;
  }
  for (int id : island_.couplings) {
    CouplingSlot& c = w_.couplings[id];
    const bool exact = staysExact(w_, c.def);
    if (level_ && !exact) continue;
    const double impulse = exact ? lambda[row++] : c.impulse;
    if (exact) c.impulse = level_ ? stepOf(w_, c) * impulse : (onTop ? c.impulse : 0) + impulse;
    for (const CouplingTerm& t : c.def.terms) {
      JointSlot& j = w_.joints[t.joint];
      if (j.role != Role::Auxiliary) continue;
      PairConstraint pair;
      viewPair(w_, j, j.q, pair);
      j.between.make().force += t.coefficient * impulse / h_ * pair.axis[t.axis].tail<3>();
      j.between.make().torque += t.coefficient * impulse / h_ * pair.axis[t.axis].head<3>();
    }
  }
  for (int id : island_.constraints) {
    UserConstraintSlot& c = w_.constraints[id];
    for (int k = 0; k < static_cast<int>(c.force.size()); k++) {
      const bool there = k < c.count, exact = there && staysExact(w_, c.rows[k]), before = onTop && exact;
      if (exact) c.impulse[k] = lambda[row++];
      c.force[k] = (before ? c.force[k] : 0) + (there && (exact || !level_) ? c.impulse[k] / h_ : 0);
    }
  }
}

double loopErrors(WorldData& w, Island& island, std::vector<double>& errors) {
  errors.clear();
  double worst = 0;
  for (int id : island.joints) {
    JointSlot& j = w.joints[id];
    PairConstraint c;
    viewPair(w, j, j.q, c);
    bool any = false;
    for (int k = 0; k < c.rows; k++) {
      if (!softnessOf(j, c.row[k]).rigid()) continue;
      errors.push_back(c.error[k]);
      any = true;
    }
    if (any) worst = std::max({worst, j.def.linear.rigid() ? c.apart : 0, j.def.angular.rigid() ? c.turned : 0});
  }
  for (int id : island.couplings) {
    const CouplingDefinition& c = w.couplings[id].def;
    if (!staysExact(w, c)) continue;
    errors.push_back(c.velocityLevel ? 0 : couplingError(w, c));
    worst = std::max(worst, std::fabs(errors.back()));
  }
  for (int id : island.constraints) {
    UserConstraintSlot& c = w.constraints[id];
    const int before = c.count;
    if (!evaluateConstraint(w, id)) island.tally.badConstraint = id;
    for (int k = 0; k < before; k++) {  // rows that do not exist at the new poses have no error to close
      const bool there = k < c.count && staysExact(w, c.rows[k]);
      if (!there && k < c.count) continue;
      errors.push_back(there && !c.rows[k].velocityLevel ? c.rows[k].error : 0);
      worst = std::max(worst, std::fabs(errors.back()));
    }
    c.count = before;
  }
  return worst;
}

double closeLoops(WorldData& w, RowWorkspace& work, Island& island) {
  std::vector<double>& errors = work.errorScratch;
  std::vector<double>& dx = work.fullScratch;
  double worst = loopErrors(w, island, errors);
  // The rows' basis belongs to the pose at which the velocities were solved: Newton's method with a constant matrix.
  for (int it = 0; it < 8 && worst > 1e-13; it++) {
    const double most = 0.2;  // rad or m in one pass, for loops that are far open at the start
    const double part = worst > most ? most / worst : 1;
    for (double& e : errors) e *= -part;
    dx.assign(work.rows.size, 0.0);
    work.bilateral.displacement(errors.data(), dx.data());
    double* x = coordinatesOf(w);
    for (int t : island.trees) {
      TreeRuntime& tree = w.trees[t];
      if (tree.nv == 0) continue;
      double* step = w.extraFull.data();
      if (tree.saddle) {
        std::copy_n(dx.begin() + work.treeStart[t], tree.nv, step + tree.vFirst);
      } else {
        std::copy_n(dx.begin() + work.treeStart[t], tree.nv, x + tree.vFirst);
        sweepDown(tree.tree, x, step, false);
      }
      displaceTree(w, tree, step);
      updatePoses(tree.tree, w.q.data());
    }
    const double next = loopErrors(w, island, errors);
    if (!(next < worst)) {
      worst = next;
      break;
    }
    worst = next;
  }
  for (int t : island.trees) {
    TreeRuntime& tree = w.trees[t];
    tree.tree.O = tree.tree.state[0].c;
    moveBase(w, tree);
    updateSubspaces(tree.tree);
    updateTwists(tree.tree, w.v.data());
  }
  return worst;
}

}  // namespace vertebra
