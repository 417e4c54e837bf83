// Direct solution of rows with bounds after Dantzig: rows are taken one by one; a row's impulse is driven until its velocity vanishes or it
// reaches a bound, while rows done before keep their conditions, changing between "clamped" (velocity zero, impulse between its bounds)
// and "low" or "high" (impulse on a bound). Units: rows are scaled to a unit diagonal, so velocities a and impulses lambda are in
// sqrt(J) here. Friction: rows of a contact get limits from its normal impulse and the direction of its last friction; these are renewed
// until they settle, which meets the true cone. Redundant rows are left idle; what cannot be met at all is handed to a few sweeps of PGS.
// Sources: Cottle, Dantzig 1968; Baraff 1994 (pivoting of contact forces); lo-hi form and guards as in the design notes, NUMERICS.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/solve/rows.hpp"

namespace vertebra {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kSingular = 1e-10;  // of a row's diagonal: less is left by the clamped rows when they imply it
constexpr double kRest = 1e-12;      // of the largest velocity: counts as zero
constexpr int kStale = 8;            // passes over the friction limits in which their change did not halve: they go round in circles
constexpr int kLargest = 2500;       // rows: a dense matrix beyond is slower than sweeps and takes more than 50 MB

enum State : unsigned char { Waiting, Low, High, Clamped, Idle, Dead };  // Dead: can move nothing, or is not a number

class Solver {
 public:
  Solver(RowProblem& p) : p_(p), w_(p.dantzig), n_(static_cast<int>(p.rows.size())) {}

  void form();
  void solveScalars();
  double renewFriction();  // the largest change of a limit that acts, as a velocity
  void solveFriction();
  void refine();
  void store();
  int pivots() const { return pivots_; }
  bool spent() const { return pivots_ > 40 * n_ + 100; }  // far more than a solution ever took

 private:
  const double* A(int i) const { return w_.A.data() + static_cast<std::size_t>(i) * n_; }
  double* A(int i) { return w_.A.data() + static_cast<std::size_t>(i) * n_; }
  void drive(int i);
  bool clamp(int i);
  void release(int i, State to);
  double velocity(int i) const;
  void directions(int i, double direction);

