// Boxes: size = half extents.
#include "engine/geometry/shapes/ray_interval.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/shapes/triangles.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry& g) {
  return positiveSize(g.size.x()) && positiveSize(g.size.y()) && positiveSize(g.size.z()) ? "" : "a box needs three positive sizes";
}
Aabb box(const Geometry& g, const Pose& pose, const Mat3& R, double margin) { return boxAbout(pose, R.cwiseAbs() * g.size, margin); }
std::string mass(const Geometry& g, double density, MassProperties& out) {
  const double mass = density * 8 * g.size.prod();
  const Vec3 q = g.size.cwiseProduct(g.size) * (mass / 3);
  out = diagonalMass(mass, q.y() + q.z(), q.z() + q.x(), q.x() + q.y());
  return {};
}
TriangleMesh triangles(const Geometry& g, const TessellationOptions&) {
  const Vec3& s = g.size;
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) mesh.vertices.push_back({k & 1 ? s.x() : -s.x(), k & 2 ? s.y() : -s.y(), k & 4 ? s.z() : -s.z()});
  for (const auto& loop : {std::vector<int>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    fan(mesh, loop);
  return mesh;
}
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  RayInterval i;
  for (int k = 0; k < 3; ++k) {
    i.clip(o, d, Vec3::Unit(k), shape.geometry->size[k]);
    i.clip(o, d, -Vec3::Unit(k), shape.geometry->size[k]);
  }
  return hitOf(i, shape, ray, maxDistance, hit);
}
void core(const Geometry&, ConvexCore& core) { core.kind = ConvexCore::Kind::Box; }
double inner(const Geometry& g) { return g.size.minCoeff(); }

}  // namespace

const ShapeTraits kBoxTraits{"box", ShapeKind::Convex, true, incomplete, box, mass, triangles, cast, core, inner};

}  // namespace vertebra::geometry
