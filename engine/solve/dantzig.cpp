// Direct solution of bounded rows after Dantzig: rows are taken one by one; a row's impulse is changed until its velocity vanishes or it
// reaches a bound, while the rows already solved keep their conditions, changing between "clamped" (velocity zero, impulse between its
// bounds) and "low" or "high" (impulse on a bound). Units: rows are scaled to a unit diagonal, so velocities a and impulses lambda are in
// sqrt(J) here. Friction: the friction rows of a contact get bounds from its normal impulse and the direction of its last friction; these
// bounds are renewed until they settle, at which point the friction law holds. Redundant rows stay idle; what no impulse can meet is passed
// on to sweeps.
// The solution of the last step is the warm start: block pivots correct its index sets, all rows at once. Where these do not settle,
// Dantzig's pivots start from zero, row by row.
// Sources: Cottle and Dantzig 1968, "Complementary pivot theory of mathematical programming"; Judice and Pires 1994, "A block principal
// pivoting algorithm for large-scale strictly monotone linear complementarity problems"; Baraff 1994 (pivots of contact forces, rows with
// bounds lo and hi).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/solve/dense_rows.hpp"
#include "engine/solve/fallback.hpp"

namespace vertebra::solve {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kSingular = 1e-10;        // times a row's diagonal: when the clamped rows leave less than this, they imply the row
constexpr double kRest = 1e-12;            // times the largest velocity: treated as zero
constexpr int kFlips = 40, kPatience = 4;  // rounds of block pivots; rounds without gain before single pivots follow
constexpr int kStale = 8;                  // passes over the friction bounds in which their change did not halve: they cycle

enum State : unsigned char { Waiting, Low, High, Clamped, Idle, Dead };  // Dead: its impulse changes no velocity, or it is not finite

class DantzigSolver {
 public:
  DantzigSolver(RowProblem& p) : p_(p), d_(p.work.dense), w_(p.work.dantzig), n_(static_cast<int>(p.rows.size())) {}

  void begin();
  void guess(const double* warm);
  bool flip();
  void solveScalars();
  double renewFriction();  // the largest change of an active bound, as a velocity
  void takeLimits(double share);
  void solveFriction();
  void refine();
  int pivots() const { return pivots_; }
  bool spent() const { return pivots_ > 40 * n_ + 100; }  // far more pivots than any solution has needed

 private:
  const double* A(int i) const { return d_.A.data() + static_cast<std::size_t>(i) * n_; }
  void drive(int i);
  bool clamp(int i);
  void drop(int i, State to);
  void release(int i, State to);
  double velocity(int i) const;
  void directions(int i, double direction);

  RowProblem& p_;
  DenseWork& d_;
  DantzigWork& w_;
  int n_, pivots_ = 0;
  double rest_ = 0;
};

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

double DantzigSolver::velocity(int i) const {
  double a = d_.b[i];
  for (int j = 0; j < n_; j++) a += A(i)[j] * w_.lambda[j];
  return a;
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
    const double a = w_.a[i];
    const bool above = lambda > hi, below = lambda < lo;
    if (!above && !below) {
      if (lambda == lo && (a >= 0 || lo == hi)) {
        w_.state[i] = Low;
        return;
      }
      if (lambda == hi && a <= 0) {
        w_.state[i] = High;
        return;
      }
      if (std::fabs(a) <= rest_) {
        if (!clamp(i)) w_.state[i] = Idle;
        return;
      }
    }
    const double direction = above || (!below && a > 0) ? -1 : 1;
    directions(i, direction);
    pivots_++;
    double most = 1;
    for (std::size_t k = 0; k < w_.clamped.size(); k++) most = std::max(most, std::fabs(w_.delta[k]));
    const double felt = 1e-11 * most;  // smaller values are round-off
    const double own = direction * w_.deltaA[i];

    // The longest step before an event: of row i itself, or of a row in the index sets (j, its next state).
    double step = above ? lambda - hi : below ? lo - lambda : direction < 0 ? lambda - lo : hi - lambda;
    int blocking = i;
    State next = direction < 0 ? (above ? High : Low) : (below ? Low : High);
    if (!above && !below && own > kSingular && std::fabs(a) / own <= step) {
      step = std::fabs(a) / own;
      next = Clamped;
    }
    for (std::size_t k = 0; k < w_.clamped.size(); k++) {
      const int j = w_.clamped[k];
      const double d = w_.delta[k];
      if (d == 0) continue;
      const double room = std::max(0.0, d < 0 ? (d_.lo[j] - w_.lambda[j]) / d : (d_.hi[j] - w_.lambda[j]) / d);
      if (room < step) {
        step = room;
        blocking = j;
        next = d < 0 ? Low : High;
      }
    }
    for (int j = 0; j < n_; j++) {
      const State state = static_cast<State>(w_.state[j]);
      if (j == i || w_.ignored[j] || (state != Low && state != High && state != Idle) || d_.lo[j] == d_.hi[j]) continue;
      const double d = w_.deltaA[j], aj = w_.a[j];
      if (!(std::fabs(d) > felt)) continue;
      double room;
      if (state == Idle) {
        if (std::fabs(aj) <= rest_)
          room = 0;  // its condition holds so far and must not be lost
        else if ((aj > 0) != (d > 0))
          room = -aj / d;  // its condition does not hold yet: it is taken when the row passes it
        else
          continue;
      } else {
        if ((state == Low) != (d < 0)) continue;
        room = std::max(0.0, -aj / d);
      }
      if (room < step) {
        step = room;
        blocking = j;
        next = Clamped;
      }
    }
    if (!(step < kInfinite)) break;  // unbounded step: the rows are infeasible
    standing = step > 0 ? 0 : standing + 1;
    lambda += direction * step;
    for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.lambda[w_.clamped[k]] += step * w_.delta[k];
    for (int j = 0; j < n_; j++) w_.a[j] += step * w_.deltaA[j];
    if (blocking == i) {
      if (next == Clamped) {
        w_.a[i] = 0;
        if (!clamp(i)) w_.state[i] = Idle;
        return;
      }
      lambda = next == Low ? lo : hi;
      continue;  // checked at the top of the loop: the row may have started outside its bounds and go on
    }
    if (next == Clamped) {
      w_.a[blocking] = 0;
      if (!clamp(blocking)) w_.ignored[blocking] = 1;
    } else {
      w_.lambda[blocking] = next == Low ? d_.lo[blocking] : d_.hi[blocking];
      w_.a[blocking] = 0;
      release(blocking, next);
    }
  }
  w_.state[i] = Idle;
  lambda = std::min(hi, std::max(lo, lambda));
}

