// All solvers through solveRows: against enumeration of index sets, against each other on friction of every law and size, on redundant and
// degenerate rows; orders and relaxations agree in the limit; reruns are bit-equal. Problems without a solution: hard_problems_test.cpp.
#include <cstring>

#include "tests/engine/solve/every_solver.hpp"
#include "tests/engine/solve/nearest_motion.hpp"

using namespace vertebra;
using namespace test;

TEST_CASE("every solver finds what enumeration of index sets finds") {
  Random r(1);
  int compared = 0;
  for (int repeat = 0; repeat < 120; repeat++) {
    const int n = 1 + r.below(6), size = n + r.below(6);
    const Case before = scalarCase(r, n, size, repeat % 2);
    const Matrix A = before.A();
    if (least(A) < 1e-2) continue;
    Vector expected;
    REQUIRE(enumerate(A, before.bias(), before.p.rows, expected));
    compared++;
    for (const Named& s : everySolver()) {
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << " rows " << n << ": " << s.name);
      CHECK((after.lambda() - expected).cwiseAbs().maxCoeff() < 1e-9);
      CHECK(report.converged);
      CHECK_FALSE(report.infeasible);
      checkBounds(after.p);
      checkMoved(before, after);
    }
  }
  CHECK(compared > 60);
}

TEST_CASE("friction on the cone: all but the polyhedral solver agree, and friction points against the slip") {
  Random r(2);
  int compared = 0, slipping = 0;
  for (int repeat = 0; repeat < 60; repeat++) {
    const int contacts = 1 + r.below(4), scalars = r.below(4), size = 3 * contacts + scalars + r.below(6);
    const Case before = contactCase(r, contacts, scalars, size, repeat % 2, 0.8);
    if (least(before.A()) < 2e-2) continue;
    Case reference = before;
    solve::solveRows(reference.problem(), tight(solve::Solver::Dantzig, 200));
    if (reference.p.violation() > 1e-11) continue;
    compared++;
    for (const solve::Block& b : reference.p.blocks) {
      const solve::Row* row = &reference.p.rows[b.row];
      if (b.contact() && row->lambda > 1e-6) slipping += std::hypot(row[1].lambda, row[2].lambda) > b.friction * row->lambda * (1 - 1e-9);
    }
    for (const Named& s : everySolver()) {
      if (s.settings.solver == solve::Solver::Lemke) continue;
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << ": " << s.name);
      CHECK(report.converged);
      CHECK(frictionDeparture(before, after.lambda()) < 1e-9);
      CHECK((after.lambda() - reference.lambda()).cwiseAbs().maxCoeff() < 1e-8);
      checkBounds(after.p);
      checkMoved(before, after);
    }
  }
  CHECK(compared > 30);
  CHECK(slipping > 30);
}

// A sliding contact's friction sits in a corner of the polygon: off by up to half the angle between two.
TEST_CASE("lemke's polygon tends to the cone with the number of directions") {
  Random r(3);
  double error[3] = {0, 0, 0};
  int compared = 0;
  for (int repeat = 0; repeat < 60; repeat++) {
    const Case before = contactCase(r, 1 + r.below(3), r.below(3), 14, repeat % 2, 0.6);
    if (least(before.A()) < 5e-2) continue;
    Case cone = before;
    solve::solveRows(cone.problem(), tight(solve::Solver::Pgs));
    compared++;
    for (int k = 0; k < 3; k++) {
      Case after = before;
      solve::SolverSettings s = tight(solve::Solver::Lemke, 50, 1e-9);
      s.frictionDirections = 8 << (2 * k);
      const solve::SolveReport report = solve::solveRows(after.problem(), s);
      INFO(repeat << ": " << s.frictionDirections);
      CHECK(report.converged);
      CHECK(report.residual < 1e-11);
      checkBounds(after.p);
      checkMoved(before, after);
      error[k] = std::max(error[k], (after.lambda() - cone.lambda()).cwiseAbs().maxCoeff());
    }
  }
  INFO(error[0] << ' ' << error[1] << ' ' << error[2]);
  CHECK(compared > 30);
  CHECK(error[0] > 1e-4);
  CHECK(error[1] < 0.4 * error[0]);
  CHECK(error[2] < 0.4 * error[1]);
  CHECK(error[2] < 1e-2);
}

