// Bodies of row_cases.hpp, compiled once for all programs of this folder: Eigen's decompositions take most of their building time.
#include "tests/engine/solve/row_cases.hpp"

namespace test {

Matrix Case::A() const {
  Matrix a = Y * R.transpose();
  for (int i = 0; i < rows(); i++) a(i, i) += p.rows[i].sigma;
  return a;
}
Vector Case::bias() const {
  Vector b = Y * Eigen::Map<const Vector>(x.data(), static_cast<int>(x.size()));
  for (int i = 0; i < rows(); i++) b[i] += p.rows[i].bias;
  return b;
}
Vector Case::lambda() const {
  Vector l(rows());
  for (int i = 0; i < rows(); i++) l[i] = p.rows[i].lambda;
  return l;
}

void addRows(Case& c, Random& r, const std::vector<int>& coordinates, int count, const Matrix* M) {
  solve::RowProblem& p = c.problem();
  const int size = static_cast<int>(c.x.size());
  std::vector<solve::Piece> pieces;
  if (M)
    pieces.push_back({0, size});  // the response involves all coordinates
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
    for (const solve::Piece& piece : pieces)
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
std::vector<int> randomPath(Random& r, int size, int atLeast) {
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
void randomBounds(Random& r, solve::Row& row) {
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
    c.p.rows[first].lambda = r.range(-1, 1);  // an old warm start, which must not matter
    c.p.blocks.push_back({static_cast<int>(c.p.paths.size()) - 1, first});
  }
  return c;
}
double worstViolation(const Matrix& A, const Vector& b, const std::vector<solve::Row>& rows, const Vector& lambda) {
  const Vector u = A * lambda + b;
  double worst = 0;
  for (int i = 0; i < b.size(); i++) {
    if (!(A(i, i) > 0)) continue;
    worst = std::max(worst, std::fabs(lambda[i] - std::min(rows[i].hi, std::max(rows[i].lo, lambda[i] - u[i] / A(i, i)))) * A(i, i));
  }
  return worst;
}
bool enumerate(const Matrix& A, const Vector& b, const std::vector<solve::Row>& rows, Vector& lambda) {
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
void checkBounds(const solve::RowProblem& p) {
  for (const solve::Block& block : p.blocks) {
    const solve::Row* row = &p.rows[block.row];
    REQUIRE(row->lambda >= row->lo);
    REQUIRE(row->lambda <= row->hi);
    solve::FrictionRows groups[3];
    const int count = solve::frictionRows(block, groups);
    for (int g = 0; g < count; g++) {
      const solve::Row* f = row + groups[g].first;
      const double bound = groups[g].coefficient * row->lambda * (1 + 1e-14), second = groups[g].rows == 2 ? f[1].lambda : 0;
      if (block.law == solve::FrictionLaw::Fixed || block.law == solve::FrictionLaw::Estimated)
        for (int k = 0; k < groups[g].rows; k++) REQUIRE((f[k].lambda >= f[k].lo && f[k].lambda <= f[k].hi));
      else if (block.law == solve::FrictionLaw::Pyramid)
        REQUIRE(std::max(std::fabs(f->lambda), std::fabs(second)) <= bound);
      else
        REQUIRE(std::hypot(f->lambda, second) <= bound);
    }
  }
}
void checkMoved(const Case& before, const Case& after) {
  const Vector moved = before.R.transpose() * after.lambda();
  const double size = 1 + moved.norm() + (before.R.array().abs().matrix().transpose() * after.lambda().cwiseAbs()).norm();
  for (std::size_t i = 0; i < before.x.size(); i++) CHECK(after.x[i] == Approx(before.x[i] + moved[i]).margin(1e-13 * size));
}
Case contactCase(Random& r, int contacts, int scalars, int size, bool metric, double friction) {
  Case c(size);
  Matrix M;
  if (metric) M = randomSpd(r, size);
  for (double& e : c.x) e = r.range(-1, 1);
  for (int k = 0; k < contacts + scalars; k++) {
    const int first = c.rows();
    const bool contact = k % 2 == 0 ? k / 2 < contacts : k >= 2 * scalars;
    addRows(c, r, randomPath(r, size, 3), contact ? 3 : 1, metric ? &M : nullptr);
    solve::Row* row = &c.p.rows[first];
    if (contact) {
      row[0].lo = 0;
      row[0].hi = kBoundless;
      row[0].bias = r.range(-1, 0.2);
      for (int e = 0; e < 3; e++) row[e].lambda = r.range(0, 1);
    } else {
      randomBounds(r, row[0]);
    }
    c.p.blocks.push_back({static_cast<int>(c.p.paths.size()) - 1, first, contact ? 3 : 1, solve::FrictionLaw::Cone,
                          contact ? friction * r.range(0.5, 1) : 0});
  }
  return c;
}
double frictionDeparture(const Case& before, const Vector& lambda) {
  const Vector u = before.A() * lambda + before.bias();
  double worst = 0;
  for (const solve::Block& block : before.p.blocks) {
    if (!block.contact()) continue;
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
Case pointContact(const Vec3& v, double friction, const Vec3& warm, const Vec3& sigma) {
  Case c(3);
  for (int k = 0; k < 3; k++) c.x[k] = v[k];
  solve::RowProblem& p = c.problem();
  const solve::Piece all{0, 3};
  const int path = p.addPath(&all, 1);
  for (int k = 0; k < 3; k++) {
    const int row = p.addRow(path);
    p.y(row)[k] = 1;
    p.finishRow(row, path, sigma[k]);
    p.rows[row].lambda = warm[k];
  }
  p.rows[0].hi = kBoundless;
  p.blocks.push_back({path, 0, 3, solve::FrictionLaw::Cone, friction});
  return c;
}
solve::SolveReport solve(Case& c, solve::Solver solver, int iterations, double tolerance) {
  solve::SolverSettings s;
  s.solver = solver;
  s.iterations = iterations;
  s.tolerance = tolerance;
  return solve::solveRows(c.problem(), s);
}

}  // namespace test
