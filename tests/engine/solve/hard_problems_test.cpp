// Problems that have no solution, many, or one among ties: flags and bounds of infeasible rows, against an exact certificate by least
// squares; rows on indefinite matrices against all their complementary solutions; pivots where all ratios tie, nearly.
#include "tests/engine/solve/every_solver.hpp"
#include "tests/engine/solve/nearest_motion.hpp"

using namespace vertebra;
using namespace test;

namespace {

// The definition of a solution of scalar rows and normals only: friction of a polygon differs from that of the cone.
double pressingViolation(const Case& before, const Case& after) {
  const Matrix A = before.A();
  const Vector u = A * after.lambda() + before.bias(), lambda = after.lambda();
  double worst = 0;
  for (const solve::Block& b : before.p.blocks) {
    const int i = b.row;
    const solve::Row& row = before.p.rows[i];
    if (A(i, i) > 0)
      worst = std::max(worst, std::fabs(lambda[i] - std::min(row.hi, std::max(row.lo, lambda[i] - u[i] / A(i, i)))) * A(i, i));
  }
  return worst;
}
// Distance of a sliding contact's friction in a corner of the polygon from the cone's, as a row's velocity.
double cornerError(const Case& before, const Case& after, int directions) {
  double moved = 0;
  for (const solve::Block& b : before.p.blocks)
    if (b.contact()) moved += b.friction * after.p.rows[b.row].lambda * 3.15 / directions;
  return moved * before.A().cwiseAbs().maxCoeff() * std::sqrt(2.0);
}

}  // namespace

TEST_CASE("problems that cannot be met: flagged, inside all bounds, no worse than 1000 sweeps") {
  Random r(7);
  int unsolved = 0, contradicting = 0, missed = 0, polygons = 0;
  for (int repeat = 0; repeat < 100; repeat++) {
    const int size = 3 + r.below(3), contacts = r.below(4);
    Case before = contactCase(r, contacts, size + r.below(8), size, false, 1);
    for (solve::Row& row : before.p.rows) row.lambda = 0;
    Case sweeps = before;
    solve::SolverSettings plain;
    plain.iterations = 1000;
    plain.tolerance = 1e-9;
    plain.accelerate = false;
    sweeps.problem();
    sweeps.p.keepStart();
    solve::solvePgs(sweeps.p, plain);
    sweeps.p.takeBack();  // the exact effect of the impulses: some are so large that their round-off matters
    sweeps.p.applyAll();
    const double left = sweeps.p.violation();
    unsolved += left > 0.05;
    const NearestMotion nearest = nearestMotion(before);
    for (Named s : everySolver()) {
      s.settings.tolerance = 1e-9;
      s.settings.iterations = 1000;
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << ": " << s.name << " left " << report.residual << ", sweeps " << left << ", infeasible " << report.infeasible);
      CHECK(after.lambda().allFinite());
      checkBounds(after.p);
      checkMoved(before, after);
      CHECK(report.converged == (report.residual <= 1e-9));
      const bool polygon = s.settings.solver == solve::Solver::Lemke && report.converged;
      polygons += polygon && contacts > 0;
      CHECK(pressingViolation(before, after) <= 1.1 * left + 1e-6);
      CHECK(after.p.violation() <= 1.1 * left + 1e-6 + (polygon ? cornerError(before, after, s.settings.frictionDirections) : 0));
      // Friction can make more problems infeasible, but none feasible.
      if (!nearest.exists) CHECK_FALSE(report.converged);
      if (report.converged) CHECK_FALSE(report.infeasible);
      if (contacts == 0 && nearest.exists) CHECK_FALSE(report.infeasible);
      contradicting += !nearest.exists;
      missed += !nearest.exists && !report.infeasible;
    }
  }
  INFO("missed " << missed << " of " << contradicting << ", polygons " << polygons);
  CHECK(unsolved > 30);
  CHECK(contradicting > 700);
  CHECK(missed == 0);
  CHECK(polygons > 10);
}

