// Single sweeps against Gauss-Seidel and Jacobi written on dense matrices: every order, over- and under-relaxation, shares; and how many
// iterations conjugate gradients need.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/engine/solve/row_cases.hpp"

using namespace vertebra;
using namespace test;

namespace {

// Unbounded rows, each on two neighbouring coordinates; with `apart` on two of its own.
Case rowsInLine(Random& r, int rows, bool apart = false) {
  Case c(apart ? 2 * rows : rows + 1);
  for (double& x : c.x) x = r.range(-1, 1);
  for (int i = 0; i < rows; i++) {
    const int at = apart ? 2 * i : i;
    addRows(c, r, {at, at + 1}, 1, nullptr);
    c.p.rows[i].lo = -kBoundless;
    c.p.rows[i].hi = kBoundless;
    c.p.rows[i].bias = r.range(-1, 1);
    c.p.blocks.push_back({static_cast<int>(c.p.paths.size()) - 1, i});
  }
  return c;
}
solve::SolverSettings sweeps(int count, solve::SweepOrder order = solve::SweepOrder::Forward, double relaxation = 1) {
  solve::SolverSettings s;
  s.iterations = count;
  s.tolerance = 0;
  s.order = order;
  s.relaxation = relaxation;
  s.accelerate = false;
  return s;
}
Vector after(Case c, const solve::SolverSettings& settings) {
  c.problem().keepStart();
  (void)solve::runSolver(c.problem(), settings);
  return c.lambda();
}
// Gauss-Seidel from zero, one pass for each order of the rows.
Vector gaussSeidel(const Case& c, const std::vector<std::vector<int>>& passes, double relaxation) {
  const Matrix A = c.A();
  const Vector b = c.bias();
  Vector l = Vector::Zero(c.rows());
  for (const std::vector<int>& pass : passes)
    for (int i : pass) l[i] -= relaxation * (A.row(i).dot(l) + b[i]) / A(i, i);
  return l;
}
double apart(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("one sweep is Gauss-Seidel's in its order and with its relaxation") {
  Random r(31);
  const int n = 5;
  std::vector<int> up(n);
  std::iota(up.begin(), up.end(), 0);
  const std::vector<int> down(up.rbegin(), up.rend());
  for (int repeat = 0; repeat < 10; repeat++)
    for (double relaxation : {0.6, 1.0, 1.4}) {
      INFO("relaxation " << relaxation);
      const Case c = rowsInLine(r, n);
      const Vector forward = gaussSeidel(c, {up}, relaxation), backward = gaussSeidel(c, {down}, relaxation);
      CHECK(apart(after(c, sweeps(1, solve::SweepOrder::Forward, relaxation)), forward) < 1e-12);
      CHECK(apart(after(c, sweeps(1, solve::SweepOrder::Backward, relaxation)), backward) < 1e-12);
      CHECK(apart(after(c, sweeps(1, solve::SweepOrder::Symmetric, relaxation)), forward) < 1e-12);
      CHECK(apart(after(c, sweeps(2, solve::SweepOrder::Symmetric, relaxation)), gaussSeidel(c, {up, down}, relaxation)) < 1e-12);
      CHECK(apart(forward, backward) > 1e-6);
    }
}

TEST_CASE("one sweep in shuffled order takes each row once, in another order each time") {
  Random r(32);
  const int n = 5;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const Case c = rowsInLine(r, n);
  // All orders, and those that explain one sweep and then two. Rows that are no neighbours may change places without effect.
  std::vector<std::vector<int>> all, first;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  const Vector one = after(c, sweeps(1, solve::SweepOrder::Shuffled)), two = after(c, sweeps(2, solve::SweepOrder::Shuffled));
  for (const std::vector<int>& pass : all)
    if (apart(one, gaussSeidel(c, {pass}, 1)) < 1e-12) first.push_back(pass);
  REQUIRE_FALSE(first.empty());
  bool again = false, other = false;
  for (const std::vector<int>& pass : all) {
    if (apart(two, gaussSeidel(c, {first[0], pass}, 1)) > 1e-12) continue;
    again |= pass == first[0];
    other = true;
  }
  CHECK(other);
  CHECK_FALSE(again);
  CHECK(apart(one, gaussSeidel(c, {all.front()}, 1)) > 1e-6);
}

TEST_CASE("one sweep of Jacobi shares a coordinate among the rows that reach it, and no more") {
  Random r(33);
  solve::SolverSettings s = sweeps(1);
  s.solver = solve::Solver::Jacobi;
  for (double relaxation : {0.6, 1.0, 1.4}) {
    s.relaxation = relaxation;
    INFO("relaxation " << relaxation);
    for (bool alone : {false, true}) {
      const Case c = rowsInLine(r, 6, alone);
      const Vector full = -relaxation * (c.bias().array() / c.A().diagonal().array()).matrix();
      const double share = alone ? 1 : 0.5;  // in a line two rows reach a coordinate
      CHECK(apart(after(c, s), share * full) < 1e-12);
    }
  }
}

// Neighbouring rows of opposite signs on the coordinates between them: the matrix of a string, 2 on the diagonal and -1 beside it. Of n
// rows gradients need a multiple of n iterations (27, 64 and 211 here), conjugate directions one of the root of n.
TEST_CASE("conjugate gradients solve a string of rows in about as many iterations as the root of its length") {
  for (int n : {5, 10, 20}) {
    Random r(34);
    Case c = rowsInLine(r, n);
    for (int i = 0; i < n; i++) {
      const double y[2] = {1, -1};
      std::copy_n(y, 2, c.p.y(i));
      c.p.finishRow(i, c.p.blocks[i].path, 0);
    }
    solve::SolverSettings s = sweeps(1000);
    s.solver = solve::Solver::Cg;
    s.tolerance = 1e-8;
    const solve::SolveReport report = solve::solveRows(c.problem(), s);
    INFO(n << " rows: " << report.iterations << " iterations");
    CHECK(report.converged);
    CHECK(c.p.violation() < 1e-7);
    CHECK(report.iterations < 6 * std::sqrt(n));
  }
}
