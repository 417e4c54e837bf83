// Newton's step over the active rows, and the sparse factor below it: against dense linear algebra, and on the towers for which it is made.
#include <Eigen/Dense>

#include "engine/solve/newton.hpp"
#include "engine/solve/sweep.hpp"
#include "tests/engine/solve/row_cases.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// Nodes in a ring with a few chords: of all sizes, linked in pairs and threes.
struct Blocks {
  solve::BlockFactor factor;
  test::Matrix dense;

  Blocks(test::Random& r, int nodes, bool symmetric) {
    factor.clear();
    for (int i = 0; i < nodes; i++) factor.addNode(1 + static_cast<int>(r.range(0, 6)) % 6);
    std::vector<std::vector<int>> links;
    for (int i = 0; i < nodes; i++) links.push_back({i, (i + 1) % nodes});
    for (int i = 0; i + 7 < nodes; i += 5) links.push_back({i, i + 3, i + 7});
    for (const auto& l : links) factor.link(l.data(), static_cast<int>(l.size()));
    REQUIRE(factor.order(1e9));
    factor.setIdentity(symmetric);
    dense = test::Matrix::Identity(factor.numbers(), factor.numbers());
    for (const auto& l : links) {
      test::Matrix left(factor.numbers(), 2);
      left.setZero();
      for (int node : l)
        for (int k = 0; k < factor.size(node); k++) left.row(factor.first(node) + k) << r.range(-1, 1), r.range(-1, 1);
      test::Matrix right = left;
      if (!symmetric)
        for (int node : l) right(factor.first(node), 0) += r.range(-0.2, 0.2);
      const test::Matrix both = left * right.transpose();
      dense += both;
      for (int a : l)
        for (int b : l) {
          if (!factor.isLower(a, b)) continue;
          for (int j = 0; j < factor.size(b); j++)
            for (int i = 0; i < factor.size(a); i++) {
              const int at = j * factor.size(a) + i;
              factor.lower(a, b)[at] += both(factor.first(a) + i, factor.first(b) + j);
              if (!symmetric && a != b) factor.upper(a, b)[at] += both(factor.first(b) + j, factor.first(a) + i);
            }
        }
    }
  }
};

}  // namespace

TEST_CASE("sparse blocks are factored as a dense matrix is", "[solve][newton]") {
  test::Random r(11);
  for (int round = 0; round < 40; round++) {
    Blocks b(r, 3 + round, round % 2 == 0);
    test::Vector wanted(b.factor.numbers());
    for (double& v : wanted) v = r.range(-1, 1);
    test::Vector x = b.dense * wanted;
    REQUIRE(b.factor.factor());
    b.factor.solve(x.data());
    INFO("round " << round);
    CHECK((x - wanted).cwiseAbs().maxCoeff() < 1e-11 * (1 + b.dense.norm()));
  }
}

TEST_CASE("an order that costs more than it may is refused", "[solve][newton]") {
  solve::BlockFactor f;
  f.clear();
  std::vector<int> all;
  for (int i = 0; i < 20; i++) all.push_back(f.addNode(6));
  f.link(all.data(), 20);
  CHECK(f.order(1e9));
  const double cost = f.cost();
  CHECK(cost > 120.0 * 120 * 120 / 6);
  f.clear();
  for (int i = 0; i < 20; i++) f.addNode(6);
  f.link(all.data(), 20);
  CHECK_FALSE(f.order(0.9 * cost));
}

// Soft rows of a chain of bodies, all active: one step is the solution.
TEST_CASE("rows that no bound holds are solved by one step", "[solve][newton]") {
  test::Random r(5);
  for (int round = 0; round < 20; round++) {
    const int bodies = 12;
    test::Case c(6 * bodies);
    for (double& v : c.x) v = r.range(-1, 1);
    solve::RowProblem& p = c.problem();
    for (int b = 0; b < bodies; b++) {
      solve::Piece pieces[2] = {{6 * b, 6}, {6 * (b + 1), 6}};
      const int path = p.addPath(pieces, b + 1 < bodies ? 2 : 1);
      for (int k = 0; k < 5; k++) {
        const int row = p.addRow(path);
        for (int i = 0; i < p.paths[path].length; i++) p.y(row)[i] = r.range(-1, 1);
        p.rows[row].lo = -1e3;
        p.rows[row].hi = 1e3;
        p.rows[row].bias = r.range(-1, 1);
        p.finishRow(row, path, 0.02);
        p.blocks.push_back({path, row});
      }
    }
    solve::prepareSweeps(p, false);
    solve::NewtonStep step(p);
    REQUIRE(step.costInSweeps() < 20);
    const double before = p.violation();
    REQUIRE(step.take());
    INFO("round " << round);
    CHECK(before > 0.1);
    CHECK(p.violation() < 1e-10);
  }
}

TEST_CASE("pieces of x that overlap, or are too large, are left to sweeps", "[solve][newton]") {
  for (const auto& pieces :
       {std::vector<solve::Piece>{{0, 6}, {4, 6}}, std::vector<solve::Piece>{{0, 7}}, std::vector<solve::Piece>{{0, 3}, {0, 6}}}) {
    test::Case c(12);
    solve::RowProblem& p = c.problem();
    for (const solve::Piece& piece : pieces) {
      const int path = p.addPath(&piece, 1), row = p.addRow(path);
      p.y(row)[0] = 1;
      p.rows[row].hi = 1;
      p.finishRow(row, path, 0.1);
      p.blocks.push_back({path, row});
    }
    solve::prepareSweeps(p, false);
    CHECK(solve::NewtonStep(p).costInSweeps() == test::kBoundless);
  }
}

// Forty boxes, each a little off the one below: with 50 plain sweeps the remaining residual lets the tower sink and sway.
TEST_CASE("towers of forty boxes are solved where sweeps alone leave them open", "[solve][newton]") {
  double left[2] = {0, 0}, depth[2] = {0, 0};
  for (bool newton : {false, true}) {
    WorldSettings s;
    s.sleeping = false;
    s.solverAccelerate = newton;
    world::World w(s);
    test::addGround(w, 0.6, 0);
    for (int i = 0; i < 40; i++)
      test::addBox(w, Vec3(0.2, 0.2, 0.2), 1, Vec3(0.004 * std::sin(13.0 * i), 0.004 * std::sin(78.0 * i + 1), 0.1 + 0.2 * i), 0.6, 0);
    for (int i = 0; i < 240; i++) {
      test::advance(w, 1);
      if (i < 120) continue;
      left[newton] = std::max(left[newton], w.statistics().solverResidual);
      for (const Contact& c : w.contacts()) depth[newton] = std::max(depth[newton], -c.gap);
      w.resetStatistics();
    }
  }
  INFO("left " << left[0] << " and " << left[1] << ", deepest " << depth[0] << " and " << depth[1]);
  CHECK(left[0] > 1e-2);  // plain sweeps
  CHECK(left[1] < 1e-2 * left[0]);
  CHECK(depth[1] < 1e-3);
}
