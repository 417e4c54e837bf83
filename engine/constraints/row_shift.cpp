// See row_shift.hpp.
#include "engine/constraints/row_shift.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {

constexpr double kSettled = 0.01;  // share of the first sweep's change that the last may leave

bool isGuard(const RowMeta& meta) { return meta.restitution < 0; }

// The impulse of an impact along its normal and in its friction, for one along the normal: what it displaces turns as the impact made it
// turn. `rate`: what it gives the normal's velocity.
struct Direction {
  double share[3] = {1, 0, 0}, rate = 0;
};

Direction directionOf(RowWorkspace& work, const solve::Block& block, bool rubs) {
  constexpr double kLeast = 0.2;  // of the rate along the normal alone: beyond it friction would carry the point the other way
  solve::RowProblem& p = work.rows;
  Direction d;
  const double own = 1 / p.rows[block.row].inverse, normal = rubs ? work.impactImpulses[block.row] : 0;
  d.rate = own;
  if (!(normal > 0)) return d;
  const int rows = std::min(block.size, 3);
  for (int k = 1; k < rows; k++) d.share[k] = work.impactImpulses[block.row + k] / normal;
  const double before = p.velocity(block.row, block.path);
  for (int k = 0; k < rows; k++) p.apply(block.row + k, block.path, d.share[k]);
  const double rate = p.velocity(block.row, block.path) - before;
  for (int k = 0; k < rows; k++) p.apply(block.row + k, block.path, -d.share[k]);
  if (rate > kLeast * own)
    d.rate = rate;
  else
    d.share[1] = d.share[2] = 0;
  return d;
}

// Smallest displacement (in the metric of the mass) that gives each bouncing contact its shift without pushing other bearing contacts
// together: Gauss-Seidel on those rows alone. Where displacements remove penetration, all contacts take part. Moves x, which holds zeros.
// `rubs`: along the impulses of the impact, friction included; false if the sweeps do not settle so.
bool shiftRows(RowWorkspace& work, bool positions, bool impacts, bool rubs) {
  solve::RowProblem& p = work.rows;
  std::vector<double>& push = work.impactScratch;
  push.assign(p.rows.size(), 0.0);
  double first = 0, last = 0;
  for (int it = 0; it < 20; it++) {
    double worst = 0;
    for (const solve::Block& block : p.blocks) {
      const RowMeta& meta = work.rowMeta[block.row];
      if (!block.contact() || !(p.rows[block.row].inverse > 0)) continue;
      if (!(p.rows[block.row].lambda > 0 || positions || isGuard(meta))) continue;
      const double left = meta.shift - p.velocity(block.row, block.path);
      const Direction d = directionOf(work, block, rubs);
      double& done = push[block.row];
      const double next = done + left / d.rate;
      // Contacts that the impact pressed together stay so.
      const bool struck = impacts && !positions && work.impactImpulses[block.row] > 0;
      const double to = meta.bounces || struck ? next : std::max(0.0, next);
      for (int k = 0; k < std::min(block.size, 3); k++)
        if (d.share[k] != 0) p.apply(block.row + k, block.path, d.share[k] * (to - done));
      worst = std::max(worst, std::fabs(to - done) * d.rate);
      done = to;
    }
    last = worst;
    if (worst < 1e-9) return true;
    if (it == 0) first = worst;
  }
  return last < kSettled * first;
}

}  // namespace

void shiftTrees(RowBuffer& rows, const WorldSettings& settings, double h, bool impacts) {
  bool any = false;
  RowWorkspace& work = rows.work;
  solve::RowProblem& p = work.rows;
  const bool positions = removesByShift(settings);
  if (!impacts && !positions) return;  // no row bounces
  for (const solve::Block& block : p.blocks) {
    RowMeta& meta = work.rowMeta[block.row];
    // Of the ball inside a body: how far the velocities let it go on.
    if (isGuard(meta)) meta.shift = -h * std::max(0.0, p.velocity(block.row, block.path) + p.rows[block.row].bias);
    any |= (block.contact() && meta.bounces && p.rows[block.row].lambda > 0) || (positions && meta.shift > 0);
  }
  if (!any) return;
  double* x = p.x;
  std::vector<double>& kept = work.fullScratch;
  kept.resize(p.size);
  rows.forTrees([&](const TreeRuntime& t, int start) { std::copy_n(x + t.vFirst, t.nv, kept.begin() + start); });
  const auto clear = [&] { rows.forTrees([&](const TreeRuntime& t, int) { std::fill_n(x + t.vFirst, t.nv, 0.0); }); };
  clear();
  if (const bool rubs = impacts && !positions; !shiftRows(work, positions, impacts, rubs) && rubs) {
    clear();
    (void)shiftRows(work, positions, impacts, false);
  }
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
