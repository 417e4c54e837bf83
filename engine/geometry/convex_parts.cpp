// The volume of the solid inside a box does not need the cut surface: columns along z enter and leave through the triangles, so the volume
// is the sum over triangles of the signed integral of z, clamped to the box, over the triangle's shadow on the xy plane.
#include "engine/geometry/convex_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "engine/geometry/mesh_bvh.hpp"

namespace vertebra::geometry {
namespace {

constexpr int kEvenCuts = 3, kFeatureCuts = 4;  // candidates along an axis

struct Polygon {  // of a triangle clipped by up to six planes
  int count = 0;
  std::array<Vec3, 12> p;
};

// The part on the side where sign * x[axis] <= sign * at. A polygon that only touches the plane belongs to the side that it bounds.
Polygon clip(const Polygon& in, int axis, double at, double sign) {
  Polygon out;
  const int i1 = (axis + 1) % 3, i2 = (axis + 2) % 3;
  double depth = 0, height = 0, size = 0, facing = 0;
  for (int i = 0; i < in.count; ++i) {
    const Vec3 &a = in.p[i], &b = in.p[(i + 1) % in.count];
    const double da = sign * (a[axis] - at), db = sign * (b[axis] - at);
    depth = std::max(depth, -da);
    height = std::max(height, da);
    facing += a[i1] * b[i2] - a[i2] * b[i1];
    size = std::max(size, (b - a).norm());
    if (da <= 0) out.p[out.count++] = a;
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
      Vec3 x = a + (b - a) * (da / (da - db));
      x[axis] = at;
      out.p[out.count++] = x;
    }
  }
  const bool inPlane = !(depth > 1e-9 * size) && !(height > 1e-9 * size);
  if (inPlane && sign * facing > 0) return in;
  if (!(depth > 1e-9 * size)) out.count = 0;
  return out;
}

// Integral of z - level over the shadow of the polygon on the xy plane, positive for polygons that face up; with `constant` the integral of
// 1.
double shadowIntegral(const Polygon& polygon, double level, bool constant) {
  double sum = 0;
  for (int k = 1; k + 1 < polygon.count; ++k) {
    const Vec3 &a = polygon.p[0], &b = polygon.p[k], &c = polygon.p[k + 1];
    const double area = 0.5 * ((b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y()));
    sum += area * (constant ? 1 : (a.z() + b.z() + c.z()) / 3 - level);
  }
  return sum;
}

class Decomposer {
 public:
  explicit Decomposer(const TriangleMesh& mesh) : triangles_(MeshBvh(mesh).triangles()) {
    std::sort(triangles_.begin(), triangles_.end(), [](const MeshTriangle& a, const MeshTriangle& b) { return a.index < b.index; });
    for (const MeshTriangle& t : triangles_)
      for (int k = 0; k < 3; ++k) {
        const bool concave = !t.neighbourNormal[k].isZero(0) && !t.convex[k] && t.normal.dot(t.neighbourNormal[k]) < 1 - 1e-4;
        if (!concave) continue;
        feature_.push_back(t.corner[k]);
        feature_.push_back(t.corner[(k + 1) % 3]);
      }
  }

  struct Piece {
    Aabb box;
    ConvexHull hull;
    double solid = 0, volume = 0;  // of the mesh inside the box, of the hull
  };

  // False if the solid has no volume inside the box.
  bool make(const Aabb& box, Piece& out) const {
    out.box = box;
    out.solid = solidVolume(box);
    std::vector<Vec3> points;
    for (const MeshTriangle& t : triangles_) {
      const Where place = where(t, box, 3);
      if (place == Where::Outside) continue;
      if (place == Where::Inside) {
        points.insert(points.end(), t.corner, t.corner + 3);
        continue;
      }
      const Polygon inside = clipToBox(t, box, 3);
      points.insert(points.end(), inside.p.begin(), inside.p.begin() + inside.count);
    }
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner(k & 1 ? box.hi.x() : box.lo.x(), k & 2 ? box.hi.y() : box.lo.y(), k & 4 ? box.hi.z() : box.lo.z());
      if (inSolid(corner)) points.push_back(corner);
    }
    dropRepeated(points);
    if (!makeConvexHull(points, out.hull).empty()) return false;
    Geometry g;
    g.type = ShapeType::Convex;
    g.hull = std::shared_ptr<const ConvexHull>(&out.hull, [](const ConvexHull*) {});
    MassProperties m;
    if (!massProperties(g, 1, m).empty()) return false;
    out.volume = m.mass;
    return true;
  }

