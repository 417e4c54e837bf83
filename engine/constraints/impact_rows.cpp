// Impacts with restitution, a stage of their own before resting contacts. Contacts and limits that close act on the velocities without the
// forces of the step, which are added afterwards; bearing contacts, limits and rigid rows take part as rows that allow no approach; forces
// of bounded size (drives, springs, dry friction) do not. Newton's law: an impact leaves at e times its speed of approach, as a lower
// bound. Where friction or other rows would thereby create energy (Kane 1984; Stronge 1990, "Rigid body collisions with friction"), all
// rebounds are scaled down until they do not. Poisson's law: first all impulses that end the approach, then at least 1 + e times those,
// which creates no energy without friction. A body that an impact drives over a gap into another has that impact in a round of its own;
// bodies in contact take part at once. In the end all rows are solved as in any other step, with the forces. Sources: Vondrak 2006, 6.5.4;
// Baraff 1989, "Analytical methods for dynamic simulation of non-penetrating rigid bodies"; Anitescu and Potra 1997 (two phases). See
// impact_rows.hpp.
#include "engine/constraints/impact_rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {
constexpr int kTrials = 5;         // for the share of all rebounds that creates no energy
constexpr double kCreated = 1e-6;  // share of the work of the approach that is round-off or the solver's tolerance
constexpr double kMissed = 1e-3;   // the same of all rows, which sweeps solve less exactly
constexpr double kWild = 0.05;     // and above which a solution is none
// Factor on the softness of bearing rows: with the full softness a table would yield to an impact by half a hundredth.
constexpr double kHarder = 0.01;
constexpr int kRounds = 8;  // of impacts that follow from one another

// Forces that the free velocity of two bodies contains beyond those of the step since their velocities at its start.
double sinceStart(const RowBodies& bodies, double ahead, const RowEnd& a, const RowEnd& b) {
  if (!(ahead > 0)) return 0;
  for (const RowEnd& e : {a, b})
    if (e.link >= 0 && !bodies.topology.trees[bodies.bodies[e.body].tree].ahead) return ahead;
  return 0;
}

}  // namespace

bool limitRebounds(RowBuffer& rows, const WorldSettings& s, double next, double gap, double restitution, double before) {
  RowWorkspace& work = rows.work;
  const solve::Block& limit = work.rows.blocks.back();
  RowMeta& meta = work.rowMeta[limit.row];
  meta.restitution = restitution;
  meta.gap = gap;
  const double speed = -(work.rows.velocity(limit.row, limit.path) + meta.base);
  meta.bounces = speed > s.restitutionSpeed && gap < speed * next && reboundLasts(restitution, before, speed);
  return meta.bounces;
}

// Rates at the end of the step without impacts: a body at rest on another does not fall with what falls on it.
ImpactStage::ImpactStage(RowBuffer& rows, const SolutionSources& from) : rows_(rows), work_(rows.work), from_(from) {
  solve::RowProblem& p = work_.rows;
  work_.impactRows.assign(p.rows.begin(), p.rows.end());
  work_.impactImpulses.assign(p.rows.size(), 0.0);
  work_.impactRates.resize(p.rows.size());
  for (const solve::Block& block : p.blocks)
    for (int k = 0; k < block.size && (work_.rowMeta[block.row].bounces || work_.rowMeta[block.row].restitution < 0); k++)
      p.rows[block.row + k].inverse = p.rows[block.row + k].lambda = 0;
  solveOnce(p, from_);
  for (const solve::Block& block : p.blocks) work_.impactRates[block.row] = p.velocity(block.row, block.path);
  p.takeBack();
  p.rows = work_.impactRows;
}

// J that the rebounding rows added, friction included, beyond what gravity may give on the way to the touch; or that all rows did, where
// that is more.
double ImpactStage::createdByRebound() const {
  const solve::RowProblem& p = work_.rows;
  double work = 0, size = 0, all = 0, allSize = 0;
  for (const solve::Block& block : p.blocks) {
    const bool rebounds = work_.rowMeta[block.row].rebound > 0;
    for (int k = 0; k < block.size; k++) {
      const solve::Row& r = p.rows[block.row + k];
      if (r.lambda == 0) continue;
      const double before = work_.impactScratch[block.row + k],
                   after = p.velocity(block.row + k, block.path) + work_.rowMeta[block.row + k].base;
      double done = 0.5 * r.lambda * (before + after);
      if (rebounds && k == 0) {
        done -= 0.5 * r.lambda * std::max(0.0, work_.rowMeta[block.row].base - r.bias + before);
        size += r.lambda * std::fabs(before);
      }
      if (rebounds) work += done;
      all += done;
      allSize += std::fabs(r.lambda * before);
    }
  }
  return std::max(work - kCreated * size, all - kMissed * allSize);
}

