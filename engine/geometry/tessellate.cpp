// Triangles of primitives: solids of revolution about z from a profile of rings, and fans for flat faces.
#include "engine/geometry/tessellate.hpp"

#include <algorithm>

#include "engine/math/elementary.hpp"

namespace vertebra {
namespace {

struct Ring {
  double radius, z;
};

// Closed surface of revolution: first and last ring have radius 0 and become single vertices. Rings go from bottom to top.
TriangleMesh revolve(const std::vector<Ring>& rings, int segments) {
  TriangleMesh mesh;
  std::vector<int> first;
  for (const Ring& ring : rings) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    int n = ring.radius > 0 ? segments : 1;
    for (int k = 0; k < n; ++k) {
      SinCos a = sincos(2 * kPi * k / segments);
      mesh.vertices.push_back({ring.radius * a.c, ring.radius * a.s, ring.z});
    }
  }
  for (size_t r = 0; r + 1 < rings.size(); ++r) {
    bool low = rings[r].radius > 0, high = rings[r + 1].radius > 0;
    for (int k = 0; k < segments; ++k) {
      int next = (k + 1) % segments;
      int a = first[r] + (low ? k : 0), b = first[r] + (low ? next : 0);
      int c = first[r + 1] + (high ? next : 0), d = first[r + 1] + (high ? k : 0);
      if (low) mesh.triangles.push_back({a, b, high ? c : d});
      if (high) mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

TriangleMesh roundSolid(double radius, double half, int segments) {  // sphere for half = 0, else capsule
  int quarter = std::max(2, segments / 4);
  std::vector<Ring> rings;
  for (int k = 0; k <= quarter; ++k) {
    SinCos a = sincos(0.5 * kPi * k / quarter);
    rings.push_back({k == 0 ? 0 : radius * a.s, -half - radius * a.c});
  }
  for (int k = half > 0 ? 0 : 1; k <= quarter; ++k) {
    SinCos a = sincos(0.5 * kPi * k / quarter);
    rings.push_back({k == quarter ? 0 : radius * a.c, half + radius * a.s});
  }
  return revolve(rings, segments);
}

void fan(TriangleMesh& mesh, const std::vector<int>& loop) {
  for (size_t k = 1; k + 1 < loop.size(); ++k) mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
}

}  // namespace

TriangleMesh tessellate(const Geometry& geometry, const TessellationOptions& options) {
  int segments = std::clamp(options.segments, 3, 1024);
  const Vec3& s = geometry.size;
  TriangleMesh mesh;
  switch (geometry.type) {
    case ShapeType::Sphere:
      return roundSolid(s.x(), 0, segments);
    case ShapeType::Capsule:
      return roundSolid(s.x(), s.z(), segments);
    case ShapeType::Cylinder:
      return revolve({{0, -s.z()}, {s.x(), -s.z()}, {s.x(), s.z()}, {0, s.z()}}, segments);
    case ShapeType::Box:
      for (int k = 0; k < 8; ++k) mesh.vertices.push_back({k & 1 ? s.x() : -s.x(), k & 2 ? s.y() : -s.y(), k & 4 ? s.z() : -s.z()});
      for (const auto& loop : {std::vector<int>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
        fan(mesh, loop);
      return mesh;
    case ShapeType::Plane: {
      double h = options.planeHalfSize;
      mesh.vertices = {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}};
      fan(mesh, {0, 1, 2, 3});
      return mesh;
    }
    case ShapeType::Convex:
      if (!geometry.hull) return mesh;
      mesh.vertices = geometry.hull->vertices;
      for (const auto& face : geometry.hull->faces) fan(mesh, face);
      return mesh;
    case ShapeType::Mesh:
      return geometry.mesh ? *geometry.mesh : mesh;
    case ShapeType::Heightfield: {
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
    case ShapeType::Compound:
      return mesh;
  }
  return mesh;
}

}  // namespace vertebra
