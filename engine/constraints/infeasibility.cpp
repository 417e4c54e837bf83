// Prescribed motion against contacts. Resting contacts are slightly soft (kContactSoftness), so rows have a solution in which a drive of
// infinite gain, a prescribed body or a rigid row pushes its body through a wall. Where contacts yield to such a motion, the problem
// without that softness is examined: a certificate after Farkas (solve/solve.cpp) shows whether no motion meets it. Then the island is
// infeasible, and its drives of infinite gain yield: their rows get a softness equal to the inverse of the mass that they move, so that
// their force is in proportion to that mass, and contacts hold. They continue so, and the island counts as infeasible, until they reach
// their velocity or for some steps after the last certificate (JointSlot::saturated counts them); otherwise the driven body would run at
// the wall again whenever a fast motion past it is possible. Motion that cannot yield (prescribed bodies, loops) goes on into the contacts.
// Units as in island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"

namespace vertebra {
namespace {
// m/s that softness may let through before the rigid problem is examined; at the default correction contacts are then 0.4 mm deep.
constexpr double kGivesWay = 0.02;
constexpr std::int8_t kYieldingSteps = 120;

void harden(Row& row) { setSoftness(row, 0); }
}  // namespace

void setSoftness(Row& row, double sigma) {
  if (!(row.inverse > 0)) return;
  row.inverse = 1 / (1 / row.inverse - row.sigma + sigma);
  row.sigma = sigma;
}

bool drivesWithoutBound(const Row& drive) { return !(drive.sigma > 0) && !(drive.hi < kInf) && !(drive.lo > -kInf); }

void yieldDrive(Row& drive) {
  if (!(drive.inverse > 0)) return;
  drive.sigma = 1 / drive.inverse;
  drive.inverse *= 0.5;
}

bool IslandRows::isRigid(const Block& block) const {  // a contact, rigid except for its small softness
  return block.contact() && !pushesBack(w_, contacts_[work_.rowMeta[block.row].index]);
}

// The joint of a drive of infinite gain, whether it yields already or not.
JointSlot* IslandRows::yielding(const Block& block) const {
  const RowMeta& meta = work_.rowMeta[block.row];
  if (meta.kind != RowMeta::Drive) return nullptr;
  JointSlot& j = w_.joints[meta.index];
  return j.axes[meta.axis].saturated > 0 || drivesWithoutBound(work_.rows.rows[block.row]) ? &j : nullptr;
}

// A yielding drive has not reached its velocity.
bool IslandRows::isHeldUp(const Block& block) const {
  const RowMeta& meta = work_.rowMeta[block.row];
  if (!(w_.joints[meta.index].axes[meta.axis].saturated > 0)) return false;
  return std::fabs(work_.rows.velocity(block.row, block.path) + work_.rows.rows[block.row].bias) > kGivesWay;
}

// By softness, by the remaining velocity error of a drive, or recently. Heavy loads on light bodies pass this test, too: it only calls for
// a closer examination.
bool IslandRows::givesWay(double residual) const {
  if (residual > kGivesWay) return true;
  for (const Block& block : work_.rows.blocks) {
    const Row& n = work_.rows.rows[block.row];
    const RowMeta& meta = work_.rowMeta[block.row];
    if (meta.kind == RowMeta::Drive && w_.joints[meta.index].axes[meta.axis].saturated > 0) return true;
    if (!isRigid(block)) continue;
    if (n.inverse > 0 ? n.sigma * n.lambda > kGivesWay : meta.base + std::max(0.0, n.bias - meta.base) < -kGivesWay) return true;
  }
  return false;
}

// Contacts and limits only have to get no deeper: without removal of penetration, rebound and friction.
bool IslandRows::contradicts() {
  RowProblem& p = work_.rows;
  work_.statedRows = p.rows;
  bool held = false;  // a contact that nothing can move
  for (const Block& block : p.blocks) {
    Row& r = p.rows[block.row];
    const RowMeta& meta = work_.rowMeta[block.row];
    if (yielding(block)) harden(r);
    if (!isRigid(block) && meta.kind != RowMeta::Limit) continue;
    r.bias = meta.base + std::max(0.0, r.bias - meta.base);
    r.lo = 0;
    held |= !(r.inverse > 0) && r.bias < -kGivesWay;
    harden(r);
    for (int k = 1; k < block.size; k++) p.rows[block.row + k].inverse = 0;
  }
  const bool shown = held || rowsContradict(p, w_.settings.solverTolerance);
  for (std::size_t i = 0; i < p.rows.size(); i++) {
    work_.statedRows[i].lambda = p.rows[i].lambda;
    p.rows[i] = work_.statedRows[i];
  }
  return shown;
}

SolveReport IslandRows::settlePrescribed(const SolveReport& solved) {
  RowProblem& p = work_.rows;
  if (!givesWay(solved.residual)) return solved;
  SolveReport report = solved;
  if (!contradicts()) {
    for (const Block& block : p.blocks) report.infeasible |= yielding(block) && isHeldUp(block);
    return report;
  }
  bool yields = false;
  for (const Block& block : p.blocks) {
    JointSlot* const j = yielding(block);
    if (!j) continue;
    yields = true;
    j->axes[work_.rowMeta[block.row].axis].saturated = kYieldingSteps;
    harden(p.rows[block.row]);
  }
  if (yields) {
    work_.statedRows = p.rows;
    p.takeBack();
    for (const Block& block : p.blocks) {
      for (int k = 0; k < block.size; k++) p.rows[block.row + k].lambda = 0;
      if (yielding(block))
        yieldDrive(p.rows[block.row]);
      else if (isRigid(block))
        harden(p.rows[block.row]);
    }
    report = solveOnce();
    for (std::size_t i = 0; i < p.rows.size(); i++) {
      work_.statedRows[i].lambda = p.rows[i].lambda;
      p.rows[i] = work_.statedRows[i];
    }
  }
  report.residual = p.violation();
  report.infeasible = true;
  report.converged = false;
  return report;
}

}  // namespace vertebra
