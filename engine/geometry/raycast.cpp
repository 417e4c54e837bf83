// Convex solids are cut by the ray in one interval: each part below narrows it and remembers the normal where it begins.
#include "engine/geometry/raycast.hpp"

#include <algorithm>
#include <cmath>

#include "engine/geometry/heightfield.hpp"
#include "engine/geometry/mesh_bvh.hpp"

namespace vertebra {
namespace {

struct Interval {
  double lo = -kInf, hi = kInf;
  Vec3 normal = Vec3::Zero();  // where the ray enters

  void enter(double t, const Vec3& n) {
    if (t > lo) {
      lo = t;
      normal = n;
    }
  }
  void leave(double t) { hi = std::min(hi, t); }
  void miss() {
    lo = kInf;
    hi = -kInf;
  }

  // The half-space n . x <= offset.
  void clip(const Vec3& o, const Vec3& d, const Vec3& n, double offset) {
    double speed = n.dot(d), height = n.dot(o) - offset;
    if (speed < 0)
      enter(-height / speed, n);
    else if (speed > 0)
      leave(-height / speed);
    else if (height > 0)
      miss();
  }
};

// Roots of |o + t d|^2 = r^2 for the given parts of origin and direction, measured from the nearest point, which keeps far rays exact.
bool roundRoots(const Vec3& o, const Vec3& d, double r, double& t0, double& t1) {
  double dd = d.squaredNorm();
  if (!(dd > 0)) return false;
  double middle = -o.dot(d) / dd;
  double left = r * r - (o + middle * d).squaredNorm();
  if (left < 0) return false;
  double half = std::sqrt(left / dd);
  t0 = middle - half;
  t1 = middle + half;
  return true;
}

Interval sphere(const Vec3& o, const Vec3& d, double r) {
  Interval i;
  double t0, t1;
  if (roundRoots(o, d, r, t0, t1)) {
    i.enter(t0, (o + t0 * d) / r);
    i.leave(t1);
  } else {
    i.miss();
  }
  return i;
}

void clipTube(Interval& i, const Vec3& o, const Vec3& d, double r) {
  Vec3 o2(o.x(), o.y(), 0), d2(d.x(), d.y(), 0);
  double t0, t1;
  if (d2.squaredNorm() < 1e-24) {
    if (o2.squaredNorm() > r * r) i.miss();
  } else if (roundRoots(o2, d2, r, t0, t1)) {
    i.enter(t0, (o2 + t0 * d2) / r);
    i.leave(t1);
  } else {
    i.miss();
  }
}

Interval cylinder(const Vec3& o, const Vec3& d, double r, double half) {
  Interval i;
  i.clip(o, d, Vec3::UnitZ(), half);
  i.clip(o, d, -Vec3::UnitZ(), half);
  clipTube(i, o, d, r);
  return i;
}

// Union of tube and two balls: convex, so the outermost of the three intervals.
Interval capsule(const Vec3& o, const Vec3& d, double r, double half) {
  Vec3 up(0, 0, half);
  Interval all;
  all.lo = kInf;
  all.hi = -kInf;
  for (const Interval& i : {cylinder(o, d, r, half), sphere(o - up, d, r), sphere(o + up, d, r)}) {
    if (!(i.lo <= i.hi)) continue;
    if (i.lo < all.lo) {
      all.lo = i.lo;
      all.normal = i.normal;
    }
    all.hi = std::max(all.hi, i.hi);
  }
  return all;
}

}  // namespace

bool raycast(const Collider& shape, const Ray& ray, double maxDistance, RayHit& hit) {
  const Vec3 o = shape.R.transpose() * (ray.origin - shape.p), d = shape.R.transpose() * ray.direction;
  const Vec3& s = shape.geometry->size;
  if (!o.allFinite() || !d.allFinite()) return false;
  Interval i;
  switch (shape.geometry->type) {
    case ShapeType::Sphere:
      i = sphere(o, d, s.x());
      break;
    case ShapeType::Capsule:
      i = capsule(o, d, s.x(), s.z());
      break;
    case ShapeType::Cylinder:
      i = cylinder(o, d, s.x(), s.z());
      break;
    case ShapeType::Plane:
      i.clip(o, d, Vec3::UnitZ(), 0);
      break;
    case ShapeType::Box:
      for (int k = 0; k < 3; ++k) {
        i.clip(o, d, Vec3::Unit(k), s[k]);
        i.clip(o, d, -Vec3::Unit(k), s[k]);
      }
      break;
    case ShapeType::Convex: {
      if (!shape.geometry->hull) return false;
      const ConvexHull& hull = *shape.geometry->hull;
      for (size_t f = 0; f < hull.normals.size(); ++f) i.clip(o, d, hull.normals[f], hull.offsets[f]);
      break;
    }
    case ShapeType::Mesh: {
      if (!shape.bvh) return false;
      double t = maxDistance;
      const MeshBvh::Triangle* triangle = shape.bvh->raycast(o, d, t);
      if (!triangle) return false;
      Vec3 n = shape.R * (triangle->normal.dot(d) > 0 ? Vec3(-triangle->normal) : triangle->normal);
      hit = {t, ray.origin + t * ray.direction, n, triangle->index};
      return true;
    }
    case ShapeType::Heightfield: {
      if (!shape.geometry->grid) return false;
      const HeightGrid& grid = *shape.geometry->grid;
      double above = kInf;
      MeshTriangle triangle;
      if (o.z() >= grid.lowest - s.z() && raycastHeights(grid, o, Vec3::UnitZ(), above, triangle)) {  // starts in the solid
        hit = {0, ray.origin, -ray.direction, -1};
        return true;
      }
      double t = maxDistance;
      if (!raycastHeights(grid, o, d, t, triangle)) return false;
      hit = {t, ray.origin + t * ray.direction, shape.R * (triangle.normal.dot(d) > 0 ? Vec3(-triangle.normal) : triangle.normal),
             triangle.index};
      return true;
    }
    case ShapeType::Compound:
      return false;
  }
  if (!(i.lo <= i.hi) || i.hi < 0 || i.lo > maxDistance) return false;
  if (i.lo < 0)
    hit = {0, ray.origin, -ray.direction, -1};
  else
    hit = {i.lo, ray.origin + i.lo * ray.direction, shape.R * i.normal, -1};
  return true;
}

}  // namespace vertebra
