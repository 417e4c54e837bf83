// See discrete_interval.hpp.
#include "engine/dynamics/discrete_interval.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"

namespace vertebra::dynamics {
namespace {

struct Turn {
  double s;
  Vec3 u;
};
inline Turn turnOf(const Quat& from, const Quat& to) {  // conjugate(from) * to
  const double a = from.w(), b = to.w();
  const Vec3 x = from.vec(), y = to.vec();
  const Vec3 xy = cross(x, y);
  const double s = a * b + x.dot(y);
  const double sign = s < 0 ? -1 : 1;
  Vec3 u;
  for (int k = 0; k < 3; k++) u[k] = sign * (a * y[k] - b * x[k] - xy[k]);
  return {sign * s, u};
}

// mu and the missing momentum, P - mu.
inline void momentumAt(const LinkModel& m, const LinkState& s, IntervalLink& d, const Vec3& O, double rate, Vec6& P) {
  const Vec3 linear = (m.mass * rate) * (s.c - d.c);
  const Turn t = turnOf(d.q, s.q);
  const Vec3 Iu(m.inertia[0] * t.u[0], m.inertia[1] * t.u[1], m.inertia[2] * t.u[2]);
  const Vec3 uIu = cross(t.u, Iu);
  Vec3 p;
  for (int k = 0; k < 3; k++) p[k] = 2 * rate * (t.s * Iu[k] + uIu[k]);
  const Vec3 turned = d.R * p, moment = cross(d.c - O, linear);
  d.turn = t.s;
  for (int k = 0; k < 3; k++) {
    d.momentum[k] = turned[k] + moment[k];
    d.momentum[3 + k] = linear[k];
    P[k] = d.start[k] - d.momentum[k];
    P[3 + k] = d.start[3 + k] - linear[k];
  }
}

// B = d mu / d twist of the end pose about O.
inline void tangentAt(const LinkModel& m, const LinkState& s, const IntervalLink& d, const Vec3& O, double rate, Mat6& A) {
  const Turn t = turnOf(d.q, s.q);
  const Vec3& u = t.u;
  const Vec3 I = m.inertia;
  const Vec3 Iu(I[0] * u[0], I[1] * u[1], I[2] * u[2]);
  // dp/dt = (2/h) (-Iu u^T / 2 + (s I + [u] I - [Iu]) Q), Q = (s - [u]) / 2; the two factors of 2 cancel.
  const double C[3][3] = {{t.s * I[0], -u[2] * I[1] + Iu[2], u[1] * I[2] - Iu[1]},
                          {u[2] * I[0] - Iu[2], t.s * I[1], -u[0] * I[2] + Iu[0]},
                          {-u[1] * I[0] + Iu[1], u[0] * I[1] - Iu[0], t.s * I[2]}};
  const double Q[3][3] = {{t.s, u[2], -u[1]}, {-u[2], t.s, u[0]}, {u[1], -u[0], t.s}};
  double K[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) K[r][c] = rate * (C[r][0] * Q[0][c] + C[r][1] * Q[1][c] + C[r][2] * Q[2][c] - Iu[r] * u[c]);
  double RK[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) RK[r][c] = d.R(r, 0) * K[0][c] + d.R(r, 1) * K[1][c] + d.R(r, 2) * K[2][c];
  const Vec3 a = d.c - O, b = s.c - O;
  const double mass = m.mass * rate, along = mass * a.dot(b);
  double* p = A.data();  // column-major
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++)
      p[6 * c + r] = RK[r][0] * d.R(c, 0) + RK[r][1] * d.R(c, 1) + RK[r][2] * d.R(c, 2) - mass * b[r] * a[c] + (r == c ? along : 0);
  const double ax = mass * a[0], ay = mass * a[1], az = mass * a[2], bx = mass * b[0], by = mass * b[1], bz = mass * b[2];
  p[3] = 0, p[4] = -bz, p[5] = by;
  p[9] = bz, p[10] = 0, p[11] = -bx;
  p[15] = -by, p[16] = bx, p[17] = 0;
  p[18] = 0, p[19] = az, p[20] = -ay, p[21] = mass, p[22] = 0, p[23] = 0;
  p[24] = -az, p[25] = 0, p[26] = ax, p[27] = 0, p[28] = mass, p[29] = 0;
  p[30] = ay, p[31] = -ax, p[32] = 0, p[33] = 0, p[34] = 0, p[35] = mass;
}

// L U of the N x N block in place, unit L, reciprocals on U's diagonal; no pivoting, because the block is close to a symmetric positive
// definite one.
template <int N>
inline bool luReciprocal(double (*g)[6], double floor) {
  for (int k = 0; k < N; k++) {
    if (!(g[k][k] > floor)) return false;
    g[k][k] = 1 / g[k][k];
    for (int r = k + 1; r < N; r++) {
      g[r][k] *= g[k][k];
      for (int c = k + 1; c < N; c++) g[r][c] -= g[r][k] * g[k][c];
    }
  }
  return true;
}
template <int N>
inline void luSolve(const double (*g)[6], double* x) {
  for (int r = 1; r < N; r++)
    for (int c = 0; c < r; c++) x[r] -= g[r][c] * x[c];
  for (int r = N - 1; r >= 0; r--) {
    for (int c = r + 1; c < N; c++) x[r] -= g[r][c] * x[c];
    x[r] *= g[r][r];
  }
}

template <int N>
inline bool factorIntervalLink(const LinkState& s, const Mat6& A, IntervalLink& d, const double* extra, Mat6* parent) {
  double scale = 0;
  for (int k = 0; k < N; k++) {
    d.U[k].noalias() = A * s.S[k];
    d.V[k].noalias() = A.transpose() * d.S[k];
    scale = std::max(scale, d.S[k].squaredNorm());
  }
  for (int r = 0; r < N; r++) {
    for (int c = 0; c < N; c++) d.D[r][c] = d.S[r].dot(d.U[c]);
    if (extra) d.D[r][r] += extra[r];
  }
  // Inertia along an axis far below round-off of the link's own inertia is treated as zero.
  if (!luReciprocal<N>(d.D, 1e-15 * scale * A.diagonal().maxCoeff())) return false;
  if (!parent) return true;
  if constexpr (N == 1) {
    const Vec6 u = d.D[0][0] * d.U[0];
    for (int c = 0; c < 6; c++) parent->col(c) += A.col(c) - d.V[0][c] * u;
  } else {
    addSymmetric(*parent, A);
    for (int c = 0; c < 6; c++) {
      double x[N];
      for (int k = 0; k < N; k++) x[k] = d.V[k][c];
      luSolve<N>(d.D, x);
      for (int k = 0; k < N; k++) parent->col(c) -= x[k] * d.U[k];
    }
  }
  return true;
}

template <int N>
inline void upIntervalLink(const IntervalLink& d, Vec6& P, const double* g, double* u) {
  for (int k = 0; k < N; k++) u[k] = d.S[k].dot(P) + (g ? g[k] : 0);
  luSolve<N>(d.D, u);
  for (int k = 0; k < N; k++) P -= u[k] * d.U[k];
}

inline void upAt(Tree& tree, IntervalLink* links, int i, const double* generalized, double* u) {
  const LinkModel& m = tree.model[i];
  const double* g = generalized ? generalized + m.vOffset : nullptr;
  double* x = u + m.vOffset;
  if (m.velocityIsTwist) {
    for (int k = 0; k < 6; k++) x[k] = tree.P[i][k] + (g ? g[k] : 0);
    luSolve<6>(links[i].D, x);
    return;
  }
  withCount(m.nv, [&](auto n) { upIntervalLink<n()>(links[i], tree.P[i], g, x); });
  if (m.parent >= 0) tree.P[m.parent] += tree.P[i];
}

}  // namespace

