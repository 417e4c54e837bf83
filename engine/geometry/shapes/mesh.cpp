// Triangle meshes: a surface with a front, or, with convex parts, a solid.
#include <algorithm>

#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/mesh_bvh.hpp"
#include "engine/geometry/shapes/polyhedron.hpp"
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {
namespace {

// Vertices with equal coordinates are one: triangle soups (STL) repeat them.
std::vector<int> weld(const std::vector<Vec3>& vertices) {
  std::vector<int> order(vertices.size()), number(vertices.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  auto less = [&](int a, int b) {
    const Vec3 &u = vertices[a], &v = vertices[b];
    return std::lexicographical_compare(u.data(), u.data() + 3, v.data(), v.data() + 3);
  };
  std::sort(order.begin(), order.end(), less);
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = i > 0 && !less(order[i - 1], order[i]) ? number[order[i - 1]] : order[i];
  return number;
}

std::string meshProperties(const TriangleMesh& mesh, double density, MassProperties& out) {
  if (mesh.triangles.empty()) return "the mesh has no triangles";
  Vec3 lo = Vec3::Constant(kInf), hi = -lo;
  for (const Vec3& v : mesh.vertices) {
    if (!v.allFinite()) return "the mesh has a vertex that is not finite";
    lo = lo.cwiseMin(v);
    hi = hi.cwiseMax(v);
  }
  int count = static_cast<int>(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    if (t.minCoeff() < 0 || t.maxCoeff() >= count) return "a triangle of the mesh names a vertex that does not exist";

  std::vector<int> number = weld(mesh.vertices);
  std::vector<std::pair<int, int>> forward, backward;
  Polyhedron solid(0.5 * (lo + hi));
  for (const auto& t : mesh.triangles) {
    int v[3] = {number[t[0]], number[t[1]], number[t[2]]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;  // collapsed: no area, no edge of its own
    for (int k = 0; k < 3; ++k) {
      forward.push_back({v[k], v[(k + 1) % 3]});
      backward.push_back({v[(k + 1) % 3], v[k]});
    }
    solid.triangle(mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]);
  }
  std::sort(forward.begin(), forward.end());
  std::sort(backward.begin(), backward.end());
  if (forward.empty() || forward != backward)
    return "the mesh is not closed: some edge is not shared by two triangles of opposite direction";
  double box = (hi - lo).prod();
  if (!(solid.volume() > 1e-12 * box)) return "the mesh encloses no positive volume: flat, or its triangles wind clockwise";
  out = solid.result(density);
  return {};
}

std::string incomplete(const Geometry& g) { return g.mesh ? "" : "a mesh needs points and triangles"; }
Aabb box(const Geometry& g, const Pose& pose, const Mat3& R, double margin) {
  return g.mesh ? boundsOfPoints(g.mesh->vertices, R, pose.p, margin) : Aabb();
}
std::string mass(const Geometry& g, double density, MassProperties& out) { return meshProperties(*g.mesh, density, out); }
TriangleMesh triangles(const Geometry& g, const TessellationOptions&) { return g.mesh ? *g.mesh : TriangleMesh(); }
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  if (!shape.bvh) return false;
  double t = maxDistance;
  const MeshBvh::Triangle* triangle = shape.bvh->raycast(o, d, t);
  if (!triangle) return false;
  const Vec3 n = shape.R * (triangle->normal.dot(d) > 0 ? Vec3(-triangle->normal) : triangle->normal);
  hit = {t, ray.origin + t * ray.direction, n, triangle->index};
  return true;
}
double inner(const Geometry& g) {
  double least = g.parts ? kInf : 0;
  if (g.parts)
    for (const Geometry& part : g.parts->part) least = std::min(least, innerRadius(part));
  return least;
}
Vec3 centre(const Geometry& g) {  // of the thinnest part, whose radius is the mesh's
  if (!g.parts) return Vec3::Zero();
  for (const Geometry& part : g.parts->part)
    if (innerRadius(part) == inner(g)) return innerCentre(part);
  return Vec3::Zero();
}

}  // namespace

const ShapeTraits kMeshTraits{"mesh", ShapeKind::Surface, true, incomplete, box, mass, triangles, cast, nullptr, inner, centre};

}  // namespace vertebra::geometry
