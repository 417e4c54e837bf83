// Expanding polytope algorithm (van den Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects") for cores
// that overlap. The polytope lives in fixed arrays on the stack. On curved shapes it stops when the nearest face is within 1e-10 of the
// size from the true boundary, or when the arrays are full; the depth returned is then the width along the face's normal, which always
// separates. collide_convex.cpp has a measured comparison with libccd.
#include <algorithm>
#include <cmath>

#include "engine/geometry/gjk.hpp"

namespace vertebra::geometry {
namespace {

constexpr int kMaxPoints = 160;
constexpr int kMaxFaces = 2 * kMaxPoints;
constexpr int kMaxHorizon = 128;

struct Face {
  int v[3];
  Vec3 normal;  // outward unit
  double offset;
};

class Polytope {
 public:
  Polytope(const ConvexCore& a, const ConvexCore& b) : a_(a), b_(b), size_(a.extent() + b.extent() + 1e-300) {}

  MinkowskiPoint support(const Vec3& d) {
    MinkowskiPoint p;
    p.a = a_.support(d, hintA_);
    p.b = b_.support(-d, hintB_);
    p.w = p.a - p.b;
    return p;
  }

  // Extends the final simplex of GJK, which may be a point, a segment or a triangle through the origin, to a tetrahedron. False if the
  // difference of the cores is flat; then `flat` is its normal.
  bool start(const Simplex& simplex, Vec3& flat) {
    const double tiny = 1e-9 * size_;
    count_ = simplex.count;
    for (int i = 0; i < count_; ++i) points_[i] = simplex.point[i];
    flat = Vec3::UnitZ();
    // Three points that are not on a line.
    if (count_ == 0) points_[count_++] = support(Vec3::UnitX());
    if (count_ == 1 || (points_[1].w - points_[0].w).norm() < tiny) {
      count_ = 1;
      for (int axis = 0; axis < 6 && count_ == 1; ++axis) {
        MinkowskiPoint p = support(axis % 2 ? Vec3(-Vec3::Unit(axis / 2)) : Vec3(Vec3::Unit(axis / 2)));
        if ((p.w - points_[0].w).norm() > tiny) points_[count_++] = p;
      }
      if (count_ == 1) return false;
    }
    Vec3 line = (points_[1].w - points_[0].w).normalized();
    auto offLine = [&](const Vec3& x) { return Vec3((x - points_[0].w) - line * line.dot(x - points_[0].w)).norm(); };
    if (count_ == 2 || offLine(points_[2].w) < tiny) {
      count_ = 2;
      Vec3 u = line.unitOrthogonal(), v = line.cross(u);
      for (const Vec3& d : {u, v, Vec3(-u), Vec3(-v)}) {
        MinkowskiPoint p = support(d);
        if (offLine(p.w) <= tiny) continue;
        points_[count_++] = p;
        break;
      }
      if (count_ == 2) {
        flat = u;
        return false;
      }
    }
    Vec3 normal = (points_[1].w - points_[0].w).cross(points_[2].w - points_[0].w).normalized();
    auto height = [&](const Vec3& x) { return normal.dot(x - points_[0].w); };
    if (count_ == 3 || std::abs(height(points_[3].w)) < tiny) {
      count_ = 3;
      MinkowskiPoint up = support(normal), down = support(-normal);
      points_[count_++] = std::abs(height(up.w)) >= std::abs(height(down.w)) ? up : down;
      if (std::abs(height(points_[3].w)) < tiny) {
        flat = normal;
        return false;
      }
    }
    if (height(points_[3].w) > 0) std::swap(points_[1], points_[2]);  // faces below face outwards when the apex is behind
    return addFace(0, 1, 2) && addFace(0, 3, 1) && addFace(1, 3, 2) && addFace(2, 3, 0);
  }

  void expand() {
    for (;;) {
      const Face face = faces_[nearest()];
      best_ = face;
      if (count_ == kMaxPoints) return;
      MinkowskiPoint p = support(face.normal);
      if (p.w.dot(face.normal) - face.offset <= 1e-10 * size_ || !insert(p)) return;
    }
  }

