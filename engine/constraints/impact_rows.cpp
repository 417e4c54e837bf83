// Impacts with restitution, a stage of their own before resting contacts. Contacts and limits that close act on the velocities without the
// forces of the step, which are added afterwards; bearing contacts, limits and rigid rows take part as rows that allow no approach; forces
// of bounded size (drives, springs, dry friction) do not. Newton's law: an impact leaves at e times its speed of approach, as a lower
// bound. Where friction or other rows would thereby create energy (Kane 1984; Stronge 1990, "Rigid body collisions with friction"), all
// rebounds are scaled down until they do not. Poisson's law: first all impulses that end the approach, then at least 1 + e times those,
// which creates no energy without friction. Impacts follow one another in rounds: in each act the contacts that close, all of two bodies at
// once, and those that bear a load; one that bears none, or has a gap, waits until an impact closes it. A round that no solver solves is
// the last: the resting contacts end what still closes. In the end all rows are solved as in any other step, with the forces. Sources:
// Vondrak 2006, 6.5.4; Baraff 1989, "Analytical methods for dynamic simulation of non-penetrating rigid bodies"; Anitescu and Potra 1997
// (two phases); Smith et al. 2012, "Reflections on simultaneous impact" (rounds). See impact_rows.hpp.
#include "engine/constraints/impact_rows.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {
namespace {
constexpr int kTrials = 5;         // for the share of all rebounds that creates no energy
constexpr double kCreated = 1e-6;  // share of the work of the approach that is round-off or the solver's tolerance
constexpr double kMissed = 1e-3;   // the same of all rows, which sweeps solve less exactly
constexpr double kWild = 0.05;     // and above which a solution is none
constexpr double kForces = 3;      // times a step's forces: until the touch, and twice in the step that follows
// Factor on the softness of bearing rows: with the full softness a table would yield to an impact by half a hundredth.
constexpr double kHarder = 0.01;
constexpr int kRounds = 16;  // of impacts that follow from one another
// Share of a step's gravity: a contact whose load changes its approach by less bears nothing; round-off loads balls that hang side by side.
constexpr double kBorne = 0.05;
constexpr double kNoLoad = 1e-6;  // m/s, the same without gravity

bool isOpen(const solve::SolveReport& report) { return report.unsolved || report.infeasible; }

}  // namespace

bool limitRebounds(RowBuffer& rows, const WorldSettings& s, double next, double gap, double restitution, double before) {
  RowWorkspace& work = rows.work;
  const solve::Block& limit = work.rows.blocks.back();
  RowMeta& meta = work.rowMeta[limit.row];
  meta.restitution = restitution;
  meta.gap = gap;
  const double speed = -(work.rows.velocity(limit.row, limit.path) + meta.base);
  const bool bounces = speed > s.restitutionSpeed && gap < speed * next && reboundLasts(restitution, before, speed);
  meta.impact = bounces ? RowMeta::Bounces : RowMeta::None;
  return bounces;
}

// Rates at the end of the step without impacts: a body at rest on another does not fall with what falls on it.
ImpactStage::ImpactStage(RowBuffer& rows, const SolutionSources& from) : rows_(rows), work_(rows.work), from_(from) {
  solve::RowProblem& p = work_.rows;
  work_.impactRows.assign(p.rows.begin(), p.rows.end());
  work_.impactImpulses.assign(p.rows.size(), 0.0);
  work_.impactRates.resize(p.rows.size());
  for (const solve::Block& block : p.blocks) touches_ |= block.contact();
  for (const solve::Block& block : p.blocks)
    for (int k = 0; k < block.size && (work_.rowMeta[block.row].impact == RowMeta::Bounces || work_.rowMeta[block.row].restitution < 0);
         k++)
      p.rows[block.row + k].inverse = p.rows[block.row + k].lambda = 0;
  solveOnce(p, from_);
  for (const solve::Block& block : p.blocks) {
    work_.impactRates[block.row] = p.velocity(block.row, block.path);
    RowMeta& meta = work_.rowMeta[block.row];
    if (block.contact() && meta.impact == RowMeta::None && meta.restitution > 0 && !isOfLinks(block) && !isBorne(block))
      meta.impact = RowMeta::Waits;
  }
  p.takeBack();
  p.rows = work_.impactRows;
}

