// See row_shift.hpp.
#include "engine/constraints/row_shift.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {

constexpr int kSweeps = 50;
constexpr double kSettled = 1e-6;  // m, largest change of the last sweep
constexpr double kTurned = 0.03;   // rad, by which displacements turn links of a figure: its poses follow them to a tenth of a millimetre

// Impulses of impacts act at the touch, not from the start of the move: until then a tree goes on as before them. x, which holds zeros,
// becomes minus what they change in the velocities of each tree times the mean time of its impacts, weighted by their impulses. A time of
// each impact would let two that oppose each other throw a light body. Where rows tie trees together, or a tree only transmits impacts, the
// mean is that of all. `kept` has room behind its first p.size numbers.
void delayImpacts(RowBuffer& rows, const std::vector<Contact>& contacts, std::vector<double>& kept) {
  RowWorkspace& work = rows.work;
  solve::RowProblem& p = work.rows;
  std::vector<double>& sum = rows.scratch.shift;
  double* const weight = kept.data() + p.size;
  rows.forTrees([&](const TreeRuntime& t, int start) {
    if (t.nv > 0) sum[t.vFirst] = weight[start] = 0;
  });
  double all = 0, allWeight = 0;
  for (const solve::Block& block : p.blocks) {
    for (int k = 0; k < block.size; k++)
      if (const double impulse = work.impactImpulses[block.row + k]; impulse != 0) p.apply(block.row + k, block.path, -impulse);
    const RowMeta& meta = work.rowMeta[block.row];
    const double impulse = work.impactImpulses[block.row];
    if (meta.impact != RowMeta::Bounces || !(impulse > 0)) continue;
    all += impulse * meta.touch;
    allWeight += impulse;
    const auto add = [&](int tree) {
      if (tree < 0 || rows.topology.trees[tree].nv == 0) return;
      sum[rows.topology.trees[tree].vFirst] += impulse * meta.touch;
      weight[work.treeStart[tree]] += impulse;
    };
    if (block.contact()) {
      const Contact& c = contacts[meta.index];
      for (const int body : {c.bodyA, c.bodyB}) add(rows.bodies.treeOf(rows.bodies.endOf(body).link));
    } else if (meta.touch != 0) {  // a limit's, see ImpactStage::timeRebound
      add(block.tree);
    }
  }
  if (!(allWeight > 0)) allWeight = 1;
  rows.forTrees([&](const TreeRuntime& t, int start) {
    if (t.nv == 0) return;
    const double time = !rows.full && weight[start] > 0 ? sum[t.vFirst] / weight[start] : all / allWeight;
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) p.x[k] *= time;
  });
}

// Adds to x the smallest displacement (in the metric of the mass) by which no contact gets deeper, over the coming move, than it may, and
// no joint passes its limits: a clamp would take such a displacement back, and the contacts beyond it would stay as deep. Gauss-Seidel on
// rows that only push. False if x is as it was.
bool keepApart(RowWorkspace& work, const std::vector<double>& least) {
  solve::RowProblem& p = work.rows;
  std::vector<double>& push = work.impactScratch;
  push.assign(p.rows.size(), 0.0);
  bool pushed = false;
  for (int it = 0; it < kSweeps; it++) {
    double worst = 0;
    for (const solve::Block& block : p.blocks) {
      const solve::Row& row = p.rows[block.row];
      if (!(row.inverse > 0) || least[block.row] == -kInf) continue;
      double& done = push[block.row];
      const double rate = 1 / row.inverse - row.sigma;
      const double to = std::max(0.0, done + (least[block.row] - p.velocity(block.row, block.path)) / rate);
      if (to == done) continue;
      p.apply(block.row, block.path, to - done);
      worst = std::max(worst, std::fabs(to - done) * rate);
      done = to;
      pushed = true;
    }
    if (worst < kSettled) break;
  }
  return pushed;
}

