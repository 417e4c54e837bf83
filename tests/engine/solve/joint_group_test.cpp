// Limits and dry friction of a tree's joints, which sweeps solve at once, against the definition of a solution: random trees whose rows
// lead from a joint to the root.
#include <catch2/catch.hpp>

#include "tests/engine/solve/row_cases.hpp"

using namespace test;

namespace {

constexpr int kSweeps = 2;  // the second finds nothing to change

// Joints with one to three coordinates; `rows` of them at random joints, in their order, as axis_rows.cpp makes them.
Case treeCase(Random& r, int joints, int rows, double sigma) {
  std::vector<int> parent(joints, -1), offset(joints), count(joints);
  int size = 0;
  for (int j = 0; j < joints; j++) {
    if (j > 0) parent[j] = r.below(3) ? j - 1 : r.below(j);
    offset[j] = size;
    count[j] = 1 + r.below(3);
    size += count[j];
  }
  Case c(size);
  for (double& e : c.x) e = r.range(-1, 1);
  std::vector<int> places(rows);
  for (int& place : places) place = r.below(joints);
  std::sort(places.begin(), places.end());
  solve::RowProblem& p = c.problem();
  for (int place : places) {
    std::vector<solve::Piece> pieces;
    for (int j = place; j >= 0; j = parent[j]) pieces.push_back({offset[j], count[j]});
    const int path = p.addPath(pieces.data(), static_cast<int>(pieces.size())), row = p.addRow(path);
    Vector dense = Vector::Zero(size);
    int o = 0;
    for (const solve::Piece& piece : pieces)
      for (int e = 0; e < piece.count; e++) p.y(row)[o++] = dense[piece.offset + e] = r.range(-1, 1);
    p.finishRow(row, path, sigma);
    randomBounds(r, p.rows[row]);
    if (p.rows[row].lo == -kBoundless && p.rows[row].hi == kBoundless) p.rows[row].lo = 0;
    p.rows[row].lambda = r.range(-1, 1);
    c.Y.conservativeResize(row + 1, size);
    c.R.conservativeResize(row + 1, size);
    c.Y.row(row) = c.R.row(row) = dense;
    p.blocks.push_back({path, row});
    p.blocks.back().tree = 0;
  }
  return c;
}

solve::SolverSettings plain(int iterations) {
  solve::SolverSettings s;
  s.iterations = iterations;
  s.tolerance = 1e-12;
  s.accelerate = false;
  return s;
}

double violationOf(const Case& before, const Case& after) {
  return worstViolation(before.A(), before.bias(), before.p.rows, after.lambda());
}

}  // namespace

TEST_CASE("rows of one tree's joints: one sweep solves up to sixteen of them", "[solve]") {
  Random r(31);
  int slow = 0;
  for (int repeat = 0; repeat < 400; repeat++) {
    const Case before = treeCase(r, 4 + r.below(16), 2 + r.below(15), repeat % 2 ? 0.01 : 1e-6);
    Case after = before;
    solve::solveRows(after.problem(), plain(kSweeps));
    INFO(repeat << ": " << before.rows() << " rows");
    checkBounds(after.p);
    checkMoved(before, after);
    CHECK(violationOf(before, after) < 1e-8);
    Case alone = before;
    for (solve::Block& b : alone.p.blocks) b.tree = -1;
    solve::solveRows(alone.problem(), plain(kSweeps));
    slow += violationOf(before, alone) > 1e-3;
  }
  CHECK(slow > 200);  // row by row the same sweeps leave more
}

TEST_CASE("rows of one tree's joints: more than sixteen, other orders and relaxation end at the same impulses", "[solve]") {
  Random r(32);
  for (int repeat = 0; repeat < 60; repeat++) {
    const Case before = treeCase(r, 30 + r.below(30), 20 + r.below(40), 0.05);
    const solve::SweepOrder order = static_cast<solve::SweepOrder>(repeat % 4);
    for (double relaxation : {0.7, 1.0, 1.3}) {
      Case after = before;
      solve::SolverSettings s = plain(20000);
      s.accelerate = repeat % 3 == 0;
      s.order = order;
      s.relaxation = relaxation;
      const solve::SolveReport report = solve::solveRows(after.problem(), s);
      INFO(repeat << ": " << before.rows() << " rows, relaxation " << relaxation << ", left " << report.residual);
      CHECK(report.converged);
      checkBounds(after.p);
      CHECK(violationOf(before, after) < 1e-9);
    }
  }
}

TEST_CASE("rows of one tree's joints: rows that others imply", "[solve]") {
  Random r(33);
  int tried = 0, open[2] = {0, 0};  // at once, row by row
  for (int repeat = 0; repeat < 200; repeat++) {
    Case before = treeCase(r, 3 + r.below(4), 4 + r.below(2), 0);
    solve::RowProblem& p = before.problem();
    const int rows = before.rows();
    for (int i = 0; i < rows; i++) {  // each again, and some turned round: all of them are met where the others are
      const int path = p.blocks[i].path, row = p.addRow(path);
      const double sign = r.below(2) ? 1 : -1;
      for (int k = 0; k < p.paths[path].length; k++) p.y(row)[k] = sign * p.y(i)[k];
      p.finishRow(row, path, 0);
      p.rows[row].bias = sign * p.rows[i].bias + (sign > 0 ? 0 : 0.5);
      p.rows[row].lo = 0;
      p.rows[row].hi = kBoundless;
      before.Y.conservativeResize(row + 1, before.Y.cols());
      before.R.conservativeResize(row + 1, before.R.cols());
      before.Y.row(row) = before.R.row(row) = sign * before.Y.row(i);
      p.blocks.push_back({path, row});
      p.blocks.back().tree = 0;
    }
    Vector lambda;
    if (!enumerate(before.A(), before.bias(), before.p.rows, lambda)) continue;  // no motion meets them
    Case after = before;
    const solve::SolveReport report = solve::solveRows(after.problem(), plain(200));
    INFO(repeat << ": " << before.rows() << " rows, left " << report.residual);
    checkBounds(after.p);
    Case alone = before;
    for (solve::Block& b : alone.p.blocks) b.tree = -1;
    const solve::SolveReport row = solve::solveRows(alone.problem(), plain(200));
    open[0] += !report.converged;
    open[1] += !row.converged;
    if (report.converged) CHECK(violationOf(before, after) < 1e-8);
    if (!report.converged) CHECK(violationOf(before, after) <= std::max(1e-4, violationOf(before, alone)));
    tried++;
  }
  INFO("of " << tried << " open: " << open[0] << ", row by row " << open[1]);
  CHECK(tried > 50);
  CHECK(open[0] <= 0.02 * tried);
  CHECK(open[1] > 4 * open[0]);
}
