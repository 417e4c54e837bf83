// The convex hull of a mesh with few vertices, for collision. Metres.
#pragma once
#include <string>
#include <vector>

#include "engine/geometry/shape.hpp"

namespace vertebra {

inline constexpr int kHullVertices = 64;

struct CollisionHull {
  geometry::ConvexHull hull;
  int fullVertices = 0;  // of the exact hull
  double error = 0;      // largest distance of a left-out vertex from the hull, m; 0 when exact
};

// Exact hulls of up to kHullVertices vertices are kept; for larger ones, the vertices farthest outside the present hull are added, so the
// hull lies inside the exact one and the error falls fast. Returns an empty string, or why there is no hull.
std::string makeCollisionHull(const std::vector<Vec3>& points, CollisionHull& out);

}  // namespace vertebra
