// Blows with restitution, a stage of their own before resting contacts. Bodies meet at the velocities they had before the forces of the step,
// which act afterwards; what bears takes part as rows that allow no approach, forces of bounded size (drives, springs, dry friction) do not.
// Newton's law: a contact leaves at e times the speed it met, as a bound from below. Where friction or other contacts make that create energy
// (Kane 1984; Stronge 1990), all rebounds are scaled down until it does not. Poisson's law: first all impulses that end the approach, then
// at least 1 + e times those, which creates none without friction. What a blow drives over a gap into something else strikes that in a
// round of its own; what touches already takes its blow at once. In the end all rows are solved as ever, with the forces.
// Sources: Vondrak 2006, 6.5.4; Baraff 1989; Anitescu, Potra 1997 (two phases). See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/step/island_rows.hpp"
#include "engine/step/tree_step.hpp"

namespace vertebra {
namespace {

constexpr int kTrials = 5;         // of the share of all rebounds that creates no energy
constexpr double kCreated = 1e-6;  // of the work of the approach, that is round-off and the solver's tolerance
constexpr double kHarder = 0.01;   // of the softness of what bears: with all of it a table gives way to a blow by half a hundredth
constexpr int kRounds = 8;         // of blows that follow from one another

}  // namespace

// J that the rebounding contacts brought in, friction included, beyond what gravity on the way to the touch may give.
double IslandRows::createdByRebound() const {
  const RowProblem& p = w_.rows;
  double work = 0, size = 0;
  for (const Block& block : p.blocks) {
    if (!(w_.rowMeta[block.row].rebound > 0)) continue;
    for (int k = 0; k < block.size; k++) {
      const Row& r = p.rows[block.row + k];
      const double before = w_.impactScratch[block.row + k], after = p.velocity(block.row + k, block.path) + w_.rowMeta[block.row + k].base;
      work += 0.5 * r.lambda * (before + after);
      if (k > 0) continue;
      work -= 0.5 * r.lambda * std::max(0.0, w_.rowMeta[block.row].base - r.bias + before);
      size += r.lambda * std::fabs(before);
    }
  }
  return work - kCreated * size;
}

// Blows of all contacts that rebound now, at once.
void IslandRows::solveRound() {
  RowProblem& p = w_.rows;
  std::vector<double>& before = w_.impactScratch;
  before.resize(p.rows.size());
  for (const Block& block : p.blocks)
    for (int k = 0; k < block.size; k++) before[block.row + k] = p.velocity(block.row + k, block.path) + w_.rowMeta[block.row + k].base;
  const auto rebound = [&](double share) {
    for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].bias -= share * w_.rowMeta[i].rebound;
  };
  if (w_.settings.poisson) {
    rebound(-1);
    solveOnce();
    p.takeBack();
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (w_.rowMeta[i].rebound > 0) p.rows[i].lo = (1 + w_.rowMeta[i].restitution) * p.rows[i].lambda;
    solveOnce();
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (w_.rowMeta[i].rebound > 0) p.rows[i].lo = 0;
    return;
  }
  solveOnce();
  if (!(createdByRebound() > 0)) return;
  double share = 1, good = 0, bad = 1;
  const auto resolve = [&](double next) {
    p.takeBack();
    rebound(next - share);
    share = next;
    solveOnce();
  };
  for (int trial = 0; trial < kTrials; trial++) {
    resolve(0.5 * (good + bad));
    (createdByRebound() > 0 ? bad : good) = share;
  }
  if (share != good) resolve(good);
}

// Whether a row takes part in blows: contacts, and what bears without bound.
bool IslandRows::transmits(const Block& block) const {
  const RowMeta& meta = w_.rowMeta[block.row];
  const Row& r = w_.rows.rows[block.row];
  if (block.contact()) return !pushesBack(w_, contacts_[meta.index]);
  if ((r.lo != 0 && r.lo > -kInf) || (r.hi != 0 && r.hi < kInf)) return false;
  const bool rigid = meta.kind == RowMeta::Hold || meta.kind == RowMeta::Coupling;
  return !(r.sigma > 0) || (rigid && !rigidRowsAreExact(w_.settings));
}

