// Direct solution of bounded rows after Dantzig: rows are taken one by one; a row's impulse is changed until its velocity vanishes or it
// reaches a bound, while the rows already solved keep their conditions, changing between "clamped" and "low" or "high". Friction: the
// friction rows of a contact get bounds from its normal impulse and the direction of its last friction; these bounds are renewed until they
// settle, at which point the friction law holds. Redundant rows stay idle; what no impulse can meet is passed on to sweeps. States and
// units: dantzig.hpp.
// The solution of the last step is the warm start: block pivots correct its index sets, all rows at once. Where these do not settle,
// Dantzig's pivots start from zero, row by row.
// Sources: Cottle and Dantzig 1968, "Complementary pivot theory of mathematical programming"; Baraff 1994 (pivots of contact forces, rows
// with bounds lo and hi).
#include "engine/solve/dantzig.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/solve/dense_rows.hpp"
#include "engine/solve/fallback.hpp"

namespace vertebra::solve {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kSingular = 1e-10;  // times a row's diagonal: when the clamped rows leave less than this, they imply the row
constexpr double kRest = 1e-12;      // times the largest velocity: treated as zero
constexpr int kStale = 8;            // passes over the friction bounds in which their change did not halve: they cycle

}  // namespace

void DantzigSolver::begin() {
  const std::size_t n = static_cast<std::size_t>(n_);
  for (auto* list : {&w_.lambda, &w_.a, &w_.deltaA, &w_.delta, &w_.limit}) list->assign(n, 0.0);
  w_.state.assign(n, Waiting);
  w_.ignored.assign(n, 0);
  w_.clamped.clear();
  w_.factor.reset(n_);
  double largest = 0;
  for (int i = 0; i < n_; i++) {
    w_.lambda[i] = std::min(d_.hi[i], std::max(d_.lo[i], 0.0));
    if (d_.dead[i]) w_.state[i] = Dead;
    largest = std::max(largest, std::fabs(d_.b[i]));
  }
  rest_ = kRest * largest;
}

bool DantzigSolver::clamp(int i) {
  for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = A(i)[w_.clamped[k]];
  if (!w_.factor.add(w_.delta.data(), A(i)[i], kSingular)) return false;
  w_.clamped.push_back(i);
  w_.state[i] = Clamped;
  return true;
}

void DantzigSolver::drop(int i, State to) {
  const auto place = std::find(w_.clamped.begin(), w_.clamped.end(), i);
  w_.factor.remove(static_cast<int>(place - w_.clamped.begin()));
  w_.clamped.erase(place);
  w_.state[i] = to;
}
void DantzigSolver::release(int i, State to) {
  drop(i, to);
  std::fill(w_.ignored.begin(), w_.ignored.end(), 0);  // the rows it implied are no longer implied
}

// delta: change of the clamped rows' impulses that keeps their velocities when impulse i changes by `direction`; deltaA: the change of all
// velocities.
void DantzigSolver::directions(int i, double direction) {
  const int c = static_cast<int>(w_.clamped.size());
  for (int k = 0; k < c; k++) w_.delta[k] = -direction * A(i)[w_.clamped[k]];
  w_.factor.solve(w_.delta.data());
  for (int j = 0; j < n_; j++) w_.deltaA[j] = direction * A(i)[j];
  for (int k = 0; k < c; k++) {
    const double* const column = A(w_.clamped[k]);
    const double d = w_.delta[k];
    if (d == 0) continue;
    for (int j = 0; j < n_; j++) w_.deltaA[j] += d * column[j];
  }
}

// Whether row i meets its condition as it is: then it has its state.
bool DantzigSolver::settles(int i) {
  const double a = w_.a[i], lambda = w_.lambda[i], lo = d_.lo[i], hi = d_.hi[i];
  if (lambda > hi || lambda < lo) return false;
  if (lambda == lo && (a >= 0 || lo == hi)) {
    w_.state[i] = Low;
  } else if (lambda == hi && a <= 0) {
    w_.state[i] = High;
  } else if (std::fabs(a) <= rest_) {
    if (!clamp(i)) w_.state[i] = Idle;
  } else {
    return false;
  }
  return true;
}

