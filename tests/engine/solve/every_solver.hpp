// Every solver with every option of the sweeps, by name.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "tests/engine/solve/row_cases.hpp"

namespace test {

struct Named {
  std::string name;
  SolverSettings settings;
};
inline SolverSettings tight(Solver solver, int iterations = 20000, double tolerance = 1e-13) {
  SolverSettings s;
  s.solver = solver;
  s.iterations = iterations;
  s.tolerance = tolerance;
  s.frictionDirections = 64;
  return s;
}
// Every solver, and every option of the sweeps.
inline std::vector<Named> everySolver() {
  std::vector<Named> all = {{"pgs", tight(Solver::Pgs)},
                            {"dantzig", tight(Solver::Dantzig, 200)},
                            {"jacobi", tight(Solver::Jacobi, 300000)},
                            {"cg", tight(Solver::Cg)},
                            {"lemke", tight(Solver::Lemke)},
                            {"pgs plain", tight(Solver::Pgs)},
                            {"pgs sor", tight(Solver::Pgs)},
                            {"pgs under-relaxed", tight(Solver::Pgs)},
                            {"pgs backward", tight(Solver::Pgs)},
                            {"pgs symmetric", tight(Solver::Pgs)},
                            {"pgs shuffled", tight(Solver::Pgs)},
                            {"pgs whole", tight(Solver::Pgs)},
                            {"cg whole", tight(Solver::Cg)},
                            {"jacobi whole", tight(Solver::Jacobi, 300000)}};
  for (Named& n : all) {
    if (n.name == "pgs plain" || n.name == "pgs sor" || n.name == "pgs under-relaxed" || n.name == "pgs shuffled")
      n.settings.accelerate = false;
    if (n.name == "pgs sor") n.settings.relaxation = 1.15;
    if (n.name == "pgs under-relaxed") n.settings.relaxation = 0.7;
    if (n.name == "pgs backward") n.settings.order = SweepOrder::Backward;
    if (n.name == "pgs symmetric") n.settings.order = SweepOrder::Symmetric;
    if (n.name == "pgs shuffled") n.settings.order = SweepOrder::Shuffled;
    if (n.name.find("whole") != std::string::npos) n.settings.wholeContacts = true;
  }
  return all;
}
inline double least(const Matrix& A) { return Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[0]; }

}  // namespace test
