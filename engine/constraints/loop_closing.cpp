// See loop_closing.hpp.
#include "engine/constraints/loop_closing.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/full_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::constraints {

double loopErrors(Slots& slots, const TreeState& topology, const WorldSettings& settings, Island& island, std::vector<double>& errors) {
  errors.clear();
  double worst = 0;
  for (int id : island.joints) {
    JointSlot& j = slots.joints[id];
    PairConstraint c;
    viewPair(slots.bodies, topology, j, j.q, c);
    bool any = false;
    for (int k = 0; k < c.rows; k++) {
      if (!softnessOf(j, c.row[k]).rigid()) continue;
      errors.push_back(c.error[k]);
      any = true;
    }
    if (any) worst = std::max({worst, j.def->linear.rigid() ? c.apart : 0, j.def->angular.rigid() ? c.turned : 0});
  }
  for (int id : island.couplings) {
    const CouplingDefinition& c = slots.couplings[id].def;
    if (!staysExact(settings, c)) continue;
    errors.push_back(c.velocityLevel ? 0 : couplingError(slots, topology, c));
    worst = std::max(worst, std::fabs(errors.back()));
  }
  for (int id : island.constraints) {
    UserConstraintSlot& c = slots.constraints[id];
    const int before = c.count;
    if (!evaluateConstraint(slots.bodies, topology, c, id)) island.tally.badConstraint = id;
    for (int k = 0; k < before; k++) {  // rows that do not exist at the new poses have no error to close
      const bool there = k < c.count && staysExact(settings, c.rows[k]);
      if (!there && k < c.count) continue;
      errors.push_back(there && !c.rows[k].velocityLevel ? c.rows[k].error : 0);
      worst = std::max(worst, std::fabs(errors.back()));
    }
    c.count = before;
  }
  return worst;
}

double closeLoops(TreeWorld& w, RowBuffer& rows, Island& island) {
  RowWorkspace& work = rows.work;
  std::vector<double>& errors = work.errorScratch;
  std::vector<double>& dx = work.fullScratch;
  double worst = loopErrors(w, w, w.settings, island, errors);
  // The rows' basis belongs to the pose at which the velocities were solved: Newton's method with a constant matrix.
  for (int it = 0; it < 8 && worst > 1e-13; it++) {
    const double most = 0.2;  // rad or m in one pass, for loops that are far open at the start
    const double part = worst > most ? most / worst : 1;
    for (double& e : errors) e *= -part;
    dx.assign(work.rows.size, 0.0);
    work.bilateral.displacement(errors.data(), dx.data());
    double* x = work.rows.x;
    for (int t : island.trees) {
      TreeRuntime& tree = w.trees[t];
      if (tree.nv == 0) continue;
      double* step = w.extraFull.data();
      if (tree.saddle) {
        std::copy_n(dx.begin() + work.treeStart[t], tree.nv, step + tree.vFirst);
      } else {
        std::copy_n(dx.begin() + work.treeStart[t], tree.nv, x + tree.vFirst);
        dynamics::sweepDown(tree.tree, x, step, false);
      }
      trees::displaceTree(w, tree, step);
      dynamics::updatePoses(tree.tree, w.q.data());
    }
    const double next = loopErrors(w, w, w.settings, island, errors);
    if (!(next < worst)) {
      worst = next;
      break;
    }
    worst = next;
  }
  for (int t : island.trees) {
    TreeRuntime& tree = w.trees[t];
    tree.tree.O = tree.tree.state[0].c;
    trees::moveBase(w, tree);
    dynamics::updateSubspaces(tree.tree);
    dynamics::updateTwists(tree.tree, w.v.data());
  }
  return worst;
}

}  // namespace vertebra::constraints