// Impulse i reaches a bound, or its velocity vanishes.
DantzigSolver::Event DantzigSolver::ownEvent(int i, double direction) const {
  const double lambda = w_.lambda[i], lo = d_.lo[i], hi = d_.hi[i];
  const bool above = lambda > hi, below = lambda < lo;
  const double step = above ? lambda - hi : below ? lo - lambda : direction < 0 ? lambda - lo : hi - lambda;
  const double own = direction * w_.deltaA[i], a = std::fabs(w_.a[i]);
  if (!above && !below && own > kSingular && a / own <= step) return {a / own, i, Clamped};
  return {step, i, direction < 0 ? (above ? High : Low) : (below ? Low : High)};
}

// The longest step for which row j, which is not clamped, keeps its condition; changes of its velocity up to `felt` are round-off.
double DantzigSolver::roomOf(int j, double felt) const {
  const State state = static_cast<State>(w_.state[j]);
  if (w_.ignored[j] || (state != Low && state != High && state != Idle) || d_.lo[j] == d_.hi[j]) return kInfinite;
  const double d = w_.deltaA[j], a = w_.a[j];
  if (!(std::fabs(d) > felt)) return kInfinite;
  if (state == Idle) {
    if (std::fabs(a) <= rest_) return 0;             // its condition holds so far and must not be lost
    return (a > 0) != (d > 0) ? -a / d : kInfinite;  // its condition does not hold yet: it is taken when the row passes it
  }
  return (state == Low) == (d < 0) ? std::max(0.0, -a / d) : kInfinite;
}

// What ends the move of impulse i first, as directions() found it: the row itself, or another in the index sets.
DantzigSolver::Event DantzigSolver::firstEvent(int i, double direction) const {
  Event first = ownEvent(i, direction);
  double most = 1;
  for (std::size_t k = 0; k < w_.clamped.size(); k++) {
    const int j = w_.clamped[k];
    const double d = w_.delta[k];
    most = std::max(most, std::fabs(d));
    if (d == 0) continue;
    const double room = std::max(0.0, d < 0 ? (d_.lo[j] - w_.lambda[j]) / d : (d_.hi[j] - w_.lambda[j]) / d);
    if (room < first.step) first = {room, j, d < 0 ? Low : High};
  }
  const double felt = 1e-11 * most;
  for (int j = 0; j < n_; j++) {
    if (j == i) continue;
    const double room = roomOf(j, felt);
    if (room < first.step) first = {room, j, Clamped};
  }
  return first;
}

// Changes impulse i until its row meets its condition, from pivot to pivot: at each a row changes its state.
void DantzigSolver::drive(int i) {
  if (w_.state[i] == Dead) {
    w_.lambda[i] = std::min(d_.hi[i], std::max(d_.lo[i], w_.lambda[i]));
    return;
  }
  double& lambda = w_.lambda[i];
  const double lo = d_.lo[i], hi = d_.hi[i];
  if (w_.state[i] == Clamped) {
    if (lambda >= lo && lambda <= hi) return;
    release(i, Waiting);
  }
  w_.state[i] = Waiting;
  w_.a[i] = velocity(i);
  std::fill(w_.ignored.begin(), w_.ignored.end(), 0);
  int standing = 0;  // pivots in a row with a step of zero
  for (int pivot = 0; pivot < 3 * n_ + 20 && standing < n_ + 5 && !spent(); pivot++) {
    if (settles(i)) return;
    const double direction = lambda > hi || (!(lambda < lo) && w_.a[i] > 0) ? -1 : 1;
    directions(i, direction);
    pivots_++;
    const Event event = firstEvent(i, direction);
    if (!(event.step < kInfinite)) break;  // unbounded step: the rows are infeasible
    standing = event.step > 0 ? 0 : standing + 1;
    lambda += direction * event.step;
    for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.lambda[w_.clamped[k]] += event.step * w_.delta[k];
    for (int j = 0; j < n_; j++) w_.a[j] += event.step * w_.deltaA[j];
    if (event.row == i && event.next != Clamped) {
      lambda = event.next == Low ? lo : hi;
      continue;  // settles() decides: the row may have started outside its bounds and go on
    }
    w_.a[event.row] = 0;
    if (event.next != Clamped) {
      w_.lambda[event.row] = event.next == Low ? d_.lo[event.row] : d_.hi[event.row];
      release(event.row, event.next);
    } else if (event.row == i) {
      if (!clamp(i)) w_.state[i] = Idle;
      return;
    } else if (!clamp(event.row)) {
      w_.ignored[event.row] = 1;
    }
  }
  w_.state[i] = Idle;
  lambda = std::min(hi, std::max(lo, lambda));
}