  void result(Separation& out) {
    constexpr int kPoints = 25;  // whose square takes as long as a distance does
    out.effort += count_ * count_ / kPoints;
    const Vec3 &p = points_[best_.v[0]].w, &q = points_[best_.v[1]].w, &r = points_[best_.v[2]].w;
    out.normal = best_.normal;
    out.distance = -std::max(0.0, support(best_.normal).w.dot(best_.normal));
    // Barycentric coordinates of the origin's projection on the face.
    Vec3 foot = best_.normal * best_.offset, n = (q - p).cross(r - p);
    double area = n.squaredNorm();
    double u = n.dot((r - q).cross(foot - q)) / area, v = n.dot((p - r).cross(foot - r)) / area;
    double weight[3] = {u, v, 1 - u - v};
    out.a.setZero();
    out.b.setZero();
    for (int k = 0; k < 3; ++k) {
      out.a += weight[k] * points_[best_.v[k]].a;
      out.b += weight[k] * points_[best_.v[k]].b;
    }
  }

 private:
  int nearest() const {
    int best = 0;
    for (int i = 1; i < faceCount_; ++i)
      if (faces_[i].offset < faces_[best].offset) best = i;
    return best;
  }

  bool addFace(int i, int j, int k) {
    if (faceCount_ == kMaxFaces) return false;
    const Vec3 &p = points_[i].w, &q = points_[j].w, &r = points_[k].w;
    Vec3 n = (q - p).cross(r - p);
    double length = n.norm();
    if (!(length > 1e-22 * size_ * size_)) return false;
    n /= length;
    faces_[faceCount_++] = {{i, j, k}, n, n.dot(p)};
    return true;
  }

  // Adds a point outside: removes the faces that see it and joins their outline to the point. Faces in whose plane it lies are removed too,
  // because an edge in line with the point would make a face without area. False if round-off prevents it; the face chosen before is then
  // the result.
  bool insert(const MinkowskiPoint& p) {
    int edges[kMaxHorizon][2];
    int edgeCount = 0;
    for (int i = 0; i < faceCount_;) {
      if (faces_[i].normal.dot(p.w) - faces_[i].offset <= -1e-12 * size_) {
        ++i;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        int from = faces_[i].v[k], to = faces_[i].v[(k + 1) % 3], found = -1;
        for (int e = 0; e < edgeCount && found < 0; ++e)
          if (edges[e][0] == to && edges[e][1] == from) found = e;
        if (found >= 0) {
          --edgeCount;
          edges[found][0] = edges[edgeCount][0];
          edges[found][1] = edges[edgeCount][1];
        } else {
          if (edgeCount == kMaxHorizon) return false;
          edges[edgeCount][0] = from;
          edges[edgeCount++][1] = to;
        }
      }
      faces_[i] = faces_[--faceCount_];
    }
    points_[count_] = p;
    for (int e = 0; e < edgeCount; ++e)
      if (!addFace(edges[e][0], edges[e][1], count_)) return false;
    ++count_;
    return edgeCount >= 3;
  }

  const ConvexCore &a_, &b_;
  const double size_;
  int hintA_ = 0, hintB_ = 0, count_ = 0, faceCount_ = 0;
  MinkowskiPoint points_[kMaxPoints + 1];
  Face faces_[kMaxFaces];
  Face best_{};
};

}  // namespace

void epaPenetration(const ConvexCore& a, const ConvexCore& b, Separation& io) {
  Polytope polytope(a, b);
  Vec3 flat;
  if (polytope.start(io.simplex, flat)) {
    polytope.expand();
    polytope.result(io);
  } else {
    io.normal = flat;
    io.distance = 0;
    io.a = io.b = Vec3::Zero();
    for (int i = 0; i < io.simplex.count; ++i) {
      io.a += io.simplex.point[i].a / io.simplex.count;
      io.b += io.simplex.point[i].b / io.simplex.count;
    }
  }
  io.kind = Separation::Kind::Overlap;
}

}  // namespace vertebra::geometry
