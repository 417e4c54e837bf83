// Saddle-point elimination over the body-joint graph, leaves first, each body before the joint to its parent (Baraff 1996, "Linear-time
// dynamics using Lagrange multipliers"). On a tree there is no fill-in. With the children eliminated a body's block D is symmetric positive
// definite; with D eliminated, its joint's block is N = J D^-1 J^T + C; the joint adds Jp^T N^-1 Jp to the parent, which is the articulated
// inertia. Columns without a row are zero with a unit pivot, so that every block is 6 x 6.
//
// Where D is singular, or nearly so, even with the children's contributions (a link without mass, some of whose axes have inertia behind
// them), body and joint form one pivot, as symmetric indefinite elimination takes 2 x 2 pivots (Bunch and Kaufman 1977, "Some stable
// methods for calculating inertia and solving symmetric linear systems"). In the joint's own coordinates y = J u, with all six columns of J
// and X = J^-1, the constrained ones are given, y = c, and only the block of the joint's axes s needs an inverse (c minus the parent's
// motion; G^-1 and R are zero beyond s):
//   Ds = X^T D X,  G G^T = (Ds + E) on s,  W = Ds G^-T,  Q = 1 - W G^-1,  Z = Ds - W W^T = Q Ds,  R = (G G^T)^-1
//   y = Q^T c + R X^T b,  l = Z c - Q X^T b,  and the joint adds Jp^T Z Jp to the parent
// No artificial inertia is added, and there is no division by D. Z equals N^-1 where that exists.
#include <algorithm>
#include <cmath>

#include "engine/dynamics/saddle.hpp"

