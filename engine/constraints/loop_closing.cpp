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
    if (!evaluateConstraint(slots.bodies, topology, c, id)) island.tally->badConstraint = id;
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

namespace {

constexpr double kClosed = 1e-13;  // m or rad, with round-off: no further pass
constexpr double kNearly = 1e-11;  // no further rows
constexpr double kMost = 0.2;      // rad or m in one pass, for loops that are far open at the start
constexpr int kPasses = 8;

class LoopClosing {
 public:
  LoopClosing(TreeWorld& w, Island& island, std::vector<double>& errors) : w_(w), island_(island), errors_(errors) { worst = loopErrors(); }
  // Newton's method with a constant matrix, that of the rows, while it converges. A last pass that does not is taken back.
  void iterate(RowBuffer& rows) {
    for (int it = 0; it < kPasses && worst > kClosed; it++) {
      const double part = worst > kMost ? kMost / worst : 1, before = worst;
      if (part < 1 && far_++ == kPasses) return;
      move(rows, part);
      worst = loopErrors();
      if (!(worst < before)) {
        if (part < 1 || worst < kNearly) return;  // far from its loops a mechanism may have to open first; near them it is round-off
        restore(rows);
        worst = loopErrors();
        return;
      }
      if (part == 1 && worst > 0.5 * before && !rows.work.bilateral.certain()) return;  // other rows may converge faster
    }
  }
  // Of the rows' parts; coordinates refer to the same point O until the velocities are found anew.
  void updateSubspaces() {
    for (int t : island_.trees) dynamics::updateSubspaces(w_.trees[t].tree);
  }

  double worst = 0;  // m or rad

 private:
  double loopErrors() { return constraints::loopErrors(w_, w_, w_.settings, island_, errors_); }

  void move(RowBuffer& rows, double part) {
    RowWorkspace& work = rows.work;
    for (double& e : errors_) e *= -part;
    std::vector<double>& dx = work.fullScratch;  // and behind it the coordinates before
    dx.assign(work.rows.size, 0.0);
    work.bilateral.displacement(errors_.data(), dx.data());
    double* x = work.rows.x;
    for (int t : island_.trees) {
      TreeRuntime& tree = w_.trees[t];
      if (tree.nv == 0) continue;
      dx.insert(dx.end(), w_.q.begin() + tree.qFirst, w_.q.begin() + tree.qFirst + tree.nq);
      double* step = w_.extraFull.data();
      if (tree.saddle) {
        std::copy_n(dx.begin() + work.treeStart[t], tree.nv, step + tree.vFirst);
      } else {
        std::copy_n(dx.begin() + work.treeStart[t], tree.nv, x + tree.vFirst);
        dynamics::sweepDown(tree.tree, x, step, false);
      }
      trees::displaceTree(w_, tree, step);
      dynamics::updatePoses(tree.tree, w_.q.data());
    }
  }
  void restore(RowBuffer& rows) {
    auto from = rows.work.fullScratch.begin() + rows.work.rows.size;
    for (int t : island_.trees) {
      TreeRuntime& tree = w_.trees[t];
      if (tree.nv == 0) continue;
      std::copy_n(from, tree.nq, w_.q.begin() + tree.qFirst);
      from += tree.nq;
      dynamics::updatePoses(tree.tree, w_.q.data());
    }
  }

  TreeWorld& w_;
  Island& island_;
  std::vector<double>& errors_;
  int far_ = 0;  // passes that were cut short
};

}  // namespace

// Rows at open loops: redundant rows are told from others only to within the opening, relative to the links. Those in doubt are left out at
// first; the others close what they can, to second order all of a redundant loop, and at the smaller opening less is in doubt. Where that
// leaves the loops open, rows that were in doubt are needed.
double closeLoops(TreeWorld& w, Island& island, const BuildRows& build) {
  double doubt = 4;
  RowBuffer* rows = &build(doubt);
  if (rows->work.bilateral.count() == 0) return 0;
  LoopClosing closing(w, island, rows->work.errorScratch);
  for (int pass = 0; pass < kPasses; pass++) {
    const double before = closing.worst;
    closing.iterate(*rows);
    if (closing.worst < kNearly || closing.worst > kMost || pass + 1 == kPasses) break;
    if (closing.worst > 0.5 * before) {
      if (rows->work.bilateral.certain()) break;
      doubt *= 0.1;
    }
    closing.updateSubspaces();
    rows = &build(doubt);
  }
  for (int t : island.trees) {
    TreeRuntime& tree = w.trees[t];
    tree.tree.O = tree.tree.state[0].c;
    trees::moveBase(w, tree);
    dynamics::updateSubspaces(tree.tree);
    dynamics::updateTwists(tree.tree, w.v.data());
  }
  return closing.worst;
}

double openBefore(TreeWorld& w, Island& island, std::vector<double>& errors) {
  const auto exchange = [&] {
    for (int t : island.trees) {
      TreeRuntime& tree = w.trees[t];
      std::swap_ranges(w.q.begin() + tree.qFirst, w.q.begin() + tree.qFirst + tree.nq, w.q0.begin() + tree.qFirst);
      dynamics::updatePoses(tree.tree, w.q.data());
    }
  };
  exchange();
  const double open = loopErrors(w, w, w.settings, island, errors);
  exchange();
  return open;
}

}  // namespace vertebra::constraints
