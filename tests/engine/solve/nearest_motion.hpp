// The nearest motion that meets rows without friction, found without any solver of the engine: least squares by active sets.
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/solve/row_cases.hpp"

namespace test {

// The least |B d - e| with d >= 0 except where `anySign` (Lawson and Hanson 1974, Solving Least Squares Problems).
Vector leastSquares(const Matrix& B, const Vector& e, const std::vector<char>& anySign);

// The least change of x that meets the hard rows with unbounded impulses (scalar rows and normals with a bound missing); none: they are
// infeasible. For Y a row each and b their velocities, the residual s of the least |(Y, b) d + (0, 1)| with such d is, by its optimality, a
// motion s_x / s_1 that meets the rows, of size sqrt(1 / s_1 - 1), and the least; s_1 = 0 is Farkas' certificate. Metric: the identity.
struct NearestMotion {
  bool exists = true;
  double distance = 0;
  Vector change;
};
NearestMotion nearestMotion(const Case& c);

}  // namespace test
