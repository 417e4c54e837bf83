// What is accepted as a solution: sweeps that come back instead of converging, answers that leave little in every row and much in all, and
// what is done where the chosen solver leaves too much.
#include "tests/engine/solve/row_cases.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;
using namespace test;

namespace {

// A contact on three numbers of x of its own, with the normal n and the tangents s and t.
void addContact(Case& c, int at, const Vec3& n, const Vec3& s, const Vec3& t, double friction) {
  solve::RowProblem& p = c.problem();
  const solve::Piece piece{at, 3};
  const int path = p.addPath(&piece, 1), first = static_cast<int>(p.rows.size());
  for (const Vec3* d : {&n, &s, &t}) {
    const int row = p.addRow(path);
    for (int k = 0; k < 3; k++) p.y(row)[k] = (*d)[k];
    p.finishRow(row, path, 0);
  }
  p.rows[first].hi = kBoundless;
  p.blocks.push_back({path, first, 3, solve::FrictionLaw::Cone, friction});
}

// Equal bodies in a line; each row wants its body to be faster than the next one by 1. Sweeps carry this along slowly.
Case longChain(int rows) {
  Case c(rows + 1);
  solve::RowProblem& p = c.problem();
  for (int i = 0; i < rows; i++) {
    const solve::Piece piece{i, 2};
    const int path = p.addPath(&piece, 1), row = p.addRow(path);
    p.y(row)[0] = 1;
    p.y(row)[1] = -1;
    p.finishRow(row, path, 0);
    p.rows[row].lo = -kBoundless;
    p.rows[row].hi = 1e6;
    p.rows[row].bias = -1;
    p.blocks.push_back({path, row});
  }
  return c;
}

}  // namespace

// The tip of a sliding rod: friction changes the normal velocity by more than the normal impulse itself does. Steps of one row after the
// other then grow.
TEST_CASE("a contact whose friction acts on its normal more than the normal does is solved", "[solve][accepted]") {
  for (double coupling : {0.75, 1.0, 3.0}) {
    Case c(3);
    c.x = {-1, -5 + coupling, 0.3};
    addContact(c, 0, Vec3::UnitX(), Vec3(coupling, 1, 0), Vec3::UnitZ(), 1.4);
    solve::SolverSettings settings;
    settings.tolerance = 1e-9;
    settings.bearable = 1e-6;
    const solve::SolveReport report = solve::solveRows(c.p, settings);
    INFO("coupling " << coupling << ": residual " << report.residual << ", normal impulse " << c.p.rows[0].lambda);
    CHECK(report.converged);
    CHECK(c.p.rows[0].lambda > 0.1);
    CHECK(c.p.violation() < 1e-9);
  }
}

TEST_CASE("the tip of a rod that slides fast over rough ground does not sink", "[solve][accepted]") {
  for (double angle : {0.3, 0.6}) {
    WorldSettings s;
    s.sleeping = false;
    s.contactPositions = true;
    world::World w(s);
    addGround(w, 1.4, 0);
    BodyDefinition d;
    d.mass = 1;
    d.inertia = Vec3(1.0 / 12, 1.0 / 12, 1e-4).asDiagonal();
    d.pose.p = Vec3(0, 0, 0.5 * std::cos(angle) + 0.02);
    d.pose.q = Quat(std::cos(0.5 * angle), 0, std::sin(0.5 * angle), 0);
    const int rod = w.createBody(d);
    addShape(w, rod, geometry::ShapeType::Capsule, Vec3(0.02, 0, 0.5), 1.4, 0);
    double residual[2];
    REQUIRE_FALSE(w.setBodyTwist(rod, Vec3(3, 0, 0), Vec3::Zero(), residual));
    double deepest = 0;
    for (int i = 0; i < 48; i++) {
      advance(w, 1);
      for (const Contact& c : w.contacts()) deepest = std::max(deepest, -c.gap);
    }
    INFO("angle " << angle << ", deepest " << deepest);
    CHECK(deepest < 3e-4);
  }
}

// One light body between two rows that contradict each other leaves a larger velocity than no impulse at all: twenty heavy ones must not
// lose their support for it.
TEST_CASE("no impulses at all are not preferred because one light row is open", "[solve][accepted]") {
  const int heavy = 20;
  Case c(3 * heavy + 1);
  solve::RowProblem& p = c.problem();
  for (int i = 0; i < heavy; i++) {
    addContact(c, 3 * i, Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), 0.5);
    c.x[3 * i] = -0.16;
  }
  const solve::Piece piece{3 * heavy, 1};
  for (double sign : {1.0, -1.0}) {
    const int path = p.addPath(&piece, 1), row = p.addRow(path);
    p.y(row)[0] = 100 * sign;
    p.finishRow(row, path, 0);
    p.rows[row].hi = kBoundless;
    p.rows[row].bias = -0.3;
    p.blocks.push_back({path, row});
  }
  const solve::SolveReport report = test::solve(c, solve::Solver::Pgs, 50, 1e-5);
  CHECK(report.infeasible);
  for (int i = 0; i < heavy; i++) CHECK(c.p.rows[3 * i].lambda == Approx(0.16));
}

TEST_CASE("what sweeps leave open is solved by dearer methods", "[solve][accepted]") {
  Case c = longChain(60);
  solve::SolverSettings s;
  s.iterations = 10;
  s.accelerate = false;
  Case plain = c;
  const solve::SolveReport without = solve::solveRows(plain.problem(), s);
  CHECK(without.residual > 0.01);
  CHECK_FALSE(without.unsolved);  // nobody said what is bearable
  s.bearable = 1e-3;
  const solve::SolveReport report = solve::solveRows(c.problem(), s);
  CHECK(report.residual < s.bearable);
  CHECK(c.p.violation() == Approx(report.residual).margin(1e-12));
  CHECK_FALSE(report.unsolved);
}

TEST_CASE("what no method solves is told", "[solve][accepted]") {
  Case c = longChain(1000);  // too many for a direct solution
  solve::SolverSettings s;
  s.iterations = 2;
  s.bearable = 1e-3;
  const solve::SolveReport report = solve::solveRows(c.problem(), s);
  CHECK(report.residual > s.bearable);
  CHECK(report.unsolved);
  CHECK_FALSE(report.converged);
}
