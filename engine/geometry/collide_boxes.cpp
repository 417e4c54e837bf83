// Box against box: the fifteen axes of the separating-axis theorem (Gottschalk, Lin, Manocha 1996, "OBBTree"), then clipping of the two
// faces. For separate boxes the axis with the widest gap gives the true distance only if a corner stands over a face or two edges cross;
// otherwise GJK finds it.
#include <cmath>

#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/contact_patch.hpp"

namespace vertebra::geometry {
namespace {

struct Axis {
  Vec3 normal;  // unit, from A to B
  double gap = -kInf;
  int edgeA = -1, edgeB = -1;  // -1: a face
};

// Closest points of the edges of both boxes that support the axis.
void edgeWitness(const ConvexCore& a, const ConvexCore& b, const Axis& axis, Separation& sep) {
  int hint = 0;
  Vec3 p = a.support(axis.normal, hint), q = b.support(-axis.normal, hint);
  Vec3 u = a.R.col(axis.edgeA), v = b.R.col(axis.edgeB);
  p -= u * u.dot(p - a.p);  // middles of the edges
  q -= v * v.dot(q - b.p);
  double uv = u.dot(v), determinant = 1 - uv * uv;
  Vec3 w = q - p;
  double s = (w.dot(u) - uv * w.dot(v)) / determinant, t = (uv * w.dot(u) - w.dot(v)) / determinant;
  sep.a = p + s * u;
  sep.b = q + t * v;
}

}  // namespace

void collideBoxes(const Collider& a, const Collider& b, double margin, Manifold& out) {
  const Vec3 ha = a.geometry->size, hb = b.geometry->size;
  const Vec3 offset = b.p - a.p;
  const Mat3 c = a.R.transpose() * b.R, absC = c.cwiseAbs();
  const Vec3 ta = a.R.transpose() * offset, tb = b.R.transpose() * offset;
  const double size = ha.maxCoeff() + hb.maxCoeff();

  // Faces: A's first, B's only if clearly wider, so that the choice does not alternate when faces are parallel.
  Axis best;
  for (int i = 0; i < 3; ++i) {
    double gap = std::abs(ta[i]) - ha[i] - absC.row(i).dot(hb);
    if (gap >= margin) return;
    if (gap > best.gap) {
      best.gap = gap;
      best.normal = a.R.col(i) * (ta[i] >= 0 ? 1.0 : -1.0);
    }
  }
  for (int i = 0; i < 3; ++i) {
    double gap = std::abs(tb[i]) - hb[i] - absC.col(i).dot(ha);
    if (gap >= margin) return;
    if (gap > best.gap + 1e-7 * size) {
      best.gap = gap;
      best.normal = b.R.col(i) * (tb[i] >= 0 ? 1.0 : -1.0);
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sine2 = 1 - c(i, j) * c(i, j);
      if (sine2 < 1e-6) continue;  // parallel edges: a face axis is as good
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double along = ta[i2] * c(i1, j) - ta[i1] * c(i2, j);
      double reach = ha[i1] * absC(i2, j) + ha[i2] * absC(i1, j) + hb[j1] * absC(i, j2) + hb[j2] * absC(i, j1);
      double scale = 1 / std::sqrt(sine2), gap = (std::abs(along) - reach) * scale;
      if (gap >= margin) return;
      if (gap > best.gap + 1e-7 * size) {
        best.gap = gap;
        best.edgeA = i;
        best.edgeB = j;
        best.normal = a.R.col(i).cross(b.R.col(j)) * (along >= 0 ? scale : -scale);
      }
    }

  ConvexCore ca = makeCore(a, a.p), cb = makeCore(b, a.p);
  ContactPatchOptions options;
  options.margin = margin;
  options.origin = a.p;
  Separation sep;
  sep.normal = best.normal;
  sep.distance = best.gap;
  const double tolerance = 1e-7 * size;
  if (best.edgeA >= 0) {
    edgeWitness(ca, cb, best, sep);
    // For separate boxes the crossing must lie on both edges, not on their extensions.
    double onA = std::abs(a.R.col(best.edgeA).dot(sep.a)), onB = std::abs(b.R.col(best.edgeB).dot(sep.b - cb.p));
    if (best.gap <= 0 || (onA <= ha[best.edgeA] && onB <= hb[best.edgeB])) {
      out.count = contactPatch(ca, cb, sep, options, out.points, Manifold::kCapacity);
      return;
    }
  } else {
    options.useWitness = false;
    out.count = contactPatch(ca, cb, sep, options, out.points, Manifold::kCapacity);
    for (int i = 0; i < out.count; ++i)
      if (out.points[i].gap <= best.gap + tolerance) return;
    options.useWitness = true;
  }
  separation(ca, cb, margin, sep);
  out.effort = sep.effort;
  out.count = sep.kind == Separation::Kind::Far ? 0 : contactPatch(ca, cb, sep, options, out.points, Manifold::kCapacity);
}

}  // namespace vertebra::geometry