// Unbounded rows first: they are met whatever the others do.
void DantzigSolver::solveScalars() {
  for (int phase = 0; phase < 2; phase++)
    for (const Block& block : p_.blocks) {
      const bool unbounded = d_.lo[block.row] == -kInfinite && d_.hi[block.row] == kInfinite;
      if (unbounded == (phase == 0)) drive(block.row);
    }
}

void DantzigSolver::solveFriction() {
  takeLimits(1);
  for (const Block& block : p_.blocks)
    for (int row = block.row + 1; row < block.row + block.size; row++) drive(row);
}

// One more solve for the velocity that remains in the clamped rows.
void DantzigSolver::refine() {
  for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = -velocity(w_.clamped[k]);
  w_.factor.solve(w_.delta.data());
  for (std::size_t k = 0; k < w_.clamped.size(); k++) {
    const int i = w_.clamped[k];
    const double next = w_.lambda[i] + w_.delta[k];
    if (std::isfinite(next)) w_.lambda[i] = std::min(d_.hi[i], std::max(d_.lo[i], next));
  }
}

void reserveDantzig(SolveWork& work, int rows) {
  reserveDense(work, rows);
  const std::size_t n = static_cast<std::size_t>(std::min(rows, kLargestDense));
  DantzigWork& w = work.dantzig;
  w.factor.reserve(static_cast<int>(n));
  for (auto* list : {&w.lambda, &w.a, &w.deltaA, &w.delta, &w.limit}) list->reserve(n);
  w.clamped.reserve(n);
  w.state.reserve(n);
  w.ignored.reserve(n);
}

SolveReport solveDantzig(RowProblem& p, const SolverSettings& settings) {
  if (p.rows.size() > kLargestDense) return solvePgs(p, settings);
  SolveReport report;
  if (p.rows.empty()) return report;
  keepImpulses(p, p.work.warm);
  formDense(p);
  DantzigSolver solver(p);
  // Block pivots from the sets of the last step; where these do not settle, row by row from zero.
  solver.begin();
  solver.guess(p.work.warm.data());
  bool sets = true;
  double least = kInfinite, share = 1;
  for (int pass = 0, since = 0; pass < settings.iterations && since < kStale; pass++) {
    sets = solver.flip();
    if (!sets) break;
    const double change = solver.renewFriction();
    if (change <= 0.1 * settings.tolerance) break;
    since = change < 0.5 * least ? 0 : since + 1;
    if (since == 0) least = change;
    if (since > 0 && since % 4 == 0) share *= 0.5;  // the bounds cycle: smaller steps
    solver.takeLimits(share);
  }
  if (!sets) {
    solver.begin();
    solver.solveScalars();
    least = kInfinite;
    for (int pass = 0, since = 0; pass < settings.iterations && since < kStale && !solver.spent(); pass++) {
      const double change = solver.renewFriction();
      if (pass > 0 && change <= 0.1 * settings.tolerance) break;
      since = pass == 0 || change < 0.5 * least ? 0 : since + 1;
      if (pass > 0 && since == 0) least = change;
      solver.solveFriction();
    }
  }
  solver.refine();
  storeDense(p, p.work.dantzig.lambda.data());
  report.iterations = solver.pivots();
  report.products = solver.products();
  report.residual = applyOrSweep(p, settings);
  return report;
}

}  // namespace vertebra::solve
