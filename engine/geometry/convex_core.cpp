// Support mappings of the convex cores.
#include "engine/geometry/convex_core.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::geometry {
namespace {

// Hill climbing over the edges: on a convex polytope a vertex without a better neighbour is the best one.
int climb(const ConvexHull& hull, const Vec3& d, int start) {
  int best = start;
  double height = hull.vertices[best].dot(d);
  for (bool moved = true; moved;) {
    moved = false;
    for (int next : hull.neighbours[best]) {
      double h = hull.vertices[next].dot(d);
      if (h > height) {
        height = h;
        best = next;
        moved = true;
      }
    }
  }
  return best;
}

int scan(const ConvexHull& hull, const Vec3& d) {
  int best = 0;
  double height = -kInf;
  for (int i = 0; i < static_cast<int>(hull.vertices.size()); ++i) {
    double h = hull.vertices[i].dot(d);
    if (h > height) {
      height = h;
      best = i;
    }
  }
  return best;
}

constexpr size_t kScanUpTo = 24;  // vertices; below this a scan beats climbing

}  // namespace

int supportVertex(const ConvexHull& hull, const Vec3& d, int hint) {
  if (hull.vertices.size() <= kScanUpTo || hull.neighbours.empty()) return scan(hull, d);
  if (hint < 0) hint = hull.starts[static_cast<std::size_t>((d.x() < 0) + 2 * (d.y() < 0) + 4 * (d.z() < 0))];
  return climb(hull, d, hint);
}

Vec3 ConvexCore::support(const Vec3& d, int& hint) const {
  switch (kind) {
    case Kind::Point:
      return p;
    case Kind::Segment:
      return R.col(2).dot(d) >= 0 ? Vec3(p + size.z() * R.col(2)) : Vec3(p - size.z() * R.col(2));
    case Kind::Box: {
      Vec3 l = R.transpose() * d;
      return p + R * Vec3(l.x() >= 0 ? size.x() : -size.x(), l.y() >= 0 ? size.y() : -size.y(), l.z() >= 0 ? size.z() : -size.z());
    }
    case Kind::Cylinder: {
      Vec3 l = R.transpose() * d;
      double side = std::sqrt(l.x() * l.x() + l.y() * l.y()), z = l.z() >= 0 ? size.z() : -size.z();
      if (!(side > 0)) return p + R.col(2) * z;
      return p + R * Vec3(l.x() * (size.x() / side), l.y() * (size.x() / side), z);
    }
    case Kind::Hull: {
      Vec3 l = R.transpose() * d;
      hint = supportVertex(*hull, l, hint);
      return p + R * hull->vertices[hint];
    }
    case Kind::Triangle: {
      double a = corner[0].dot(d), b = corner[1].dot(d), c = corner[2].dot(d);
      return a >= b && a >= c ? corner[0] : b >= c ? corner[1] : corner[2];
    }
  }
  return p;
}

Vec3 ConvexCore::middle() const {
  if (kind == Kind::Triangle) return (corner[0] + corner[1] + corner[2]) / 3;
  if (kind == Kind::Hull) {
    const auto& v = hull->vertices;  // the mean of two vertices far apart is inside and costs little
    return p + R * (0.5 * (v.front() + v[v.size() / 2]));
  }
  return p;
}

Vec3 ConvexCore::centre() const {
  if (kind != Kind::Hull) return middle();
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : hull->vertices) sum += v;
  return p + R * (sum / static_cast<double>(hull->vertices.size()));
}

double ConvexCore::extent() const {
  switch (kind) {
    case Kind::Point:
      return radius;
    case Kind::Segment:
      return size.z() + radius;
    case Kind::Box:
      return size.maxCoeff();
    case Kind::Cylinder:
      return std::max(size.x(), size.z());
    case Kind::Hull:
      return (hull->vertices.front() - hull->vertices[hull->vertices.size() / 2]).norm();
    case Kind::Triangle:
      return std::max((corner[1] - corner[0]).norm(), (corner[2] - corner[0]).norm());
  }
  return 0;
}

}  // namespace vertebra::geometry
