// Triangles of primitives: solids of revolution about z from a profile of rings, and fans for flat faces.
#pragma once
#include <algorithm>

#include "engine/geometry/tessellate.hpp"
#include "engine/math/elementary.hpp"

namespace vertebra::geometry {

struct Ring {
  double radius, z;
};

// Closed surface of revolution: first and last ring have radius 0 and become single vertices. Rings go from bottom to top.
inline TriangleMesh revolve(const std::vector<Ring>& rings, int segments) {
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

inline TriangleMesh roundSolid(double radius, double half, int segments) {  // sphere for half = 0, else capsule
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

inline void fan(TriangleMesh& mesh, const std::vector<int>& loop) {
  for (size_t k = 1; k + 1 < loop.size(); ++k) mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
}

}  // namespace vertebra::geometry