// Whether all rows together did much work: impacts can only take energy away.
bool ImpactStage::isWild() const {
  const solve::RowProblem& p = work_.rows;
  double work = 0, size = 0;
  for (const solve::Block& block : p.blocks)
    for (int k = 0; k < block.size; k++) {
      const double lambda = p.rows[block.row + k].lambda, before = work_.impactScratch[block.row + k];
      if (lambda == 0) continue;
      work += 0.5 * lambda * (before + p.velocity(block.row + k, block.path) + work_.rowMeta[block.row + k].base);
      size += std::fabs(lambda * before);
    }
  return !(work <= kWild * size);
}

// Impacts of all rows that rebound now, at once: by the world's solver, by sweeps where its solution would create energy, and not at all
// where theirs would, too: the approach is then ended with the resting contacts.
solve::SolveReport ImpactStage::solveRound() {
  solve::RowProblem& p = work_.rows;
  std::vector<double>& before = work_.impactScratch;
  before.resize(p.rows.size());
  for (const solve::Block& block : p.blocks)
    for (int k = 0; k < block.size; k++) before[block.row + k] = p.velocity(block.row + k, block.path) + work_.rowMeta[block.row + k].base;
  solve::SolveReport report = rebound(from_);
  const auto undo = [&] {
    p.takeBack();
    for (solve::Row& r : p.rows) r.lambda = 0;
  };
  if (isWild()) {
    undo();
    WorldSettings plain = from_.settings;
    plain.solver = solve::Solver::Pgs;
    plain.solverAccelerate = false;
    const SolutionSources sweeps{from_.shapes, from_.contacts, from_.joints, plain,          from_.callbacks,
                                 from_.clock,  from_.tally,    from_.times,  from_.tolerance};
    report = rebound(sweeps);
    if (isWild()) undo();
  }
  return report;
}

// To this share of the restitution.
void ImpactStage::scaleRebounds(double share) {
  for (std::size_t i = 0; i < work_.rows.rows.size(); i++) work_.rows.rows[i].bias -= (share - share_) * work_.rowMeta[i].rebound;
  share_ = share;
}

solve::SolveReport ImpactStage::rebound(const SolutionSources& from) {
  solve::RowProblem& p = work_.rows;
  scaleRebounds(1);
  if (from.settings.poisson) {
    scaleRebounds(0);
    solveOnce(p, from);
    p.takeBack();
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (work_.rowMeta[i].rebound > 0) p.rows[i].lo = (1 + work_.rowMeta[i].restitution) * p.rows[i].lambda;
    const solve::SolveReport report = solveOnce(p, from);
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (work_.rowMeta[i].rebound > 0) p.rows[i].lo = 0;
    return report;
  }
  solve::SolveReport report = solveOnce(p, from);
  if (!(createdByRebound() > 0)) return report;
  double good = 0, bad = 1;
  const auto resolve = [&](double share) {
    p.takeBack();
    scaleRebounds(share);
    report = solveOnce(p, from);
  };
  for (int trial = 0; trial < kTrials; trial++) {
    resolve(0.5 * (good + bad));
    (createdByRebound() > 0 ? bad : good) = share_;
  }
  if (share_ != good) resolve(good);
  return report;
}

// Whether a row takes part in impacts: contacts, and unbounded bearing rows.
bool ImpactStage::transmits(const solve::Block& block) const {
  const RowMeta& meta = work_.rowMeta[block.row];
  const solve::Row& r = work_.rows.rows[block.row];
  if (meta.restitution < 0) return false;
  if (block.contact()) return !pushesBack(from_.shapes, from_.contacts[meta.index]);
  if ((r.lo != 0 && r.lo > -kInf) || (r.hi != 0 && r.hi < kInf)) return false;
  const bool rigid = meta.kind == RowMeta::Hold || meta.kind == RowMeta::Coupling;
  return !(r.sigma > 0) || (rigid && !rigidRowsAreExact(from_.settings));
}

