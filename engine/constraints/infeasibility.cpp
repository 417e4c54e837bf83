// Prescribed motion against contacts. Resting contacts are slightly soft (kContactSoftness), so rows have a solution in which a drive of
// infinite gain, a prescribed body or a rigid row pushes its body through a wall. Where contacts yield to such a motion, the problem
// without that softness is examined: a certificate after Farkas (solve/solve.cpp) shows whether no motion meets it. Then the island is
// infeasible, and its drives of infinite gain yield: their rows get a softness equal to the inverse of the mass that they move, so that
// their force is in proportion to that mass, and contacts hold. They continue so, and the island counts as infeasible, until they reach
// their velocity or for some steps after the last certificate (JointSlot::saturated counts them); otherwise the driven body would run at
// the wall again whenever a fast motion past it is possible. Motion that cannot yield (prescribed bodies, loops) goes on into the contacts.
// Units as in row_buffer.hpp.
#include "engine/constraints/infeasibility.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {
// m/s that softness may let through before the rigid problem is examined; at the default correction contacts are then 0.4 mm deep.
constexpr double kGivesWay = 0.02;
constexpr std::int8_t kYieldingSteps = 120;

void harden(solve::Row& row) { setSoftness(row, 0); }

// The rows of an island, as this examination sees them.
struct Prescribed {
  RowWorkspace& work;
  const SolutionSources& from;

  bool isRigid(const solve::Block& block) const {  // a contact, rigid except for its small softness
    return block.contact() && !pushesBack(from.shapes, from.contacts[work.rowMeta[block.row].index]);
  }

  // The joint of a drive of infinite gain, whether it yields already or not.
  JointSlot* yielding(const solve::Block& block) const {
    const RowMeta& meta = work.rowMeta[block.row];
    if (meta.kind != RowMeta::Drive) return nullptr;
    JointSlot& j = from.joints[meta.index];
    return j.axes[meta.axis].saturated > 0 || drivesWithoutBound(work.rows.rows[block.row]) ? &j : nullptr;
  }

  // By softness, by the remaining velocity error of a drive, or recently. Heavy loads on light bodies pass this test, too: it only calls
  // for a closer examination.
  bool givesWay(double residual) const {
    if (residual > kGivesWay) return true;
    for (const solve::Block& block : work.rows.blocks) {
      const solve::Row& n = work.rows.rows[block.row];
      const RowMeta& meta = work.rowMeta[block.row];
      if (meta.kind == RowMeta::Drive && from.joints[meta.index].axes[meta.axis].saturated > 0) return true;
      if (!isRigid(block)) continue;
      if (n.inverse > 0 ? n.sigma * n.lambda > kGivesWay : meta.base + std::max(0.0, n.bias - meta.base) < -kGivesWay) return true;
    }
    return false;
  }

  // Back to the rows as they were stated, with the impulses just found.
  void restate() const {
    solve::RowProblem& p = work.rows;
    for (std::size_t i = 0; i < p.rows.size(); i++) {
      work.statedRows[i].lambda = p.rows[i].lambda;
      p.rows[i] = work.statedRows[i];
    }
  }

  // Contacts and limits only have to get no deeper: without removal of penetration, rebound and friction.
  bool contradicts() const {
    solve::RowProblem& p = work.rows;
    work.statedRows = p.rows;
    bool held = false;  // a contact that nothing can move
    for (const solve::Block& block : p.blocks) {
      solve::Row& r = p.rows[block.row];
      const RowMeta& meta = work.rowMeta[block.row];
      if (yielding(block)) harden(r);
      if (!isRigid(block) && meta.kind != RowMeta::Limit) continue;
      r.bias = meta.base + std::max(0.0, r.bias - meta.base);
      r.lo = 0;
      held |= !(r.inverse > 0) && r.bias < -kGivesWay;
      harden(r);
      for (int k = 1; k < block.size; k++) p.rows[block.row + k].inverse = 0;
    }
    const bool shown = held || solve::rowsContradict(p, from.settings.solverTolerance);
    restate();
    return shown;
  }

  // Lets the drives of infinite gain yield from now on; false if there are none.
  bool letYield() const {
    bool yields = false;
    for (const solve::Block& block : work.rows.blocks) {
      JointSlot* const j = yielding(block);
      if (!j) continue;
      yields = true;
      j->axes[work.rowMeta[block.row].axis].saturated = kYieldingSteps;
      harden(work.rows.rows[block.row]);
    }
    return yields;
  }

  // With yielding drives against rigid contacts.
  solve::SolveReport solveYielding() const {
    solve::RowProblem& p = work.rows;
    work.statedRows = p.rows;
    p.takeBack();
    for (const solve::Block& block : p.blocks) {
      for (int k = 0; k < block.size; k++) p.rows[block.row + k].lambda = 0;
      if (yielding(block))
        yieldDrive(p.rows[block.row]);
      else if (isRigid(block))
        harden(p.rows[block.row]);
    }
    const solve::SolveReport report = solveOnce(p, from);
    restate();
    return report;
  }
};

}  // namespace

bool drivesWithoutBound(const solve::Row& drive) { return !(drive.sigma > 0) && !(drive.hi < kInf) && !(drive.lo > -kInf); }

void yieldDrive(solve::Row& drive) {
  if (!(drive.inverse > 0)) return;
  drive.sigma = 1 / drive.inverse;
  drive.inverse *= 0.5;
}

bool isHeldUp(const RowWorkspace& work, const solve::Block& drive, const JointSlot& j) {
  if (!(j.axes[work.rowMeta[drive.row].axis].saturated > 0)) return false;
  return std::fabs(work.rows.velocity(drive.row, drive.path) + work.rows.rows[drive.row].bias) > kGivesWay;
}

solve::SolveReport settlePrescribed(RowBuffer& rows, const SolutionSources& from, const solve::SolveReport& solved) {
  const Prescribed motion{rows.work, from};
  if (!motion.givesWay(solved.residual)) return solved;
  solve::SolveReport report = solved;
  if (!motion.contradicts()) {
    for (const solve::Block& block : rows.work.rows.blocks)
      if (const JointSlot* const j = motion.yielding(block)) report.infeasible |= isHeldUp(rows.work, block, *j);
    return report;
  }
  if (motion.letYield()) report = motion.solveYielding();
  report.residual = rows.work.rows.violation();
  report.infeasible = true;
  report.converged = false;
  return report;
}

}  // namespace vertebra::constraints
