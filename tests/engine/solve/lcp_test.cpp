// Bounded rows: the direct solver against enumeration of index sets and against sweeps run to the end, on rows that live on random paths
// over x; redundant and infeasible rows; friction on the Coulomb cone; the incremental factor against a dense solve.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/solve/ldlt.hpp"
#include "tests/engine/solve/row_cases.hpp"

using namespace vertebra;
using namespace test;

TEST_CASE("bounded rows: the direct solver finds the solution that enumeration of index sets finds") {
  Random r(1);
  double worst = 0;
  for (int repeat = 0; repeat < 400; repeat++) {
    const int n = 1 + r.below(7), size = n + r.below(6);
    const Case before = scalarCase(r, n, size, repeat % 2);
    const Matrix A = before.A();
    if (Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[0] < 1e-3) continue;
    Case after = before;
    const solve::SolveReport report = test::solve(after, solve::Solver::Dantzig, 200, 1e-12);
    Vector expected;
    REQUIRE(enumerate(A, before.bias(), before.p.rows, expected));
    INFO(repeat << " rows " << n);
    CHECK((after.lambda() - expected).cwiseAbs().maxCoeff() < 1e-11);
    worst = std::max(worst, worstViolation(A, before.bias(), before.p.rows, after.lambda()));
    CHECK(report.residual < 1e-11);
    CHECK(report.iterations <= 8 * n);
    checkBounds(after.p);
    checkMoved(before, after);
  }
  CHECK(worst < 1e-11);
}

TEST_CASE("contacts: cone, bounds, friction against the slip; the same as sweeps run to the end") {
  Random r(2);
  double apart = 0, departure = 0;
  int compared = 0, slipping = 0;
  for (int repeat = 0; repeat < 300; repeat++) {
    const int contacts = 1 + r.below(4), scalars = r.below(4), size = 3 * contacts + scalars + r.below(6);
    const Case before = contactCase(r, contacts, scalars, size, repeat % 2, 0.8);
    if (Eigen::SelfAdjointEigenSolver<Matrix>(before.A()).eigenvalues()[0] < 1e-2)
      continue;  // sweeps would not converge in acceptable time
    Case direct = before, sweeps = before;
    const solve::SolveReport report = test::solve(direct, solve::Solver::Dantzig, 200, 1e-12);
    INFO(repeat);
    checkBounds(direct.p);
    checkMoved(before, direct);
    CHECK(report.residual < 1e-11);
    departure = std::max(departure, frictionDeparture(before, direct.lambda()));
    test::solve(sweeps, solve::Solver::Pgs, 20000, 1e-14);
    REQUIRE(sweeps.p.violation() < 1e-10);
    CHECK(frictionDeparture(before, sweeps.lambda()) < 1e-9);
    compared++;
    for (const solve::Block& b : direct.p.blocks) {
      const solve::Row* row = &direct.p.rows[b.row];
      if (b.contact() && row->lambda > 1e-6) slipping += std::hypot(row[1].lambda, row[2].lambda) > b.friction * row->lambda * (1 - 1e-9);
    }
    apart = std::max(apart, (direct.lambda() - sweeps.lambda()).cwiseAbs().maxCoeff());
  }
  CHECK(compared > 200);
  CHECK(slipping > 200);
  CHECK(apart < 1e-10);
  CHECK(departure < 1e-10);
}

namespace {
const auto kBoth = {solve::Solver::Pgs, solve::Solver::Dantzig};
}

TEST_CASE("unlimited friction: contacts under pressure stick, separating ones have no impulse") {
  for (const solve::Solver solver : kBoth) {
    Case leaving = pointContact(Vec3(0.5, 0.3, -0.2), kBoundless, Vec3(0.4, 0.1, 0.2), Vec3::Zero());
    leaving.p.rows[0].lambda = 0;  // friction of the last step, but no pressure
    const solve::SolveReport left = test::solve(leaving, solver, 200, 1e-12);
    CHECK(leaving.lambda().norm() == 0);
    CHECK((Eigen::Map<Vec3>(leaving.x.data()) - Vec3(0.5, 0.3, -0.2)).norm() < 1e-14);
    CHECK(left.residual < 1e-12);
    Case pressing = pointContact(Vec3(-0.5, 30, -20), kBoundless, Vec3::Zero(), Vec3::Zero());
    const solve::SolveReport stuck = test::solve(pressing, solver, 200, 1e-12);
    CHECK(Eigen::Map<Vec3>(pressing.x.data()).norm() < 1e-12);
    CHECK(stuck.residual < 1e-12);
  }
}