TEST_CASE("infeasible rows are flagged, even after few sweeps, and others are not") {
  Random r(10);
  int missed = 0, contradicting = 0;
  for (int repeat = 0; repeat < 200; repeat++) {
    // sum d_i y_i = 0 with d > 0: u_i = y_i . x + b_i >= 0 for all i can be met only if sum d_i b_i >= 0.
    const int size = 3 + r.below(6), n = 2 + r.below(size - 1);
    const bool met = repeat % 2;
    Case before = contactCase(r, met ? 0 : r.below(2), 0, size, false, 0.3);  // a contact could be infeasible with them
    Vector last = Vector::Zero(size);
    double bias = met ? 0.3 : -0.3;
    const solve::Piece all{0, size};
    const int path = before.problem().addPath(&all, 1);
    for (int k = 0; k < n; k++) {
      Vector y(size);
      for (double& e : y) e = r.range(-1, 1);
      const double b = k + 1 < n ? r.range(-1, 1) : bias, d = r.range(0.3, 2);
      if (k + 1 == n) y = last;
      last -= d * y;
      bias -= d * b;
      const int row = before.p.addRow(path);
      const double sign = r.below(2) ? 1 : -1;  // or reversed: sign u <= 0
      for (int e = 0; e < size; e++) before.p.y(row)[e] = sign * y[e];
      before.p.finishRow(row, path, 0);
      before.p.rows[row].bias = sign * b;
      (sign > 0 ? before.p.rows[row].hi : before.p.rows[row].lo) = sign * kBoundless;
      before.p.blocks.push_back({path, row});
      before.Y.conservativeResize(row + 1, size);
      before.R.conservativeResize(row + 1, size);
      before.Y.row(row) = before.R.row(row) = sign * y;
    }
    const NearestMotion nearest = nearestMotion(before);
    REQUIRE(nearest.exists == met);
    if (met) CHECK(nearest.distance < 20);
    for (Named s : everySolver()) {
      s.settings.iterations = 50;
      s.settings.tolerance = 1e-6;
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << ": " << s.name << " left " << report.residual << " rows " << n << " of " << size);
      if (met) CHECK_FALSE(report.infeasible);
      if (!met) CHECK_FALSE(report.converged);
      missed += !met && !report.infeasible;
      contradicting += !met;
      checkBounds(after.p);
    }
  }
  INFO("missed " << missed << " of " << contradicting);
  CHECK(contradicting >= 1400);
  CHECK(missed == 0);
}

namespace {

// All impulses that are a solution, on any matrix: each choice of low, clamped, high (for a singular one any of its solutions).
std::vector<Vector> everySolution(const Matrix& A, const Vector& b, const std::vector<solve::Row>& rows) {
  const int n = static_cast<int>(b.size());
  std::vector<Vector> all;
  int choices = 1;
  for (int i = 0; i < n; i++) choices *= 3;
  for (int code = 0; code < choices; code++) {
    std::vector<int> clamped;
    Vector lambda = Vector::Zero(n);
    for (int i = 0, rest = code; i < n; i++, rest /= 3) {
      if (rest % 3 == 0)
        clamped.push_back(i);
      else
        lambda[i] = rest % 3 == 1 ? rows[i].lo : rows[i].hi;
    }
    if (!lambda.allFinite()) continue;
    const Vector fixed = A * lambda + b;
    if (!clamped.empty()) {  // of which Eigen makes no factor
      const Vector part = -A(clamped, clamped).fullPivLu().solve(fixed(clamped));
      for (std::size_t k = 0; k < clamped.size(); k++) lambda[clamped[k]] = part[k];
    }
    const Vector u = A * lambda + b;
    bool good = true;
    for (int i = 0; i < n; i++) {
      good = good && lambda[i] >= rows[i].lo - 1e-12 && lambda[i] <= rows[i].hi + 1e-12;
      good = good && (u[i] < 1e-9 || lambda[i] < rows[i].lo + 1e-12) && (u[i] > -1e-9 || lambda[i] > rows[i].hi - 1e-12);
    }
    if (good) all.push_back(lambda);
  }
  return all;
}

}  // namespace

