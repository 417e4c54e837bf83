// Random row problems for the tests of the solvers, with their dense form, and independent definitions of a solution.
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/solve/rows.hpp"
#include "tests/support.hpp"

namespace test {

using namespace vertebra;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kBoundless = std::numeric_limits<double>::infinity();

// A problem with its x; copies solve independently.
struct Case {
  solve::RowProblem p;
  std::vector<double> x;
  Matrix Y, R;  // rows by numbers of x

  explicit Case(int size) : x(size) {}
  Case(const Case&) = default;
  solve::RowProblem& problem() {
    p.x = x.data();
    p.size = static_cast<int>(x.size());
    return p;
  }
  int rows() const { return static_cast<int>(p.rows.size()); }
  Matrix A() const;
  Vector bias() const;
  Vector lambda() const;
};

// Adds rows on one path and records them densely. M: inverse inertia, symmetric over x; null for the identity (y = r).
void addRows(Case& c, Random& r, const std::vector<int>& coordinates, int count, const Matrix* M);
std::vector<int> randomPath(Random& r, int size, int atLeast = 1);
Matrix randomSpd(Random& r, int n);
void randomBounds(Random& r, solve::Row& row);
Case scalarCase(Random& r, int n, int size, bool metric);
// Independent definition of a solution: the distance between lambda and its projection after a step against the velocity.
double worstViolation(const Matrix& A, const Vector& b, const std::vector<solve::Row>& rows, const Vector& lambda);
// All choices of low, clamped, high. Returns whether one is a solution.
bool enumerate(const Matrix& A, const Vector& b, const std::vector<solve::Row>& rows, Vector& lambda);
void checkBounds(const solve::RowProblem& p);
// x was moved by exactly the reported impulses.
void checkMoved(const Case& before, const Case& after);
// Contacts of free points on paths: tangents and normal of one contact share a path; some scalar rows among them.
Case contactCase(Random& r, int contacts, int scalars, int size, bool metric, double friction);
// Friction at each contact: zero slip inside the cone, or on the cone and against the slip. Largest deviation, as velocity.
double frictionDeparture(const Case& before, const Vector& lambda);
// One contact of a unit mass at velocity `v` (normal, two tangents), with a warm start that may be wrong.
Case pointContact(const Vec3& v, double friction, const Vec3& warm, const Vec3& sigma);
solve::SolveReport solve(Case& c, solve::Solver solver, int iterations, double tolerance);

}  // namespace test