  RowProblem& p_;
  DantzigWork& w_;
  int n_, pivots_ = 0;
  double rest_ = 0;
};

// A = y . r over all pairs: each response is spread over x once and read by every row.
void Solver::form() {
  const std::size_t n = static_cast<std::size_t>(n_);
  for (auto* list : {&w_.b, &w_.scale, &w_.lo, &w_.hi, &w_.lambda, &w_.a, &w_.deltaA, &w_.delta, &w_.limit}) list->assign(n, 0.0);
  w_.A.resize(n * n);
  w_.state.assign(n, Waiting);
  w_.ignored.assign(n, 0);
  w_.clamped.clear();
  w_.factor.reset(n_);
  int end = 0;
  for (const Piece& piece : p_.pieces) end = std::max(end, piece.offset + piece.count);
  if (w_.spread.size() < static_cast<std::size_t>(end)) w_.spread.resize(end);  // all zero between its uses
  double* const x = p_.x;
  p_.x = w_.spread.data();  // velocity() and apply() work on the spread copy meanwhile
  for (const Block& from : p_.blocks)
    for (int j = from.row; j < from.row + (from.contact ? 3 : 1); j++) {
      p_.apply(j, from.path, 1);
      for (const Block& to : p_.blocks)
        for (int i = to.row; i < to.row + (to.contact ? 3 : 1); i++) A(i)[j] = i <= j ? p_.velocity(i, to.path) : A(j)[i];
      const Path& path = p_.paths[from.path];
      for (int k = 0; k < path.pieces; k++) {
        const Piece& piece = p_.pieces[path.firstPiece + k];
        std::fill_n(w_.spread.begin() + piece.offset, piece.count, 0.0);
      }
    }
  p_.x = x;
  for (int i = 0; i < n_; i++)
    for (int j = 0; j < i; j++) A(i)[j] = A(j)[i];
  double largest = 0;
  for (const Block& block : p_.blocks)
    for (int k = 0; k < (block.contact ? 3 : 1); k++) {
      const int i = block.row + k;
      const Row& row = p_.rows[i];
      const double d = A(i)[i] + row.sigma, u = p_.velocity(i, block.path) + row.bias;
      A(i)[i] = d;
      const bool alive = d > 0 && std::isfinite(d) && std::isfinite(u);
      w_.scale[i] = alive ? 1 / std::sqrt(d) : 1;
      w_.b[i] = alive ? u * w_.scale[i] : 0;
      if (k == 0) {
        w_.lo[i] = row.lo / w_.scale[i];
        w_.hi[i] = std::max(row.lo, row.hi) / w_.scale[i];
      }
      w_.lambda[i] = std::min(w_.hi[i], std::max(w_.lo[i], 0.0));
      if (!alive)
        w_.state[i] = Dead;
      else
        largest = std::max(largest, std::fabs(w_.b[i]));
    }
  rest_ = kRest * largest;
  for (int i = 0; i < n_; i++)
    for (int j = 0; j < n_; j++) {
      A(i)[j] *= w_.scale[i] * w_.scale[j];
      if (w_.state[i] == Dead || w_.state[j] == Dead || !std::isfinite(A(i)[j])) A(i)[j] = 0;
    }
}

double Solver::velocity(int i) const {
  double a = w_.b[i];
  for (int j = 0; j < n_; j++) a += A(i)[j] * w_.lambda[j];
  return a;
}

bool Solver::clamp(int i) {
  for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = A(i)[w_.clamped[k]];
  if (!w_.factor.add(w_.delta.data(), A(i)[i], kSingular)) return false;
  w_.clamped.push_back(i);
  w_.state[i] = Clamped;
  return true;
}

void Solver::release(int i, State to) {
  const auto place = std::find(w_.clamped.begin(), w_.clamped.end(), i);
  w_.factor.remove(static_cast<int>(place - w_.clamped.begin()));
  w_.clamped.erase(place);
  w_.state[i] = to;
  std::fill(w_.ignored.begin(), w_.ignored.end(), 0);  // what it implied it implies no more
}

// delta: change of the clamped rows' impulses that keeps their velocities when impulse i changes by `direction`; deltaA: what all feel.
void Solver::directions(int i, double direction) {
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

void Solver::drive(int i) {
  if (w_.state[i] == Dead) {
    w_.lambda[i] = std::min(w_.hi[i], std::max(w_.lo[i], w_.lambda[i]));
    return;
  }
  double& lambda = w_.lambda[i];
  const double lo = w_.lo[i], hi = w_.hi[i];
  if (w_.state[i] == Clamped) {
    if (lambda >= lo && lambda <= hi) return;
    release(i, Waiting);
  }
  w_.state[i] = Waiting;
  w_.a[i] = velocity(i);
  std::fill(w_.ignored.begin(), w_.ignored.end(), 0);
  int standing = 0;  // pivots in a row that moved nothing
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
    const double felt = 1e-11 * most;  // below is round-off
    const double own = direction * w_.deltaA[i];

    // The longest step before something happens: to i itself, or to a row of the sets (j, its next state).
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
      const double room = std::max(0.0, d < 0 ? (w_.lo[j] - w_.lambda[j]) / d : (w_.hi[j] - w_.lambda[j]) / d);
      if (room < step) {
        step = room;
        blocking = j;
        next = d < 0 ? Low : High;
      }
    }
    for (int j = 0; j < n_; j++) {
      const State state = static_cast<State>(w_.state[j]);
      if (j == i || w_.ignored[j] || (state != Low && state != High && state != Idle) || w_.lo[j] == w_.hi[j]) continue;
      const double d = w_.deltaA[j], aj = w_.a[j];
      if (!(std::fabs(d) > felt)) continue;
      double room;
      if (state == Idle) {
        if (std::fabs(aj) <= rest_)
          room = 0;  // met so far: must not be lost now
        else if ((aj > 0) != (d > 0))
          room = -aj / d;  // not met: caught when it comes by
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
    if (!(step < kInfinite)) break;  // nothing stops it: the rows contradict each other
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
      continue;  // judged at the top: it may have come from outside its bounds and go on
    }
    if (next == Clamped) {
      w_.a[blocking] = 0;
      if (!clamp(blocking)) w_.ignored[blocking] = 1;
    } else {
      w_.lambda[blocking] = next == Low ? w_.lo[blocking] : w_.hi[blocking];
      w_.a[blocking] = 0;
      release(blocking, next);
    }
  }
  w_.state[i] = Idle;
  lambda = std::min(hi, std::max(lo, lambda));
}

// Unbounded rows first: they are met whatever the others do.
void Solver::solveScalars() {
  for (int phase = 0; phase < 2; phase++)
    for (const Block& block : p_.blocks) {
      const bool unbounded = w_.lo[block.row] == -kInfinite && w_.hi[block.row] == kInfinite;
      if (unbounded == (phase == 0)) drive(block.row);
    }
}

// Limits of the two friction rows: the box that has its corner where the disc mu lambda_n is met along lambda - step u. Where the
// contact sticks, its box is as wide as the disc. When nothing changes any more, lambda = P(lambda - step u) on the disc.
double Solver::renewFriction() {
  double changed = 0;
  for (const Block& block : p_.blocks) {
    if (!block.contact) continue;
    const int s = block.row + 1, t = block.row + 2;
    const double bound = frictionBound(block.friction, w_.lambda[block.row] * w_.scale[block.row]);
    // One step for both, 1 / A of the heavier: friction has to point against the slip.
    const double rate = std::min(w_.scale[s], w_.scale[t]);
    auto moved = [&](int row) {
      const double u = w_.state[row] == Clamped ? 0 : velocity(row) / w_.scale[row];
      return std::fabs(w_.lambda[row] * w_.scale[row] - rate * rate * u);
    };
    const double fs = moved(s), ft = moved(t);
    const double length = std::sqrt(fs * fs + ft * ft);
    const bool slips = length > bound;
    const double limits[2] = {slips ? bound * fs / length : bound, slips ? bound * ft / length : bound};
    for (int k = 0; k < 2; k++) {
      const int row = s + k;
      const double limit = limits[k] / w_.scale[row];
      const bool acts = std::fabs(w_.lambda[row]) >= std::min(limit, w_.hi[row]);
      if (acts) changed = std::max(changed, std::fabs(limit - w_.hi[row]) / w_.scale[row]);
      w_.limit[row] = limit;
    }
  }
  return changed;
}

void Solver::solveFriction() {
  for (const Block& block : p_.blocks) {
    if (!block.contact) continue;
    for (int row = block.row + 1; row < block.row + 3; row++) {
      w_.hi[row] = w_.limit[row];
      w_.lo[row] = -w_.limit[row];
      drive(row);
    }
  }
}

// Takes off the round-off of the pivots: one more solve for what velocity the clamped rows have left.
void Solver::refine() {
  for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = -velocity(w_.clamped[k]);
  w_.factor.solve(w_.delta.data());
  for (std::size_t k = 0; k < w_.clamped.size(); k++) {
    const int i = w_.clamped[k];
    const double next = w_.lambda[i] + w_.delta[k];
    if (std::isfinite(next)) w_.lambda[i] = std::min(w_.hi[i], std::max(w_.lo[i], next));
  }
}

void Solver::store() {
  for (const Block& block : p_.blocks) {
    Row* const row = &p_.rows[block.row];
    const int count = block.contact ? 3 : 1;
    for (int k = 0; k < count; k++) row[k].lambda = w_.lambda[block.row + k] * w_.scale[block.row + k];
    row[0].lambda = std::min(std::max(row[0].lo, row[0].hi), std::max(row[0].lo, row[0].lambda));
    if (!block.contact) continue;
    const double bound = frictionBound(block.friction, row[0].lambda);
    const double length = std::sqrt(row[1].lambda * row[1].lambda + row[2].lambda * row[2].lambda);
    if (length > bound)
      for (int k = 1; k < 3; k++) row[k].lambda *= bound / length;
  }
}

// The numbers of x that rows touch, piece by piece.
void keepStart(RowProblem& p) {
  p.dantzig.start.clear();
  for (const Piece& piece : p.pieces) p.dantzig.start.insert(p.dantzig.start.end(), p.x + piece.offset, p.x + piece.offset + piece.count);
}
void takeBack(RowProblem& p) {
  const double* from = p.dantzig.start.data();
  for (const Piece& piece : p.pieces) {
    std::copy_n(from, piece.count, p.x + piece.offset);
    from += piece.count;
  }
}
void applyAll(RowProblem& p) {
  for (const Block& block : p.blocks)
    for (int k = 0; k < (block.contact ? 3 : 1); k++)
      if (p.rows[block.row + k].lambda != 0) p.apply(block.row + k, block.path, p.rows[block.row + k].lambda);
}

}  // namespace

