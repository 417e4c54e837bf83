// Articulated elimination, square-root form; see tree.hpp.
#include <cmath>

#include "engine/dynamics/tree.hpp"

namespace vertebra {
namespace {

// Cholesky of the N x N block held in the lower part of g; diagonal becomes reciprocals. False if a pivot is not above the floor, or
// is what round-off leaves of a diagonal entry that elimination uses up.
template <int N>
bool choleskyReciprocal(double (*g)[6], double floor) {
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
  for (int r = 0; r < N; r++) {
    double x = u[r];
    for (int e = 0; e < r; e++) x -= g[r][e] * y[e];
    y[r] = x * g[r][r];
  }
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
inline void subtractOuter(Mat6& to, const Vec6& w) {
  double* x = to.data();
  for (int c = 0; c < 6; c++)
    for (int r = 0; r < 6; r++) x[6 * c + r] -= w[c] * w[r];
}

template <int N>
bool factorLink(LinkState& s, const double* extra, Mat6* parent) {
  Vec6 U[N];
  for (int k = 0; k < N; k++) U[k].noalias() = s.A * s.S[k];
  double scale = 0;
  for (int r = 0; r < N; r++) {
    for (int c = 0; c <= r; c++) s.G[r][c] = s.S[r].dot(U[c]);
    if (extra) s.G[r][r] += extra[r];
    scale = std::max(scale, s.S[r].squaredNorm());
  }
  // Inertia along an axis far below round-off of the link's own inertia counts as none.
  const double floor = 1e-15 * scale * s.A.diagonal().maxCoeff();
  if (!choleskyReciprocal<N>(s.G, floor)) return false;
  for (int k = 0; k < N; k++) {
    for (int e = 0; e < k; e++) U[k] -= s.G[k][e] * s.W[e];
    s.W[k] = s.G[k][k] * U[k];
  }
  if (parent) {
    if constexpr (N == 1) {  // in one pass over memory
      const Vec6& w = s.W[0];
      for (int c = 0; c < 6; c++) parent->col(c) += s.A.col(c) - w[c] * w;
    } else {
      addSymmetric(*parent, s.A);
      for (int k = 0; k < N; k++) subtractOuter(*parent, s.W[k]);
    }
  }
  return true;
}

bool factorFreeRoot(LinkState& s, const double* extra) {
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c <= r; c++) s.G[r][c] = s.A(r, c);
    if (extra) s.G[r][r] += extra[r];
  }
  return choleskyReciprocal<6>(s.G, 0);
}

template <class F>
inline void withCount(int nv, F&& f) {
  switch (nv) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 3: return f(std::integral_constant<int, 3>{});
    case 6: return f(std::integral_constant<int, 6>{});
    case 2: return f(std::integral_constant<int, 2>{});
    default: return;
  }
}

template <int N>
inline void upLink(const LinkState& s, Vec6& P, const double* generalized, double* y) {
  double u[N];
  for (int k = 0; k < N; k++) u[k] = s.S[k].dot(P) + (generalized ? generalized[k] : 0);
  forward<N>(s.G, u, y);
  for (int k = 0; k < N; k++) P -= y[k] * s.W[k];
}
template <int N>
inline void downLink(const LinkState& s, const double* z, const Vec6& parent, double* rate, Vec6& t) {
  double r[N];
  for (int k = 0; k < N; k++) r[k] = z[k] - s.W[k].dot(parent);
  backward<N>(s.G, r, rate);
  t = parent;
  for (int k = 0; k < N; k++) t += rate[k] * s.S[k];
}

}  // namespace

int factor(Tree& tree, const double* extra) {
  for (int i = tree.count - 1; i >= 0; i--) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    const double* e = extra ? extra + m.vOffset : nullptr;
    bool ok = true;
    if (m.freeRoot) {
      ok = factorFreeRoot(s, e);
    } else {
      Mat6* parent = m.parent >= 0 ? &tree.state[m.parent].A : nullptr;
      if (m.nv == 0) {
        if (parent) addSymmetric(*parent, s.A);
      } else {
        withCount(m.nv, [&](auto n) { ok = factorLink<n()>(s, e, parent); });
      }
    }
    if (!ok) return i;
  }
  return -1;
}

void sweepUp(Tree& tree, const double* generalized, double* z) {
  for (int i = tree.count - 1; i >= 0; i--) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    double* y = z + m.vOffset;
    const double* g = generalized ? generalized + m.vOffset : nullptr;
    if (m.freeRoot) {
      double u[6];
      for (int k = 0; k < 6; k++) u[k] = s.P[k] + (g ? g[k] : 0);
      forward<6>(s.G, u, y);
      continue;
    }
    withCount(m.nv, [&](auto n) { upLink<n()>(s, s.P, g, y); });
    if (m.parent >= 0) tree.state[m.parent].P += s.P;
  }
}

void sweepDown(Tree& tree, const double* z, double* v, bool withBase) {
  const Vec6 rest = Vec6::Zero();
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    double* rate = v + m.vOffset;
    if (m.freeRoot) {
      backward<6>(s.G, z + m.vOffset, rate);
      for (int k = 0; k < 6; k++) s.t[k] = rate[k];
    } else {
      const Vec6& parent = m.parent >= 0 ? tree.state[m.parent].t : withBase ? tree.base.twist : rest;
      if (m.nv == 0) s.t = parent;
      else withCount(m.nv, [&](auto n) { downLink<n()>(s, z + m.vOffset, parent, rate, s.t); });
    }
    const Vec3 w = s.t.head<3>();
    s.v = Vec3(s.t.tail<3>()) + w.cross(s.c - tree.O);
    s.w = s.R.transpose() * w;
  }
}

void sweepDownAccelerations(Tree& tree, const double* z, double* a) {
  const Vec6 rest = Vec6::Zero();
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    double* rate = a + m.vOffset;
    if (m.freeRoot) {
      backward<6>(s.G, z + m.vOffset, rate);
      for (int k = 0; k < 6; k++) s.t2[k] = rate[k];
      continue;
    }
    const Vec6& parent = m.parent >= 0 ? tree.state[m.parent].t2 : rest;
    if (m.nv == 0) s.t2 = parent;
    else withCount(m.nv, [&](auto n) { downLink<n()>(s, z + m.vOffset, parent, rate, s.t2); });
  }
}

void passUp(const LinkModel& m, const LinkState& s, Vec6& P, double* y) {
  if (m.freeRoot) {
    forward<6>(s.G, P.data(), y);
    return;
  }
  withCount(m.nv, [&](auto n) { upLink<n()>(s, P, nullptr, y); });
}

void enterAtJoint(const LinkModel& m, const LinkState& s, const double* g, double* y, Vec6& P) {
  P.setZero();
  if (m.freeRoot) {
    forward<6>(s.G, g, y);
    return;
  }
  withCount(m.nv, [&](auto n) {
    forward<n()>(s.G, g, y);
    for (int k = 0; k < n(); k++) P -= y[k] * s.W[k];
  });
}

}  // namespace vertebra
