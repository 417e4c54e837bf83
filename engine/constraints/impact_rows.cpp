// Impacts with restitution, a stage of their own before resting contacts. Contacts and limits that close act on the velocities without the
// forces of the step, which are added afterwards; bearing contacts, limits and rigid rows take part as rows that allow no approach; forces
// of bounded size (drives, springs, dry friction) do not. Newton's law: an impact leaves at e times its speed of approach, as a lower
// bound. Where friction or other rows would thereby create energy (Kane 1984; Stronge 1990, "Rigid body collisions with friction"), all
// rebounds are scaled down until they do not. Poisson's law: first all impulses that end the approach, then at least 1 + e times those,
// which creates no energy without friction. A body that an impact drives over a gap into another has that impact in a round of its own;
// bodies in contact take part at once. In the end all rows are solved as in any other step, with the forces. Sources: Vondrak 2006, 6.5.4;
// Baraff 1989, "Analytical methods for dynamic simulation of non-penetrating rigid bodies"; Anitescu and Potra 1997 (two phases). See
// island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/island_rows.hpp"
#include "engine/forces/fields.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {
constexpr int kTrials = 5;         // for the share of all rebounds that creates no energy
constexpr double kCreated = 1e-6;  // share of the work of the approach that is round-off or the solver's tolerance
// Factor on the softness of bearing rows: with the full softness a table would yield to an impact by half a hundredth.
constexpr double kHarder = 0.01;
constexpr int kRounds = 8;  // of impacts that follow from one another

}  // namespace

// J that the rebounding rows added, friction included, beyond what gravity may give on the way to the touch.
double IslandRows::createdByRebound() const {
  const RowProblem& p = work_.rows;
  double work = 0, size = 0;
  for (const Block& block : p.blocks) {
    if (!(work_.rowMeta[block.row].rebound > 0)) continue;
    for (int k = 0; k < block.size; k++) {
      const Row& r = p.rows[block.row + k];
      const double before = work_.impactScratch[block.row + k],
                   after = p.velocity(block.row + k, block.path) + work_.rowMeta[block.row + k].base;
      work += 0.5 * r.lambda * (before + after);
      if (k > 0) continue;
      work -= 0.5 * r.lambda * std::max(0.0, work_.rowMeta[block.row].base - r.bias + before);
      size += r.lambda * std::fabs(before);
    }
  }
  return work - kCreated * size;
}

// A limit that is reached within the step is an impact. `before`: rate of approach before the step's forces.
void IslandRows::limitBounces(const Block& limit, double gap, double restitution, double before) {
  RowMeta& meta = work_.rowMeta[limit.row];
  meta.restitution = restitution;
  meta.gap = gap;
  const double speed = -(work_.rows.velocity(limit.row, limit.path) + meta.base);
  meta.bounces = speed > w_.settings.restitutionSpeed && gap < speed * h_ && reboundLasts(restitution, before, speed);
  bounces_ |= meta.bounces;
}

// Impacts of all rows that rebound now, at once.
SolveReport IslandRows::solveRound() {
  RowProblem& p = work_.rows;
  std::vector<double>& before = work_.impactScratch;
  before.resize(p.rows.size());
  for (const Block& block : p.blocks)
    for (int k = 0; k < block.size; k++) before[block.row + k] = p.velocity(block.row + k, block.path) + work_.rowMeta[block.row + k].base;
  const auto changeRebounds = [&](double share) {
    for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].bias -= share * work_.rowMeta[i].rebound;
  };
  if (w_.settings.poisson) {
    changeRebounds(-1);
    solveOnce();
    p.takeBack();
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (work_.rowMeta[i].rebound > 0) p.rows[i].lo = (1 + work_.rowMeta[i].restitution) * p.rows[i].lambda;
    const SolveReport report = solveOnce();
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (work_.rowMeta[i].rebound > 0) p.rows[i].lo = 0;
    return report;
  }
  SolveReport report = solveOnce();
  if (!(createdByRebound() > 0)) return report;
  double share = 1, good = 0, bad = 1;
  const auto resolve = [&](double next) {
    p.takeBack();
    changeRebounds(next - share);
    share = next;
    report = solveOnce();
  };
  for (int trial = 0; trial < kTrials; trial++) {
    resolve(0.5 * (good + bad));
    (createdByRebound() > 0 ? bad : good) = share;
  }
  if (share != good) resolve(good);
  return report;
}

// Whether a row takes part in impacts: contacts, and unbounded bearing rows.
bool IslandRows::transmits(const Block& block) const {
  const RowMeta& meta = work_.rowMeta[block.row];
  const Row& r = work_.rows.rows[block.row];
  if (block.contact()) return !pushesBack(w_, contacts_[meta.index]);
  if ((r.lo != 0 && r.lo > -kInf) || (r.hi != 0 && r.hi < kInf)) return false;
  const bool rigid = meta.kind == RowMeta::Hold || meta.kind == RowMeta::Coupling;
  return !(r.sigma > 0) || (rigid && !rigidRowsAreExact(w_.settings));
}