namespace vertebra::dynamics {
namespace {

// Inverse of the lower factor of a symmetric matrix (its lower part is read), zero above the diagonal. False if a pivot is not above least.
// Inverses turn every later step into a product of 6 x 6 blocks without chains of dependent operations; iterative refinement keeps the
// accuracy.
inline bool inverseFactor(const Mat6& a, const Vec6& least, Mat6& inverse) {
  double L[6][6], x[6][6];
  for (int c = 0; c < 6; c++) {
    double pivot = a(c, c);
    for (int e = 0; e < c; e++) pivot -= L[c][e] * L[c][e];
    if (!(pivot > least[c])) return false;
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

// Products with such an inverse that skip its zeros, in pairs of rows.
inline Vec6 lowerTimes(const Mat6& a, const Vec6& x) {
  Vec6 y = x[0] * a.col(0);
  y += x[1] * a.col(1);
  y.tail<4>() += x[2] * a.col(2).tail<4>() + x[3] * a.col(3).tail<4>();
  y.tail<2>() += x[4] * a.col(4).tail<2>() + x[5] * a.col(5).tail<2>();
  return y;
}
inline Vec6 lowerTransposedTimes(const Mat6& a, const Vec6& x) {
  Vec6 y;
  y.head<2>().noalias() = a.leftCols<2>().transpose() * x;
  y.segment<2>(2).noalias() = a.block<4, 2>(2, 2).transpose() * x.tail<4>();
  y.tail<2>().noalias() = a.bottomRightCorner<2, 2>().transpose() * x.tail<2>();
  return y;
}

class SparseOperator final : public SaddleOperator {
  struct alignas(16) Block {
    Mat6 D, N;       // separate pivots: the blocks of body and joint, then L^-1 of their lower factors; joined: D, then X^T; Z
    Mat6 child;      // separate: J L_D^-T; joined: Q
    Mat6 parent;     // separate: Jp^T L_N^-T; joined: R
    Vec6 body, row;  // separate: L_D^-1 b, then L_N^-1 of the remaining right side; joined: y and l of b and c with the parent at rest
    bool joined;     // body and joint form one pivot
  };
  std::vector<Block> blocks_;
  std::vector<Vec6> gathered_;

  void reserveFactor(int parts, int) override {
    blocks_.resize(static_cast<std::size_t>(parts));
    gathered_.resize(static_cast<std::size_t>(parts));
  }

  // False, with D unchanged, if a pivot of the body is below 1e-8 of its largest moment, or mass: half the digits would be lost.
  static bool factorApart(const Joint& j, const Mat6& onChild, Block& b) {
    constexpr double kLeast = 1e-8;
    Vec6 least;
    least << Vec3::Constant(kLeast * b.D.diagonal().head<3>().maxCoeff()), Vec3::Constant(kLeast * b.D.diagonal().tail<3>().maxCoeff());
    Mat6 D, N;
    if (!inverseFactor(b.D, least, D)) return false;
    b.child.noalias() = onChild.transpose() * D.transpose();
    N.noalias() = b.child * b.child.transpose();
    for (int k = 0; k < 6; k++) N(k, k) += j.row[k] ? j.compliance[k] : 1;
    if (!inverseFactor(N, Vec6::Zero(), b.N)) return false;
    b.D = D;
    return true;
  }

  // False if an axis of the joint has only round-off for inertia. Joined pivots are rare and kept out of the main loops.
  [[gnu::noinline]] static bool factorJoined(const Joint& j, Block& b) {
    const Mat6 Xt = j.onChild.inverse();
    const Mat6 Ds = Xt * b.D * Xt.transpose();
    Mat6 onAxes = Mat6::Identity(), G;  // constraints have unit pivots that are dropped
    Vec6 least = Vec6::Zero();
    int first = 6;
    double scale = 0;
    while (first > 0 && (!j.row[first - 1] || j.compliance[first - 1] > 0)) scale = std::max(scale, Xt.row(--first).squaredNorm());
    for (int k = first; k < 6; k++) {
      onAxes.row(k).tail(6 - first) = Ds.row(k).tail(6 - first);
      if (j.row[k]) onAxes(k, k) += 1 / j.compliance[k];
      least[k] = std::max(1e-14 * scale * b.D.diagonal().maxCoeff(), 1e-14 * onAxes(k, k));
    }
    if (!inverseFactor(onAxes, least, G)) return false;
    for (int k = 0; k < first; k++) G(k, k) = 0;
    const Mat6 W = Ds * G.transpose();
    b.D = Xt;
    b.N = Ds - W * W.transpose();
    b.child = Mat6::Identity() - W * G;
    b.parent = G.transpose() * G;
    for (int k = first; k < 6; k++) {
      if (j.row[k]) continue;  // no force acts along a free axis
      b.N.row(k).setZero();
      b.N.col(k).setZero();
      b.child.row(k).setZero();
    }
    return true;
  }

  int factorRows() override {
    const int n = static_cast<int>(joints_.size());
    for (int i = 0; i < n; i++) {
      blocks_[i].D = joints_[i].mass.asDiagonal();
      if (joints_[i].added >= 0) blocks_[i].D += added_[joints_[i].added];
    }
    for (int i = n - 1; i >= 0; i--) {
      const Joint& j = joints_[i];
      Block& b = blocks_[i];
      Mat6 onChild = j.onChild, onParent = j.onParent;
      for (int k = 0; k < 6; k++) {
        if (j.row[k]) continue;
        onChild.col(k).setZero();
        onParent.col(k).setZero();
      }
      b.joined = !factorApart(j, onChild, b);
      if (b.joined && !factorJoined(j, b)) return i;
      if (j.parent < 0) continue;
      if (b.joined) {
        const Mat6 passed = onParent * b.N;
        blocks_[j.parent].D.noalias() += passed * onParent.transpose();
      } else {
        b.parent.noalias() = onParent * b.N.transpose();
        blocks_[j.parent].D.noalias() += b.parent * b.parent.transpose();
      }
    }
    return -1;
  }

  [[gnu::noinline]] void upJoined(int i, const Vec6& c) {
    Block& x = blocks_[i];
    const Joint& j = joints_[i];
    const Vec6 force = x.D * gathered_[i];
    x.body.noalias() = x.parent * force;
    x.row.noalias() = x.N * c - x.child * force;
    if (j.parent >= 0) gathered_[j.parent] += j.onParent * x.row;
  }

  [[gnu::noinline]] void downJoined(int i, const Vec6& c, Vec6* u, Vec6* l) const {
    const Block& x = blocks_[i];
    const Joint& j = joints_[i];
    Vec6 moved = Vec6::Zero();
    if (j.parent >= 0) moved = j.onParent.transpose() * u[j.parent];
    l[i] = x.row - x.N * moved;
    const Vec6 y = x.body + x.child.transpose() * (c - moved);
    u[i].noalias() = x.D.transpose() * y;
  }

  void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) override {
    const int n = static_cast<int>(joints_.size());
    for (int i = 0; i < n; i++) gathered_[i] = b[i];
    for (int i = n - 1; i >= 0; i--) {
      Block& x = blocks_[i];
      if (x.joined) {
        upJoined(i, c[i]);
        continue;
      }
      x.body = lowerTimes(x.D, gathered_[i]);
      const Vec6 left = c[i] - x.child * x.body;
      x.row = lowerTimes(x.N, left);
      if (joints_[i].parent >= 0) gathered_[joints_[i].parent] += x.parent * x.row;
    }
    for (int i = 0; i < n; i++) {
      const Block& x = blocks_[i];
      if (x.joined) {
        downJoined(i, c[i], u, l);
        continue;
      }
      Vec6 left = x.row;
      if (joints_[i].parent >= 0) left -= x.parent.transpose() * u[joints_[i].parent];
      l[i] = lowerTransposedTimes(x.N, left);
      const Vec6 body = x.body + x.child.transpose() * l[i];
      u[i] = lowerTransposedTimes(x.D, body);
    }
  }
};

}  // namespace

std::unique_ptr<SaddleOperator> makeSparseOperator() { return std::make_unique<SparseOperator>(); }

}  // namespace vertebra::dynamics