// A displacement is linear in the pose: one that would turn links far would throw what hangs on them. 1, or the share of x, the
// displacement of a tree, that turns its links by kTurned. `shift` becomes that of its joints.
double shareWithin(TreeRuntime& t, const double* x, double* shift) {
  dynamics::sweepDown(t.tree, x, shift, false);
  if (t.tree.count == 1) return 1;
  double furthest = 0;
  for (int i = 0; i < t.tree.count; i++) furthest = std::max(furthest, t.tree.state[i].w.norm());
  return furthest > kTurned ? kTurned / furthest : 1;
}

// Of the delay of impacts, what is beyond that share moves the centre of mass alone: a figure that bounces would gain or lose height
// without it.
void boundDelay(RowBuffer& rows, TreeRuntime& t) {
  double* const x = rows.work.rows.x;
  const double share = shareWithin(t, x, rows.scratch.shift.data());
  if (share == 1) return;
  for (int k = t.vFirst; k < t.vFirst + t.nv; k++) x[k] *= share;
  if (!t.freeRoot) return;
  Vec3 moment = Vec3::Zero();
  for (int i = 0; i < t.tree.count; i++) moment += t.tree.model[i].mass * t.tree.state[i].v;
  for (int i = 0; i < t.tree.count; i++) {
    const Vec3 push = (1 - share) * t.tree.model[i].mass / t.mass * moment;
    t.tree.P[i] = dynamics::stack(cross(t.tree.state[i].c - t.tree.O, push), push);
  }
  double* const alone = rows.scratch.extraFull.data();
  dynamics::sweepUp(t.tree, nullptr, alone);
  for (int k = t.vFirst; k < t.vFirst + t.nv; k++) x[k] += alone[k];
}

}  // namespace

void shiftTrees(RowBuffer& rows, const std::vector<Contact>& contacts, const WorldSettings& settings, double next, bool impacts) {
  RowWorkspace& work = rows.work;
  solve::RowProblem& p = work.rows;
  if (!impacts && !removesByShift(settings)) return;
  std::vector<double>& least = work.impactRates;
  least.assign(p.rows.size(), -kInf);
  bool any = impacts;
  for (const solve::Block& block : p.blocks) {
    const RowMeta& meta = work.rowMeta[block.row];
    if (meta.shift == -kInf) continue;
    least[block.row] = meta.shift - next * (p.velocity(block.row, block.path) + meta.base);
    any |= block.contact() && least[block.row] > kSettled;
  }
  if (!any) return;
  double* x = p.x;
  std::vector<double>& kept = work.fullScratch;
  kept.resize(2 * static_cast<std::size_t>(p.size));
  rows.forTrees([&](const TreeRuntime& t, int start) {
    std::copy_n(x + t.vFirst, t.nv, kept.begin() + start);
    std::fill_n(x + t.vFirst, t.nv, 0.0);
  });
  if (impacts) delayImpacts(rows, contacts, kept);
  double* const delay = kept.data() + p.size;
  std::fill_n(delay, p.size, 0.0);
  if (impacts && rows.articulated && !rows.full)  // trees that rows tie together come apart where each is bounded by itself
    rows.forTrees([&](TreeRuntime& t, int start) {
      if (t.nv == 0) return;
      boundDelay(rows, t);
      std::copy_n(x + t.vFirst, t.nv, delay + start);
    });
  const bool shifted = keepApart(work, least) || impacts;
  std::vector<double>& shift = rows.scratch.shift;
  rows.forTrees([&](TreeRuntime& t, int start) {
    if (t.nv == 0) return;
    if (shifted) {
      if (rows.articulated) {
        if (const double share = shareWithin(t, x, shift.data()); share < 1) {
          for (int k = 0; k < t.nv; k++) x[t.vFirst + k] = share * x[t.vFirst + k] + (1 - share) * delay[start + k];
          dynamics::sweepDown(t.tree, x, shift.data(), false);
        }
      } else {
        std::copy_n(x + t.vFirst, t.nv, shift.begin() + t.vFirst);
      }
      t.shifted = true;
    }
    std::copy_n(kept.begin() + start, t.nv, x + t.vFirst);
  });
}

}  // namespace vertebra::constraints
