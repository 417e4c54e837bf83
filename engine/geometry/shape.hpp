// Shapes: geometry with a local pose and surface properties. A body or link carries any number of them; groups nest.
// Lengths in metres, frames: a shape's own frame -> its parent group's frame or the body's link frame.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra {

enum class ShapeType : std::uint8_t {
  Sphere,    // size.x = radius
  Capsule,   // size.x = radius, size.z = half length of the cylinder part; axis = local z
  Box,       // size = half extents
  Cylinder,  // size.x = radius, size.z = half length; axis = local z
  Plane,     // half-space below local z = 0; static bodies only
  Convex,    // hull
  Mesh,      // triangle soup; static bodies only for contact, any body for display and mass
  Group      // no geometry: a frame that other shapes name as parent
};

struct TriangleMesh {  // immutable once shared
  std::vector<Vec3> vertices;
  std::vector<Eigen::Vector3i> triangles;  // counter-clockwise seen from outside
};

// Closed convex polyhedron; made by engine/geometry/convex_hull.hpp, immutable once shared.
struct ConvexHull {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;  // vertex loops, counter-clockwise seen from outside, coplanar triangles merged
  std::vector<Vec3> normals;            // outward unit normal of each face
  std::vector<double> offsets;          // plane of a face: normal . x = offset
  std::vector<std::pair<int, int>> edges;
  std::vector<std::vector<int>> neighbours;  // vertices joined to a vertex by an edge, for hill climbing
};

struct Surface {
  double friction = 0.8;   // Coulomb coefficient; a pair uses the geometric mean
  double restitution = 0;  // Newton's coefficient; a pair uses the larger
};

struct Geometry {
  ShapeType type = ShapeType::Sphere;
  Vec3 size = Vec3::Zero();
  std::shared_ptr<const ConvexHull> hull;    // Convex
  std::shared_ptr<const TriangleMesh> mesh;  // Mesh
};

struct Shape {
  std::string name;
  Geometry geometry;
  Pose local;
  int parent = -1;  // index of a Group shape of the same owner, -1 = the link itself
  Surface surface;
  std::uint32_t group = 1;           // bits this shape belongs to
  std::uint32_t mask = 0xffffffffu;  // bits it collides with; both sides must agree
};

struct Visual {  // for display only
  std::string name;
  Geometry geometry;
  Pose local;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};
};

}  // namespace vertebra
