// solveRows: what is common to all solvers. Friction bounds estimated without friction (Vondrak 6.5.3); static friction that slips becomes
// sliding friction (within one solution it never changes back, so the process ends); infeasible rows, found by a certificate after Farkas
// and then solved by sweeps; impulses set to zero where they would not be finite.
#include <cmath>

#include "engine/solve/complementary_pivot.hpp"
#include "engine/solve/fallback.hpp"
#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

constexpr int kContradictionSweeps = 1000;
constexpr int kStill = 100;        // sweeps with the same worst change
constexpr int kLeastSearch = 100;  // least number of sweeps that look for a certificate
constexpr int kSlipRounds = 8;
constexpr double kSlips = 10;      // times the tolerance: a faster slip is not a remainder of the solution
constexpr double kFar = 1e3;       // times the motion that the worst row alone asks for: solutions farther away are not sought
constexpr double kSuspect = 10;    // the same factor, for a closer look
constexpr double kOwnShare = 0.1;  // share of a certificate that rows with unbounded impulses must contribute themselves
constexpr double kRunOff = 1e30;   // N s
constexpr int kFewRunning = 40;    // sides of rows
constexpr double kGross = 1000;    // times the tolerance: a larger residual may be worth the pivots of an exact answer

void setFrictionBounds(RowProblem& p, bool open) {
  for (const Block& b : p.blocks) {
    if (b.law != FrictionLaw::Estimated) continue;
    FrictionRows groups[3];
    const int count = frictionRows(b, groups);
    for (int i = 0; i < count; i++)
      for (int k = 0; k < groups[i].rows; k++) {
        Row& row = p.rows[b.row + groups[i].first + k];
        row.hi = open ? frictionBound(groups[i].coefficient, p.rows[b.row].lambda) : 0;
        row.lo = -row.hi;
        if (!open) row.lambda = 0;
      }
  }
}

// Replaces static by sliding friction where friction is at its static bound and the contact moves.
bool letSlip(RowProblem& p, double tolerance) {
  bool any = false;
  for (Block& b : p.blocks) {
    if (!b.contact() || b.slips || !(b.slidingFriction < b.friction)) continue;
    const Row *s = &p.rows[b.row + 1], *t = s + 1;
    const double bound = frictionBound(b.friction, p.rows[b.row].lambda) * (1 - 1e-6);
    const bool full = b.law == FrictionLaw::Pyramid ? std::max(std::fabs(s->lambda), std::fabs(t->lambda)) >= bound
                                                    : s->lambda * s->lambda + t->lambda * t->lambda >= bound * bound;
    if (!full || !(p.rows[b.row].lambda > 0)) continue;
    const double us = p.velocity(b.row + 1, b.path) + s->bias, ut = p.velocity(b.row + 2, b.path) + t->bias;
    if (us * us + ut * ut > kSlips * kSlips * tolerance * tolerance) any = b.slips = true;
  }
  return any;
}

// An impulse so large that sweeps no longer change it (round-off) is not finite either; it would look like convergence.
bool allFinite(const RowProblem& p) {
  for (const Row& row : p.rows)
    if (!(std::fabs(row.lambda) < kRunOff)) return false;
  double sum = 0;  // 0 * x is 0 for finite x and NaN otherwise
  for (const Piece& piece : p.pieces) {
    double of = 0;  // each piece has its own sum, which does not wait for those before
    for (int k = 0; k < piece.count; k++) of += 0 * p.x[piece.offset + k];
    sum += of;
  }
  return sum == 0;
}

// Hard rows without a bound on one side: only their impulses can grow without limit.
bool canRun(const Row& row) { return row.inverse > 0 && !(row.sigma > 0) && (!std::isfinite(row.lo) || !std::isfinite(row.hi)); }

// Whether rest meets the rows: then they do not contradict each other, however slowly the sweeps of heavy things on light ones settle.
bool restMeets(const RowProblem& p, double tolerance) {
  for (const Row& row : p.rows) {
    if (!canRun(row)) continue;
    if (!std::isfinite(row.hi) && row.bias < -tolerance) return false;
    if (!std::isfinite(row.lo) && row.bias > tolerance) return false;
  }
  return true;
}

