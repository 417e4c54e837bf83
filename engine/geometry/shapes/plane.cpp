// Planes: the half-space below z = 0.
#include "engine/geometry/shapes/ray_interval.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/shapes/triangles.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry&) { return {}; }
Aabb box(const Geometry&, const Pose& pose, const Mat3& R, double margin) {
  Aabb box{Vec3::Constant(-kInf), Vec3::Constant(kInf)};
  for (int k = 0; k < 3; ++k) {
    if (R(k, 2) >= 1 - 1e-15) box.hi[k] = pose.p[k] + margin;
    if (R(k, 2) <= -1 + 1e-15) box.lo[k] = pose.p[k] - margin;
  }
  return box;
}
std::string mass(const Geometry&, double, MassProperties&) { return "a plane has no mass: it is infinite"; }
TriangleMesh triangles(const Geometry&, const TessellationOptions& options) {
  const double h = options.planeHalfSize;
  TriangleMesh mesh;
  mesh.vertices = {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}};
  fan(mesh, {0, 1, 2, 3});
  return mesh;
}
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  RayInterval i;
  i.clip(o, d, Vec3::UnitZ(), 0);
  return hitOf(i, shape, ray, maxDistance, hit);
}
double inner(const Geometry&) { return kInf; }

}  // namespace

const ShapeTraits kPlaneTraits{"plane", ShapeKind::Plane, false, incomplete, box, mass, triangles, cast, nullptr, inner};

}  // namespace vertebra::geometry
