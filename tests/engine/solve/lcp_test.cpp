// Rows with bounds: the direct solver against enumeration of index sets and against sweeps run to the end, on rows that live on random
// paths over x; redundant and contradicting rows; friction on the true cone; the incremental factor against a dense solve.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/solve/ldlt.hpp"
#include "engine/solve/rows.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using test::Random;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

namespace {

constexpr double kBoundless = std::numeric_limits<double>::infinity();

// A problem with its x; copies solve independently.
struct Case {
  RowProblem p;
  std::vector<double> x;
  Matrix Y, R;  // rows by numbers of x

  explicit Case(int size) : x(size) {}
  Case(const Case&) = default;
  RowProblem& problem() {
    p.x = x.data();
    p.size = static_cast<int>(x.size());
    return p;
  }
  int rows() const { return static_cast<int>(p.rows.size()); }
  Matrix A() const {
    Matrix a = Y * R.transpose();
    for (int i = 0; i < rows(); i++) a(i, i) += p.rows[i].sigma;
    return a;
  }
  Vector bias() const {
    Vector b = Y * Eigen::Map<const Vector>(x.data(), static_cast<int>(x.size()));
    for (int i = 0; i < rows(); i++) b[i] += p.rows[i].bias;
    return b;
  }
  Vector lambda() const {
    Vector l(rows());
    for (int i = 0; i < rows(); i++) l[i] = p.rows[i].lambda;
    return l;
  }
};

// Adds rows on one path and records them densely. M: inverse inertia, symmetric over x; null for the identity (y = r).
void addRows(Case& c, Random& r, const std::vector<int>& coordinates, int count, const Matrix* M) {
  RowProblem& p = c.problem();
  const int size = static_cast<int>(c.x.size());
  std::vector<Piece> pieces;
  if (M)
    pieces.push_back({0, size});  // the response reaches everything
  else
    for (std::size_t i = 0; i < coordinates.size();) {
      std::size_t j = i + 1;
      while (j < coordinates.size() && coordinates[j] == coordinates[j - 1] + 1) j++;
      pieces.push_back({coordinates[i], static_cast<int>(j - i)});
      i = j;
    }
  const int path = p.addPath(pieces.data(), static_cast<int>(pieces.size()));
  for (int k = 0; k < count; k++) {
    const int row = p.addRow(path);
    Vector dense = Vector::Zero(size);
    for (int q : coordinates) dense[q] = r.range(-1, 1);
    int o = 0;
    for (const Piece& piece : pieces)
      for (int e = 0; e < piece.count; e++) p.y(row)[o++] = dense[piece.offset + e];
    Vector response = dense;
    if (M) {
      response = *M * dense;
      p.separateResponse(row, path);
      for (int e = 0; e < size; e++) p.r(row)[e] = response[e];
    }
    p.finishRow(row, path, 0);
    c.Y.conservativeResize(row + 1, size);
    c.R.conservativeResize(row + 1, size);
    c.Y.row(row) = dense;
    c.R.row(row) = response;
  }
}
std::vector<int> randomPath(Random& r, int size, int atLeast = 1) {
  std::vector<int> path;
  while (static_cast<int>(path.size()) < atLeast) {
    path.clear();
    for (int i = 0; i < size; i++)
      if (r.below(3) > 0) path.push_back(i);
  }
  return path;
}
Matrix randomSpd(Random& r, int n) {
  Matrix g(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) g(i, j) = r.range(-1, 1);
  return g * g.transpose() + 0.3 * Matrix::Identity(n, n);
}
void randomBounds(Random& r, Row& row) {
  row.bias = r.range(-1, 1);
  switch (r.below(5)) {
    case 0:
      row.lo = -kBoundless, row.hi = kBoundless;
      break;
    case 1:
      row.lo = -r.range(0, 0.5), row.hi = r.range(0, 0.5);
      break;
    case 2:
      row.lo = -kBoundless, row.hi = 0;
      break;
    default:
      row.lo = 0, row.hi = kBoundless;
  }
}
Case scalarCase(Random& r, int n, int size, bool metric) {
  Case c(size);
  Matrix M;
  if (metric) M = randomSpd(r, size);
  for (double& e : c.x) e = r.range(-1, 1);
  while (c.rows() < n) {
    const int first = c.rows();
    addRows(c, r, randomPath(r, size), 1, metric ? &M : nullptr);
    randomBounds(r, c.p.rows[first]);
    c.p.rows[first].lambda = r.range(-1, 1);  // a guess left over, which must not matter
    c.p.blocks.push_back({static_cast<int>(c.p.paths.size()) - 1, first, false, 0});
  }
  return c;
}

// Independent statement of what a solution is: the gap between lambda and its projection after a move against the velocity.
double worstViolation(const Matrix& A, const Vector& b, const std::vector<Row>& rows, const Vector& lambda) {
  const Vector u = A * lambda + b;
  double worst = 0;
  for (int i = 0; i < b.size(); i++) {
    if (!(A(i, i) > 0)) continue;
    worst = std::max(worst, std::fabs(lambda[i] - std::min(rows[i].hi, std::max(rows[i].lo, lambda[i] - u[i] / A(i, i)))) * A(i, i));
  }
  return worst;
}
// All choices of low, clamped, high. Returns whether one is a solution.
bool enumerate(const Matrix& A, const Vector& b, const std::vector<Row>& rows, Vector& lambda) {
  const int n = static_cast<int>(b.size());
  int choices = 1;
  for (int i = 0; i < n; i++) choices *= 3;
  for (int code = 0; code < choices; code++) {
    std::vector<int> clamped;
    lambda.setZero(n);
    bool possible = true;
    for (int i = 0, rest = code; i < n; i++, rest /= 3) {
      if (rest % 3 == 0)
        clamped.push_back(i);
      else
        lambda[i] = rest % 3 == 1 ? rows[i].lo : rows[i].hi;
      possible = possible && std::isfinite(lambda[i]);
    }
    if (!possible) continue;
    const int c = static_cast<int>(clamped.size());
    Matrix Acc(c, c);
    Vector rhs(c);
    const Vector fixed = A * lambda + b;
    for (int i = 0; i < c; i++) {
      rhs[i] = -fixed[clamped[i]];
      for (int j = 0; j < c; j++) Acc(i, j) = A(clamped[i], clamped[j]);
    }
    if (c > 0) {
      const Vector part = Acc.ldlt().solve(rhs);
      for (int i = 0; i < c; i++) lambda[clamped[i]] = part[i];
    }
    bool inside = true;
    for (int i = 0; i < n; i++) inside = inside && lambda[i] >= rows[i].lo && lambda[i] <= rows[i].hi;
    if (inside && worstViolation(A, b, rows, lambda) < 1e-10) return true;
  }
  return false;
}
void checkBounds(const RowProblem& p) {
  for (const Block& block : p.blocks) {
    const Row* row = &p.rows[block.row];
    REQUIRE(row->lambda >= row->lo);
    REQUIRE(row->lambda <= row->hi);
    if (block.contact) REQUIRE(std::hypot(row[1].lambda, row[2].lambda) <= block.friction * row->lambda * (1 + 1e-14));
  }
}
// x was moved by just the impulses that are reported.
void checkMoved(const Case& before, const Case& after) {
  const Vector moved = before.R.transpose() * after.lambda();
  const double size = 1 + moved.norm() + (before.R.array().abs().matrix().transpose() * after.lambda().cwiseAbs()).norm();
  for (std::size_t i = 0; i < before.x.size(); i++) CHECK(after.x[i] == Approx(before.x[i] + moved[i]).margin(1e-13 * size));
}
const LcpSettings kTight{200, 1e-12};

}  // namespace

