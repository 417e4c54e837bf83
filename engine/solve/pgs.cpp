// Projected Gauss-Seidel on rows kept as paths: scalar rows clamped to their bounds, contacts row by row or as a whole, warm start, exit on
// the largest change of velocity, or on the mean where joints and contacts act together. Sources: Servin 9.4.2 (Coulomb cone,
// over-relaxation); Catto 2005, "Iterative dynamics with temporal coherence" (accumulated impulses); Silcowitz-Hansen et al. 2010
// (nonsmooth nonlinear conjugate gradients on Gauss-Seidel); and those of newton.hpp.
#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/solve/newton.hpp"
#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

constexpr int kSweepsBefore = 6;

// Decides when a Newton step is worth its cost: when sweeps alone, at the rate at which they have converged so far, would take longer.
// Where a step gains nothing (the set of active rows still changes), sweeps go on for a while, longer each time.
class NewtonPace {
 public:
  NewtonPace(RowProblem& p, const SolverSettings& settings) : p_(p), settings_(settings) {}

  // Call after a sweep that left `residual`, with `left` sweeps still allowed; true if impulses were changed.
  bool after(double residual, int left) {
    const double before = last_;
    last_ = residual;
    if (stepped_) {
      stepped_ = false;
      if (residual > before * std::min(kGain, std::pow(std::min(1.0, rate_), step_->costInSweeps()))) wait_ = pause_ *= 2;
    } else if (before > 0) {
      rate_ = residual / before;
    }
    swept_++;
    if (--wait_ >= 0) return false;
    const double settled = rate_ < 1 && settings_.tolerance > 0 ? std::log(settings_.tolerance / residual) / std::log(rate_) : left;
    const double sweeps = std::min<double>(settled, left);
    if (!(sweeps > kLeast)) return false;
    if (!step_) {
      step_.emplace(p_);
      pause_ = kPause * step_->costInSweeps();
      wait_ = kEarly * step_->costInSweeps() - swept_;
    }
    if (wait_ >= 0 || !(sweeps > step_->costInSweeps())) return false;
    stepped_ = step_->take();
    if (!stepped_) wait_ = pause_ *= 2;
    return stepped_;
  }

 private:
  static constexpr double kGain = 0.5;    // factor on the residual by a step and a sweep that were worth their cost
  static constexpr double kLeast = 3;     // sweeps; no step costs less
  static constexpr double kEarly = 0.25;  // share of a step's cost that is spent on sweeps before the first one
  static constexpr double kPause = 0.5;   // share of a step's cost: half of the pause that follows the first step without gain

  RowProblem& p_;
  const SolverSettings& settings_;
  std::optional<NewtonStep> step_;  // made when one may be worth it
  double last_ = 0, rate_ = 1;
  double wait_ = 0, pause_ = 0;  // sweeps
  int swept_ = 0;
  bool stepped_ = false;
};

// Conjugate directions, Fletcher-Reeves with restart, on top of sweeps; the change of the impulses in a sweep is the residual. x is linear
// in the impulses: it moves along its own part of the direction, which is shorter than the rows. Friction has no energy function, so a
// direction may lead away from the solution, and farther with each step: sweeps that are worse than the first go back to where the
// directions began.
class Directions {
 public:
  explicit Directions(RowProblem& p) : p_(p), w_(p.work.sweep) {}

