// Every solver with every option of the sweeps, by name.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "tests/engine/solve/row_cases.hpp"

namespace test {

struct Named {
  std::string name;
  solve::SolverSettings settings;
};
solve::SolverSettings tight(solve::Solver solver, int iterations = 20000, double tolerance = 1e-13);
// Every solver, and every option of the sweeps.
std::vector<Named> everySolver();
double least(const Matrix& A);

}  // namespace test