void beginInterval(Tree& tree, IntervalLink* links) {
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    IntervalLink& d = links[i];
    d.c = s.c;
    d.q = s.q;
    d.R = s.R;
    for (int k = 0; k < m.nv; k++) d.S[k] = s.S[k];
  }
}

void placeInterval(Tree& tree, IntervalLink* links, const double* q, double h) {
  const double rate = 1 / h;
  for (int i = 0; i < tree.count; i++) {
    poseAt(tree, i, q);
    momentumAt(tree.model[i], tree.state[i], links[i], tree.O, rate, tree.P[i]);
  }
}

int factorInterval(Tree& tree, IntervalLink* links, const double* extra, const double* generalized, double h, double* u) {
  const double rate = 1 / h;
  for (int i = 0; i < tree.count; i++) {
    subspaceAt(tree, i);
    tangentAt(tree.model[i], tree.state[i], links[i], tree.O, rate, tree.inertia[i]);
  }
  for (int i = tree.count - 1; i >= 0; i--) {
    const LinkModel& m = tree.model[i];
    const LinkState& s = tree.state[i];
    const Mat6& A = tree.inertia[i];
    IntervalLink& d = links[i];
    const double* e = extra ? extra + m.vOffset : nullptr;
    bool good = true;
    if (m.velocityIsTwist) {
      for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) d.D[r][c] = A(r, c);
        if (e) d.D[r][r] += e[r];
      }
      good = luReciprocal<6>(d.D, 0);
    } else {
      Mat6* parent = m.parent >= 0 ? &tree.inertia[m.parent] : nullptr;
      if (m.nv > 0)
        withCount(m.nv, [&](auto n) { good = factorIntervalLink<n()>(s, A, d, e, parent); });
      else if (parent)
        addSymmetric(*parent, A);
    }
    if (!good) return i;
    upAt(tree, links, i, generalized, u);
  }
  return -1;
}

