// Shapes: geometry with a local pose and surface properties. A body or link carries any number of them; compounds nest. Lengths in metres,
// frames: a shape's own frame -> its parent compound's frame or the body's link frame.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::geometry {

enum class ShapeType : std::uint8_t {
  Sphere,      // size.x = radius
  Capsule,     // size.x = radius, size.z = half length of the cylinder part; axis = local z
  Box,         // size = half extents
  Cylinder,    // size.x = radius, size.z = half length; axis = local z
  Plane,       // half-space below local z = 0; static bodies only
  Convex,      // hull
  Mesh,        // triangle soup: contacts on static bodies only, unless it has convex parts; display and mass on any body
  Compound,    // no geometry: a frame that other shapes name as parent
  Heightfield  // terrain over a grid, solid below; static bodies only. size.z = depth of the solid below the lowest height
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
  std::array<int, 8> starts{};               // for it: the farthest vertex towards each octant; bit k: axis k is negative
};

// Heights over a grid in the shape's x and y: sample (row, column) is at (column * spacing x, row * spacing y, height). Each cell is two
// triangles, cut from (row, column) to (row + 1, column + 1). Immutable once shared.
struct HeightGrid {            // made by makeHeightGrid, engine/geometry/heightfield.hpp
  int rows = 0, columns = 0;   // samples, at least 2 each
  double dx = 1, dy = 1;       // spacing, positive
  std::vector<double> height;  // row by row
  double lowest = 0, highest = 0;
  double z(int row, int column) const { return height[static_cast<std::size_t>(row) * columns + column]; }
  Vec3 at(int row, int column) const { return {column * dx, row * dy, z(row, column)}; }
};

struct ConvexParts;  // engine/geometry/convex_parts.hpp

// How the two surfaces of a pair give one number. Where the shapes differ, the rule that is later in this list applies.
enum class Combine : std::uint8_t { Default, GeometricMean, Average, Minimum, Multiply, Maximum };

struct Surface {
  double friction = 0.8;                       // Coulomb coefficient while sliding
  double restitution = 0;                      // Newton's coefficient
  double staticFriction = 0;                   // coefficient while sticking; a value below `friction` is replaced by `friction`
  double rollingFriction = 0;                  // m; torque about tangents of a contact at most this times the normal force
  double torsionalFriction = 0;                // m; likewise about the normal
  Combine frictionRule = Combine::Default;     // of both coefficients; default: geometric mean
  Combine restitutionRule = Combine::Default;  // default: the larger
  // Under the stepper `ode`: a contact that passes within a step does not roll the system back to its beginning, it is only pushed out.
  bool stabilised = false;
  bool hertz = false;  // the law of a penalty contact
  // Penalty contact instead of a rigid one where stiffness > 0, with depth d and its rate v: linear k d + c v, Hertz k d^1.5 (1 + c v),
  // never pulling. N/m and N s/m, or N/m^1.5 and s/m (Hunt and Crossley 1975, "Coefficient of restitution interpreted as damping in
  // vibroimpact").
  double stiffness = 0, damping = 0;
  bool operator==(const Surface&) const = default;
};

struct Geometry {
  ShapeType type = ShapeType::Sphere;
  Vec3 size = Vec3::Zero();
  std::shared_ptr<const ConvexHull> hull;            // Convex
  std::shared_ptr<const TriangleMesh> mesh;          // Mesh
  std::shared_ptr<const ConvexParts> parts;          // Mesh: the parts that collide in its place, if given
  std::shared_ptr<const HeightGrid> grid;            // Heightfield
  bool operator==(const Geometry&) const = default;  // the same hull, mesh, parts, grid, not equal ones
};

struct CollisionShape {
  Geometry geometry;
  Pose local;
  int parent = -1;  // index of a Compound shape of the same owner, -1 = the link itself
  Surface surface;
  std::uint32_t category = 1;        // bits this shape belongs to
  std::uint32_t mask = 0xffffffffu;  // bits it collides with; both sides must agree
};

struct Shape : CollisionShape {
  std::string name;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};  // for display only
};

struct Visual {  // for display only
  std::string name;
  Geometry geometry;
  Pose local;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};
};

}  // namespace vertebra::geometry