// Index sets and friction bounds from the impulses of the last step: rows that were between their bounds are clamped.
void DantzigSolver::guess(const double* warm) {
  for (int i = 0; i < n_; i++) w_.lambda[i] = warm[i] / d_.scale[i];
  for (const Block& block : p_.blocks) w_.lambda[block.row] = std::min(d_.hi[block.row], std::max(d_.lo[block.row], w_.lambda[block.row]));
  renewFriction();
  takeLimits(1);
  for (int friction = 0; friction < 2; friction++)
    for (const Block& block : p_.blocks)
      for (int i = block.row + friction; i < block.row + (friction ? block.size : 1); i++) {
        if (w_.state[i] == Dead) continue;
        if (w_.lambda[i] <= d_.lo[i])
          w_.state[i] = Low;
        else if (w_.lambda[i] >= d_.hi[i])
          w_.state[i] = High;
        else if (!clamp(i))
          w_.state[i] = Idle;
      }
}

// Block pivots (Judice and Pires 1994): all rows that violate their condition change sets at once; after several rounds without gain only
// the last of them does (Murty's rule). False: too many rounds, or a row without bounds that others imply is not met.
bool DantzigSolver::flip() {
  const double rest = 100 * rest_;
  int least = n_ + 1, waited = 0;
  for (int round = 0; round < kFlips; round++) {
    pivots_++;
    for (int i = 0; i < n_; i++) {
      if (w_.state[i] == Low) w_.lambda[i] = d_.lo[i];
      if (w_.state[i] == High) w_.lambda[i] = d_.hi[i];
      if (w_.state[i] == Idle || w_.state[i] == Dead) w_.lambda[i] = std::min(d_.hi[i], std::max(d_.lo[i], w_.lambda[i]));
      if (w_.state[i] == Clamped) w_.lambda[i] = 0;
    }
    for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = -velocity(w_.clamped[k]);
    w_.factor.solve(w_.delta.data());
    for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.lambda[w_.clamped[k]] = w_.delta[k];
    int broken = 0, last = -1;
    for (int i = 0; i < n_; i++) {
      bool wrong = false;
      if (w_.state[i] == Clamped) {
        wrong = w_.lambda[i] < d_.lo[i] - rest || w_.lambda[i] > d_.hi[i] + rest;
      } else if (w_.state[i] != Dead && d_.lo[i] < d_.hi[i]) {
        const double a = velocity(i);
        wrong = (w_.state[i] == Low && a < -rest) || (w_.state[i] == High && a > rest) || (w_.state[i] == Idle && std::fabs(a) > 10 * rest);
        w_.a[i] = a;
      }
      w_.ignored[i] = wrong;
      broken += wrong;
      if (wrong) last = i;
    }
    if (broken == 0) {
      std::fill(w_.ignored.begin(), w_.ignored.end(), 0);
      return true;
    }
    waited = broken < least ? 0 : waited + 1;
    least = std::min(least, broken);
    for (int i = waited > kPatience ? last : 0; i <= last; i++) {
      if (!w_.ignored[i]) continue;
      if (w_.state[i] == Clamped)
        drop(i, w_.lambda[i] < d_.lo[i] ? Low : High);
      else if (!clamp(i))  // implied by others but not met: it moves to a bound if it has one
        w_.state[i] = w_.state[i] != Idle ? Idle : w_.a[i] > 0 ? Low : High;
      if (!std::isfinite(w_.state[i] == Low ? d_.lo[i] : w_.state[i] == High ? d_.hi[i] : 0)) return false;
    }
  }
  return false;
}

