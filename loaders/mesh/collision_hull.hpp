// The convex hull of a mesh with few vertices, for collision. Metres.
#pragma once
#include <string>
#include <vector>

#include "engine/geometry/shape.hpp"

namespace vertebra {

inline constexpr int kHullVertices = 64;

struct CollisionHull {
  geometry::ConvexHull hull;
  double error = 0;  // largest distance of a left-out point from the hull, m; 0 when exact
};

// Points that are farthest outside the present hull are added, so the hull lies inside the exact one and the error falls fast; one that
// needs no more than kHullVertices is exact to 1e-9 of its size. Returns an empty string, or why there is no hull.
std::string makeCollisionHull(const std::vector<Vec3>& points, CollisionHull& out);

}  // namespace vertebra