namespace {

// A contact of a rigid body (unit mass and inertia, at the origin) in point `at` with normal z, of any size and law.
void addBodyContact(Case& c, const Vec3& at, int rows, solve::FrictionLaw law, double friction, double torsional, double rolling) {
  solve::RowProblem& p = c.problem();
  const solve::Piece all{0, 6};
  const int path = p.addPath(&all, 1), first = c.rows();
  const Vec3 axis[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  for (int k = 0; k < rows; k++) {
    const int row = p.addRow(path);
    Vector dense = Vector::Zero(6);
    if (k < 3) {
      dense.head<3>() = axis[k];
      dense.tail<3>() = at.cross(axis[k]);
    } else {
      dense.tail<3>() = axis[k - 3];
    }
    for (int e = 0; e < 6; e++) p.y(row)[e] = dense[e];
    p.finishRow(row, path, 0);
    c.Y.conservativeResize(row + 1, 6);
    c.R.conservativeResize(row + 1, 6);
    c.Y.row(row) = c.R.row(row) = dense;
  }
  p.rows[first].hi = kBoundless;
  solve::Block b{path, first, rows, law, friction};
  b.torsionalLength = torsional;
  b.rollingLength = rolling;
  p.blocks.push_back(b);
}
Case bodyContact(const Vec3& v, const Vec3& w, int rows, solve::FrictionLaw law, double friction, double torsional = 0,
                 double rolling = 0) {
  Case c(6);
  for (int k = 0; k < 3; k++) c.x[k] = v[k], c.x[3 + k] = w[k];
  addBodyContact(c, Vec3::Zero(), rows, law, friction, torsional, rolling);
  return c;
}
// Named solvers, and the largest error of a polygon of 64 directions.
double polygonError(const Named& s, double size) { return s.settings.solver == solve::Solver::Lemke ? size * 3.2 / 64 : 1e-9; }

}  // namespace

TEST_CASE("torsion and rolling: bounded by length times the normal impulse, in an interval and in a disc") {
  // Pressed with 2 N s: slips with 1, torsion slows by at most 0.2, rolling by at most 0.1 in any direction.
  const Vec3 v(3, 4, -2), w(0.6, 0.8, 1.5);
  for (const Named& s : everySolver()) {
    INFO(s.name);
    Case six = bodyContact(v, w, 6, solve::FrictionLaw::Cone, 0.5, 0.1, 0.05);
    CHECK(solve::solveRows(six.problem(), s.settings).converged);
    CHECK(six.x[0] == Approx(3 - 0.6).margin(polygonError(s, 1)));
    CHECK(six.x[1] == Approx(4 - 0.8).margin(polygonError(s, 1)));
    CHECK(six.x[2] == Approx(0).margin(1e-9));
    CHECK(six.x[5] == Approx(1.5 - 0.2).margin(1e-9));
    CHECK(six.x[3] == Approx(0.6 - 0.06).margin(polygonError(s, 0.1)));
    CHECK(six.x[4] == Approx(0.8 - 0.08).margin(polygonError(s, 0.1)));
    // At low speeds everything sticks.
    Case still = bodyContact(0.1 * v + Vec3(0, 0, -1.8), 0.05 * w, 6, solve::FrictionLaw::Cone, 0.5, 0.1, 0.05);
    CHECK(solve::solveRows(still.problem(), s.settings).converged);
    for (double u : still.x) CHECK(std::fabs(u) < 1e-9);
    Case four = bodyContact(v, w, 4, solve::FrictionLaw::Cone, 0.5, 0.1);
    solve::solveRows(four.problem(), s.settings);
    CHECK(four.x[5] == Approx(1.3).margin(1e-9));
    CHECK(four.x[3] == Approx(0.6).margin(1e-12));
    // A separating contact has no impulse.
    Case leaving = bodyContact(Vec3(1, 0, 0.5), w, 6, solve::FrictionLaw::Cone, 0.5, 0.1, 0.05);
    solve::solveRows(leaving.problem(), s.settings);
    CHECK(leaving.lambda().norm() == 0);
  }
}

TEST_CASE("laws of friction: pyramid, fixed and estimated limits") {
  const Vec3 v(3, 0.5, -2);
  for (const Named& s : everySolver()) {
    INFO(s.name);
    Case pyramid = bodyContact(v, Vec3::Zero(), 3, solve::FrictionLaw::Pyramid, 0.5);
    CHECK(solve::solveRows(pyramid.problem(), s.settings).converged);
    CHECK(pyramid.x[0] == Approx(3 - 1).margin(1e-9));  // along each tangent its own mu n
    CHECK(pyramid.x[1] == Approx(0).margin(1e-9));
    Case fixed = bodyContact(v, Vec3::Zero(), 3, solve::FrictionLaw::Fixed, 0.5);
    for (int k = 1; k < 3; k++) fixed.p.rows[k].lo = -0.3, fixed.p.rows[k].hi = 0.4;
    CHECK(solve::solveRows(fixed.problem(), s.settings).converged);
    CHECK(fixed.x[0] == Approx(3 - 0.3).margin(1e-9));
    CHECK(fixed.x[1] == Approx(0.5 - 0.3).margin(1e-9));
    Case leaving = bodyContact(Vec3(3, 0.5, 1), Vec3::Zero(), 3, solve::FrictionLaw::Fixed, 0.5);
    for (int k = 1; k < 3; k++) leaving.p.rows[k].lo = -0.3, leaving.p.rows[k].hi = 0.4;
    CHECK(solve::solveRows(leaving.problem(), s.settings).converged);
    CHECK(leaving.x[0] == Approx(3 - 0.3).margin(1e-9));  // the bounds are given, whatever the normal impulse
    // An off-centre contact: friction and normal force are coupled. Bounds from the frictionless normal force, then all rows with these
    // bounds.
    Case estimated(6), free(6), bound(6);
    for (Case* c : {&estimated, &free, &bound}) {
      c->x = {2, 0, -1, 0, 0, 0};
      addBodyContact(*c, Vec3(0.5, 0.2, -1), 3, solve::FrictionLaw::Fixed, 0.4, 0, 0);
    }
    estimated.p.blocks[0].law = solve::FrictionLaw::Estimated;
    solve::solveRows(free.problem(), s.settings);
    for (int k = 1; k < 3; k++) bound.p.rows[k].hi = 0.4 * free.p.rows[0].lambda, bound.p.rows[k].lo = -bound.p.rows[k].hi;
    CHECK(solve::solveRows(bound.problem(), s.settings).converged);
    CHECK(solve::solveRows(estimated.problem(), s.settings).converged);
    CHECK(free.p.rows[0].lambda > 0.1);
    CHECK(std::fabs(bound.p.rows[0].lambda - free.p.rows[0].lambda) > 0.01);
    CHECK((estimated.lambda() - bound.lambda()).norm() < 1e-8);
  }
}

TEST_CASE("contacts that slip have sliding friction, those that stick static friction") {
  for (const Named& s : everySolver())
    for (const solve::FrictionLaw law : {solve::FrictionLaw::Cone, solve::FrictionLaw::Pyramid, solve::FrictionLaw::Polyhedral}) {
      INFO(s.name << ", law " << int(law));
      const double error = law == solve::FrictionLaw::Pyramid ? 1e-9 : polygonError(s, 1);
      Case holds = bodyContact(Vec3(0.7, 0, -1), Vec3::Zero(), 3, law, 0.8);
      holds.p.blocks[0].slidingFriction = 0.5;
      solve::solveRows(holds.problem(), s.settings);
      CHECK(holds.x[0] == Approx(0).margin(1e-9));
      CHECK_FALSE(holds.p.blocks[0].slips);
      Case slides = bodyContact(Vec3(0.9, 0, -1), Vec3::Zero(), 3, law, 0.8);
      slides.p.blocks[0].slidingFriction = 0.5;
      solve::solveRows(slides.problem(), s.settings);
      CHECK(slides.x[0] == Approx(0.4).margin(error));
      CHECK(slides.p.blocks[0].slips);
      // A static coefficient below the sliding one has no effect.
      Case odd = bodyContact(Vec3(0.9, 0, -1), Vec3::Zero(), 3, law, 0.3);
      odd.p.blocks[0].slidingFriction = 0.5;
      solve::solveRows(odd.problem(), s.settings);
      CHECK(odd.x[0] == Approx(0.6).margin(error));
    }
}

namespace {
// One to three contacts of every size and law.
Case randomContacts(Random& r) {
  const solve::FrictionLaw laws[] = {solve::FrictionLaw::Cone, solve::FrictionLaw::Pyramid, solve::FrictionLaw::Fixed,
                                     solve::FrictionLaw::Estimated};
  const int contacts = 1 + r.below(3);
  Case c(24);
  for (double& e : c.x) e = r.range(-1, 1);
  for (int k = 0; k < contacts; k++) {
    const int rows = (const int[]){3, 4, 6}[r.below(3)], first = c.rows();
    addRows(c, r, randomPath(r, 24, 8), rows, nullptr);
    solve::Row* row = &c.p.rows[first];
    row[0].hi = kBoundless;
    row[0].bias = r.range(-1, 0);
    solve::Block b{static_cast<int>(c.p.paths.size()) - 1, first, rows, laws[r.below(4)], r.range(0, 0.8)};
    b.torsionalLength = r.range(0, 0.3);
    b.rollingLength = r.range(0, 0.3);
    for (int e = 1; e < rows; e++) row[e].lo = -r.range(0, 0.2), row[e].hi = r.range(0, 0.2);
    c.p.blocks.push_back(b);
  }
  return c;
}
}  // namespace

TEST_CASE("random contacts of every size and law: the solvers leave nothing of their own measure, and agree") {
  Random r(4);
  int compared = 0;
  for (int repeat = 0; repeat < 80; repeat++) {
    const Case before = randomContacts(r);
    if (least(before.A()) < 0.1) continue;
    compared++;
    Case reference = before;
    solve::solveRows(reference.problem(), tight(solve::Solver::Pgs));
    CHECK(reference.p.violation() < 1e-11);
    for (const Named& s : everySolver()) {
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << ": " << s.name);
      CHECK(report.converged);
      checkBounds(after.p);
      CHECK((after.lambda() - reference.lambda()).cwiseAbs().maxCoeff() < polygonError(s, 1.5) + 1e-8);
    }
  }
  CHECK(compared > 50);
}

