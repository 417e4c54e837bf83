// Bounding boxes of posed shapes: half extents along the world axes from the rows of the rotation matrix.
#include "engine/geometry/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra {
namespace {

template <class Points>
Aabb boundsOfPoints(const Points& points, const Mat3& r, const Vec3& p) {
  Aabb box{Vec3::Constant(kInf), Vec3::Constant(-kInf)};
  for (const Vec3& x : points) {
    Vec3 y = r * x;
    box.lo = box.lo.cwiseMin(y);
    box.hi = box.hi.cwiseMax(y);
  }
  return {box.lo + p, box.hi + p};
}

}  // namespace

Aabb bounds(const Geometry& geometry, const Pose& pose, double margin) {
  Mat3 r = pose.q.toRotationMatrix();
  const Vec3& s = geometry.size;
  Vec3 half = Vec3::Zero();
  Aabb box{Vec3::Constant(kInf), Vec3::Constant(-kInf)};
  switch (geometry.type) {
    case ShapeType::Sphere:
      half.setConstant(s.x());
      break;
    case ShapeType::Capsule:
      half = (r.col(2) * s.z()).cwiseAbs() + Vec3::Constant(s.x());
      break;
    case ShapeType::Box:
      half = r.cwiseAbs() * s;
      break;
    case ShapeType::Cylinder:
      for (int k = 0; k < 3; ++k) half[k] = std::abs(r(k, 2)) * s.z() + s.x() * std::sqrt(std::max(0.0, 1 - r(k, 2) * r(k, 2)));
      break;
    case ShapeType::Plane: {
      box = {Vec3::Constant(-kInf), Vec3::Constant(kInf)};
      for (int k = 0; k < 3; ++k) {
        if (r(k, 2) >= 1 - 1e-15) box.hi[k] = pose.p[k] + margin;
        if (r(k, 2) <= -1 + 1e-15) box.lo[k] = pose.p[k] - margin;
      }
      return box;
    }
    case ShapeType::Convex:
      if (geometry.hull) box = boundsOfPoints(geometry.hull->vertices, r, pose.p);
      return {box.lo - Vec3::Constant(margin), box.hi + Vec3::Constant(margin)};
    case ShapeType::Mesh:
      if (geometry.mesh) box = boundsOfPoints(geometry.mesh->vertices, r, pose.p);
      return {box.lo - Vec3::Constant(margin), box.hi + Vec3::Constant(margin)};
    case ShapeType::Heightfield: {
      if (!geometry.grid) return box;
      const HeightGrid& g = *geometry.grid;
      return placedBox({Vec3(0, 0, g.lowest - s.z()), Vec3((g.columns - 1) * g.dx, (g.rows - 1) * g.dy, g.highest)}, r, pose.p, margin);
    }
    case ShapeType::Compound:
      return box;
  }
  half += Vec3::Constant(margin);
  return {pose.p - half, pose.p + half};
}

}  // namespace vertebra