void DantzigWork::reserve(int rows, int coordinates, int pathNumbers) {
  const std::size_t n = static_cast<std::size_t>(std::min(rows, kLargest));
  factor.reserve(static_cast<int>(n));
  A.reserve(n * n);
  for (auto* list : {&b, &scale, &lo, &hi, &lambda, &a, &deltaA, &delta, &limit, &kept, &warm}) list->reserve(n);
  spread.reserve(coordinates);
  start.reserve(pathNumbers);
  clamped.reserve(n);
  state.reserve(n);
  ignored.reserve(n);
}

SolveReport solveDantzig(RowProblem& p, const LcpSettings& settings) {
  if (p.rows.size() > kLargest) return solvePgs(p, settings);
  SolveReport report;
  DantzigWork& w = p.dantzig;
  w.warm.clear();
  for (const Row& row : p.rows) w.warm.push_back(row.lambda);
  Solver solver(p);
  solver.form();
  solver.solveScalars();
  double least = kInfinite;
  for (int pass = 0, since = 0; pass < settings.iterations && since < kStale && !solver.spent(); pass++) {
    const double change = solver.renewFriction();
    if (pass > 0 && change <= 0.1 * settings.tolerance) break;
    since = pass == 0 || change < 0.5 * least ? 0 : since + 1;
    if (pass > 0 && since == 0) least = change;
    solver.solveFriction();
  }
  solver.refine();
  solver.store();
  report.iterations = solver.pivots();

  keepStart(p);
  applyAll(p);
  report.residual = p.violation();
  // Contradicting rows, or friction that does not settle: sweeps from what was found, from the warm start, from nothing; the best is kept.
  for (int attempt = 0; attempt < 3 && !(report.residual <= settings.tolerance); attempt++) {
    w.kept.clear();
    for (std::size_t i = 0; i < p.rows.size(); i++) {
      Row& row = p.rows[i];
      w.kept.push_back(row.lambda);
      if (attempt > 0) row.lambda = attempt == 1 ? w.warm[i] : 0;
    }
    takeBack(p);
    solvePgs(p, settings);
    takeBack(p);  // anew from the impulses alone: contradicting rows may have pumped up large ones, with their round-off
    applyAll(p);
    const double swept = p.violation();
    if (swept < report.residual || !std::isfinite(report.residual)) {
      report.residual = swept;
    } else {
      for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda = w.kept[i];
      takeBack(p);
      applyAll(p);
    }
  }
  report.complementarity = p.complementarity();
  return report;
}

}  // namespace vertebra