// f(tree) of the trees that a contact, limit or dry friction acts on.
template <class F>
void ImpactStage::eachTree(const solve::Block& block, F&& f) const {
  const std::vector<TreeRuntime>& trees = rows_.topology.trees;
  if (!block.contact()) {
    if (block.tree >= 0) f(trees[block.tree]);
    return;
  }
  const Contact& c = from_.contacts[work_.rowMeta[block.row].index];
  for (const int body : {c.bodyA, c.bodyB})
    if (const int tree = rows_.bodies.treeOf(rows_.bodies.endOf(body).link); tree >= 0) f(trees[tree]);
}

// Whether a figure takes part in a row, or bodies that rows tie together, and something touches: forces of contacts may add much to an
// approach within a step, which are no forces of the rebound.
bool ImpactStage::isOfLinks(const solve::Block& block) const {
  bool links = !block.contact() && block.tree < 0;
  eachTree(block, [&](const TreeRuntime& t) { links |= t.tree.count > 1 && touches_; });
  return links;
}

// Whether a row rebounds when it is met: contacts, and limits but for those of figures beside contacts, which do at the end of the step.
bool ImpactStage::isTimed(const solve::Block& block) const { return block.contact() || !isOfLinks(block); }

// J that a row's impulse adds, beyond what the forces of the step may give on the way to the touch, at most by `most` m/s or rad/s.
double ImpactStage::added(const solve::Block& block, int k, double most) const {
  const int row = block.row + k;
  const RowMeta& meta = work_.rowMeta[row];
  const solve::Row& r = work_.rows.rows[row];
  const double before = work_.impactScratch[row], after = work_.rows.velocity(row, block.path) + meta.base;
  const double given = k == 0 && meta.rebound > 0 ? std::clamp(meta.base - r.bias + before, 0.0, most) : 0;
  return 0.5 * r.lambda * (before + after - given);
}

