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
inline solve::SolverSettings tight(solve::Solver solver, int iterations = 20000, double tolerance = 1e-13) {
  solve::SolverSettings s;
  s.solver = solver;
  s.iterations = iterations;
  s.tolerance = tolerance;
  s.frictionDirections = 64;
  return s;
}
// Every solver, and every option of the sweeps.
inline std::vector<Named> everySolver() {
  std::vector<Named> all = {{"pgs", tight(solve::Solver::Pgs)},
                            {"dantzig", tight(solve::Solver::Dantzig, 200)},
                            {"jacobi", tight(solve::Solver::Jacobi, 300000)},
                            {"cg", tight(solve::Solver::Cg)},
                            {"lemke", tight(solve::Solver::Lemke)},
                            {"pgs plain", tight(solve::Solver::Pgs)},
                            {"pgs sor", tight(solve::Solver::Pgs)},
                            {"pgs under-relaxed", tight(solve::Solver::Pgs)},
                            {"pgs backward", tight(solve::Solver::Pgs)},
                            {"pgs symmetric", tight(solve::Solver::Pgs)},
                            {"pgs shuffled", tight(solve::Solver::Pgs)},
                            {"pgs whole", tight(solve::Solver::Pgs)},
                            {"cg whole", tight(solve::Solver::Cg)},
                            {"jacobi whole", tight(solve::Solver::Jacobi, 300000)}};
  for (Named& n : all) {
    if (n.name == "pgs plain" || n.name == "pgs sor" || n.name == "pgs under-relaxed" || n.name == "pgs shuffled")
      n.settings.accelerate = false;
    if (n.name == "pgs sor") n.settings.relaxation = 1.15;
    if (n.name == "pgs under-relaxed") n.settings.relaxation = 0.7;
    if (n.name == "pgs backward") n.settings.order = solve::SweepOrder::Backward;
    if (n.name == "pgs symmetric") n.settings.order = solve::SweepOrder::Symmetric;
    if (n.name == "pgs shuffled") n.settings.order = solve::SweepOrder::Shuffled;
    if (n.name.find("whole") != std::string::npos) n.settings.wholeContacts = true;
  }
  return all;
}
inline double least(const Matrix& A) { return Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[0]; }

}  // namespace test