// Whether the change `before` of the impulses in the last sweep shows that no motion meets the rows: impulses d that change no velocity (s
// = sum d r is 0) and are needed nevertheless (sum d u < 0). With s not quite 0, any motion that meets the rows is at least gap / |s| away
// in the metric; this is compared with the motion that the worst row alone asks for. With friction among d the certificate says only that
// the contact cannot stick; that the impulses still grow shows the rest. A certificate of friction alone is no proof, because its rows are
// redundant where several contacts hold one body and a contact that cannot stick slips.
bool contradictsBy(RowProblem& p, double tolerance, double far, double least) {
  double gap = 0, ownGap = 0, worst = 0, s2 = 0;  // ownGap: of the rows with unbounded impulses, without friction's share
  int end = 0;
  for (const Piece& piece : p.pieces) end = std::max(end, piece.offset + piece.count);
  if (static_cast<int>(p.work.spread.size()) < end) p.work.spread.resize(end, 0.0);
  auto forRunning = [&](auto&& f) {
    for (const Block& b : p.blocks) {
      if (!canRun(p.rows[b.row])) continue;
      for (int i = b.row; i < b.row + b.size; i++) {
        const Row& row = p.rows[i];
        const double d = row.lambda - row.before;
        if (i == b.row && d != 0 && std::isfinite(d > 0 ? row.hi : row.lo)) break;
        if (d * d > least * row.inverse) f(i, b.path, d);
      }
    }
  };
  double* const x = p.x;
  forRunning([&](int i, int path, double d) {
    const double u = p.velocity(i, path) + p.rows[i].bias;
    gap -= d * u;
    if (canRun(p.rows[i])) ownGap -= d * u;
    if (std::fabs(u) > tolerance) worst = std::max(worst, u * u * p.rows[i].inverse);
    p.x = p.work.spread.data();
    p.apply(i, path, d);
    p.x = x;
  });
  p.x = p.work.spread.data();
  forRunning([&](int i, int path, double d) { s2 += d * p.velocity(i, path); });
  p.x = x;
  for (const Piece& piece : p.pieces) std::fill_n(p.work.spread.begin() + piece.offset, piece.count, 0.0);
  if (!(ownGap > kOwnShare * gap)) return false;
  return gap > 0 && worst > 0 && gap * gap > far * far * worst * std::max(0.0, s2);
}

// With all changes, then with the large ones only: rows elsewhere that still converge must not hide the certificate.
bool contradicts(RowProblem& p, double tolerance, double far) {
  double largest = 0;
  for (const Row& row : p.rows) {
    const double d = row.lambda - row.before;
    if (row.inverse > 0) largest = std::max(largest, d * d / row.inverse);
  }
  return contradictsBy(p, tolerance, far, 0) || contradictsBy(p, tolerance, far, 1e-3 * largest);
}

