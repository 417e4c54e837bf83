// Mobilities of the axes of a tree, the diagonal of M^-1. The mobility of a link's twist, Omega, passes from the root to the leaves by the
// factor: with W the whitened columns A S G^-T and T = S G^-T,
//   Omega = (1 - T W^T) Omega_parent (1 - T W^T)^T + T T^T,   block of M^-1 = G^-T (1 + W^T Omega_parent W) G^-1
// (the operational-space recursion of Rodriguez, Jain and Kreutz-Delgado 1992). Twists about the tree's origin, world axes. See tree.hpp.
#include "engine/dynamics/link_recursions.hpp"
#include "engine/dynamics/tree.hpp"

namespace vertebra::dynamics {
namespace {

// Of one link whose joint has N axes: its mobility, and the mobilities of its axes. `of`: the parent's, null at the root.
template <int N>
void pass(const LinkState& s, const Mat6* of, Mat6& mobility, double* axes) {
  using Block = Eigen::Matrix<double, N, N>;
  using Columns = Eigen::Matrix<double, 6, N>;
  Block inverse = Block::Identity();  // of the factor, whose diagonal holds reciprocals
  for (int c = 0; c < N; c++)
    for (int r = c; r < N; r++) {
      for (int k = c; k < r; k++) inverse(r, c) -= s.G[r][k] * inverse(k, c);
      inverse(r, c) *= s.G[r][r];
    }
  const Columns T = Eigen::Map<const Columns>(s.S->data()) * inverse.transpose();
  Block seen = Block::Identity();
  if (of) {
    const Eigen::Map<const Columns> W(s.W->data());
    const Columns moved = *of * W;
    seen += W.transpose() * moved;
    const Columns half = moved - 0.5 * T * seen;
    mobility.noalias() = *of - half * T.transpose() - T * half.transpose();
  } else {
    mobility.noalias() = T * T.transpose();
  }
  for (int k = 0; k < N; k++) axes[k] = inverse.col(k).dot(seen * inverse.col(k));
}

}  // namespace

double weightedMobility(Tree& tree, const double* weights) {
  double sum = 0, axes[6];
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    if (m.lone) continue;
    const Mat6* const of = m.parent >= 0 ? &tree.inertia[m.parent] : nullptr;
    if (m.nv == 0)
      tree.inertia[i] = of ? *of : Mat6(Mat6::Zero());
    else
      withCount(m.nv, [&](auto n) { pass<n()>(tree.state[i], of, tree.inertia[i], axes); });
    for (int k = 0; k < m.nv; k++) sum += weights[m.vOffset + k] * axes[k];
  }
  return sum;
}

}  // namespace vertebra::dynamics
