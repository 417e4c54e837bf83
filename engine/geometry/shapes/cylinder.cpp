// Cylinders along z: size.x = radius, size.z = half length.
#include <cmath>

#include "engine/geometry/shapes/cylinder.hpp"
#include "engine/geometry/shapes/ray_interval.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/shapes/triangles.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry& g) {
  return positiveSize(g.size.x()) && positiveSize(g.size.z()) ? "" : "a cylinder needs a positive radius and length";
}
Aabb box(const Geometry& g, const Pose& pose, const Mat3& R, double margin) {
  Vec3 half;
  for (int k = 0; k < 3; ++k) half[k] = std::abs(R(k, 2)) * g.size.z() + g.size.x() * std::sqrt(std::max(0.0, 1 - R(k, 2) * R(k, 2)));
  return boxAbout(pose, half, margin);
}
std::string mass(const Geometry& g, double density, MassProperties& out) {
  out = cylinderMass(density, g.size.x(), g.size.z());
  return {};
}
TriangleMesh triangles(const Geometry& g, const TessellationOptions& o) {
  const Vec3& s = g.size;
  return revolve({{0, -s.z()}, {s.x(), -s.z()}, {s.x(), s.z()}, {0, s.z()}}, std::clamp(o.segments, 3, 1024));
}
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  return hitOf(cylinderInterval(o, d, shape.geometry->size.x(), shape.geometry->size.z()), shape, ray, maxDistance, hit);
}
void core(const Geometry&, ConvexCore& core) { core.kind = ConvexCore::Kind::Cylinder; }
double inner(const Geometry& g) { return std::min(g.size.x(), g.size.z()); }

}  // namespace

const ShapeTraits kCylinderTraits{"cylinder", ShapeKind::Convex, true, incomplete, box, mass, triangles, cast, core, inner};

}  // namespace vertebra::geometry
