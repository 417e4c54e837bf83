// Convex polyhedra: hull.
#include "engine/geometry/convex_core.hpp"
#include "engine/geometry/shapes/polyhedron.hpp"
#include "engine/geometry/shapes/ray_interval.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/shapes/triangles.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry& g) {
  return g.hull && !g.hull->vertices.empty() ? "" : "a convex shape needs points or planes: it has no hull";
}
Aabb box(const Geometry& g, const Pose& pose, const Mat3& R, double margin) {
  if (!g.hull) return {};
  Aabb box;
  for (int k = 0; k < 3; k++) {
    const Vec3 along = R.row(k);
    box.hi[k] = along.dot(g.hull->vertices[static_cast<std::size_t>(supportVertex(*g.hull, along, -1))]);
    box.lo[k] = along.dot(g.hull->vertices[static_cast<std::size_t>(supportVertex(*g.hull, -along, -1))]);
  }
  return {box.lo + pose.p - Vec3::Constant(margin), box.hi + pose.p + Vec3::Constant(margin)};
}
std::string mass(const Geometry& g, double density, MassProperties& out) {
  const ConvexHull& hull = *g.hull;
  Vec3 centre = Vec3::Zero();
  for (const Vec3& v : hull.vertices) centre += v / static_cast<double>(hull.vertices.size());
  Polyhedron solid(centre);
  for (const auto& face : hull.faces)
    for (size_t k = 1; k + 1 < face.size(); ++k) solid.triangle(hull.vertices[face[0]], hull.vertices[face[k]], hull.vertices[face[k + 1]]);
  if (!(solid.volume() > 0)) return "the convex hull has no volume";
  out = solid.result(density);
  return {};
}
TriangleMesh triangles(const Geometry& g, const TessellationOptions&) {
  TriangleMesh mesh;
  if (!g.hull) return mesh;
  mesh.vertices = g.hull->vertices;
  for (const auto& face : g.hull->faces) fan(mesh, face);
  return mesh;
}
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  if (!shape.geometry->hull) return false;
  const ConvexHull& hull = *shape.geometry->hull;
  RayInterval i;
  for (size_t f = 0; f < hull.normals.size(); ++f) i.clip(o, d, hull.normals[f], hull.offsets[f]);
  return hitOf(i, shape, ray, maxDistance, hit);
}
void core(const Geometry& g, ConvexCore& core) {
  core.kind = ConvexCore::Kind::Hull;
  core.hull = g.hull.get();
}
Vec3 centre(const Geometry& g) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& v : g.hull->vertices) middle += v / static_cast<double>(g.hull->vertices.size());
  return middle;
}
double inner(const Geometry& g) {
  const Vec3 middle = centre(g);
  double least = kInf;
  for (std::size_t f = 0; f < g.hull->normals.size(); ++f) least = std::min(least, g.hull->offsets[f] - g.hull->normals[f].dot(middle));
  return std::max(0.0, least);
}

}  // namespace

const ShapeTraits kConvexTraits{"convex", ShapeKind::Convex, true, incomplete, box, mass, triangles, cast, core, inner, centre};

}  // namespace vertebra::geometry
