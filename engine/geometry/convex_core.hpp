// A convex shape as a core plus a radius, placed in a frame whose axes are the world's: what GJK, EPA and the contact patches work on.
// Sphere and capsule are a point and a segment with exact radius; the other cores have radius 0. Metres.
#pragma once
#include "engine/geometry/collision.hpp"

namespace vertebra::geometry {

struct ConvexCore {
  enum class Kind : std::uint8_t { Point, Segment, Box, Cylinder, Hull, Triangle };
  Kind kind = Kind::Point;
  double radius = 0;         // of the rounding, not of a cylinder
  Vec3 size = Vec3::Zero();  // Box: half extents; Cylinder: x radius, z half length; Segment: z half length
  Vec3 p = Vec3::Zero();     // centre, relative to the origin chosen by the caller
  Mat3 R = Mat3::Identity();
  const ConvexHull* hull = nullptr;
  Vec3 corner[3];  // Triangle

  // The core's farthest point along d (any length). `hint` speeds up hulls: the vertex found by the last call, -1 = none yet.
  Vec3 support(const Vec3& d, int& hint) const;
  Vec3 middle() const;    // some point inside, perhaps near the surface
  Vec3 centre() const;    // the mean of its corners: on whose side of a surface it is
  double extent() const;  // a length of the size of the core, for tolerances
};

// The vertex of a hull that is farthest along d (any length, the hull's frame); hint: one to start from, -1 = none.
int supportVertex(const ConvexHull& hull, const Vec3& d, int hint);

// Of shapes that have one (shapes/shapes.hpp).
ConvexCore makeCore(const Collider& c, const Vec3& origin);

}  // namespace vertebra::geometry