TEST_CASE("softness of every row of a contact counts: u + sigma lambda = 0") {
  const Vec3 v(-2, 0.5, -0.25), sigma(0.1, 1, 3);
  for (const solve::Solver solver : kBoth) {
    Case c = pointContact(v, 10, Vec3::Zero(), sigma);
    CHECK(test::solve(c, solver, 200, 1e-12).residual < 1e-11);
    for (int k = 0; k < 3; k++) {
      CHECK(c.p.rows[k].lambda == Approx(-v[k] / (1 + sigma[k])).epsilon(1e-10));
      CHECK(c.x[k] == Approx(v[k] * sigma[k] / (1 + sigma[k])).epsilon(1e-10));
    }
  }
}

TEST_CASE("redundant rows: the motion of the sweeps is found, impulses stay finite") {
  Random r(3);
  int compared = 0;
  for (int repeat = 0; repeat < 200; repeat++) {
    // More rows than the paths have degrees of freedom, all with consistent biases: u = y . v for one motion v.
    const int size = 2 + r.below(5), n = size + 1 + r.below(8);
    Case before(size);
    Vector v(size);
    for (int k = 0; k < size; k++) v[k] = r.range(-1, 1), before.x[k] = r.range(-1, 1);
    while (before.rows() < n) {
      const int first = before.rows();
      addRows(before, r, randomPath(r, size, size < 3 ? 1 : 2), 1, nullptr);
      solve::Row& row = before.p.rows[first];
      row.bias = -before.Y.row(first).dot(v) + (r.below(2) ? -0.2 * r.unit() : 0.0);
      const int kind = r.below(3);
      if (kind == 0 && row.bias == -before.Y.row(first).dot(v))
        row.lo = -kBoundless, row.hi = kBoundless;
      else
        row.bias = -before.Y.row(first).dot(v) + 0.2 * r.unit(), row.lo = 0, row.hi = kBoundless;  // u >= -bias, which v meets
      before.p.blocks.push_back({static_cast<int>(before.p.paths.size()) - 1, first});
    }
    Case direct = before, sweeps = before;
    const solve::SolveReport report = test::solve(direct, solve::Solver::Dantzig, 200, 1e-12);
    test::solve(sweeps, solve::Solver::Pgs, 50000, 1e-13);
    checkBounds(direct.p);
    checkMoved(before, direct);
    INFO(repeat);
    CHECK(report.residual < 1e-8);
    CHECK(direct.lambda().allFinite());
    if (sweeps.p.violation() > 1e-9) continue;
    compared++;
    for (int k = 0; k < size; k++) CHECK(direct.x[k] == Approx(sweeps.x[k]).margin(1e-6));  // the motion is unique, impulses are not
  }
  CHECK(compared > 150);
}

TEST_CASE("a table on many legs: redundant contacts with friction stand still") {
  // A rigid body (3 translations, 3 rotations, unit inertia) with more legs than are needed, pulled sideways inside the cone.
  Random r(4);
  for (int legs = 1; legs <= 24; legs++) {
    Case c(6);
    c.x = {0.3, 0, -1, 0, 0, 0};
    solve::RowProblem& p = c.problem();
    const solve::Piece all{0, 6};
    const int path = p.addPath(&all, 1);
    for (int leg = 0; leg < legs; leg++) {
      const double angle = leg * 2.4;
      const Vec3 at(legs < 3 ? 0 : std::cos(angle), legs < 3 ? 0 : std::sin(angle), 0);
      const int first = c.rows();
      for (int k = 0; k < 3; k++) {
        const int row = p.addRow(path);
        const Vec3 direction = k == 0 ? Vec3(0, 0, 1) : k == 1 ? Vec3(1, 0, 0) : Vec3(0, 1, 0), turn = at.cross(direction);
        for (int e = 0; e < 3; e++) p.y(row)[e] = direction[e], p.y(row)[3 + e] = turn[e];
        p.finishRow(row, path, 0);
      }
      p.rows[first].hi = kBoundless;
      p.blocks.push_back({path, first, 3, solve::FrictionLaw::Cone, 0.5});
    }
    const solve::SolveReport report = test::solve(c, solve::Solver::Dantzig, 50, 1e-9);
    INFO(legs);
    CHECK(report.residual < 1e-9);
    for (double u : c.x) CHECK(std::fabs(u) < 1e-9);
    checkBounds(p);
  }
}

