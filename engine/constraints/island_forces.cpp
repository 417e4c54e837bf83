// See island_forces.hpp.
#include "engine/constraints/island_forces.hpp"

#include <algorithm>

#include "engine/state/stepper_traits.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::constraints {

void takeForces(TreeWorld& w, RowBuffer& rows, double h) {
  std::vector<double>& forces = rows.work.impactForces;
  forces.resize(w.v.size());
  for (int ti : rows.islandTrees) std::fill_n(forces.begin() + w.trees[ti].vFirst, w.trees[ti].nv, 0.0);
  if (traitsOf(w.settings.stepper).accelerationRows) return;
  double* x = rows.work.rows.x;
  for (int ti : rows.islandTrees) {
    TreeRuntime& t = w.trees[ti];
    std::copy_n(x + t.vFirst, t.nv, forces.begin() + t.vFirst);
    trees::momenta(w, t, h, false);
    if (t.pulled) trees::holdFields(w, t, h);
    if (t.slender) trees::carrySlenderLinks(w, t, 0);
    trees::solveHeld(w, t);
    if (!w.settings.energyAccount) continue;
    std::copy_n(x + t.vFirst, t.nv, w.reference.begin() + t.vFirst);
    trees::findReferenceRate(w, t);
  }
  rows.project();
  for (int ti : rows.islandTrees)
    for (int k = w.trees[ti].vFirst; k < w.trees[ti].vFirst + w.trees[ti].nv; k++) forces[k] -= x[k];
}

void putForcesBack(RowBuffer& rows) {
  double* x = rows.work.rows.x;
  rows.forTrees([&](const TreeRuntime& t, int) {
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) x[k] += rows.work.impactForces[k];
  });
}

}  // namespace vertebra::constraints