  void start() {
    last_ = 0;
    mass_ = 0;
    bool joints = false, contacts = false;
    for (const Row& row : p_.rows) mass_ += row.inverse;
    for (const Block& block : p_.blocks) (block.tree >= 0 ? joints : contacts) = true;
    mixed_ = joints && contacts;
    heap_ = p_.heapOfFigures();
    first_ = HUGE_VAL;
    for (Row& row : p_.rows) row.direction = 0;
    std::vector<double>& seen = p_.work.spread;
    w_.coordinates.clear();
    for (const Piece& piece : p_.pieces) {
      const int end = piece.offset + piece.count;
      if (static_cast<int>(seen.size()) < end) seen.resize(end, 0.0);
      for (int k = piece.offset; k < end; k++) {
        if (seen[k] == 0) w_.coordinates.push_back(k);
        seen[k] = 1;
      }
    }
    for (int k : w_.coordinates) seen[k] = 0;
    w_.xBefore.resize(w_.coordinates.size());
    w_.xDirection.assign(w_.coordinates.size(), 0.0);
    w_.startX.clear();
    for (int k : w_.coordinates) w_.startX.push_back(p_.x[k]);
    w_.startImpulses.clear();
    for (const Row& row : p_.rows) w_.startImpulses.push_back(row.lambda);
  }
  void beforeSweep() {
    for (Row& row : p_.rows) row.before = row.lambda;
    for (std::size_t i = 0; i < w_.coordinates.size(); i++) w_.xBefore[i] = p_.x[w_.coordinates[i]];
  }
  // Goes back to the start where a sweep changes the impulses by much more than the first one did, and after the last sweep where it
  // changes them by more. From there the next sweep counts anew: a small change may have been chance.
  void judge(double& residual, bool last) {
    now_ = 0;
    contact_ = other_ = 0;
    for (const Block& block : p_.blocks)
      for (int k = block.row; k < block.row + block.size; k++) {
        const Row& row = p_.rows[k];
        const double r = row.lambda - row.before;
        if (r == 0 || !(row.inverse > 0)) continue;
        now_ += r * r / row.inverse;
        if (block.tree >= 0) continue;
        double& most = block.contact() ? contact_ : other_;
        most = std::max(most, std::fabs(r) / row.inverse);
      }
    if (first_ == HUGE_VAL) {
      first_ = now_;
      firstResidual_ = residual;
    } else if (!(now_ < (last ? 1 : kAstray) * first_)) {
      residual = firstResidual_;
      for (std::size_t i = 0; i < p_.rows.size(); i++) p_.rows[i].lambda = p_.rows[i].before = w_.startImpulses[i];
      for (std::size_t i = 0; i < w_.coordinates.size(); i++) w_.xBefore[i] = p_.x[w_.coordinates[i]] = w_.startX[i];
      now_ = HUGE_VAL;
    }
  }
  // Whether the sweep that was judged leaves no more than the tolerance in the mean over the masses that the rows move, next to nothing of
  // what contacts may approach, and the tolerance in rows of other kinds. A light link on its limit then does not keep all others at work.
  bool settles(const SolverSettings& settings) const {
    if (!mixed_ || !std::isfinite(settings.bearable) || !(now_ < settings.tolerance * settings.tolerance * mass_)) return false;
    return contact_ < std::max(settings.tolerance, kNearlyNone * settings.bearable) && other_ < settings.tolerance;
  }
  // Whether sweeps over a heap of figures may end, `done` after the directions began and with `left` to come. With `enough` set: it is
  // reached, or at the rate so far would not be. Else: at the rate so far they would not settle, and leave more than is bearable, so that
  // dearer methods follow in any case.
  bool ends(const SolverSettings& settings, int done, int left) {
    if (!heap_ || !std::isfinite(settings.bearable) || !std::isfinite(now_) || done % kLook != 0) return false;
    double open = now_, aim = settings.tolerance * settings.tolerance * mass_;
    if (settings.enough > 0) {
      const Remainder remainder = p_.remainder();
      if (remainder.speed < settings.enough) return true;
      open = remainder.energy;
      aim = open * std::pow(settings.enough / remainder.speed, 2);
    }
    if (done == 0) {
      began_ = open;
      return false;
    }
    if (open * std::pow(open / began_, static_cast<double>(left) / done) < aim) return false;
    return settings.enough > 0 || p_.remainder().speed > settings.bearable;
  }
  void step() {
    const double beta = now_ < last_ ? now_ / last_ : 0;
    last_ = now_;
    for (Row& row : p_.rows) {
      const double step = beta * row.direction;
      row.direction = step + (row.lambda - row.before);
      row.lambda += step;
    }
    for (std::size_t i = 0; i < w_.coordinates.size(); i++) {
      double& x = p_.x[w_.coordinates[i]];
      const double step = beta * w_.xDirection[i];
      w_.xDirection[i] = step + (x - w_.xBefore[i]);
      x += step;
    }
  }

 private:
  static constexpr double kAstray = 4;         // times the change of the first sweep: twice as far
  static constexpr double kNearlyNone = 0.01;  // of what is bearable
  static constexpr int kLook = 5;              // sweeps from one look at how they converge to the next

  RowProblem& p_;
  SweepWork& w_;
  double last_ = 0, now_ = 0, first_ = 0, firstResidual_ = 0;  // kg m^2/s^2, of a sweep's changes, and the largest change, m/s
  double contact_ = 0, other_ = 0;                             // m/s: the largest change in the last sweep, of contacts and of rows that
                                                               // are no joint's in a tree
  bool mixed_ = false;                                         // limits or dry friction of joints, and contacts
  bool heap_ = false;                                          // many of these and contacts, and nothing else
  double began_ = 0;                                           // kg m^2/s^2: what was open when the directions began
  double mass_ = 0;                                            // kg, that the rows move, each alone
};

}  // namespace

// Plain sweeps settle most problems with a warm start. If a residual remains after a few (tall stacks), Newton's steps or conjugate
// directions follow. The last operation is always a sweep, so bounds hold.
bool sweepOn(RowProblem& p, Sweeps& sweeps, const SolverSettings& settings, int count, int plain, SolveReport& report, bool newton) {
  NewtonPace pace(p, settings);
  Directions directions(p);
  for (int it = 0; it < count; it++) {
    const bool accelerate = settings.accelerate && it >= plain;
    if (accelerate && it == plain) directions.start();
    if (accelerate) directions.beforeSweep();
    report.residual = sweeps.once();
    if (report.iterations++ == 0) report.first = report.residual;
    if (report.residual < settings.tolerance) return true;
    if (accelerate) {
      directions.judge(report.residual, it + 1 == count);
      if (directions.settles(settings)) return report.settled = true;
      if (directions.ends(settings, it - plain, count - it - 1)) break;
    }
    if (it + 1 == count) break;
    if (newton && settings.accelerate && pace.after(report.residual, count - it - 1))
      plain = it + 1 + kSweepsBefore;
    else if (accelerate)
      directions.step();
  }
  return false;
}

SolveReport solvePgs(RowProblem& p, const SolverSettings& settings) {
  SolveReport report;
  prepareSweeps(p, settings.wholeContacts);
  warmStart(p);
  Sweeps sweeps(p, settings);
  sweepOn(p, sweeps, settings, settings.iterations, kSweepsBefore, report, true);
  return report;
}

}  // namespace vertebra::solve
