// Saddle-point elimination over the body-joint graph, leaves first, each body before the joint to its parent (Baraff 1996, "Linear-time
// dynamics using Lagrange multipliers"). On a tree nothing fills in. With the children eliminated a body's block D is symmetric
// positive; its joint's block, D gone, is N = J D^-1 J^T + C; the joint leaves Jp^T N^-1 Jp with the parent, which is the articulated
// inertia. Columns without a row count as zero with a unit pivot, so that every block is 6 x 6.
#include <cmath>

#include "engine/dynamics/saddle.hpp"

namespace vertebra {
namespace {

// Inverse of the lower factor of a symmetric matrix (its lower part is read), zero above the diagonal. False if a pivot is not positive.
// Inverses make every later step a product of 6 x 6 blocks without chains of dependent operations; refinement guards the digits.
inline bool inverseFactor(const Mat6& a, Mat6& inverse) {
  double L[6][6], x[6][6];
  for (int c = 0; c < 6; c++) {
    double pivot = a(c, c);
    for (int e = 0; e < c; e++) pivot -= L[c][e] * L[c][e];
    if (!(pivot > 0)) return false;
    const double reciprocal = x[c][c] = 1 / std::sqrt(pivot);
    for (int r = c + 1; r < 6; r++) {
      double y = a(r, c);
      for (int e = 0; e < c; e++) y -= L[r][e] * L[c][e];
      L[r][c] = y * reciprocal;
    }
  }
  for (int c = 0; c < 6; c++) {
    for (int r = 0; r < c; r++) inverse(r, c) = 0;
    inverse(c, c) = x[c][c];
    for (int r = c + 1; r < 6; r++) {
      double y = 0;
      for (int e = c; e < r; e++) y -= L[r][e] * x[e][c];
      inverse(r, c) = x[r][c] = y * x[r][r];
    }
  }
  return true;
}

class SparseOperator final : public SaddleOperator {
  struct Block {
    Mat6 D, N;       // of body and joint: the blocks, then L^-1 of their lower factors
    Mat6 child;      // J L_D^-T
    Mat6 parent;     // Jp^T L_N^-T
    Vec6 body, row;  // L_D^-1 b, then L_N^-1 of the right side that is left
  };
  std::vector<Block> blocks_;
  std::vector<Vec6> gathered_;

  void reserveFactor(int links) override {
    blocks_.resize(static_cast<std::size_t>(links));
    gathered_.resize(static_cast<std::size_t>(links));
  }

  int factorRows() override {
    const int n = static_cast<int>(joints_.size());
    for (int i = 0; i < n; i++) blocks_[i].D = joints_[i].mass.asDiagonal();
    for (int i = n - 1; i >= 0; i--) {
      const Joint& j = joints_[i];
      Block& b = blocks_[i];
      Mat6 D, N;
      if (!inverseFactor(b.D, D)) return i;
      b.D = D;
      Mat6 onChild = j.onChild, onParent = j.onParent;
      for (int k = 0; k < 6; k++) {
        if (j.row[k]) continue;
        onChild.col(k).setZero();
        onParent.col(k).setZero();
      }
      b.child.noalias() = onChild.transpose() * D.transpose();
      N.noalias() = b.child * b.child.transpose();
      for (int k = 0; k < 6; k++) N(k, k) += j.row[k] ? j.compliance[k] : 1;
      if (!inverseFactor(N, b.N)) return i;
      if (j.parent < 0) continue;
      b.parent.noalias() = onParent * b.N.transpose();
      blocks_[j.parent].D.noalias() += b.parent * b.parent.transpose();
    }
    return -1;
  }

  void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) override {
    const int n = static_cast<int>(joints_.size());
    for (int i = 0; i < n; i++) gathered_[i] = b[i];
    for (int i = n - 1; i >= 0; i--) {
      Block& x = blocks_[i];
      x.body.noalias() = x.D * gathered_[i];
      const Vec6 left = c[i] - x.child * x.body;
      x.row.noalias() = x.N * left;
      if (joints_[i].parent >= 0) gathered_[joints_[i].parent] += x.parent * x.row;
    }
    for (int i = 0; i < n; i++) {
      const Block& x = blocks_[i];
      Vec6 left = x.row;
      if (joints_[i].parent >= 0) left -= x.parent.transpose() * u[joints_[i].parent];
      l[i].noalias() = x.N.transpose() * left;
      const Vec6 body = x.body + x.child.transpose() * l[i];
      u[i].noalias() = x.D.transpose() * body;
    }
  }
};

}  // namespace

std::unique_ptr<SaddleOperator> makeSparseOperator() { return std::make_unique<SparseOperator>(); }

}  // namespace vertebra
