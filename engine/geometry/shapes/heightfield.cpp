// Heightfields: terrain over a grid, solid below; size.z = depth of the solid below the lowest height.
#include "engine/geometry/heightfield.hpp"
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry& g) {
  if (!g.grid) return "a heightfield needs heights";
  return g.size.z() >= 0 && g.size.z() < kInf ? "" : "the depth of a heightfield below its lowest height is 0 or more";
}
Aabb box(const Geometry& geometry, const Pose& pose, const Mat3& R, double margin) {
  if (!geometry.grid) return {};
  const HeightGrid& g = *geometry.grid;
  const Vec3 lo(0, 0, g.lowest - geometry.size.z()), hi((g.columns - 1) * g.dx, (g.rows - 1) * g.dy, g.highest);
  return placedBox({lo, hi}, R, pose.p, margin);
}
std::string mass(const Geometry&, double, MassProperties&) { return "a heightfield has no mass: it is terrain"; }
TriangleMesh triangles(const Geometry& geometry, const TessellationOptions&) {
  TriangleMesh mesh;
  if (!geometry.grid) return mesh;
  const HeightGrid& g = *geometry.grid;
  for (int r = 0; r < g.rows; ++r)
    for (int c = 0; c < g.columns; ++c) mesh.vertices.push_back(g.at(r, c));
  for (int r = 0; r + 1 < g.rows; ++r)
    for (int c = 0; c + 1 < g.columns; ++c) {
      const int a = r * g.columns + c, e = a + g.columns;
      mesh.triangles.push_back({a, a + 1, e + 1});
      mesh.triangles.push_back({a, e + 1, e});
    }
  return mesh;
}
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  if (!shape.geometry->grid) return false;
  const HeightGrid& grid = *shape.geometry->grid;
  double above = kInf;
  MeshTriangle triangle;
  // Starts inside the solid.
  if (o.z() >= grid.lowest - shape.geometry->size.z() && raycastHeights(grid, o, Vec3::UnitZ(), above, triangle)) {
    hit = {0, ray.origin, -ray.direction, -1};
    return true;
  }
  double t = maxDistance;
  if (!raycastHeights(grid, o, d, t, triangle)) return false;
  hit = {t, ray.origin + t * ray.direction, shape.R * (triangle.normal.dot(d) > 0 ? Vec3(-triangle.normal) : triangle.normal),
         triangle.index};
  return true;
}
double inner(const Geometry& g) { return g.size.z(); }

}  // namespace

const ShapeTraits kHeightfieldTraits{"heightfield", ShapeKind::Surface, false, incomplete, box, mass, triangles, cast, nullptr, inner};

}  // namespace vertebra::geometry