// Unbounded rows first: they are met whatever the others do.
void DantzigSolver::solveScalars() {
  for (int phase = 0; phase < 2; phase++)
    for (const Block& block : p_.blocks) {
      const bool unbounded = d_.lo[block.row] == -kInfinite && d_.hi[block.row] == kInfinite;
      if (unbounded == (phase == 0)) drive(block.row);
    }
}

// Bounds of friction rows. For a pair under the cone: the box whose corner is the point of the disc along lambda - step u; where the
// contact sticks, the box is as wide as the disc. When no bound changes any more, lambda = P(lambda - step u) on the disc.
double DantzigSolver::renewFriction() {
  double changed = 0;
  for (const Block& block : p_.blocks) {
    if (!block.contact()) continue;
    FrictionRows groups[3];
    const int count = frictionRows(block, groups);
    for (int g = 0; g < count; g++) {
      const int s = block.row + groups[g].first, rows = groups[g].rows, t = s + rows - 1;
      const double bound = frictionBound(groups[g].coefficient, w_.lambda[block.row] * d_.scale[block.row]);
      double limits[2] = {bound, bound};
      if (block.law == FrictionLaw::Fixed || block.law == FrictionLaw::Estimated) {
        for (int k = 0; k < rows; k++) w_.limit[s + k] = d_.hi[s + k];
        continue;
      }
      if (rows == 2 && block.law != FrictionLaw::Pyramid) {
        // One step for both rows, 1 / A of the heavier: friction must oppose the slip.
        const double rate = std::min(d_.scale[s], d_.scale[t]);
        auto moved = [&](int row) {
          const double u = w_.state[row] == Clamped ? 0 : velocity(row) / d_.scale[row];
          return std::fabs(w_.lambda[row] * d_.scale[row] - rate * rate * u);
        };
        const double fs = moved(s), ft = moved(t);
        const double length = std::sqrt(fs * fs + ft * ft);
        if (length > bound) {
          limits[0] = bound * fs / length;
          limits[1] = bound * ft / length;
        }
      }
      for (int k = 0; k < rows; k++) {
        const int row = s + k;
        const double limit = limits[k] / d_.scale[row];
        const bool acts = std::fabs(w_.lambda[row]) >= std::min(limit, d_.hi[row]);
        if (acts) changed = std::max(changed, std::fabs(limit - d_.hi[row]) / d_.scale[row]);
        w_.limit[row] = limit;
      }
    }
  }
  return changed;
}

// The bounds just found, or a mean of these and the present ones.
void DantzigSolver::takeLimits(double share) {
  for (const Block& block : p_.blocks) {
    if (block.law == FrictionLaw::Fixed || block.law == FrictionLaw::Estimated) continue;
    for (int row = block.row + 1; row < block.row + block.size; row++) {
      d_.hi[row] = share == 1 ? w_.limit[row] : share * w_.limit[row] + (1 - share) * d_.hi[row];
      d_.lo[row] = -d_.hi[row];
    }
  }
}

void DantzigSolver::solveFriction() {
  takeLimits(1);
  for (const Block& block : p_.blocks)
    for (int row = block.row + 1; row < block.row + block.size; row++) drive(row);
}

// Removes the round-off of the pivots: one more solve for the velocity that remains in the clamped rows.
void DantzigSolver::refine() {
  for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = -velocity(w_.clamped[k]);
  w_.factor.solve(w_.delta.data());
  for (std::size_t k = 0; k < w_.clamped.size(); k++) {
    const int i = w_.clamped[k];
    const double next = w_.lambda[i] + w_.delta[k];
    if (std::isfinite(next)) w_.lambda[i] = std::min(d_.hi[i], std::max(d_.lo[i], next));
  }
}

}  // namespace

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
  report.residual = applyOrSweep(p, settings);
  return report;
}

}  // namespace vertebra::solve
