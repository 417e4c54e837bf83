// One link's part of each recursion over a tree. The loops are in tree.cpp and articulated.cpp and, together with forces and rows, in the
// step: passes over the same links share one loop there, because each alone would wait for its own results. A call for each link would
// cost a tenth of the shorter parts. Frames: link.hpp; source: tree.hpp.
#pragma once
#include <cmath>

#include "engine/dynamics/tree.hpp"

namespace vertebra::dynamics {

// Cholesky of the N x N block held in the lower part of g; the diagonal becomes reciprocals. False if a pivot is not above the floor, or is
// only the round-off of a diagonal entry that elimination cancels.
template <int N>
inline bool choleskyReciprocal(double (*g)[6], double floor) {
  for (int r = 0; r < N; r++)
    for (int c = 0; c <= r; c++) {
      double x = g[r][c];
      for (int e = 0; e < c; e++) x -= g[r][e] * g[c][e];
      if (r == c) {
        if (!(x > floor && x > 1e-14 * g[r][r])) return false;
        g[r][r] = 1 / std::sqrt(x);
      } else {
        g[r][c] = x * g[c][c];
      }
    }
  return true;
}
template <int N>
inline void forward(const double (*g)[6], const double* u, double* y) {  // y = G^-1 u
  // Column by column, in registers: reading back a value that was just stored waits for the store.
  double x[N];
#pragma GCC unroll 6
  for (int r = 0; r < N; r++) x[r] = u[r];
#pragma GCC unroll 6
  for (int e = 0; e < N; e++) {
    x[e] *= g[e][e];
#pragma GCC unroll 6
    for (int r = e + 1; r < N; r++) x[r] -= g[r][e] * x[e];
  }
#pragma GCC unroll 6
  for (int r = 0; r < N; r++) y[r] = x[r];
}
template <int N>
inline void backward(const double (*g)[6], const double* r, double* rate) {  // rate = G^-T r
  for (int i = N - 1; i >= 0; i--) {
    double x = r[i];
    for (int e = i + 1; e < N; e++) x -= g[e][i] * rate[e];
    rate[i] = x * g[i][i];
  }
}

inline void addSymmetric(Mat6& to, const Mat6& A) {
  double* x = to.data();
  const double* a = A.data();
  for (int k = 0; k < 36; k++) x[k] += a[k];
}

// The joint block is first factored as L d L^T: the matrix that the parent waits for (U d^-1 U^T, U = A S L^-T) then needs no square root.
template <int N>
inline bool factorLink(LinkState& s, const Mat6& A, const double* extra, Mat6* parent) {
  Vec6 U[N];
  for (int k = 0; k < N; k++) U[k] = s.S[k][0] * A.col(0);
  for (int c = 1; c < 6; c++)
    for (int k = 0; k < N; k++) U[k] += s.S[k][c] * A.col(c);
  double L[N][N], d[N], inverse[N], scale = 0;
  for (int r = 0; r < N; r++) {
    for (int c = 0; c <= r; c++) L[r][c] = s.S[r].dot(U[c]);
    if (extra) L[r][r] += extra[r];
    scale = std::max(scale, s.S[r].squaredNorm());
  }
  // Inertia along an axis far below round-off of the link's own inertia is treated as zero, likewise the round-off of an entry that
  // elimination cancels.
  const double floor = 1e-15 * scale * A.diagonal().maxCoeff();
  for (int k = 0; k < N; k++) {
    d[k] = L[k][k];
    for (int e = 0; e < k; e++) d[k] -= L[k][e] * L[k][e] * d[e];
    if (!(d[k] > floor && d[k] > 1e-14 * L[k][k])) return false;
    inverse[k] = 1 / d[k];
    for (int r = k + 1; r < N; r++) {
      for (int e = 0; e < k; e++) L[r][k] -= L[r][e] * L[k][e] * d[e];
      L[r][k] *= inverse[k];
    }
    for (int e = 0; e < k; e++) U[k] -= L[k][e] * U[e];
  }
  if (parent)
    for (int c = 0; c < 6; c++) {  // in one pass over memory
      Vec6 left = A.col(c);
      for (int k = 0; k < N; k++) left -= (U[k][c] * inverse[k]) * U[k];
      parent->col(c) += left;
    }
  for (int k = 0; k < N; k++) {
    const double root = std::sqrt(inverse[k]);
    s.G[k][k] = root;
    for (int r = k + 1; r < N; r++) s.G[r][k] = L[r][k] * (d[k] * root);
    s.W[k] = root * U[k];
  }
  return true;
}

inline double* translationOf(const LinkState& s) { return s.G[0] + 3; }  // in the factor of a lone root

inline bool factorTwist(const LinkModel& m, LinkState& s, const Mat6& A, const double* extra) {
  if (m.lone) {  // without axis forces
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c <= r; c++) s.G[r][c] = A(r, c);
      if (!(A(3 + r, 3 + r) > 0)) return false;
      translationOf(s)[r] = 1 / std::sqrt(A(3 + r, 3 + r));
    }
    return choleskyReciprocal<3>(s.G, 0);
  }
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c <= r; c++) s.G[r][c] = A(r, c);
    if (extra) s.G[r][r] += extra[r];
  }
  return choleskyReciprocal<6>(s.G, 0);
}