// The rebound velocity at the end of this step: bodies meet after gap / approach, leave at e times their approach then, and the forces,
// which subtract `flown` minus the present rate again, act until then. Limits are assumed to be met at that end.
void ImpactStage::timeRebound(const solve::Block& block, double flown) {
  RowMeta& meta = work_.rowMeta[block.row];
  const double now = work_.rows.velocity(block.row, block.path), speed = -(flown + meta.base);
  meta.bounces = speed > 0;
  if (!meta.bounces) return;
  double acceleration = 0, untilTouch = 0;
  if (block.contact()) {
    const Contact& c = from_.contacts[meta.index];
    const RowEnd a = rows_.bodies.endOf(c.bodyA), b = rows_.bodies.endOf(c.bodyB);
    acceleration = (now - flown) / (from_.times.h + sinceStart(rows_.bodies, from_.times.ahead, a, b));
    // What is deeper than a step's approach was not reached by it: the touch was at most a step ago, of the world where this is a part of
    // it.
    meta.gap = std::max(c.gap, -speed * std::max(from_.times.h, from_.settings.timeStep));
    untilTouch = meta.gap / speed;
  }
  meta.touch = untilTouch;
  const double touch = speed - acceleration * from_.times.ahead;
  meta.rebound = meta.restitution * (touch + acceleration * untilTouch);
  work_.rows.rows[block.row].bias = meta.base - meta.rebound - acceleration * (untilTouch - from_.times.ahead) + flown - now;
}

// The rows of the impact stage: impacts with their rebound, bearing rows without the removal of penetration, nothing else.
void ImpactStage::prepare() {
  for (const solve::Block& block : work_.rows.blocks) {
    const bool takesPart = transmits(block);
    RowMeta& meta = work_.rowMeta[block.row];
    solve::Row& r = work_.rows.rows[block.row];
    if (meta.bounces) timeRebound(block, work_.impactRates[block.row]);
    // What is apart has its impact in a round of its own, once the others drive it over the gap.
    const bool apart = block.contact() && !meta.bounces && meta.restitution > 0 && meta.gap > kTouching;
    const bool foreseen = block.contact() && from_.contacts[meta.index].speculative >= 0;
    if (!meta.bounces && !foreseen && (block.contact() || meta.kind == RowMeta::Limit)) r.bias = std::max(r.bias, meta.base);
    if (meta.bounces)
      setSoftness(r, 0);
    else if (block.contact() && rigidRowsAreExact(from_.settings))
      setSoftness(r, kHarder * r.sigma);
    for (int k = 0; k < block.size; k++) {
      work_.rows.rows[block.row + k].lambda = 0;
      if (!takesPart || (apart && !foreseen)) work_.rows.rows[block.row + k].inverse = 0;
    }
  }
}

// After a round: impacts that it caused over a gap act in the next. False if there are none.
bool ImpactStage::nextRound() {
  solve::RowProblem& p = work_.rows;
  share_ = 1;
  for (std::size_t i = 0; i < p.rows.size(); i++) {
    work_.impactImpulses[i] += p.rows[i].lambda;
    p.rows[i].lambda = 0;
  }
  bool more = false;
  for (const solve::Block& block : p.blocks) {
    RowMeta& meta = work_.rowMeta[block.row];
    solve::Row& r = p.rows[block.row];
    if (meta.bounces) {
      r.bias = meta.base;
      meta.rebound = 0;
      continue;
    }
    if (!(meta.restitution > 0) || !transmits(block)) continue;
    const double approach = -(p.velocity(block.row, block.path) + meta.base);
    if (!(meta.gap > kTouching) || !(approach > from_.settings.restitutionSpeed) || !(meta.gap < approach * from_.times.next)) continue;
    more = meta.bounces = true;
    for (int k = 0; k < block.size; k++) {  // apart before
      p.rows[block.row + k].inverse = work_.impactRows[block.row + k].inverse;
      p.rows[block.row + k].sigma = work_.impactRows[block.row + k].sigma;
    }
    meta.rebound = meta.restitution * approach;
    meta.touch = meta.gap / approach;
    r.bias = meta.base - meta.rebound;
    setSoftness(r, 0);
  }
  return more;
}

solve::SolveReport ImpactStage::solve() {
  prepare();
  solve::SolveReport report = solveRound();
  for (int round = 1; nextRound() && round < kRounds; round++) report = solveRound();
  return report;
}

void ImpactStage::prepareResting() {
  solve::RowProblem& p = work_.rows;
  for (std::size_t i = 0; i < p.rows.size(); i++) {
    p.rows[i] = work_.impactRows[i];
    RowMeta& meta = work_.rowMeta[i];
    if (!meta.bounces) continue;
    // Its impact is done; what is deep goes on coming out, of contacts by a displacement: as a velocity it would add to the rebound.
    if (meta.kind == RowMeta::Normal && rigidRowsAreExact(from_.settings) && p.rows[i].bias < meta.base) {
      meta.shift = std::max(meta.shift, -meta.gap - from_.settings.contactSlop);
      p.rows[i].bias = meta.base;
    }
    p.rows[i].bias = std::min(p.rows[i].bias, meta.base);
    p.rows[i].lambda = 0;
  }
}

void ImpactStage::addImpulses() {
  for (std::size_t i = 0; i < work_.rows.rows.size(); i++) work_.rows.rows[i].lambda += work_.impactImpulses[i];
}

}  // namespace vertebra::constraints
