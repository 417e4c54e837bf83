// Memory of the solvers, kept from step to step: nothing is allocated for sizes that occurred before.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/solve/block_factor.hpp"
#include "engine/solve/complementary_pivot.hpp"
#include "engine/solve/ldlt.hpp"

namespace vertebra::solve {

struct Run {  // blocks that share a path: one gather for all
  static constexpr int kAlone = -1, kInside = -2;
  int first, last;
  int group = kAlone;  // of joints, that begins with this run; kInside: it is in one
};
struct JointGroup {                 // blocks of joints of one tree that sweeps solve at once (joint_group.hpp)
  static constexpr int kMost = 16;  // rows: the matrix takes their square
  int first, last;
  int matrix;                      // place of its matrix in groupNumbers; behind it, as large, the factor of the free rows' part
  std::uint32_t columns = 0;       // of the matrix that are there, a bit each
  int free = 0;                    // number of free rows that the factor is of
  unsigned char freeRow[kMost]{};  // these
};

struct SweepWork {
  std::vector<Run> runs;
  std::vector<int> order;                                    // of runs, for shuffled sweeps
  std::vector<JointGroup> groups;                            // in the order of the blocks
  std::vector<double> groupNumbers;                          // their matrices and factors
  std::vector<double> coupling;                              // y_s . r_n and y_t . r_n of each contact
  std::vector<double> own;                                   // whole contacts: y_i . r_j, six numbers a block
  std::vector<double> weight;                                // Jacobi: share of a block's step
  std::vector<int> visits;                                   // Jacobi: number of blocks that reach a coordinate
  std::vector<double> slack, otherSlack, direction, change;  // conjugate gradients, by row
  std::vector<int> coordinates;                              // coordinates of x that the rows touch, each once
  std::vector<double> xBefore, xDirection;                   // conjugate directions, indexed by those
  std::vector<double> startImpulses, startX;                 // the state at their start, by row and by those
};

// Rows as a dense problem, scaled to a diagonal of one: a = A lambda + b (dense_rows.cpp).
struct DenseWork {
  std::vector<double> A, b, scale, lo, hi;  // A: n x n
  std::vector<unsigned char> dead;          // its impulse changes no velocity, or it is not finite
  std::vector<int> sharing;                 // the later runs that read the responses of the one at hand
};

struct DantzigWork {
  IncrementalLdlt factor;  // of the clamped rows
  std::vector<double> lambda, a, deltaA, delta, limit;
  std::vector<int> clamped;
  std::vector<unsigned char> state, ignored;
};

struct LemkeVariable {  // of the pure problem: weights of the rows to whose impulse it contributes
  int row[2] = {-1, -1};
  double weight[2] = {0, 0};
  double q = 0;
  int coupled = -1;             // the variable that shares its bound
  int span = 0, pressing = -1;  // of a bounding variable: number of directions it bounds; the normal row whose share bounds them
  double share = 0;
  double unit = 1;  // a velocity divided by this is in m/s
};
struct LemkeWork {
  IncrementalLdlt free;  // P: of the rows without bounds
  std::vector<int> freeRows;
  std::vector<unsigned char> isFree;
  std::vector<double> reduced, constant, lambda, column;  // S, s and impulses of all rows
  std::vector<LemkeVariable> variables;
  std::vector<double> M, q, z, w;  // the pure problem
  PivotWork pivots;
};

struct NewtonWork {
  enum Part : unsigned char { kIdle, kFree, kSlides, kTurns };
  BlockFactor H;
  std::vector<int> nodeAt;                   // by coordinate; all -1 between its uses
  std::vector<int> pathNodes;                // of H, by piece
  std::vector<double> step;                  // of x, as H has it
  std::vector<double> left, right;           // rows of a run
  std::vector<double> slack, share, weight;  // indexed by row
  std::vector<unsigned char> part;

  void reserve(int rows, int coordinates, int pathNumbers);
};

struct SolveWork {
  std::vector<double> start;             // x before any impulse, piece by piece
  std::vector<double> spread;            // as long as the used part of x; all zero between uses
  std::vector<double> kept, best, warm;  // impulses
  SweepWork sweep;
  NewtonWork newton;
  DenseWork dense;
  DantzigWork dantzig;
  LemkeWork lemke;

  void reserveGroups(std::size_t jointRows);
};

void reserveDantzig(SolveWork& work, int rows);
void reserveLemke(SolveWork& work, int rows);
void reserveCertificate(SolveWork& work);

}  // namespace vertebra::solve