void sweepIntervalUp(Tree& tree, IntervalLink* links, const double* generalized, double* u) {
  for (int i = tree.count - 1; i >= 0; i--) upAt(tree, links, i, generalized, u);
}

void leftOverInterval(Tree& tree, const IntervalLink* links, const double* generalized, double* left) {
  for (int i = tree.count - 1; i >= 0; i--) {
    const LinkModel& m = tree.model[i];
    const Vec6& P = tree.P[i];
    double* to = left + m.vOffset;
    for (int k = 0; k < m.nv; k++)
      to[k] = (m.velocityIsTwist ? P[k] : links[i].S[k].dot(P)) + (generalized ? generalized[m.vOffset + k] : 0);
    if (m.parent >= 0) tree.P[m.parent] += P;
  }
}

double advanceInterval(Tree& tree, IntervalLink* links, const double* u, double h, double* q) {
  const double rate = 1 / h;
  double largest = 0;
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    IntervalLink& d = links[i];
    const double* x = u + m.vOffset;
    double* to = q + m.qOffset;
    if (m.velocityIsTwist) {
      for (int k = 0; k < 6; k++) {
        s.t[k] = x[k];
        largest = std::max(largest, std::fabs(x[k]));
      }
      FreeRootJoint::advanceAbout(tree.O, to, x);
    } else {
      Vec6 t = m.parent >= 0 ? tree.state[m.parent].t : Vec6(Vec6::Zero());
      if (m.nv > 0)
        withCount(m.nv, [&](auto n) {
          double change[n() == 1 ? 1 : 6] = {};
          for (int k = 0; k < n(); k++) change[k] = d.V[k].dot(t);
          luSolve<n()>(d.D, change);
          for (int k = 0; k < n(); k++) {
            change[k] = x[k] - change[k];
            t += change[k] * s.S[k];
            largest = std::max(largest, std::fabs(change[k]));
          }
          if constexpr (n() == 1)
            to[0] += change[0];
          else
            withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, to, change); });
        });
      s.t = t;
    }
    poseAt(tree, i, q);
    momentumAt(m, s, d, tree.O, rate, tree.P[i]);
  }
  return largest;
}

}  // namespace vertebra::dynamics