// The exact test, for few scalar rows and normals, where sweeps show infeasibility too slowly: the least |sum d_i (r_i, b_i) + (0, 1)| over
// d >= 0 (Lawson and Hanson 1974, Solving Least Squares Problems), with velocities b_i before any impulse and signs such that each row asks
// for b_i >= 0, is a complementarity problem that always has a solution. The squared distance of the nearest motion that meets the rows is
// then 1 / (1 + sum d_i b_i) - 1; b is in units of the motion that the worst row alone asks for, and each r_i is scaled to length one. On
// return x contains no impulses.
bool contradictsExactly(RowProblem& p) {
  std::vector<LemkeVariable>& sides = p.work.lemke.variables;
  std::vector<double>&M = p.work.lemke.M, &b = p.work.lemke.q, &d = p.work.lemke.z;
  p.takeBack();
  sides.clear();
  for (const Block& block : p.blocks)
    for (const double sign : {1.0, -1.0}) {
      const Row& row = p.rows[block.row];
      if (!canRun(row) || std::isfinite(sign > 0 ? row.hi : row.lo)) continue;
      if (sides.size() == kFewRunning) return false;
      LemkeVariable& v = sides.emplace_back();
      v.row[0] = block.row;
      v.row[1] = block.path;
      v.weight[0] = sign * std::sqrt(row.inverse);
    }
  const std::size_t n = sides.size();
  double worst = 0;
  b.resize(n);
  for (std::size_t k = 0; k < n; k++) {
    b[k] = sides[k].weight[0] * (p.velocity(sides[k].row[0], sides[k].row[1]) + p.rows[sides[k].row[0]].bias);
    worst = std::max(worst, -b[k]);
  }
  if (!(worst > 0)) return false;
  for (double& e : b) e /= worst;
  int end = 0;
  for (const Piece& piece : p.pieces) end = std::max(end, piece.offset + piece.count);
  if (static_cast<int>(p.work.spread.size()) < end) p.work.spread.resize(end, 0.0);
  M.resize(n * n);
  double* const x = p.x;
  p.x = p.work.spread.data();
  for (std::size_t j = 0; j < n; j++) {
    p.apply(sides[j].row[0], sides[j].row[1], sides[j].weight[0]);
    for (std::size_t i = 0; i < n; i++) M[i * n + j] = sides[i].weight[0] * p.velocity(sides[i].row[0], sides[i].row[1]) + b[i] * b[j];
    for (const Piece& piece : p.pieces) std::fill_n(p.x + piece.offset, piece.count, 0.0);
  }
  p.x = x;
  d.resize(n);
  p.work.lemke.w.resize(n);
  if (!complementaryPivot(static_cast<int>(n), M.data(), b.data(), d.data(), p.work.lemke.w.data(), p.work.lemke.pivots).solved)
    return false;
  double left = 1;
  for (std::size_t k = 0; k < n; k++) left += b[k] * d[k];
  return left * (1 + kFar * kFar) < 1;
}

// Whether one more sweep makes impulses grow without limit rather than changing velocities.
bool suspect(RowProblem& p, double tolerance) {
  for (Row& row : p.rows) row.before = row.lambda;
  prepareSweeps(p, false);
  Sweeps(p, SolverSettings{}).once();
  return contradicts(p, tolerance, kSuspect);
}

// Sweeps from zero until their worst change no longer falls; returns whether they showed infeasible rows on the way. A feasible problem
// that only converges slowly gets no more than `patience` sweeps; with `settled` false they end as soon as infeasibility shows.
bool sweepContradiction(RowProblem& p, double tolerance, int patience, bool settled) {
  p.takeBack();
  for (Row& row : p.rows) row.lambda = 0;
  prepareSweeps(p, false);
  Sweeps sweeps(p, SolverSettings{});
  bool shown = false;
  double last = 0;
  for (int it = 1, still = 0; it <= kContradictionSweeps; it++) {
    const bool look = !shown && (it % 25 == 0 || it == patience);
    if (look)
      for (Row& row : p.rows) row.before = row.lambda;
    const double worst = sweeps.once();
    if (look) shown = contradicts(p, tolerance, kFar);
    if (look && !shown && contradicts(p, tolerance, kSuspect)) patience = kContradictionSweeps;
    if (shown && !settled) return true;
    if (!shown && it >= patience) return false;
    if (worst < tolerance || (shown && still > kStill)) break;
    still = std::fabs(worst - last) <= 1e-6 * worst ? still + 1 : 0;
    last = worst;
  }
  return shown;
}