// x of the trees without the forces of the step, which are stored in WorldData::impactForces. The stepper `ode` has none here.
void IslandRows::meetWithoutForces() {
  std::vector<double>& forces = work_.impactForces;
  forces.resize(w_.v.size());
  for (int ti : island_.trees) std::fill_n(forces.begin() + w_.trees[ti].vFirst, w_.trees[ti].nv, 0.0);
  if (traitsOf(w_.settings.stepper).accelerationRows) return;
  double* x = work_.rows.x;
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

// The rebound velocity at the end of this step: bodies meet after gap / approach, leave at e times their approach then, and the forces,
// which subtract `flown` minus the present rate again, act until then. Limits are assumed to be met at that end.
void IslandRows::timeRebound(const Block& block, double flown) {
  RowMeta& meta = work_.rowMeta[block.row];
  const double now = work_.rows.velocity(block.row, block.path), speed = -(flown + meta.base);
  meta.bounces = speed > 0;
  if (!meta.bounces) return;
  double acceleration = 0, untilTouch = 0;
  if (block.contact()) {
    const Contact& c = contacts_[meta.index];
    acceleration = (now - flown) / (h_ + sinceStart(endOf(c.bodyA), endOf(c.bodyB)));
    untilTouch = c.gap / speed;
    // In the next move the body falls on through the gap and returns: on the way the rebound loses this much.
    meta.shift = -(1 + meta.restitution) * c.gap;
  }
  const double touch = speed - acceleration * ahead_;
  meta.rebound = meta.restitution * (touch + acceleration * untilTouch);
  work_.rows.rows[block.row].bias = meta.base - meta.rebound - acceleration * (untilTouch - ahead_) + flown - now;
}

// The rows of the impact stage: impacts with their rebound, bearing rows without the removal of penetration, nothing else.
void IslandRows::prepareImpacts() {
  for (const Block& block : work_.rows.blocks) {
    const bool takesPart = transmits(block);
    RowMeta& meta = work_.rowMeta[block.row];
    Row& r = work_.rows.rows[block.row];
    if (meta.bounces) timeRebound(block, work_.impactRates[block.row]);
    const bool foreseen = block.contact() && contacts_[meta.index].speculative >= 0;
    if (!meta.bounces && !foreseen && (block.contact() || meta.kind == RowMeta::Limit)) r.bias = std::max(r.bias, meta.base);
    if (meta.bounces)
      setSoftness(r, 0);
    else if (block.contact() && rigidRowsAreExact(w_.settings))
      setSoftness(r, kHarder * r.sigma);
    for (int k = 0; k < block.size; k++) {
      work_.rows.rows[block.row + k].lambda = 0;
      if (!takesPart) work_.rows.rows[block.row + k].inverse = 0;
    }
  }
}

// After a round: impacts that it caused over a gap act in the next. False if there are none.
bool IslandRows::nextRound() {
  RowProblem& p = work_.rows;
  for (std::size_t i = 0; i < p.rows.size(); i++) {
    work_.impactImpulses[i] += p.rows[i].lambda;
    p.rows[i].lambda = 0;
  }
  bool more = false;
  for (const Block& block : p.blocks) {
    RowMeta& meta = work_.rowMeta[block.row];
    Row& r = p.rows[block.row];
    if (meta.bounces) {
      r.bias = meta.base;
      meta.rebound = 0;
      continue;
    }
    if (!(meta.restitution > 0) || !(r.inverse > 0)) continue;
    const double approach = -(p.velocity(block.row, block.path) + meta.base);
    if (!(meta.gap > kTouching) || !(approach > w_.settings.restitutionSpeed) || !(meta.gap < approach * h_)) continue;
    more = meta.bounces = true;
    meta.rebound = meta.restitution * approach;
    meta.shift = -(1 + meta.restitution) * meta.gap;
    r.bias = meta.base - meta.rebound;
    setSoftness(r, 0);
  }
  return more;
}

// Moves x by the impacts; afterwards their impulses are in WorldData::impactImpulses, the rows are ready for resting contacts, and the
// forces are back in x.
SolveReport IslandRows::solveImpacts() {
  RowProblem& p = work_.rows;
  const std::size_t n = p.rows.size();
  std::vector<Row>& kept = work_.impactRows;
  kept.assign(p.rows.begin(), p.rows.end());
  work_.impactImpulses.assign(n, 0.0);
  // Rates at the end of the step without impacts: a body at rest on another does not fall with what falls on it.
  work_.impactRates.resize(n);
  for (const Block& block : p.blocks)
    for (int k = 0; k < block.size && work_.rowMeta[block.row].bounces; k++)
      p.rows[block.row + k].inverse = p.rows[block.row + k].lambda = 0;
  solveOnce();
  for (const Block& block : p.blocks) work_.impactRates[block.row] = p.velocity(block.row, block.path);
  p.takeBack();
  p.rows = kept;
  meetWithoutForces();
  prepareImpacts();
  SolveReport report = solveRound();
  for (int round = 1; nextRound() && round < kRounds; round++) report = solveRound();
  for (int ti : island_.trees)
    for (int k = w_.trees[ti].vFirst; k < w_.trees[ti].vFirst + w_.trees[ti].nv; k++) p.x[k] += work_.impactForces[k];
  for (std::size_t i = 0; i < n; i++) {
    p.rows[i] = kept[i];
    if (!work_.rowMeta[i].bounces) continue;
    p.rows[i].bias = work_.rowMeta[i].base;  // its impact is done
    p.rows[i].lambda = 0;
  }
  return report;
}

}  // namespace vertebra
