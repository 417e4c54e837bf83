// Rows of an island at acceleration level, for the stepper `ode`: bilateral rows keep their rate, contacts and limits that touch do not
// approach, friction sticks or slides. A row J v whose rate changes by J' v through the motion alone asks for J a = -J' v; a rate that
// violates a row decays within tau, which lets sliding friction find its direction and its bound by itself. Sources: Vondrak 2006, ch. 6
// (acceleration-level constraints); Baumgarte 1972, "Stabilization of constraints and integrals of motion in dynamical systems" (2 alpha on
// rates, alpha^2 on errors).
#include "engine/constraints/acceleration_rows.hpp"

#include <algorithm>

#include "engine/constraints/axis_rows.hpp"
#include "engine/constraints/bilateral_rates.hpp"
#include "engine/constraints/bilateral_rows.hpp"
#include "engine/constraints/contact_rows.hpp"
#include "engine/constraints/island_solution.hpp"
#include "engine/constraints/loop_closing.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/islands/islands.hpp"

namespace vertebra::constraints {
void AccelerationRows::rates(std::vector<double>& out) {
  out.clear();
  if (w_.settings.treeSolver != TreeSolver::Articulated || spansIsland(island_, w_.joints))
    bilateralRates(w_, island_, RatesAt::Start, out);
  const RowBodies bodies{w_.bodies, w_, w_};
  for (int index : island_.contacts) {
    const Contact& c = contacts_[index];
    if (!touches(w_.shapes, c)) continue;
    const RowEnd a = bodies.endOf(c.bodyA), b = bodies.endOf(c.bodyB);
    const Vec3 apart = bodies.startVelocity(b, c.position) - bodies.startVelocity(a, c.position);
    const Vec3 turn = bodies.startOmega(b) - bodies.startOmega(a);
    for (int k = 0; k < 3; k++) out.push_back(apart[k]);
    for (int k = 0; k < 3; k++) out.push_back(turn[k]);
  }
}

// Of the bilateral rows, into OdeWork::targets; returns their number.
std::size_t AccelerationRows::findTargets(const double* drift) {
  std::vector<double>& targets = w_.acceleration.targets;
  std::vector<double>& rate = w_.acceleration.rates;
  rates(rate);
  const double alpha = w_.settings.stabilisation == Stabilisation::Baumgarte ? w_.settings.baumgarte : 0;
  std::vector<double>& errors = work_.errorScratch;
  if (alpha > 0) loopErrors(w_, w_, w_.settings, island_, errors);
  std::size_t touching = 0;
  for (int index : island_.contacts) touching += touches(w_.shapes, contacts_[index]) ? 6 : 0;
  const std::size_t rows = rate.size() - touching;
  targets.resize(rows);
  for (std::size_t i = 0; i < rows; i++) {
    targets[i] = -drift[i];
    if (alpha > 0) targets[i] -= alpha * (2 * rate[i] + alpha * (i < errors.size() ? errors[i] : 0));
  }
  return rows;
}

double AccelerationRows::accelerate(const double* drift, double tau, double step, double* loads) {
  const StepTimes times{tau, tau, 0, step};
  const WorldSettings& set = w_.settings;
  const std::size_t bilateral = findTargets(drift);
  RowBuffer rows(work_, w_.bodies, w_, w_, island_.trees, set, RowLevel::Acceleration,
                 set.treeSolver != TreeSolver::Articulated || spansIsland(island_, w_.joints));
  if (rows.full && set.bilateralAccelerations) addBilateralAccelerations(rows, island_, w_, set, w_.acceleration.targets.data());
  if (set.unilateralAccelerations) {
    addAxisAccelerations(rows, w_.joints, set, times);
    addContactAccelerations(rows, island_, {w_.shapes, contacts_, w_, set}, drift + bilateral, times);
  }
  rows.project();
  count_ = static_cast<int>(work_.rows.rows.size()) + work_.bilateral.count();
  island_.tally->rows += count_;
  if (!work_.rows.rows.empty()) {
    const SolutionSources from{
        w_.shapes, contacts_, w_.joints, set, w_.callbacks, w_, *island_.tally, {1, 1, 0}, set.solverTolerance / tau};
    const solve::SolveReport report = solveOnce(work_.rows, from);
    iterations_ = report.iterations;
    products_ = report.products;
    concludeSolution(rows, report, *island_.tally);
  }
  if (set.bilateralAccelerations) {
    storeBilateralRows(rows, island_, w_, set, 1);
    for (int id : island_.couplings)  // the impulse of the whole step
      if (CouplingSlot& c = w_.couplings[id]; staysExact(set, c.def)) c.impulse = islands::stepOf(w_, c) * c.impulse;
  }
  double power = 0;
  for (const solve::Block& block : work_.rows.blocks) {
    if (!block.contact()) {
      const RowMeta& meta = work_.rowMeta[block.row];
      if (meta.kind == RowMeta::Limit || meta.kind == RowMeta::Friction)
        w_.acceleration.heldAxes.push_back({meta, work_.rows.rows[block.row].lambda});
      if (meta.kind == RowMeta::Friction)
        power -= work_.rows.rows[block.row].lambda * w_.v0[w_.model[w_.joints[meta.index].link].vOffset + meta.axis];
      continue;
    }
    const Contact& c = contacts_[work_.rowMeta[block.row].index];
    HeldContact held{c.shapeA, c.shapeB, c.feature};
    const RowEnd a = rows.bodies.endOf(c.bodyA), b = rows.bodies.endOf(c.bodyB);
    const Vec3 apart = rows.bodies.startVelocity(b, c.position) - rows.bodies.startVelocity(a, c.position);
    const Vec3 turn = rows.bodies.startOmega(b) - rows.bodies.startOmega(a);
    Eigen::Map<Vec6> load(loads);
    load.setZero();
    loads += 6;
    for (int k = 0; k < block.size; k++) {
      const double force = held.force[k] = work_.rows.rows[block.row + k].lambda;
      load.segment<3>(k < 3 ? 0 : 3) += force * work_.rowMeta[block.row + k].direction;
      if (k > 0) power -= force * work_.rowMeta[block.row + k].direction.dot(k < 3 ? apart : turn);
    }
    w_.acceleration.held.push_back(held);
  }
  return power;
}

}  // namespace vertebra::constraints
