// See row_shift.hpp.
#include "engine/constraints/row_shift.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {

// Smallest displacement (in the metric of the mass) that gives each bouncing contact its shift without pushing other bearing contacts
// together: Gauss-Seidel on those rows alone. Where displacements remove penetration, all contacts take part. Moves x, which holds zeros.
void shiftRows(RowWorkspace& work, bool positions, bool impacts) {
  solve::RowProblem& p = work.rows;
  std::vector<double>& push = work.impactScratch;
  push.assign(p.rows.size(), 0.0);
  for (int it = 0; it < 20; it++) {
    double worst = 0;
    for (const solve::Block& block : p.blocks) {
      const RowMeta& meta = work.rowMeta[block.row];
      if (!block.contact() || !(p.rows[block.row].lambda > 0 || positions) || !(p.rows[block.row].inverse > 0)) continue;
      const double left = meta.shift - p.velocity(block.row, block.path);
      double& done = push[block.row];
      const double next = done + left * p.rows[block.row].inverse;
      // Contacts that the impact pressed together stay so.
      const bool struck = impacts && !positions && work.impactImpulses[block.row] > 0;
      const double to = meta.bounces || struck ? next : std::max(0.0, next);
      p.apply(block.row, block.path, to - done);
      worst = std::max(worst, std::fabs(to - done) / p.rows[block.row].inverse);
      done = to;
    }
    if (worst < 1e-9) break;
  }
}

}  // namespace

void shiftTrees(RowBuffer& rows, const WorldSettings& settings, bool impacts) {
  bool any = false;
  RowWorkspace& work = rows.work;
  solve::RowProblem& p = work.rows;
  const bool positions = removesByShift(settings);
  if (!impacts && !positions) return;  // no row bounces
  for (const solve::Block& block : p.blocks) {
    const RowMeta& meta = work.rowMeta[block.row];
    any |= (block.contact() && meta.bounces && p.rows[block.row].lambda > 0) || (positions && meta.shift > 0);
  }
  if (!any) return;
  double* x = p.x;
  std::vector<double>& kept = work.fullScratch;
  kept.resize(p.size);
  rows.forTrees([&](const TreeRuntime& t, int start) {
    std::copy_n(x + t.vFirst, t.nv, kept.begin() + start);
    std::fill_n(x + t.vFirst, t.nv, 0.0);
  });
  shiftRows(work, positions, impacts);
  std::vector<double>& shift = rows.scratch.shift;
  rows.forTrees([&](TreeRuntime& t, int start) {
    if (t.nv == 0) return;
    if (rows.articulated)
      dynamics::sweepDown(t.tree, x, shift.data(), false);
    else
      std::copy_n(x + t.vFirst, t.nv, shift.begin() + t.vFirst);
    t.shifted = true;
    std::copy_n(kept.begin() + start, t.nv, x + t.vFirst);
  });
}

}  // namespace vertebra::constraints