TEST_CASE("wherever a solver stops, x holds the impulses that its rows tell") {
  Random r(5);
  double most = 0;
  for (int repeat = 0; repeat < 200; repeat++) {
    Case before = randomContacts(r);
    for (double& e : before.x) e += 0.5;  // contacts open: impulses that start warm vanish
    for (solve::Row& row : before.p.rows) row.lambda = r.range(0, 1);
    for (Named s : everySolver())
      for (const int iterations : {1, 4, 50}) {
        Case after = before;
        s.settings.iterations = iterations;
        after.problem().keepStart();
        solve::runSolver(after.p, s.settings);
        const Vector x = Eigen::Map<const Vector>(before.x.data(), 24) + before.R.transpose() * after.lambda();
        INFO(repeat << ": " << s.name << ", " << iterations << " iterations");
        CHECK((Eigen::Map<const Vector>(after.x.data(), 24) - x).cwiseAbs().maxCoeff() < 1e-12);
        most = std::max(most, after.lambda().cwiseAbs().maxCoeff());
      }
  }
  CHECK(most > 0.5);
}

TEST_CASE("redundant rows and rows that only a semidefinite matrix joins: the motion is found") {
  Random r(5);
  int compared = 0, slow = 0;
  for (int repeat = 0; repeat < 60; repeat++) {
    const int size = 2 + r.below(4), n = size + 1 + r.below(6);
    Case before(size);
    Vector v(size);
    for (int k = 0; k < size; k++) v[k] = r.range(-1, 1), before.x[k] = r.range(-1, 1);
    while (before.rows() < n) {
      const int first = before.rows();
      addRows(before, r, randomPath(r, size, size < 3 ? 1 : 2), 1, nullptr);
      solve::Row& row = before.p.rows[first];
      row.bias = -before.Y.row(first).dot(v);
      row.hi = kBoundless;
      if (r.below(3) == 0)
        row.lo = -kBoundless;
      else
        row.bias += 0.2 * r.unit();
      before.p.blocks.push_back({static_cast<int>(before.p.paths.size()) - 1, first});
    }
    // Impulses may differ; the motion is the nearest one that meets the rows.
    const NearestMotion nearest = nearestMotion(before);
    REQUIRE(nearest.exists);
    for (Named s : everySolver()) {
      const bool direct = s.settings.solver == solve::Solver::Dantzig || s.settings.solver == solve::Solver::Lemke;
      if (direct) s.settings.tolerance = 1e-9;
      Case after = before;
      const solve::SolveReport report = solve::solveRows(after.problem(), s.settings);
      INFO(repeat << ": " << s.name << " left " << report.residual);
      CHECK_FALSE(report.infeasible);
      CHECK(after.lambda().allFinite());
      checkBounds(after.p);
      double error = 0;
      for (int k = 0; k < size; k++) error = std::max(error, std::fabs(after.x[k] - before.x[k] - nearest.change[k]));
      compared++;
      if (report.converged || direct) {
        CHECK(error < 1e-8);
        continue;
      }
      slow++;  // on nearly dependent rows
      CHECK(report.residual < 2e-3);
      CHECK(error < 0.1);
    }
  }
  CHECK(compared == 60 * 14);
  CHECK(slow <= 30);
}

