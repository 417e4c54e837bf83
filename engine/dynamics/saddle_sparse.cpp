// Saddle-point elimination over the body-joint graph, leaves first, each body before the joint to its parent (Baraff 1996, "Linear-time
// dynamics using Lagrange multipliers"). On a tree nothing fills in. With the children eliminated a body's block D is symmetric
// positive; its joint's block, D gone, is N = J D^-1 J^T + C; the joint leaves Jp^T N^-1 Jp with the parent, which is the articulated
// inertia. Columns without a row count as zero with a unit pivot, so that every block is 6 x 6.
#include <cmath>

#include "engine/dynamics/saddle.hpp"

namespace vertebra {
namespace {

// Lower factor in place of the lower part; its diagonal holds reciprocals. False if a pivot is not positive.
inline bool cholesky(Mat6& a) {
  for (int c = 0; c < 6; c++) {
    double pivot = a(c, c);
    for (int e = 0; e < c; e++) pivot -= a(c, e) * a(c, e);
    if (!(pivot > 0)) return false;
    const double reciprocal = a(c, c) = 1 / std::sqrt(pivot);
    for (int r = c + 1; r < 6; r++) {
      double x = a(r, c);
      for (int e = 0; e < c; e++) x -= a(r, e) * a(c, e);
      a(r, c) = x * reciprocal;
    }
  }
  return true;
}
inline void forward(const Mat6& L, Vec6& x) {  // x = L^-1 x
  for (int c = 0; c < 6; c++) {
    x[c] *= L(c, c);
    for (int r = c + 1; r < 6; r++) x[r] -= L(r, c) * x[c];
  }
}
inline void backward(const Mat6& L, Vec6& x) {  // x = L^-T x
  for (int r = 5; r >= 0; r--) {
    double y = x[r];
    for (int e = r + 1; e < 6; e++) y -= L(e, r) * x[e];
    x[r] = y * L(r, r);
  }
}
inline void forwardColumns(const Mat6& L, Mat6& X) {  // X = X L^-T
  for (int r = 0; r < 6; r++) {
    for (int e = 0; e < r; e++) X.col(r) -= L(r, e) * X.col(e);
    X.col(r) *= L(r, r);
  }
}

class SparseOperator final : public SaddleOperator {
  struct Block {
    Mat6 D, N;       // lower factors of body and joint
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
      if (!cholesky(b.D)) return i;
      b.child = j.onChild.transpose();
      b.parent = j.onParent;
      for (int k = 0; k < 6; k++) {
        if (j.row[k]) continue;
        b.child.row(k).setZero();
        b.parent.col(k).setZero();
      }
      forwardColumns(b.D, b.child);
      b.N.noalias() = b.child * b.child.transpose();
      for (int k = 0; k < 6; k++) b.N(k, k) += j.row[k] ? j.compliance[k] : 1;
      if (!cholesky(b.N)) return i;
      if (j.parent < 0) continue;
      forwardColumns(b.N, b.parent);
      blocks_[j.parent].D.noalias() += b.parent * b.parent.transpose();
    }
    return -1;
  }

  void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) override {
    const int n = static_cast<int>(joints_.size());
    for (int i = 0; i < n; i++) gathered_[i] = b[i];
    for (int i = n - 1; i >= 0; i--) {
      Block& x = blocks_[i];
      x.body = gathered_[i];
      forward(x.D, x.body);
      x.row = c[i] - x.child * x.body;
      forward(x.N, x.row);
      if (joints_[i].parent >= 0) gathered_[joints_[i].parent] += x.parent * x.row;
    }
    for (int i = 0; i < n; i++) {
      const Block& x = blocks_[i];
      l[i] = x.row;
      if (joints_[i].parent >= 0) l[i] -= x.parent.transpose() * u[joints_[i].parent];
      backward(x.N, l[i]);
      u[i] = x.body + x.child.transpose() * l[i];
      backward(x.D, u[i]);
    }
  }
};

}  // namespace

std::unique_ptr<SaddleOperator> makeSparseOperator() { return std::make_unique<SparseOperator>(); }

}  // namespace vertebra
