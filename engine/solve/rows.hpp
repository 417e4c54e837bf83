// Rows of auxiliary constraints (limits, dry friction, bounded drives, contacts, loops) in the coordinates x of an island.
// Under `articulated` x is the whitened z, whose metric is the identity, and a row's response equals the row itself; under `sparse` and
// `dense` x is the joint velocities and the response is M^-1 J^T from the operator. A row reads velocity u = y . x and an impulse lambda
// moves x += r lambda. y and r are stored on the row's path only: the pieces of x it touches, gathered into one run.
// Units: u in m/s or rad/s, lambda in N s or N m s. Sources: docs/computation.md; Baraff 1996 (auxiliary constraints on trees);
// Featherstone 2008, ch. 11.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/math/types.hpp"
#include "engine/solve/solve_work.hpp"
#include "engine/solve/solver.hpp"

namespace vertebra::solve {

struct Piece {  // contiguous part of x
  int offset, count;
};
struct Path {
  int firstPiece = 0, pieces = 0;
  int length = 0;  // numbers on this path, padded to even with a zero
  int padding = 0;
};

struct Row {
  int y = 0, r = 0;    // offsets into RowProblem::numbers
  double inverse = 0;  // 1 / (y . r + sigma)
  double sigma = 0;    // softness: u + sigma lambda + bias = 0 where no bound acts
  double bias = 0;
  double lo = 0, hi = 0;
  double lambda = 0;
  double before = 0, direction = 0;  // of the accelerated sweeps
};

// How a contact's friction is bounded by its normal impulse n.
enum class FrictionLaw : std::uint8_t {
  Cone,        // Coulomb's cone: a disc of radius mu n
  Pyramid,     // mu n along each of the two tangents
  Fixed,       // lo and hi of the friction rows as given (Lötstedt 1982: from the last step's normal force)
  Estimated,   // lo and hi = mu times the normal impulse of a solution without friction
  Polyhedral,  // regular polygon in the disc, under Lemke; the other solvers use the disc
};

// Rows that are solved together: a bounded scalar row (size 1), or a contact: normal and two tangents (3), torsion about the normal (4),
// rolling about the two tangents (6). Normal first; bounds of friction rows are read under FrictionLaw::Fixed only.
struct Block {
  int path = 0;
  int row = 0;  // first
  int size = 1;
  FrictionLaw law = FrictionLaw::Cone;
  double friction = 0;                                               // mu while sticking
  double slidingFriction = std::numeric_limits<double>::infinity();  // mu while sliding; never above `friction`
  double torsionalLength = 0, rollingLength = 0;                     // m: times n, bounds of those torques
  bool slips = false;                                                // set by the solver, where the two coefficients differ
  int tree = -1;                                                     // of a limit or dry friction of a joint: its tree; else -1
  double arm = 1;                                                    // m: at which a rate in rad/s counts as a speed

  bool contact() const { return size > 1; }
  double mu() const { return slips ? std::min(friction, slidingFriction) : friction; }
};

// Radius of a contact's friction disc: zero without normal impulse, also for infinite friction (infinity times zero is NaN).
inline double frictionBound(double friction, double normal) { return normal > 0 ? friction * normal : 0; }

// The step that both rows of a slipping pair take. A row whose impulse changes no velocity (inverse 0) does not limit the other.
inline double slipStep(const Row& s, const Row& t) {
  return s.inverse > 0 && t.inverse > 0 ? std::min(s.inverse, t.inverse) : std::max(s.inverse, t.inverse);
}

// Friction rows that share a bound: the tangents, torsion, the rolling pair.
struct FrictionRows {
  int first, rows;  // counted from the block's first row
  double coefficient;
};
inline int frictionRows(const Block& b, FrictionRows* out) {
  int count = 0;
  if (b.size >= 3) out[count++] = {1, 2, b.mu()};
  if (b.size >= 4) out[count++] = {3, 1, b.torsionalLength};
  if (b.size >= 6) out[count++] = {4, 2, b.rollingLength};
  return count;
}
// The impulses of one or two friction rows after a Gauss-Seidel step with velocities u. Under the cone, sliding rows take the same step
// along both directions; otherwise friction would settle at an angle to the slip.
void frictionStep(FrictionLaw law, const Row* row, int rows, double bound, double relaxation, const double* u, double* next);

// What a solution leaves open. A light body far from its load can leave a large velocity in one row; two solutions are therefore compared
// by the energy of what they leave, in which each row counts with the mass that it moves.
struct Remainder {
  double worst = 0;   // m/s or rad/s: largest change of a row's velocity
  double energy = 0;  // J: of all changes, each as if its row were alone
  double speed = 0;   // m/s: as `worst`, but of what turns at its block's arm
};

struct RowProblem {
  double* x = nullptr;  // coordinates, changed in place
  int size = 0;
  std::vector<Piece> pieces;
  std::vector<Path> paths;
  std::vector<Row> rows;
  std::vector<Block> blocks;  // solved in this order; neighbours with the same path share a gather
  std::vector<double> numbers;
  std::vector<double> scratch;
  SolveWork work;

  void clear() {
    pieces.clear();
    paths.clear();
    rows.clear();
    blocks.clear();
    numbers.clear();
  }
  int addPath(const Piece* first, int count);  // returns its index
  int addRow(int path, int count = 1);  // room for y and r = y, zero; fill with y(row). Of several rows: returns the index of the first
  void separateResponse(int row, int path);  // gives the row an r of its own
  double* y(int row) { return numbers.data() + rows[row].y; }
  double* r(int row) { return numbers.data() + rows[row].r; }
  void finishRow(int row, int path, double sigma);  // computes inverse
  double velocity(int row, int path) const;         // y . x
  void apply(int row, int path, double impulse);    // x += r impulse
  void clampBlock(const Block& block);              // its impulses into their bounds; x is unchanged
  // x before any impulse, kept and restored; and every row's impulse added to it.
  void keepStart();
  void takeBack();
  void applyAll();
  // At the present x and lambda, what a projection of each row on its bounds (a contact's: on its cone) would still change.
  Remainder remainder() const;
  double violation() const { return remainder().worst; }
  bool heapOfFigures() const;  // more rows than are solved directly: limits or dry friction of trees' joints, contacts, and nothing else
  double complementarity() const;  // the largest |lambda * slack| of a row with the lower bound 0
  // Makes room, so that solving allocates nothing up to these sizes. pathNumbers: of x, over all pieces.
  void reserveWork(Solver solver, int rowCount, int coordinates, int pathNumbers);
};

// Solves by the chosen solver. Starts from the rows' lambda (warm start), adds impulses to x, ends inside all bounds. Common to all solvers
// (solve.cpp): friction bounds estimated without friction, static friction replaced by sliding friction where it slips, infeasible rows
// found and then solved by sweeps, and impulses set to zero where they would not be finite.
SolveReport solveRows(RowProblem& problem, const SolverSettings& settings);

// Whether a certificate shows that no motion meets the rows as they are now; call after solveRows(), whose impulses stay.
bool rowsContradict(RowProblem& problem, double tolerance);

// The chosen solver alone, after keepStart().
SolveReport runSolver(RowProblem& problem, const SolverSettings& settings);

// The solvers, one in each file.
SolveReport solvePgs(RowProblem& problem, const SolverSettings& settings);  // also the fallback of direct solvers

}  // namespace vertebra::solve
