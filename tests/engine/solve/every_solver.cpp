// Bodies of every_solver.hpp, compiled once (row_cases.cpp).
#include "tests/engine/solve/every_solver.hpp"

namespace test {

solve::SolverSettings tight(solve::Solver solver, int iterations, double tolerance) {
  solve::SolverSettings s;
  s.solver = solver;
  s.iterations = iterations;
  s.tolerance = tolerance;
  s.frictionDirections = 64;
  return s;
}

std::vector<Named> everySolver() {
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

double least(const Matrix& A) { return Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[0]; }

}  // namespace test