// y = G^-1 u and rate = G^-T y of a free root.
inline void forwardTwist(const LinkModel& m, const LinkState& s, const double* u, double* y) {
  if (!m.lone) return forward<6>(s.G, u, y);
  const double* const translation = translationOf(s);
  double x[3];
  for (int k = 0; k < 3; k++) x[k] = u[3 + k] * translation[k];
  forward<3>(s.G, u, y);
  for (int k = 0; k < 3; k++) y[3 + k] = x[k];
}
inline void backwardTwist(const LinkModel& m, const LinkState& s, const double* y, double* rate) {
  if (!m.lone) return backward<6>(s.G, y, rate);
  const double* const translation = translationOf(s);
  backward<3>(s.G, y, rate);
  for (int k = 0; k < 3; k++) rate[3 + k] = y[3 + k] * translation[k];
}

template <class F>
[[gnu::always_inline]] inline void withCount(int nv, F&& f) {
  switch (nv) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    default:
      return;
  }
}

template <int N>
inline void upLink(const LinkState& s, Vec6& P, const double* generalized, double* y) {
  double u[N], x[N];
  for (int k = 0; k < N; k++) u[k] = s.S[k].dot(P) + (generalized ? generalized[k] : 0);
  forward<N>(s.G, u, x);
  for (int k = 0; k < N; k++) P -= x[k] * s.W[k];
  for (int k = 0; k < N; k++) y[k] = x[k];
}
// rate = the joint velocity from z and the parent's motion; also writes the link's own motion.
template <int N>
inline Vec6 downLink(const LinkState& s, const double* z, const Vec6& parent, double* rate) {
  double r[N], x[N];
  for (int k = 0; k < N; k++) r[k] = z[k] - s.W[k].dot(parent);
  backward<N>(s.G, r, x);
  Vec6 t = parent;
  for (int k = 0; k < N; k++) {
    t += x[k] * s.S[k];
    rate[k] = x[k];
  }
  return t;
}

[[gnu::always_inline]] inline bool factorAt(Tree& tree, int i, const double* extra) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  const double* e = extra ? extra + m.vOffset : nullptr;
  const Mat6& A = tree.inertia[i];
  if (m.velocityIsTwist) return factorTwist(m, s, A, e);
  Mat6* parent = m.parent >= 0 ? &tree.inertia[m.parent] : nullptr;
  bool ok = true;
  if (m.nv > 0)
    withCount(m.nv, [&](auto n) { ok = factorLink<n()>(s, A, e, parent); });
  else if (parent)
    addSymmetric(*parent, A);
  return ok;
}

[[gnu::always_inline]] inline void sweepUpAt(Tree& tree, int i, const double* generalized, double* z) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  double* y = z + m.vOffset;
  const double* g = generalized ? generalized + m.vOffset : nullptr;
  if (m.velocityIsTwist) {
    double u[6];
    for (int k = 0; k < 6; k++) u[k] = tree.P[i][k] + (g ? g[k] : 0);
    forwardTwist(m, s, u, y);
    return;
  }
  withCount(m.nv, [&](auto n) { upLink<n()>(s, tree.P[i], g, y); });
  if (m.parent >= 0) tree.P[m.parent] += tree.P[i];
}

// z -> rates of the link's joint and its twist, or its acceleration twist.
[[gnu::always_inline]] inline void sweepDownAt(Tree& tree, int i, Vec6 LinkState::*twist, const Vec6& base, const double* z, double* v) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  double* rate = v + m.vOffset;
  if (m.velocityIsTwist) {
    backwardTwist(m, s, z + m.vOffset, rate);
    for (int k = 0; k < 6; k++) (s.*twist)[k] = rate[k];
    return;
  }
  const Vec6& parent = m.parent >= 0 ? tree.state[m.parent].*twist : base;
  if (m.nv == 0)
    s.*twist = parent;
  else
    withCount(m.nv, [&](auto n) { s.*twist = downLink<n()>(s, z + m.vOffset, parent, rate); });
}

inline void velocityFromTwist(LinkState& s, const Vec3& O) {
  const Vec3 w = s.t.head<3>();
  s.v = Vec3(s.t.tail<3>()) + cross(w, s.c - O);
  s.w = s.R.transpose() * w;
}

inline void twistAt(Tree& tree, int i, const double* v) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  if (m.velocityIsTwist) {
    for (int k = 0; k < 6; k++) s.t[k] = v[m.vOffset + k];
  } else {
    Vec6 t = m.parent >= 0 ? tree.state[m.parent].t : tree.base->twist;
    for (int k = 0; k < m.nv; k++) t += v[m.vOffset + k] * s.S[k];
    s.t = t;
  }
  velocityFromTwist(s, tree.O);
}