TEST_CASE("infeasible rows end inside their bounds, no worse than sweeps") {
  Random r(5);
  double worst = 0;
  for (int repeat = 0; repeat < 300; repeat++) {
    const int size = 3 + r.below(3), contacts = r.below(4);
    Case before = contactCase(r, contacts, size + r.below(8), size, false, 1);
    Case direct = before, sweeps = before;
    const solve::SolveReport report = test::solve(direct, solve::Solver::Dantzig, 1000, 1e-9);
    checkBounds(direct.p);
    checkMoved(before, direct);
    for (solve::Row& row : sweeps.p.rows) row.lambda = 0;  // where sweeps of infeasible rows end depends on their start
    test::solve(sweeps, solve::Solver::Pgs, 1000, 1e-9);
    INFO(repeat);
    CHECK(report.residual <= 1.1 * sweeps.p.violation() + 1e-8);
    CHECK(report.residual == Approx(direct.p.violation()).margin(1e-12));
    worst = std::max(worst, report.residual);
  }
  CHECK(worst > 0.1);  // they are infeasible
}

TEST_CASE("rows without a response or with values that are not finite do not affect the others") {
  Random r(6);
  Case c = scalarCase(r, 5, 8, false);
  const int first = c.rows(), path = c.p.blocks[0].path;
  solve::RowProblem& p = c.problem();
  p.addRow(path);
  p.finishRow(first, path, 0);
  p.rows[first].hi = kBoundless;
  p.rows[first].bias = -1;
  p.blocks.push_back({path, first});
  p.rows[1].bias = std::nan("");
  p.rows[1].lo = 0;
  p.rows[1].hi = kBoundless;
  test::solve(c, solve::Solver::Dantzig, 200, 1e-12);
  CHECK(p.rows[first].lambda == 0);
  CHECK(p.rows[1].lambda == 0);
  for (double u : c.x) CHECK(std::isfinite(u));
  checkBounds(p);
  solve::RowProblem none;
  solve::SolverSettings direct;
  direct.solver = solve::Solver::Dantzig;
  CHECK(solve::solveRows(none, direct).iterations == 0);
}

TEST_CASE("LDL^T: rows added and removed in any order solve like the dense part") {
  Random r(7);
  for (int repeat = 0; repeat < 60; repeat++) {
    const int n = 2 + r.below(25);
    const Matrix A = randomSpd(r, n);
    solve::IncrementalLdlt factor;
    factor.reset(n);
    std::vector<int> in;
    for (int change = 0; change < 4 * n; change++) {
      const int i = r.below(n);
      const auto place = std::find(in.begin(), in.end(), i);
      if (place != in.end()) {
        factor.remove(static_cast<int>(place - in.begin()));
        in.erase(place);
      } else {
        Vector column(n);
        for (std::size_t k = 0; k < in.size(); k++) column[k] = A(i, in[k]);
        REQUIRE(factor.add(column.data(), A(i, i), 1e-12));
        in.push_back(i);
      }
      const int c = static_cast<int>(in.size());
      REQUIRE(factor.size() == c);
      if (c == 0) continue;
      Matrix part(c, c);
      Vector b(c);
      for (int k = 0; k < c; k++) {
        b[k] = r.range(-1, 1);
        for (int e = 0; e < c; e++) part(k, e) = A(in[k], in[e]);
      }
      const Vector expected = part.ldlt().solve(b);
      Vector x = b;
      factor.solve(x.data());
      REQUIRE((x - expected).cwiseAbs().maxCoeff() < 1e-11 * (1 + expected.norm()));
    }
    // A row that those present imply is rejected without any change.
    if (in.size() < 2) continue;
    const double before = factor.size();
    Vector twin(n);
    for (std::size_t k = 0; k < in.size(); k++) twin[k] = A(in[0], in[k]) + A(in[1], in[k]);
    CHECK_FALSE(factor.add(twin.data(), A(in[0], in[0]) + 2 * A(in[0], in[1]) + A(in[1], in[1]), 1e-10));
    CHECK(factor.size() == before);
  }
}