// J that the rebounding rows added, friction included; or that all rows did, where that is more.
double ImpactStage::createdByRebound() const {
  const solve::RowProblem& p = work_.rows;
  double work = 0, size = 0, all = 0, allSize = 0;
  for (const solve::Block& block : p.blocks) {
    const bool rebounds = work_.rowMeta[block.row].rebound > 0;
    for (int k = 0; k < block.size; k++) {
      const double lambda = p.rows[block.row + k].lambda, before = work_.impactScratch[block.row + k];
      if (lambda == 0) continue;
      const double done = added(block, k, kInf);
      if (rebounds && k == 0) size += lambda * std::fabs(before);
      if (rebounds) work += done;
      all += done;
      allSize += std::fabs(lambda * before);
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
      const double lambda = p.rows[block.row + k].lambda;
      if (lambda == 0) continue;
      work += added(block, k, isOfLinks(block) ? 0 : kForces * std::fabs(work_.impactRates[block.row]));
      size += std::fabs(lambda * work_.impactScratch[block.row + k]);
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
  for (int trial = 0; trial < kTrials && !isOpen(report); trial++) {  // of what is open no share can be judged: none rebounds
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

// A row that closes at `approach` [m/s, without the forces of the step], to which the forces add as told, and meets at meta.touch: it
// leaves at e times its approach then, and the forces, which are added for the whole step and act again in the next, act from then on.
void ImpactStage::leave(const solve::Block& block, double approach, double forces) {
  RowMeta& meta = work_.rowMeta[block.row];
  double a = 0;
  if (isTimed(block)) {
    // Free velocities contain, beyond the forces of the step, those since the velocities at its start.
    bool early = false;
    eachTree(block, [&](const TreeRuntime& t) { early |= !t.ahead; });
    a = forces / (from_.times.h + (early ? from_.times.ahead : 0));
  }
  const double until = meta.touch - from_.times.ahead;
  meta.impact = RowMeta::Bounces;
  meta.rebound = meta.restitution * (approach + forces + a * until);
  work_.rows.rows[block.row].bias = meta.base - meta.rebound - a * until - forces;
}

// A row that closes at `speed`, with the forces of the step, bounces after gap / speed; what is deeper than a step's approach was not
// reached by it: the touch was at most a step ago, of the world where this is a part of it.
void ImpactStage::timeRebound(const solve::Block& block, double speed) {
  RowMeta& meta = work_.rowMeta[block.row];
  meta.impact = RowMeta::None;
  if (!(speed > 0)) return;
  meta.touch = 0;
  if (isTimed(block)) {
    meta.gap = std::max(meta.gap, -speed * std::max(from_.times.h, from_.settings.timeStep));
    meta.touch = meta.gap / speed;
  }
  leave(block, speed - work_.impactRates[block.row], work_.impactRates[block.row]);
}

template <class F>
void ImpactStage::eachPair(F&& f) {
  const std::vector<solve::Block>& blocks = work_.rows.blocks;
  const auto contactOf = [&](std::size_t i) -> const Contact& { return from_.contacts[work_.rowMeta[blocks[i].row].index]; };
  for (std::size_t first = 0, end; first < blocks.size(); first = end) {
    for (end = first + 1; end < blocks.size() && blocks[first].contact() && blocks[end].contact(); end++) {
      const Contact &a = contactOf(first), &b = contactOf(end);
      if (a.bodyA != b.bodyA || a.bodyB != b.bodyB) break;
    }
    f(std::span(blocks.data() + first, end - first));
  }
}

// Whether a contact bears a load, by the solution with the forces.
bool ImpactStage::isBorne(const solve::Block& block) const {
  const solve::Row& r = work_.rows.rows[block.row];
  return r.lambda > (kBorne * from_.settings.gravity.norm() * from_.times.h + kNoLoad) * r.inverse;
}

// In the coming round a row acts, without softness where it rebounds, or changes nothing.
void ImpactStage::take(const solve::Block& block, bool acts) {
  const RowMeta& meta = work_.rowMeta[block.row];
  for (int k = 0; k < block.size; k++) {
    const solve::Row& before = work_.impactRows[block.row + k];
    solve::Row& r = work_.rows.rows[block.row + k];
    r.lambda = 0;
    r.sigma = before.sigma;
    r.inverse = acts ? before.inverse : 0;
  }
  if (!acts) return;
  solve::Row& r = work_.rows.rows[block.row];
  if (meta.impact == RowMeta::Bounces)
    setSoftness(r, 0);
  else if (block.contact() && rigidRowsAreExact(from_.settings))
    setSoftness(r, kHarder * r.sigma);
}

// The rows of the impact stage: impacts with their rebound, bearing rows without the removal of penetration, nothing else.
void ImpactStage::prepare() {
  eachPair([&](std::span<const solve::Block> pair) {
    bool acts = false;
    for (const solve::Block& block : pair) {
      RowMeta& meta = work_.rowMeta[block.row];
      const double rate = work_.impactRates[block.row];
      work_.impactRates[block.row] = work_.rows.velocity(block.row, block.path) - rate;
      if (meta.impact == RowMeta::Bounces) timeRebound(block, -(rate + meta.base));
      acts |= meta.impact != RowMeta::Waits;
    }
    for (const solve::Block& block : pair) {
      RowMeta& meta = work_.rowMeta[block.row];
      const bool foreseen = block.contact() && from_.contacts[meta.index].speculative >= 0;
      const bool mayWait = block.contact() && !foreseen && meta.restitution > 0;
      if (meta.impact != RowMeta::Bounces) {
        meta.impact = mayWait && (!acts || meta.gap > kTouching) ? RowMeta::Waits : RowMeta::None;
        solve::Row& r = work_.rows.rows[block.row];
        if (!foreseen && (block.contact() || meta.kind == RowMeta::Limit)) r.bias = std::max(r.bias, meta.base);
      }
      take(block, meta.impact != RowMeta::Waits && transmits(block));
    }
  });
}

// s, from now: when a contact that waits is met at that approach, after the last impact so far of the two trees that meet in it.
double ImpactStage::touchAt(const solve::Block& waiting, double approach) const {
  double last = 0;
  for (const solve::Block& block : work_.rows.blocks) {
    const RowMeta& struck = work_.rowMeta[block.row];
    if (!block.contact() || struck.impact != RowMeta::Bounces || !(work_.impactImpulses[block.row] > 0)) continue;
    eachTree(waiting, [&](const TreeRuntime& a) {
      eachTree(block, [&](const TreeRuntime& b) {
        if (&a == &b) last = std::max(last, struck.touch);
      });
    });
  }
  return std::min(from_.times.next, last + std::max(0.0, work_.rowMeta[waiting.row].gap) / approach);
}

// Whether a row has rebounded once for all, and bears in later rounds: limits, and contacts of figures, whose links would rattle.
bool ImpactStage::isDone(const solve::Block& block) const {
  return work_.rowMeta[block.row].impact == RowMeta::Bounces && (!block.contact() || isOfLinks(block));
}

// m/s, of a contact that waits, or has rebounded, and closes now; else 0.
double ImpactStage::closing(const solve::Block& block) const {
  const RowMeta& meta = work_.rowMeta[block.row];
  if (!block.contact() || meta.impact == RowMeta::None || isDone(block) || !transmits(block)) return 0;
  const double approach = -(work_.rows.velocity(block.row, block.path) + meta.base);
  if (!(approach > from_.settings.restitutionSpeed)) return 0;
  return meta.impact == RowMeta::Bounces || meta.gap < approach * from_.times.next ? approach : 0;
}

// After a round: the contacts that it closed act in the next. False if there are none.
bool ImpactStage::nextRound() {
  solve::RowProblem& p = work_.rows;
  for (std::size_t i = 0; i < p.rows.size(); i++) {
    const RowMeta& meta = work_.rowMeta[i];
    // The account takes the mean of the velocities before and after all impulses of the step, which half of its forces are in.
    if (meta.rebound > 0)
      work_.impactFalls += p.rows[i].lambda * (meta.base - share_ * meta.rebound - p.rows[i].bias - 0.5 * work_.impactRates[i]);
    work_.impactImpulses[i] += p.rows[i].lambda;
    p.rows[i].lambda = 0;
  }
  share_ = 1;
  bool more = false;
  eachPair([&](std::span<const solve::Block> pair) {
    bool acts = false;
    for (const solve::Block& block : pair) acts |= closing(block) > 0;
    more |= acts;
    for (const solve::Block& block : pair) {
      RowMeta& meta = work_.rowMeta[block.row];
      if (meta.impact == RowMeta::None) continue;
      const double approach = closing(block);
      solve::Row& r = p.rows[block.row];
      r.bias = meta.base;
      meta.rebound = 0;
      if (isDone(block)) continue;
      if (approach > 0) {
        if (meta.impact == RowMeta::Waits) meta.touch = touchAt(block, approach);
        leave(block, approach, isOfLinks(block) ? 0 : work_.impactRates[block.row]);
      }
      take(block, acts && (meta.impact == RowMeta::Bounces || meta.gap <= kTouching));
    }
  });
  return more;
}

solve::SolveReport ImpactStage::solve() {
  prepare();
  work_.impactFalls = 0;
  solve::SolveReport report = solveRound();
  for (int round = 1; nextRound() && round < kRounds && !isOpen(report); round++) report = solveRound();
  return report;
}

void ImpactStage::prepareResting() {
  solve::RowProblem& p = work_.rows;
  for (std::size_t i = 0; i < p.rows.size(); i++) {
    p.rows[i] = work_.impactRows[i];
    RowMeta& meta = work_.rowMeta[i];
    if (meta.impact != RowMeta::Bounces) continue;
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
