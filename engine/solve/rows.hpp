// Rows of auxiliary constraints (limits, dry friction, bounded drives, contacts, loops) in the coordinates x of an island.
// Under `articulated` x is the whitened z, whose metric is the identity, and a row's response equals the row itself; under `sparse`
// and `dense` x is the joint velocities and the response is M^-1 J^T from the operator. A row reads velocity u = y . x and an impulse
// lambda moves x += r lambda. y and r are stored on the row's path only: the pieces of x it touches, gathered into one run.
// Units: u in m/s or rad/s, lambda in N s or N m s. Source: docs/design.md; NUMERICS of the design, contact on trees.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/math/types.hpp"
#include "engine/solve/dantzig_work.hpp"

namespace vertebra {

struct Piece {  // of x
  int offset, count;
};
struct Path {
  int firstPiece = 0, pieces = 0;
  int length = 0;  // numbers in a row on this path, padded to even with a zero
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

// One or three rows that are solved together: bounded scalar rows, or a contact (normal, two tangents, disc of friction).
struct Block {
  int path = 0;
  int row = 0;  // first
  bool contact = false;
  double friction = 0;
};

// Radius of a contact's disc of friction. What does not press has none, however rough it is (infinity times zero is no number).
inline double frictionBound(double friction, double normal) { return normal > 0 ? friction * normal : 0; }

// The step that both tangents of a slipping contact take. One along which nothing moves (inverse 0) does not hold the other up.
inline double slipStep(const Row& s, const Row& t) {
  return s.inverse > 0 && t.inverse > 0 ? std::min(s.inverse, t.inverse) : std::max(s.inverse, t.inverse);
}

struct SolveReport {
  int iterations = 0;
  double residual = 0;         // m/s: largest change of a row's velocity in the last sweep, or violation() after a direct solve
  double complementarity = 0;  // J: largest |lambda * slack| of a one-sided row
};

struct RowProblem {
  double* x = nullptr;  // coordinates, changed in place
  int size = 0;
  std::vector<Piece> pieces;
  std::vector<Path> paths;
  std::vector<Row> rows;
  std::vector<Block> blocks;  // solved in this order; neighbours with one path share a gather
  std::vector<double> numbers;
  std::vector<double> scratch;
  DantzigWork dantzig;

  void clear() {
    pieces.clear();
    paths.clear();
    rows.clear();
    blocks.clear();
    numbers.clear();
  }
  int addPath(const Piece* first, int count);  // returns its index
  int addRow(int path);                        // room for y and r = y; fill with y(row)
  void separateResponse(int row, int path);    // gives the row an r of its own
  double* y(int row) { return numbers.data() + rows[row].y; }
  double* r(int row) { return numbers.data() + rows[row].r; }
  void finishRow(int row, int path, double sigma);  // computes inverse
  double velocity(int row, int path) const;         // y . x
  void apply(int row, int path, double impulse);    // x += r impulse
  // With x and lambda as they are: the largest change of a row's velocity that a projection on its bounds (a contact's: on its cone)
  // would still make, and the largest |lambda * slack| of a row with the bound 0 below.
  double violation() const;
  double complementarity() const;
};

// Starts from the rows' lambda (warm start): adds their impulses to x, then solves to rows' bounds.
struct LcpSettings {
  int iterations = 50;
  double tolerance = 1e-4;
};
SolveReport solvePgs(RowProblem& problem, const LcpSettings& settings);
// Direct: index sets and pivots (dantzig.cpp). The rows' lambda on entry serve only where it fails; `iterations` bounds the passes over
// friction limits.
SolveReport solveDantzig(RowProblem& problem, const LcpSettings& settings);

}  // namespace vertebra
