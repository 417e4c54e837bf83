// How bounded rows are solved: the choice of a solver, its settings, and its report. Units: velocities in m/s or rad/s.
#pragma once
#include <cstdint>
#include <limits>

namespace vertebra::solve {

enum class Solver : std::uint8_t { Pgs, Dantzig, Jacobi, Cg, Lemke };
enum class SweepOrder : std::uint8_t {
  Forward,
  Backward,
  Symmetric,
  Shuffled
};  // shuffled anew each sweep, with the same sequence in every run

struct SolverSettings {
  int iterations = 50;      // sweeps; of a direct solver: passes over friction bounds
  double tolerance = 1e-4;  // of the residual
  Solver solver = Solver::Pgs;
  // Sweeps.
  double relaxation = 1;  // factor on each step, in (0, 2)
  SweepOrder order = SweepOrder::Forward;
  bool wholeContacts = false;  // a contact's three rows at once, exactly, instead of one after the other
  bool accelerate = true;      // conjugate directions on top of plain sweeps that do not settle
  // Lemke.
  int frictionDirections = 8;  // of the polygon that replaces the cone
  // m/s: an answer that leaves more is not accepted before dearer methods were tried (SolveReport::unsolved).
  double bearable = std::numeric_limits<double>::infinity();
  // m/s: sweeps over joints' rows and contacts end where they leave less (RowProblem::remainder). 0: at the tolerance.
  double enough = 0;
};

struct SolveReport {
  int iterations = 0;          // sweeps or pivots
  double products = 0;         // of these pivots in a dense matrix
  double residual = 0;         // largest change of a row's velocity in the last sweep, or the residual of a direct solution
  double first = 0;            // residual of the first sweep; 0 of a direct solver
  double complementarity = 0;  // J: largest |lambda * slack| of a one-sided row
  bool settled = false;        // the solver ended because what is left is small in the mean (sweepOn)
  bool converged = true;       // the residual is within the tolerance, or it settled
  bool infeasible = false;     // no motion meets all rows; a certificate shows it
  bool unsolved = false;       // more than is bearable is left, and no certificate excuses it
};

struct RowProblem;
struct SolveWork;

// The traits of a solver; stated once, in solvers.cpp.
struct SolverTraits {
  const char* name;  // the word of scene files
  SolveReport (*solve)(RowProblem& problem, const SolverSettings& settings);
  void (*reserve)(SolveWork& work, int rows) = nullptr;  // room beyond that of sweeps
};
const SolverTraits& traitsOf(Solver solver);

}  // namespace vertebra::solve