  // The best cut of a piece; halves without volume are left out.
  std::vector<Piece> cut(const Piece& piece) const {
    std::vector<Piece> best;
    double least = kInf;
    for (int axis = 0; axis < 3; ++axis)
      for (double at : candidates(piece.box, axis)) {
        Aabb low = piece.box, high = piece.box;
        low.hi[axis] = high.lo[axis] = at;
        std::vector<Piece> halves;
        double volume = 0;
        for (const Aabb& box : {low, high}) {
          Piece half;
          if (!make(box, half)) continue;
          volume += half.volume;
          halves.push_back(std::move(half));
        }
        if (volume >= least * (1 - 1e-9)) continue;
        least = volume;
        best = std::move(halves);
      }
    return best;
  }

 private:
  static void dropRepeated(std::vector<Vec3>& points) {
    auto before = [](const Vec3& a, const Vec3& b) { return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3); };
    std::sort(points.begin(), points.end(), before);
    points.erase(std::unique(points.begin(), points.end()), points.end());
  }

  enum class Where { Outside, Across, Inside };
  static Where where(const MeshTriangle& t, const Aabb& box, int axes) {
    Where result = Where::Inside;
    for (int k = 0; k < axes; ++k) {
      const double lo = std::min({t.corner[0][k], t.corner[1][k], t.corner[2][k]});
      const double hi = std::max({t.corner[0][k], t.corner[1][k], t.corner[2][k]});
      if (lo > box.hi[k] || hi < box.lo[k]) return Where::Outside;
      if (!(lo > box.lo[k] && hi < box.hi[k])) result = Where::Across;
    }
    return result;
  }

  static Polygon clipToBox(const MeshTriangle& t, const Aabb& box, int axes) {
    Polygon polygon;
    polygon.count = 3;
    for (int k = 0; k < 3; ++k) polygon.p[k] = t.corner[k];
    for (int axis = 0; axis < axes && polygon.count > 0; ++axis) {
      polygon = clip(polygon, axis, box.lo[axis], -1);
      polygon = clip(polygon, axis, box.hi[axis], 1);
    }
    return polygon;
  }

  double solidVolume(const Aabb& box) const {
    const double bottom = box.lo.z(), height = box.hi.z() - bottom;
    double volume = 0;
    for (const MeshTriangle& t : triangles_) {
      const Where place = where(t, box, 2);
      if (place == Where::Outside) continue;
      Polygon column;
      column.count = 3;
      for (int k = 0; k < 3; ++k) column.p[k] = t.corner[k];
      if (place == Where::Inside && where(t, box, 3) == Where::Inside) {
        volume += shadowIntegral(column, bottom, false);
        continue;
      }
      if (place == Where::Across) column = clipToBox(t, box, 2);
      if (column.count < 3) continue;
      const Polygon above = clip(column, 2, bottom, -1);
      const Polygon within = clip(above, 2, box.hi.z(), 1), beyond = clip(above, 2, box.hi.z(), -1);
      volume += shadowIntegral(within, bottom, false);
      volume += height * shadowIntegral(beyond, 0, true);
    }
    return volume;
  }

  // Counts the triangles above the point: those that face up minus those that face down. A point below an edge must lie on one side of it
  // for both triangles: the side is computed from the edge's lower end.
  bool inSolid(const Vec3& x) const {
    auto left = [&](const Vec3& p, const Vec3& q) {
      const bool ordered = p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
      const Vec3 &a = ordered ? p : q, &b = ordered ? q : p;
      return ((b.x() - a.x()) * (x.y() - a.y()) - (b.y() - a.y()) * (x.x() - a.x()) >= 0) == ordered;
    };
    int winding = 0;
    for (const MeshTriangle& t : triangles_) {
      const Vec3* c = t.corner;
      const bool l0 = left(c[0], c[1]), l1 = left(c[1], c[2]), l2 = left(c[2], c[0]);
      if (l0 != l1 || l1 != l2) continue;
      if ((t.normal.dot(c[0] - x) > 0) == l0) winding += l0 ? 1 : -1;
    }
    return winding > 0;
  }

  std::vector<double> candidates(const Aabb& box, int axis) const {
    const double lo = box.lo[axis], length = box.hi[axis] - lo, near = 0.02 * length;
    std::vector<double> edges, all;
    for (const Vec3& p : feature_)
      if (p[axis] > lo + near && p[axis] < box.hi[axis] - near && (p.array() >= box.lo.array() - near).all() &&
          (p.array() <= box.hi.array() + near).all())
        edges.push_back(p[axis]);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end(), [&](double a, double b) { return b - a < near; }), edges.end());
    const int n = static_cast<int>(edges.size()), taken = std::min(n, kFeatureCuts);
    for (int k = 0; k < taken; ++k) all.push_back(edges[(2 * k + 1) * n / (2 * taken)]);
    for (int k = 1; k <= kEvenCuts; ++k) all.push_back(lo + length * k / (kEvenCuts + 1));
    return all;
  }

  std::vector<MeshTriangle> triangles_;
  std::vector<Vec3> feature_;  // ends of concave edges
};