// A may have any number of solutions. A solver that reports convergence has one of them; few problems end without convergence.
TEST_CASE("rows on a matrix that is only symmetric: a converged result is a solution") {
  Random r(8);
  const std::vector<Named> solvers = everySolver();
  int solvable = 0, unsolvable = 0, several = 0, still = 0;
  std::vector<int> found(solvers.size(), 0);
  for (int repeat = 0; repeat < 150; repeat++) {
    const int n = 2 + r.below(5), size = n + 2;
    Case before(size);
    Matrix M = randomSpd(r, size);
    for (int k = 0; k < size / 2; k++) M(k, k) -= 1.5;
    for (double& e : before.x) e = r.range(-1, 1);
    while (before.rows() < n) {
      const int first = before.rows();
      addRows(before, r, randomPath(r, size), 1, &M);
      randomBounds(r, before.p.rows[first]);
      before.p.blocks.push_back({static_cast<int>(before.p.paths.size()) - 1, first});
    }
    const Matrix A = before.A();
    if (least(A) > -1e-3 || A.diagonal().minCoeff() < 1e-3) continue;  // a row whose impulse acts against its own velocity is left out
    const std::vector<Vector> all = everySolution(A, before.bias(), before.p.rows);
    solvable += !all.empty();
    unsolvable += all.empty();
    for (const Vector& one : all) several += (one - all[0]).norm() > 1e-6;
    for (std::size_t i = 0; i < solvers.size(); i++) {
      solve::SolverSettings settings = solvers[i].settings;
      settings.iterations = std::min(settings.iterations, 2000);
      settings.tolerance = 1e-9;
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), settings);
      double nearest = HUGE_VAL;
      for (const Vector& one : all) nearest = std::min(nearest, (after.lambda() - one).cwiseAbs().maxCoeff());
      INFO(repeat << ": " << solvers[i].name << " left " << report.residual << ", from the nearest of " << all.size() << ": " << nearest);
      checkBounds(after.p);
      checkMoved(before, after);
      CHECK((nearest < 1e-5 || !report.converged));
      CHECK((report.converged || report.residual > 1e-9));
      CHECK(report.residual == Approx(worstViolation(A, before.bias(), before.p.rows, after.lambda())).margin(1e-7));
      found[i] += nearest < 1e-5;
      still += nearest < 1e-5 && after.lambda().norm() > 0.01;
    }
  }
  CHECK(solvable > 50);
  CHECK(unsolvable > 5);
  CHECK(several > 10);
  CHECK(still > 500);  // not by zero impulses
  for (std::size_t i = 0; i < solvers.size(); i++) {
    INFO(solvers[i].name << " found " << found[i] << " of " << solvable);
    CHECK(found[i] >= 0.75 * solvable);
  }
}

TEST_CASE("a long path that no row lies on changes no answer") {  // the address sanitizer saw the sweeps' memory overrun
  Random r(9);
  Case before(40);
  for (double& e : before.x) e = r.range(-1, 1);
  for (int i = 0; i < 6; i++) {
    addRows(before, r, {2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3}, 3, nullptr);
    before.p.rows[3 * i].hi = kBoundless;
    before.p.blocks.push_back({i, 3 * i, 3, solve::FrictionLaw::Cone, 0.5});
  }
  const solve::Piece all{0, 40};
  for (const Named& s : everySolver()) {
    Case without = before, with = before;
    with.p.addPath(&all, 1);
    (void)solve::solveRows(without.problem(), s.settings);
    (void)solve::solveRows(with.problem(), s.settings);
    INFO(s.name);
    CHECK(with.lambda() == without.lambda());
  }
}

TEST_CASE("matrices that are not positive: no hang, no NaN, bounds held") {
  Random r(8);
  int solved = 0, all = 0;
  for (int repeat = 0; repeat < 60; repeat++) {
    const int n = 2 + r.below(10);
    Case before(n);
    Matrix M = randomSpd(r, n);
    for (int k = 0; k < n / 2; k++) M(k, k) -= 3;  // symmetric, indefinite
    for (double& e : before.x) e = r.range(-1, 1);
    while (before.rows() < n) {
      const int first = before.rows();
      const bool contact = before.rows() + 3 <= n && r.below(2);
      addRows(before, r, randomPath(r, n), contact ? 3 : 1, &M);
      if (contact)
        before.p.rows[first].hi = kBoundless;
      else
        randomBounds(r, before.p.rows[first]);
      before.p.blocks.push_back({static_cast<int>(before.p.paths.size()) - 1, first, contact ? 3 : 1, solve::FrictionLaw::Cone, 0.5});
    }
    Case still = before;
    for (solve::Row& row : still.p.rows) row.lambda = std::min(row.hi, std::max(row.lo, 0.0));
    still.problem().keepStart();
    still.p.takeBack();
    still.p.applyAll();
    const solve::Remainder none = still.p.remainder();
    const double nothing = none.worst;
    const bool positive = before.A().diagonal().minCoeff() > 0;  // otherwise some row's velocity would change against its own impulse
    for (Named s : everySolver()) {
      s.settings.iterations = std::min(s.settings.iterations, 3000);
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << ": " << s.name << " left " << report.residual << ", of nothing " << nothing);
      CHECK(after.lambda().allFinite());
      for (double u : after.x) CHECK(std::isfinite(u));
      checkBounds(after.p);
      checkMoved(before, after);
      CHECK(report.converged == (report.residual <= s.settings.tolerance));
      const bool polygon = s.settings.solver == solve::Solver::Lemke && report.converged;
      if (!polygon && positive) CHECK(report.residual == Approx(after.p.violation()).margin(1e-12));
      CHECK((polygon || report.residual <= nothing * (1 + 1e-9) || after.p.remainder().energy <= none.energy * (1 + 1e-9)));
      solved += report.converged;
      all++;
    }
  }
  INFO(solved << " of " << all);
  CHECK(solved > 0.3 * all);
}