TEST_CASE("bounded rows: the direct solver finds the solution that enumeration of index sets finds") {
  Random r(1);
  double worst = 0;
  for (int repeat = 0; repeat < 400; repeat++) {
    const int n = 1 + r.below(7), size = n + r.below(6);
    const Case before = scalarCase(r, n, size, repeat % 2);
    const Matrix A = before.A();
    if (Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[0] < 1e-3) continue;
    Case after = before;
    const SolveReport report = solveDantzig(after.problem(), kTight);
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

namespace {

// Contacts of free points on paths: tangents and normal of one contact share a path; some scalar rows among them.
Case contactCase(Random& r, int contacts, int scalars, int size, bool metric, double friction) {
  Case c(size);
  Matrix M;
  if (metric) M = randomSpd(r, size);
  for (double& e : c.x) e = r.range(-1, 1);
  for (int k = 0; k < contacts + scalars; k++) {
    const int first = c.rows();
    const bool contact = k % 2 == 0 ? k / 2 < contacts : k >= 2 * scalars;
    addRows(c, r, randomPath(r, size, 3), contact ? 3 : 1, metric ? &M : nullptr);
    Row* row = &c.p.rows[first];
    if (contact) {
      row[0].lo = 0;
      row[0].hi = kBoundless;
      row[0].bias = r.range(-1, 0.2);
      for (int e = 0; e < 3; e++) row[e].lambda = r.range(0, 1);
    } else {
      randomBounds(r, row[0]);
    }
    c.p.blocks.push_back({static_cast<int>(c.p.paths.size()) - 1, first, contact, contact ? friction * r.range(0.5, 1) : 0});
  }
  return c;
}
// Friction at each contact: zero slip inside the cone, or on the cone and against the slip. Largest departure, as velocity.
double frictionDeparture(const Case& before, const Vector& lambda) {
  const Vector u = before.A() * lambda + before.bias();
  double worst = 0;
  for (const Block& block : before.p.blocks) {
    if (!block.contact) continue;
    const Eigen::Vector2d f = lambda.segment<2>(block.row + 1), v = u.segment<2>(block.row + 1);
    const double bound = block.friction * lambda[block.row];
    if (bound - f.norm() > 1e-9) {
      worst = std::max(worst, v.norm());
    } else if (bound > 1e-9) {
      worst = std::max(worst, std::fabs(f.x() * v.y() - f.y() * v.x()) / bound);  // across
      worst = std::max(worst, f.dot(v) / bound);                                  // along
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("contacts: cone, bounds, friction against the slip; the same as sweeps run to the end") {
  Random r(2);
  double apart = 0, departure = 0;
  int compared = 0, slipping = 0;
  for (int repeat = 0; repeat < 300; repeat++) {
    const int contacts = 1 + r.below(4), scalars = r.below(4), size = 3 * contacts + scalars + r.below(6);
    const Case before = contactCase(r, contacts, scalars, size, repeat % 2, 0.8);
    if (Eigen::SelfAdjointEigenSolver<Matrix>(before.A()).eigenvalues()[0] < 1e-2) continue;  // sweeps would take for ever
    Case direct = before, sweeps = before;
    const SolveReport report = solveDantzig(direct.problem(), kTight);
    INFO(repeat);
    checkBounds(direct.p);
    checkMoved(before, direct);
    CHECK(report.residual < 1e-11);
    departure = std::max(departure, frictionDeparture(before, direct.lambda()));
    solvePgs(sweeps.problem(), {20000, 1e-14});
    REQUIRE(sweeps.p.violation() < 1e-10);
    CHECK(frictionDeparture(before, sweeps.lambda()) < 1e-9);
    compared++;
    for (const Block& b : direct.p.blocks) {
      const Row* row = &direct.p.rows[b.row];
      if (b.contact && row->lambda > 1e-6) slipping += std::hypot(row[1].lambda, row[2].lambda) > b.friction * row->lambda * (1 - 1e-9);
    }
    apart = std::max(apart, (direct.lambda() - sweeps.lambda()).cwiseAbs().maxCoeff());
  }
  CHECK(compared > 200);
  CHECK(slipping > 200);
  CHECK(apart < 1e-10);
  CHECK(departure < 1e-10);
}

namespace {

// One contact of a unit mass at velocity `v` (normal, two tangents), with a warm start that may be wrong.
Case pointContact(const Vec3& v, double friction, const Vec3& warm, const Vec3& sigma) {
  Case c(3);
  for (int k = 0; k < 3; k++) c.x[k] = v[k];
  RowProblem& p = c.problem();
  const Piece all{0, 3};
  const int path = p.addPath(&all, 1);
  for (int k = 0; k < 3; k++) {
    const int row = p.addRow(path);
    p.y(row)[k] = 1;
    p.finishRow(row, path, sigma[k]);
    p.rows[row].lambda = warm[k];
  }
  p.rows[0].hi = kBoundless;
  p.blocks.push_back({path, 0, true, friction});
  return c;
}
const auto kSolvers = {solvePgs, solveDantzig};

}  // namespace

TEST_CASE("boundless friction: what presses sticks, what leaves is let go") {
  for (const auto solve : kSolvers) {
    Case leaving = pointContact(Vec3(0.5, 0.3, -0.2), kBoundless, Vec3(0.4, 0.1, 0.2), Vec3::Zero());
    leaving.p.rows[0].lambda = 0;  // friction of old, but no pressure
    const SolveReport left = solve(leaving.problem(), kTight);
    CHECK(leaving.lambda().norm() == 0);
    CHECK((Eigen::Map<Vec3>(leaving.x.data()) - Vec3(0.5, 0.3, -0.2)).norm() < 1e-14);
    CHECK(left.residual < 1e-12);
    Case pressing = pointContact(Vec3(-0.5, 30, -20), kBoundless, Vec3::Zero(), Vec3::Zero());
    const SolveReport stuck = solve(pressing.problem(), kTight);
    CHECK(Eigen::Map<Vec3>(pressing.x.data()).norm() < 1e-12);
    CHECK(stuck.residual < 1e-12);
  }
}

TEST_CASE("softness of every row of a contact counts: u + sigma lambda = 0") {
  const Vec3 v(-2, 0.5, -0.25), sigma(0.1, 1, 3);
  for (const auto solve : kSolvers) {
    Case c = pointContact(v, 10, Vec3::Zero(), sigma);
    CHECK(solve(c.problem(), kTight).residual < 1e-11);
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
    // More rows than the paths have freedom, all with biases that agree: u = y . v for one motion v.
    const int size = 2 + r.below(5), n = size + 1 + r.below(8);
    Case before(size);
    Vector v(size);
    for (int k = 0; k < size; k++) v[k] = r.range(-1, 1), before.x[k] = r.range(-1, 1);
    while (before.rows() < n) {
      const int first = before.rows();
      addRows(before, r, randomPath(r, size, size < 3 ? 1 : 2), 1, nullptr);
      Row& row = before.p.rows[first];
      row.bias = -before.Y.row(first).dot(v) + (r.below(2) ? -0.2 * r.unit() : 0.0);
      const int kind = r.below(3);
      if (kind == 0 && row.bias == -before.Y.row(first).dot(v))
        row.lo = -kBoundless, row.hi = kBoundless;
      else
        row.bias = -before.Y.row(first).dot(v) + 0.2 * r.unit(), row.lo = 0, row.hi = kBoundless;  // u >= -bias, which v meets
      before.p.blocks.push_back({static_cast<int>(before.p.paths.size()) - 1, first, false, 0});
    }
    Case direct = before, sweeps = before;
    const SolveReport report = solveDantzig(direct.problem(), kTight);
    solvePgs(sweeps.problem(), {50000, 1e-13});
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
    RowProblem& p = c.problem();
    const Piece all{0, 6};
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
      p.blocks.push_back({path, first, true, 0.5});
    }
    const SolveReport report = solveDantzig(p, {50, 1e-9});
    INFO(legs);
    CHECK(report.residual < 1e-9);
    for (double u : c.x) CHECK(std::fabs(u) < 1e-9);
    checkBounds(p);
  }
}

TEST_CASE("contradicting rows end inside their bounds, no worse than sweeps") {
  Random r(5);
  double worst = 0;
  for (int repeat = 0; repeat < 300; repeat++) {
    const int size = 3 + r.below(3), contacts = r.below(4);
    Case before = contactCase(r, contacts, size + r.below(8), size, false, 1);
    Case direct = before, sweeps = before;
    const SolveReport report = solveDantzig(direct.problem(), {1000, 1e-9});
    checkBounds(direct.p);
    checkMoved(before, direct);
    for (Row& row : sweeps.p.rows) row.lambda = 0;  // where sweeps of contradicting rows end depends on their start
    solvePgs(sweeps.problem(), {1000, 1e-9});
    INFO(repeat);
    CHECK(report.residual <= 1.1 * sweeps.p.violation() + 1e-8);
    CHECK(report.residual == Approx(direct.p.violation()).margin(1e-12));
    worst = std::max(worst, report.residual);
  }
  CHECK(worst > 0.1);  // they do contradict
}

TEST_CASE("rows that can move nothing or are no numbers leave the others alone") {
  Random r(6);
  Case c = scalarCase(r, 5, 8, false);
  const int first = c.rows(), path = c.p.blocks[0].path;
  RowProblem& p = c.problem();
  p.addRow(path);
  p.finishRow(first, path, 0);
  p.rows[first].hi = kBoundless;
  p.rows[first].bias = -1;
  p.blocks.push_back({path, first, false, 0});
  p.rows[1].bias = std::nan("");
  p.rows[1].lo = 0;
  p.rows[1].hi = kBoundless;
  solveDantzig(p, kTight);
  CHECK(p.rows[first].lambda == 0);
  CHECK(p.rows[1].lambda == 0);
  for (double u : c.x) CHECK(std::isfinite(u));
  checkBounds(p);
  RowProblem none;
  CHECK(solveDantzig(none, kTight).iterations == 0);
}

TEST_CASE("LDL^T: rows added and removed in any order solve like the dense part") {
  Random r(7);
  for (int repeat = 0; repeat < 60; repeat++) {
    const int n = 2 + r.below(25);
    const Matrix A = randomSpd(r, n);
    IncrementalLdlt factor;
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
    // A row that those present imply is refused, and nothing changes.
    if (in.size() < 2) continue;
    const double before = factor.size();
    Vector twin(n);
    for (std::size_t k = 0; k < in.size(); k++) twin[k] = A(in[0], in[k]) + A(in[1], in[k]);
    CHECK_FALSE(factor.add(twin.data(), A(in[0], in[0]) + 2 * A(in[0], in[1]) + A(in[1], in[1]), 1e-10));
    CHECK(factor.size() == before);
  }
}