TEST_CASE("degenerate: many rows at their bounds at once") {
  // Copies of one row, and rows whose velocity is zero at zero impulse.
  for (const Named& s : everySolver()) {
    Case c(3);
    c.x = {-1, 0, 0};
    Random r(6);
    for (int k = 0; k < 12; k++) {
      const int first = c.rows();
      addRows(c, r, {k % 3}, 1, nullptr);
      c.p.rows[first].hi = k % 4 == 3 ? 0.1 : kBoundless;
      c.p.blocks.push_back({static_cast<int>(c.p.paths.size()) - 1, first});
    }
    solve::SolverSettings settings = s.settings;
    settings.tolerance = 1e-10;
    const solve::SolveReport report = solve::solveRows(c.problem(), settings);
    INFO(s.name);
    CHECK(report.converged);
    CHECK(c.p.violation() < 1e-9);
    CHECK(c.p.complementarity() < 1e-9);
    checkBounds(c.p);
  }
}

TEST_CASE("reruns are bit-equal, whatever was solved before with the same memory") {
  Random r(9);
  const Case a = contactCase(r, 4, 3, 16, false, 0.7), b = contactCase(r, 2, 5, 9, false, 0.7);
  for (const Named& s : everySolver()) {
    INFO(s.name);
    Case first = a, other = b;
    solve::solveRows(first.problem(), s.settings);
    other.p.work = first.p.work;
    solve::solveRows(other.problem(), s.settings);
    Case second = a;
    second.p.work = other.p.work;
    solve::solveRows(second.problem(), s.settings);
    CHECK(std::memcmp(first.x.data(), second.x.data(), first.x.size() * sizeof(double)) == 0);
    for (int i = 0; i < first.rows(); i++) CHECK(first.p.rows[i].lambda == second.p.rows[i].lambda);
  }
}