TEST_CASE("complementary pivots: small integers with ties everywhere, positive and merely semidefinite, and problems without a solution") {
  Random r(11);
  solve::PivotWork work;
  int solved = 0, rays = 0;
  for (int repeat = 0; repeat < 2000; repeat++) {
    const int n = 1 + r.below(12), rank = 1 + r.below(n);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(n, n);
    Matrix g(n, rank), skew = Matrix::Zero(n, n);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < rank; k++) g(i, k) = r.below(3) - 1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) skew(i, j) = r.below(3) - 1, skew(j, i) = -skew(i, j);
    M = g * g.transpose() + skew;  // positive semidefinite: z . M z >= 0
    std::vector<double> q(n), z(n), w(n);
    for (double& e : q) e = r.below(4) - 2;
    const solve::PivotReport report = solve::complementaryPivot(n, M.data(), q.data(), z.data(), w.data(), work);
    INFO(repeat << " of " << n);
    CHECK(report.pivots <= 10 * n);
    if (!report.solved) {
      // Only infeasible problems end on a ray (Lemke, for matrices of this kind): M has a y >= 0 with M^T y <= 0 and q . y < 0. A feasible
      // point would disprove it; look for one by projected descent on the negative parts of M z + q.
      rays++;
      Vector x = Vector::Zero(n);
      const double step = 1 / std::max(1.0, M.squaredNorm());
      Eigen::Map<const Vector> target(q.data(), n);
      for (int i = 0; i < 3000; i++) x = (x - step * M.transpose() * (M * x + target).cwiseMin(0.0)).cwiseMax(0.0);
      CHECK((M * x + target).minCoeff() < -1e-3);
      continue;
    }
    solved++;
    for (int i = 0; i < n; i++) {
      CHECK(z[i] >= 0);
      CHECK(w[i] >= -1e-9);
      CHECK(std::fabs(z[i] * w[i]) < 1e-8);
    }
  }
  CHECK(solved > 500);
  CHECK(rays > 100);
}

// Lines and columns times 1 +- 1e-14: equal numbers differ by round-off only. Treated as different, such ratios lead to wrong pivots: half
// of these problems would end on a ray.
TEST_CASE("complementary pivots: near-ties are ties") {
  Random r(12);
  solve::PivotWork work;
  int pivots[2] = {0, 0};
  for (int repeat = 0; repeat < 400; repeat++) {
    const int n = 4 + r.below(20), rank = 1 + r.below(n / 2 + 1);
    Matrix g(n, rank);
    Vector x(n), slack(n), near(n), q(n);
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < rank; k++) g(i, k) = r.below(3) - 1;
      x[i] = r.below(3);
      slack[i] = r.below(3) == 0 ? r.below(3) : 0;
      near[i] = 1 + 1e-14 * r.range(-1, 1);
    }
    const Matrix M = g * g.transpose();
    q = slack - M * x;  // x is feasible, hence there is a solution
    for (const bool nearly : {false, true}) {
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> matrix = M;
      Vector right = q, z(n), w(n);
      if (nearly) {
        matrix = near.asDiagonal() * M * near.asDiagonal();
        for (int i = 0; i < n; i++) right[i] *= near[i] * (1 + 1e-14 * r.range(-1, 1));
      }
      const solve::PivotReport report = solve::complementaryPivot(n, matrix.data(), right.data(), z.data(), w.data(), work);
      INFO(repeat << " of " << n << (nearly ? ", nearly" : ""));
      CHECK(report.solved);
      CHECK(z.cwiseMin(w).cwiseAbs().maxCoeff() < 1e-9);
      CHECK((matrix * z + right - w).cwiseAbs().maxCoeff() < 1e-9);
      pivots[nearly] += report.pivots;
    }
  }
  INFO(pivots[0] << ' ' << pivots[1]);
  CHECK(pivots[0] > 1000);
  CHECK(std::abs(pivots[1] - pivots[0]) < 0.01 * pivots[0]);  // the same sequence
}