// One link's part of an upward sweep: y = G^-1 S^T P, P -= W y. For rows of constraints: Count wrenches at once, whose y lie `stride`
// numbers apart.
template <int Count>
inline void passUp(const LinkModel& m, const LinkState& s, Vec6* P, double* y, int stride) {
  if (m.velocityIsTwist) {
    for (int c = 0; c < Count; c++, y += stride) forwardTwist(m, s, P[c].data(), y);
    return;
  }
  withCount(m.nv, [&](auto n) {
    for (int c = 0; c < Count; c++, y += stride) upLink<n()>(s, P[c], nullptr, y);
  });
}

// y = G^-1 g for a generalised force on the link's own joint, and the resulting P of the parent.
inline void enterAtJoint(const LinkModel& m, const LinkState& s, const double* g, double* y, Vec6& P) {
  P.setZero();
  if (m.velocityIsTwist) {
    forwardTwist(m, s, g, y);
    return;
  }
  withCount(m.nv, [&](auto n) {
    forward<n()>(s.G, g, y);
    for (int k = 0; k < n(); k++) P -= y[k] * s.W[k];
  });
}

// Spatial accelerations about the fixed point O add along the tree: a child's is its parent's, plus parent twist x child twist (the motion
// subspace moves with the parent), plus the change of the subspace itself. Classical accelerations of the centres of mass follow.
inline void biasAt(Tree& tree, int i, const Vec6& ofBase, const double* v, const double* a) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  const Vec3 w = s.t.head<3>(), atO = s.t.tail<3>();
  Vec3 angular, linear;
  if (m.velocityIsTwist) {
    Vec6 own = FreeRootJoint::extraBias(m, s, tree.O, v);
    if (a)
      for (int k = 0; k < 6; k++) own[k] += a[m.vOffset + k];
    angular = own.head<3>();
    linear = own.tail<3>();
  } else {
    const Vec6& of = m.parent >= 0 ? tree.state[m.parent].t2 : ofBase;
    const Vec6& parent = m.parent >= 0 ? tree.state[m.parent].t : tree.base->twist;
    const Vec3 wp = parent.head<3>(), atOp = parent.tail<3>();
    angular = Vec3(of.head<3>()) + cross(wp, w);
    linear = Vec3(of.tail<3>()) + cross(wp, atO) + cross(atOp, w);
    if (m.nv > 1)
      withJoint(m.type, [&](auto joint) {
        const Vec6 extra = decltype(joint)::extraBias(m, s, tree.O, v + m.vOffset);
        angular += extra.head<3>();
        linear += extra.tail<3>();
      });
    if (a)
      for (int k = 0; k < m.nv; k++) {
        angular += a[m.vOffset + k] * Vec3(s.S[k].head<3>());
        linear += a[m.vOffset + k] * Vec3(s.S[k].tail<3>());
      }
  }
  s.t2.head<3>() = angular;
  s.t2.tail<3>() = linear;
  s.biasAngular = angular;
  const Vec3 turned = cross(angular, s.c - tree.O), centripetal = cross(w, s.v);
  for (int k = 0; k < 3; k++) s.biasLinear[k] = linear[k] + turned[k] + centripetal[k];
}

// A prescribed base moves at constant velocity of its centre of mass.
inline Vec6 biasOfBase(const Tree& tree) {
  Vec6 bias = Vec6::Zero();
  const Vec3 omega = tree.base->twist.head<3>();
  const Vec3 velocity = Vec3(tree.base->twist.tail<3>()) + omega.cross(tree.base->pose.c - tree.O);
  bias.tail<3>() = velocity.cross(omega);
  return bias;
}

// Most joints are revolute, and a step goes through these two for each link: they are asked for first, in line.
inline bool isRevolute(const LinkModel& m) { return m.type == JointType::Revolute || m.type == JointType::Continuous; }

inline void poseAt(Tree& tree, int i, const double* q) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  const BodyPose& parent = m.parent >= 0 ? static_cast<const BodyPose&>(tree.state[m.parent]) : tree.base->pose;
  if (isRevolute(m)) [[likely]]
    return RevoluteJoint::pose(m, parent, q + m.qOffset, s);
  withJoint(m.type, [&](auto joint) { decltype(joint)::pose(m, parent, q + m.qOffset, s); });
}

[[gnu::always_inline]] inline void subspaceAt(Tree& tree, int i) {
  const LinkModel& m = tree.model[i];
  LinkState& s = tree.state[i];
  const BodyPose& parent = m.parent >= 0 ? static_cast<const BodyPose&>(tree.state[m.parent]) : tree.base->pose;
  if (isRevolute(m)) [[likely]]
    return RevoluteJoint::subspace(m, parent, tree.O, s);
  withJoint(m.type, [&](auto joint) { decltype(joint)::subspace(m, parent, tree.O, s); });
}

}  // namespace vertebra::dynamics
