// Convex hulls from points or from half-spaces, with coplanar triangles merged to polygon faces.
// Lengths in the caller's unit (metres in a shape), result in the frame of the input. Hulls by Qhull (Barber, Dobkin, Huhdanpaa 1996).
#pragma once
#include <string>
#include <vector>

#include "engine/geometry/shape.hpp"

namespace vertebra::geometry {

struct HalfSpace {  // the points with normal . x <= offset; normal need not be unit
  Vec3 normal;
  double offset;
};

// Both return an empty string, or a text that says what is wrong with the input; then `out` is unchanged.
// Points: at least four, finite, not in one plane (thickness above 1e-7 of the extent). Points inside the hull are dropped. A hull of more
// than `most` vertices gets these alone, no faces and edges.
std::string makeConvexHull(const std::vector<Vec3>& points, ConvexHull& out, std::size_t most = static_cast<std::size_t>(-1));
// Half-spaces: their intersection must be bounded and have an interior. Redundant ones are dropped.
std::string makeConvexHull(const std::vector<HalfSpace>& halfSpaces, ConvexHull& out);

}  // namespace vertebra::geometry
