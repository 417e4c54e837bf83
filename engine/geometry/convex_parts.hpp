// A closed mesh as convex parts, so that it can collide on a moving body. Shape's frame, metres.
//
// Planes along the axes of its frame cut the mesh: each time the part whose hull encloses most volume outside the solid, at the plane which
// leaves the least volume in the hulls of the two halves; candidates are planes through concave edges and evenly spaced ones. The parts are
// the hulls of what lies in each box. Recursive cutting by concavity: Mamou and Ghorbel 2009, "A simple and efficient approach for 3D mesh
// approximate convex decomposition"; Wei et al. 2022, "Approximate convex decomposition for 3D meshes with collision-aware concavity and
// tree search".
#pragma once
#include <string>
#include <vector>

#include "engine/geometry/bounds.hpp"

namespace vertebra::geometry {

struct ConvexParts {
  std::vector<Geometry> part;  // each Convex
  std::vector<Aabb> box;       // of each part
  Aabb whole;
  double solidVolume = 0, hullVolume = 0;  // m^3, of the mesh and of all parts together
};

struct PartsOptions {
  int maxParts = 16;
  double tolerance = 0.02;  // cutting ends when the volume of the parts exceeds that of the solid by no more than this share
};

// Returns what is wrong (the mesh is not closed, or flat), or an empty text. Takes seconds for ten thousand triangles.
std::string makeConvexParts(const TriangleMesh& mesh, const PartsOptions& options, ConvexParts& out);

}  // namespace vertebra::geometry
