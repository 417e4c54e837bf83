// Dispatch of the narrow phase and the reduction of contact points.
#include "engine/geometry/collision.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {
namespace {

using Function = void (*)(const Collider&, const Collider&, double, Manifold&);

// Order in which a pair is handed to its function: a plane after every convex shape, surfaces last.
int rank(ShapeType t) {
  switch (traitsOf(t).kind) {
    case ShapeKind::Convex:
      return std::min(static_cast<int>(t), static_cast<int>(ShapeType::Convex));  // sphere, capsule, box, cylinder: closed forms
    case ShapeKind::Plane:
      return 6;
    case ShapeKind::Surface:
      return static_cast<int>(t) + 7;
    case ShapeKind::Frame:
      break;
  }
  return 100;
}

// For rank(a) <= rank(b). Null: no contacts.
Function pairFunction(ShapeType a, ShapeType b) {
  if (traitsOf(a).kind != ShapeKind::Convex || traitsOf(b).kind == ShapeKind::Frame) return nullptr;
  if (b == ShapeType::Mesh) return collideConvexMesh;
  if (b == ShapeType::Heightfield) return collideConvexHeights;
  if (b == ShapeType::Plane) return collideConvexPlane;
  if (a == ShapeType::Sphere) {
    if (b == ShapeType::Sphere) return collideSphereSphere;
    if (b == ShapeType::Capsule) return collideSphereCapsule;
    if (b == ShapeType::Box) return collideSphereBox;
    if (b == ShapeType::Cylinder) return collideSphereCylinder;
  }
  if (a == ShapeType::Capsule && b == ShapeType::Capsule) return collideCapsuleCapsule;
  if (a == ShapeType::Box && b == ShapeType::Box) return collideBoxes;
  return collideConvex;
}

bool usable(const Collider& c) {
  if (!c.geometry || !c.p.allFinite() || !c.R.allFinite()) return false;
  const Geometry& g = *c.geometry;
  if (g.type == ShapeType::Mesh) return c.bvh != nullptr || g.parts != nullptr;
  return g.type == ShapeType::Convex ? g.hull && !g.hull->vertices.empty() : g.type != ShapeType::Heightfield || g.grid;
}

}  // namespace

void collide(const Collider& a, const Collider& b, double margin, Manifold& out) {
  out.count = out.effort = 0;
  if (!usable(a) || !usable(b)) return;
  const Collider *first = &a, *second = &b;
  bool swapped = a.geometry->parts ? false : b.geometry->parts || rank(a.geometry->type) > rank(b.geometry->type);
  if (swapped) std::swap(first, second);
  Function function = first->geometry->parts ? collideParts : pairFunction(first->geometry->type, second->geometry->type);
  if (!function) return;
  function(*first, *second, margin, out);
  if (swapped)
    for (int i = 0; i < out.count; ++i) out.points[i].normal = -out.points[i].normal;
}

void reduceContacts(ContactPoint* points, int& count, int keep, int chosen) {
  if (count <= keep) return;
  double extent = 0;
  for (int i = 1; i < count; ++i) extent = std::max(extent, (points[i].position - points[0].position).squaredNorm());
  const double tie = 1e-5 * std::sqrt(extent);
  if (chosen == 0) {
    int deepest = 0;
    for (int i = 1; i < count; ++i)
      if (points[i].gap < points[deepest].gap - tie) deepest = i;
    std::swap(points[0], points[deepest]);
    chosen = 1;
  }
  const Vec3 normal = points[0].normal;

  // Each further point: the one that enlarges the kept set most (distance, then triangle area, then area outside the kept polygon).
  for (int kept = chosen; kept < keep; ++kept) {
    int best = -1;
    double bestMerit = 0;
    for (int i = kept; i < count; ++i) {
      const Vec3& x = points[i].position;
      double merit;
      if (kept == 1) {
        merit = (x - points[0].position).squaredNorm();
      } else if (kept == 2) {
        merit = std::abs((points[1].position - points[0].position).cross(x - points[0].position).dot(normal));
      } else if (kept == 3) {
        // Area added on the far side of one of the three edges.
        Vec3 a = points[0].position, b = points[1].position, c = points[2].position;
        double turn = (b - a).cross(c - a).dot(normal) >= 0 ? 1 : -1;
        auto beyond = [&](const Vec3& u, const Vec3& v) { return -turn * (v - u).cross(x - u).dot(normal); };
        merit = std::max({0.0, beyond(a, b), beyond(b, c), beyond(c, a)});
      } else {
        merit = kInf;
        for (int k = 0; k < kept; ++k)
          merit = std::min(merit, (x - points[k].position).squaredNorm() + (points[k].normal - points[i].normal).squaredNorm() * extent);
      }
      if (best < 0 || merit > bestMerit * 1.01) {
        best = i;
        bestMerit = merit;
      }
    }
    std::swap(points[kept], points[best]);
  }
  count = keep;
}

void dropDoubles(ContactPoint* points, int& count, double near) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    int same = -1;
    for (int k = 0; k < kept && same < 0; ++k)
      if ((points[k].position - points[i].position).squaredNorm() < near * near && points[k].normal.dot(points[i].normal) > 0.99) same = k;
    if (same < 0)
      points[kept++] = points[i];
    else if (points[i].gap < points[same].gap)
      points[same] = points[i];
  }
  count = kept;
}

}  // namespace vertebra::geometry