// x of the trees without the forces of the step, which are left in `forces`. The stepper `ode` brings none.
void IslandRows::meetWithoutForces(std::vector<double>& forces) {
  forces.assign(w_.v.size(), 0.0);
  if (w_.settings.stepper == Stepper::Ode) return;
  w_.reference.resize(w_.v.size());
  w_.referenceRate.resize(w_.v.size());
  double* x = w_.rows.x;
  for (int ti : island_.trees) {
    TreeRuntime& t = w_.trees[ti];
    std::copy_n(x + t.vFirst, t.nv, forces.begin() + t.vFirst);
    std::copy_n(x + t.vFirst, t.nv, w_.reference.begin() + t.vFirst);
    momenta(w_, t, h_, false);
    if (t.pulled) holdFields(w_, t, h_);
    if (t.slender) carrySlenderLinks(w_, t, 0);
    solveReference(w_, t);
    std::copy_n(w_.reference.begin() + t.vFirst, t.nv, x + t.vFirst);
  }
  projectBilateral();
  for (int ti : island_.trees)
    for (int k = w_.trees[ti].vFirst; k < w_.trees[ti].vFirst + w_.trees[ti].nv; k++) forces[k] -= x[k];
}

// Moves x by the blows; their impulses are in WorldData::blowImpulses, the rows ready for what bears, and forces back in x.
void IslandRows::solveBlows() {
  RowProblem& p = w_.rows;
  const std::size_t n = p.rows.size();
  std::vector<Row>& kept = w_.blowRows;
  kept.assign(p.rows.begin(), p.rows.end());
  w_.blowImpulses.assign(n, 0.0);
  std::vector<double>& speed = w_.impactScratch;
  speed.resize(n);
  for (const Block& block : p.blocks) speed[block.row] = p.velocity(block.row, block.path);
  meetWithoutForces(w_.blowForces);
  for (const Block& block : p.blocks) {
    const bool takesPart = transmits(block);
    RowMeta& meta = w_.rowMeta[block.row];
    Row& r = p.rows[block.row];
    if (meta.bounces)
      r.bias += speed[block.row] - p.velocity(block.row, block.path);  // forces take that off again
    else if (block.contact() && contacts_[meta.index].impact < 0)
      r.bias = std::max(r.bias, meta.base);  // depth is removed with what bears
    if (block.contact() && r.sigma > 0 && r.inverse > 0 && rigidRowsAreExact(w_.settings)) {
      r.inverse = 1 / (1 / r.inverse - (1 - kHarder) * r.sigma);
      r.sigma *= kHarder;
    }
    for (int k = 0; k < block.size; k++) {
      p.rows[block.row + k].lambda = 0;
      if (!takesPart) p.rows[block.row + k].inverse = 0;
    }
  }
  for (int round = 0; round < kRounds; round++) {
    solveRound();
    bool more = false;
    for (std::size_t i = 0; i < n; i++) {
      w_.blowImpulses[i] += p.rows[i].lambda;
      p.rows[i].lambda = 0;
    }
    for (const Block& block : p.blocks) {
      RowMeta& meta = w_.rowMeta[block.row];
      Row& r = p.rows[block.row];
      if (meta.bounces) {
        r.bias = meta.base;
        meta.rebound = 0;
        continue;
      }
      if (!block.contact() || !(meta.restitution > 0) || !transmits(block)) continue;
      const double gap = contacts_[meta.index].gap, approach = -(p.velocity(block.row, block.path) + meta.base);
      if (!(gap > kTouching) || !(approach > w_.settings.restitutionSpeed) || !(gap < approach * h_)) continue;
      more = meta.bounces = true;
      meta.rebound = meta.restitution * approach;
      meta.shift = -(1 + meta.restitution) * gap;
      r.bias = meta.base - meta.rebound;
    }
    if (!more) break;
  }
  for (int ti : island_.trees)
    for (int k = w_.trees[ti].vFirst; k < w_.trees[ti].vFirst + w_.trees[ti].nv; k++) p.x[k] += w_.blowForces[k];
  for (std::size_t i = 0; i < n; i++) {
    p.rows[i] = kept[i];
    if (!w_.rowMeta[i].bounces) continue;
    p.rows[i].bias = w_.rowMeta[i].base;  // it has struck
    p.rows[i].lambda = 0;
  }
}

}  // namespace vertebra
