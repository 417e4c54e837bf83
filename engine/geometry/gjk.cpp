// GJK distance algorithm (Gilbert, Johnson, Keerthi 1988); nearest point of a simplex by Voronoi regions (Ericson, Real-Time Collision
// Detection, chapter 5), which is robust on the flat simplices that parallel faces produce.
#include "engine/geometry/gjk.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::geometry {
namespace {

constexpr int kMaxIterations = 128;

struct Nearest {
  Vec3 point;
  double weight[4];  // barycentric, of the simplex's points
};

void nearestOnSegment(const Vec3& a, const Vec3& b, double& wa, double& wb) {
  Vec3 ab = b - a;
  double length = ab.squaredNorm(), t = -a.dot(ab);
  t = t <= 0 || !(length > 0) ? 0 : t >= length ? 1 : t / length;
  wa = 1 - t;
  wb = t;
}

void nearestOnTriangle(const Vec3& a, const Vec3& b, const Vec3& c, double& wa, double& wb, double& wc) {
  Vec3 ab = b - a, ac = c - a;
  double d1 = -ab.dot(a), d2 = -ac.dot(a), d3 = -ab.dot(b), d4 = -ac.dot(b), d5 = -ab.dot(c), d6 = -ac.dot(c);
  wa = wb = wc = 0;
  if (d1 <= 0 && d2 <= 0) {
    wa = 1;
    return;
  }
  if (d3 >= 0 && d4 <= d3) {
    wb = 1;
    return;
  }
  if (d6 >= 0 && d5 <= d6) {
    wc = 1;
    return;
  }
  double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  double sum = va + vb + vc;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    nearestOnSegment(a, b, wa, wb);
    return;
  }
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    nearestOnSegment(a, c, wa, wc);
    return;
  }
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    nearestOnSegment(b, c, wb, wc);
    return;
  }
  if (!(sum > 0)) {  // a flat triangle that round-off put in no edge region
    nearestOnSegment(a, b, wa, wb);
    return;
  }
  wb = vb / sum;
  wc = vc / sum;
  wa = 1 - wb - wc;
}

// Nearest point of the simplex to the origin; drops the points it does not need. True if the origin is inside a tetrahedron, which it is
// not if it is known to be `outside`.
bool reduce(Simplex& s, Vec3& nearest, bool outside) {
  MinkowskiPoint* p = s.point;
  double w[4] = {1, 0, 0, 0};
  if (s.count == 2) nearestOnSegment(p[0].w, p[1].w, w[0], w[1]);
  if (s.count == 3) nearestOnTriangle(p[0].w, p[1].w, p[2].w, w[0], w[1], w[2]);
  if (s.count == 4) {
    static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    double best = kInf;
    bool inside = true;
    for (const auto& f : face) {
      const Vec3 &a = p[f[0]].w, &b = p[f[1]].w, &c = p[f[2]].w;
      Vec3 n = (b - a).cross(c - a);
      Vec3 edge = p[f[3]].w - a;
      double origin = -n.dot(a), opposite = n.dot(edge);
      // Same side as the fourth point; for a flat tetrahedron the side is only noise.
      bool flat = opposite * opposite <= 1e-20 * n.squaredNorm() * edge.squaredNorm();
      if (!outside && !flat && origin * opposite > 0) continue;
      inside = false;
      double u, v, x;
      nearestOnTriangle(a, b, c, u, v, x);
      double d = (u * a + v * b + x * c).squaredNorm();
      if (d < best) {
        best = d;
        w[f[0]] = u;
        w[f[1]] = v;
        w[f[2]] = x;
        w[f[3]] = 0;
      }
    }
    if (inside) return true;
  }
  nearest.setZero();
  int kept = 0;
  for (int i = 0; i < s.count; ++i) {
    if (!(w[i] > 0)) continue;
    nearest += w[i] * p[i].w;
    w[kept] = w[i];
    p[kept++] = p[i];
  }
  s.count = kept;
  return false;
}

void witness(const Simplex& s, const Vec3& v, Separation& out) {
  // Weights of the reduced simplex again: its nearest point lies inside it.
  double w[4] = {1, 0, 0, 0};
  if (s.count == 2) nearestOnSegment(s.point[0].w, s.point[1].w, w[0], w[1]);
  if (s.count == 3) nearestOnTriangle(s.point[0].w, s.point[1].w, s.point[2].w, w[0], w[1], w[2]);
  out.a.setZero();
  out.b.setZero();
  for (int i = 0; i < s.count; ++i) {
    out.a += w[i] * s.point[i].a;
    out.b += w[i] * s.point[i].b;
  }
  out.distance = v.norm();
  out.normal = -v / out.distance;
}

}  // namespace

void gjkDistance(const ConvexCore& a, const ConvexCore& b, double maxDistance, Separation& out, GjkCourse* course) {
  GjkCourse fresh;
  if (!course) course = &fresh;
  Simplex& s = out.simplex;
  s.count = 0;
  out.effort = 1;
  Vec3 v = course->direction.squaredNorm() > 0 ? course->direction : Vec3(a.middle() - b.middle());
  if (!(v.squaredNorm() > 0)) v = Vec3::UnitX();
  const double size = a.extent() + b.extent() + 1e-300;
  const double touching = 1e-10 * size;
  double last = kInf;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    MinkowskiPoint next;
    next.a = a.support(-v, course->hintA);
    next.b = b.support(v, course->hintB);
    next.w = next.a - next.b;
    double vv = v.squaredNorm(), vw = v.dot(next.w);
    if (vw > 0 && vw * vw > maxDistance * maxDistance * vv) {
      out.kind = Separation::Kind::Far;
      out.distance = vw / std::sqrt(vv);
      course->direction = v;
      return;
    }
    // v is the nearest point if no point of the difference lies nearer along v.
    bool done = s.count > 0 && vv - vw <= 1e-13 * vv;
    for (int i = 0; i < s.count && !done; ++i) done = s.point[i].w == next.w;
    if (done) break;
    const Simplex before = s;
    const Vec3 vBefore = v;
    s.point[s.count++] = next;
    // Slivers of round bodies may seem to hold the origin; where a plane lies between the bodies, they do not.
    bool holds = reduce(s, v, false);
    if (holds && vw > touching * std::sqrt(vv)) holds = reduce(s, v, true);
    if (holds) {
      out.kind = Separation::Kind::Overlap;
      return;
    }
    vv = v.squaredNorm();
    if (vv <= touching * touching) {
      out.kind = Separation::Kind::Overlap;
      return;
    }
    if (vv >= last) {  // round-off stops progress: the previous simplex is as good
      s = before;
      v = vBefore;
      break;
    }
    last = vv;
  }
  witness(s, v, out);
  course->direction = v;
  out.kind = Separation::Kind::Apart;
  if (out.distance > maxDistance) out.kind = Separation::Kind::Far;
}

void separation(const ConvexCore& a, const ConvexCore& b, double maxDistance, Separation& out, GjkCourse* course) {
  gjkDistance(a, b, maxDistance, out, course);
  if (out.kind == Separation::Kind::Overlap) epaPenetration(a, b, out);
}

}  // namespace vertebra::geometry
