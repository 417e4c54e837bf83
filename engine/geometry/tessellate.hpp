// Triangles of any geometry for display: in the shape's own frame, metres, counter-clockwise seen from outside.
#pragma once
#include "engine/geometry/shape.hpp"

namespace vertebra::geometry {

struct TessellationOptions {
  int segments = 24;          // round a circle, at least 3
  double planeHalfSize = 10;  // a plane is drawn as a square with this half side
};

// A compound, a convex shape without hull or a mesh shape without mesh gives no triangles.
TriangleMesh tessellate(const Geometry& geometry, const TessellationOptions& options = {});

}  // namespace vertebra::geometry