// For a solution that did not converge: finds out whether the rows are infeasible; keeps the best of that solution, plain sweeps and zero.
void settle(RowProblem& p, const SolverSettings& settings, SolveReport& report) {
  const bool finite = allFinite(p);
  constexpr Remainder kNothing{HUGE_VAL, HUGE_VAL};
  Remainder left = finite ? p.remainder() : kNothing;
  keepImpulses(p, p.work.best);
  // Judges the present impulses by the worst row; `all`: and by the energy that they leave. x is computed from them again, because impulses
  // of infeasible rows are large.
  auto consider = [&](bool all) {
    p.takeBack();
    p.applyAll();
    const Remainder now = allFinite(p) ? p.remainder() : kNothing;
    if (!(now.worst < left.worst) || (all && !(now.energy < left.energy))) return;
    left = now;
    keepImpulses(p, p.work.best);
  };
  // The result of forward sweeps is accepted without further checks unless it shows a sign of infeasibility.
  const bool swept =
      settings.solver == Solver::Pgs && !settings.wholeContacts && settings.order == SweepOrder::Forward && settings.relaxation == 1;
  const bool odd = !finite || suspect(p, settings.tolerance);
  if (odd || !swept) {
    report.infeasible =
        sweepContradiction(p, settings.tolerance, odd ? kContradictionSweeps : std::max(kLeastSearch, settings.iterations), true);
    consider(false);
  }
  for (Row& row : p.rows) row.lambda = std::min(std::max(row.lo, row.hi), std::max(row.lo, 0.0));
  for (const Block& b : p.blocks) p.clampBlock(b);
  consider(true);  // one light row that is open must not cost all others their support
  if (!report.infeasible && left.worst > kGross * settings.tolerance) report.infeasible = contradictsExactly(p);
  report.infeasible = report.infeasible && !restMeets(p, settings.tolerance);
  restoreImpulses(p, std::isfinite(left.energy) ? &p.work.best : nullptr);
  report.residual = std::isfinite(left.worst) ? left.worst : p.violation();
  report.converged = report.residual <= settings.tolerance;
}

}  // namespace

void reserveCertificate(SolveWork& work) {
  const std::size_t n = kFewRunning;
  work.lemke.variables.reserve(n);
  work.lemke.M.reserve(n * n);
  for (auto* list : {&work.lemke.q, &work.lemke.z, &work.lemke.w}) list->reserve(n);
  work.lemke.pivots.reserve(kFewRunning);
}

SolveReport runSolver(RowProblem& p, const SolverSettings& settings) { return traitsOf(settings.solver).solve(p, settings); }

bool rowsContradict(RowProblem& p, double tolerance) {
  keepImpulses(p, p.work.best);
  const bool shown = sweepContradiction(p, tolerance, kLeastSearch, false);
  restoreImpulses(p, &p.work.best);
  return shown;
}

SolveReport solveRows(RowProblem& p, const SolverSettings& settings) {
  bool estimated = false, twoCoefficients = false;
  for (Block& b : p.blocks) {
    b.slips = false;
    estimated |= b.law == FrictionLaw::Estimated;
    twoCoefficients |= b.contact() && b.slidingFriction < b.friction;
  }
  p.keepStart();
  SolveReport before;  // of the solutions that came before the last one
  const auto addUp = [&](const SolveReport& one) {
    before.iterations += one.iterations;
    before.products += one.products;
  };
  if (estimated) {
    setFrictionBounds(p, false);
    addUp(runSolver(p, settings));
    p.takeBack();
    setFrictionBounds(p, true);
  }
  SolveReport report = runSolver(p, settings);
  for (int round = 0; twoCoefficients && round < kSlipRounds && letSlip(p, settings.tolerance); round++) {
    addUp(report);
    p.takeBack();
    report = runSolver(p, settings);
  }
  report.iterations += before.iterations;
  report.products += before.products;
  const bool finite = allFinite(p);
  report.converged = finite && (report.settled || report.residual <= settings.tolerance);
  // Soft rows on a positive definite matrix always converge; impulses of the others may grow without limit.
  bool running = !(report.residual < report.first);
  for (const Row& row : p.rows) running |= canRun(row) && row.lambda != 0;
  if (!finite || (!report.converged && running)) settle(p, settings, report);
  if (report.residual > settings.bearable && !report.infeasible) {
    tryHarder(p, settings, report);
    report.converged = report.residual <= settings.tolerance;
  }
  report.complementarity = p.complementarity();
  return report;
}

}  // namespace vertebra::solve