Aabb boxOf(const std::vector<Vec3>& points) {
  Aabb box;
  for (const Vec3& p : points) {
    box.lo = box.lo.cwiseMin(p);
    box.hi = box.hi.cwiseMax(p);
  }
  return box;
}

}  // namespace

std::string makeConvexParts(const TriangleMesh& mesh, const PartsOptions& options, ConvexParts& out) {
  Geometry g;
  g.type = ShapeType::Mesh;
  g.mesh = std::shared_ptr<const TriangleMesh>(&mesh, [](const TriangleMesh*) {});
  MassProperties whole;
  std::string error = massProperties(g, 1, whole);
  if (!error.empty()) return error;
  const Decomposer decomposer(mesh);
  std::vector<Decomposer::Piece> pieces(1);
  if (!decomposer.make(boxOf(mesh.vertices), pieces[0])) return "the mesh is too thin for a convex hull";
  auto excess = [](const Decomposer::Piece& p) { return p.volume - p.solid; };
  while (static_cast<int>(pieces.size()) < options.maxParts) {
    double total = 0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      total += excess(pieces[i]);
      if (excess(pieces[i]) > excess(pieces[worst])) worst = i;
    }
    if (total <= options.tolerance * whole.mass) break;
    std::vector<Decomposer::Piece> halves = decomposer.cut(pieces[worst]);
    if (halves.empty()) break;
    pieces[worst] = std::move(halves[0]);
    if (halves.size() > 1) pieces.push_back(std::move(halves[1]));
  }
  out = ConvexParts();
  out.solidVolume = whole.mass;
  for (Decomposer::Piece& piece : pieces) {
    Geometry part;
    part.type = ShapeType::Convex;
    out.hullVolume += piece.volume;
    out.box.push_back(boxOf(piece.hull.vertices));
    out.whole.lo = out.whole.lo.cwiseMin(out.box.back().lo);
    out.whole.hi = out.whole.hi.cwiseMax(out.box.back().hi);
    part.hull = std::make_shared<const ConvexHull>(std::move(piece.hull));
    out.part.push_back(std::move(part));
  }
  return {};
}

}  // namespace vertebra::geometry
