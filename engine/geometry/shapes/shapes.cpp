// The table of shapes, and the functions that dispatch on the type of a shape. See shapes.hpp.
#include "engine/geometry/shapes/shapes.hpp"

#include <cmath>

namespace vertebra::geometry {
namespace {

constexpr const ShapeTraits* kShapes[] = {  // in the order of enum ShapeType
    &kSphereTraits, &kCapsuleTraits, &kBoxTraits,      &kCylinderTraits,   &kPlaneTraits,
    &kConvexTraits, &kMeshTraits,    &kCompoundTraits, &kHeightfieldTraits};

}  // namespace

const ShapeTraits& traitsOf(ShapeType type) { return *kShapes[static_cast<int>(type)]; }

Aabb boundsOfPoints(const std::vector<Vec3>& points, const Mat3& R, const Vec3& p, double margin) {
  Aabb box{Vec3::Constant(kInf), Vec3::Constant(-kInf)};
  for (const Vec3& x : points) {
    Vec3 y = R * x;
    box.lo = box.lo.cwiseMin(y);
    box.hi = box.hi.cwiseMax(y);
  }
  return {box.lo + p - Vec3::Constant(margin), box.hi + p + Vec3::Constant(margin)};
}

Aabb bounds(const Geometry& geometry, const Pose& pose, double margin) {
  return traitsOf(geometry.type).bounds(geometry, pose, pose.q.toRotationMatrix(), margin);
}

TriangleMesh tessellate(const Geometry& geometry, const TessellationOptions& options) {
  return traitsOf(geometry.type).tessellate(geometry, options);
}

bool raycast(const Collider& shape, const Ray& ray, double maxDistance, RayHit& hit) {
  const Vec3 o = shape.R.transpose() * (ray.origin - shape.p), d = shape.R.transpose() * ray.direction;
  if (!o.allFinite() || !d.allFinite()) return false;
  return traitsOf(shape.geometry->type).raycast(shape, o, d, ray, maxDistance, hit);
}

std::string massProperties(const Geometry& geometry, double density, MassProperties& out) {
  if (!(density > 0) || !std::isfinite(density)) return "density must be positive and finite";
  const ShapeTraits& traits = traitsOf(geometry.type);
  if (std::string lacks = traits.incomplete(geometry); !lacks.empty()) return lacks;
  MassProperties m;
  if (std::string why = traits.mass(geometry, density, m); !why.empty()) return why;
  if (!std::isfinite(m.mass) || !m.inertia.allFinite() || !(m.mass > 0)) return "the mass of the shape is out of range";
  out = m;
  return {};
}

double innerRadius(const Geometry& geometry) { return traitsOf(geometry.type).innerRadius(geometry); }
Vec3 innerCentre(const Geometry& geometry) {
  const auto centre = traitsOf(geometry.type).innerCentre;
  return centre ? centre(geometry) : Vec3::Zero();
}

bool isSolid(const Geometry& geometry) { return traitsOf(geometry.type).kind == ShapeKind::Convex || geometry.parts; }

ConvexCore makeCore(const Collider& c, const Vec3& origin) {
  ConvexCore core;
  core.p = c.p - origin;
  core.R = c.R;
  core.size = c.geometry->size;
  traitsOf(c.geometry->type).core(*c.geometry, core);
  return core;
}

}  // namespace vertebra::geometry
