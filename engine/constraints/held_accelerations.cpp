// See held_accelerations.hpp.
#include "engine/constraints/held_accelerations.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/bilateral_rates.hpp"
#include "engine/constraints/bilateral_rows.hpp"
#include "engine/state/island_world.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::constraints {

HeldAccelerations::HeldAccelerations(IslandWorld& w, RowWorkspace& work, Island& island, bool rebuilt)
    : w_(w), work_(work), island_(island) {
  findDrift();
  if (!rebuilt) return;
  RowBuffer rows(work_, w_.bodies, w_, w_, island_.trees, w_.settings, RowLevel::Acceleration, true);
  addBilateralAccelerations(rows, island_, w_, w_.settings, work_.drift.data());
  for (int ti : island_.trees)  // the tree solver that makes rows leaves its own twists
    if (TreeRuntime& t = w_.trees[ti]; t.saddle) dynamics::updateTwists(t.tree, w_.v.data());
}

// -J' v into `drift`: the change of the rates per second at constant velocities, a difference along the motion, to second order. The state
// of the trees is left as it was, to the last bit.
void HeldAccelerations::findDrift() {
  constexpr double kFar = 1e-4;  // m or rad, of the fastest coordinate
  std::vector<double>& q = work_.fullScratch;
  q.clear();
  work_.driftStates.clear();
  double fastest = 1;
  for (int ti : island_.trees) {
    const TreeRuntime& t = w_.trees[ti];
    q.insert(q.end(), w_.q.begin() + t.qFirst, w_.q.begin() + t.qFirst + t.nq);
    work_.driftStates.insert(work_.driftStates.end(), w_.state.begin() + t.first, w_.state.begin() + t.first + t.tree.count);
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) fastest = std::max(fastest, std::fabs(w_.v[k]));
  }
  const double e = kFar / fastest;
  std::vector<double>* const samples[2] = {&work_.drift, &work_.driftSample};
  for (int side = 0; side < 2; side++) {
    const double* from = q.data();
    for (int ti : island_.trees) {
      TreeRuntime& t = w_.trees[ti];
      std::copy_n(from, t.nq, w_.q.begin() + t.qFirst);
      from += t.nq;
      for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w_.extraFull[k] = (side ? e : -e) * w_.v[k];
      trees::displaceTree(w_, t, w_.extraFull.data());
      dynamics::updatePoses(t.tree, w_.q.data());
      t.tree.O = t.tree.state[0].c;
      dynamics::updateSubspaces(t.tree);
      dynamics::updateTwists(t.tree, w_.v.data());
    }
    samples[side]->clear();
    bilateralRates(w_, island_, RatesAt::Now, *samples[side]);
  }
  for (std::size_t i = 0; i < work_.drift.size(); i++) work_.drift[i] = (work_.drift[i] - work_.driftSample[i]) / (2 * e);
  const double* from = q.data();
  const dynamics::LinkState* state = work_.driftStates.data();
  for (int ti : island_.trees) {
    TreeRuntime& t = w_.trees[ti];
    std::copy_n(from, t.nq, w_.q.begin() + t.qFirst);
    std::copy_n(state, t.tree.count, w_.state.begin() + t.first);
    t.tree.O = t.tree.state[0].c;
    dynamics::updateSubspaces(t.tree);  // columns lie beside the states
    from += t.nq;
    state += t.tree.count;
  }
}

void HeldAccelerations::project() {
  work_.bilateral.setTargets(work_.drift.data());
  double* const x = w_.settings.treeSolver == TreeSolver::Articulated ? w_.z.data() : w_.a.data();
  std::vector<double>& local = work_.fullScratch;
  local.clear();
  for (int ti : island_.trees) {
    const TreeRuntime& t = w_.trees[ti];
    local.insert(local.end(), x + t.vFirst, x + t.vFirst + t.nv);
  }
  work_.bilateral.project(local.data());
  const double* from = local.data();
  for (int ti : island_.trees) {
    const TreeRuntime& t = w_.trees[ti];
    std::copy_n(from, t.nv, x + t.vFirst);
    from += t.nv;
  }
}

void HeldAccelerations::find(double h) {
  for (int ti : island_.trees) trees::freeAccelerations(w_, w_.trees[ti], h);
  project();
  for (int ti : island_.trees) trees::finishAccelerations(w_, w_.trees[ti], true);
  storeEndForces(work_, {w_.bodies, w_, w_}, island_, w_, w_.settings, work_.driftSample);
}

}  // namespace vertebra::constraints
