// Traits of a shape type: one struct a type, beside its formulas in a file of its own; the rest of the engine reads these traits. A new
// type takes one file here, its enumerator in shape.hpp and its line in shapes.cpp. Units and frames as in shape.hpp.
#pragma once
#include <string>

#include "engine/geometry/bounds.hpp"
#include "engine/geometry/convex_core.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "engine/geometry/raycast.hpp"
#include "engine/geometry/tessellate.hpp"

namespace vertebra::geometry {

enum class ShapeKind : std::uint8_t {
  Convex,   // has a convex core: GJK, EPA and the closed forms apply
  Plane,    // a half-space
  Surface,  // triangles, searched by box; a mesh with convex parts is a solid nevertheless
  Frame     // no geometry
};

struct ShapeTraits {
  const char* name;  // the word of scene files
  ShapeKind kind;
  bool moves;  // may be carried by dynamic bodies
  // Why it is invalid ("a box needs three positive sizes"); empty: it is valid. It may still have no volume: see mass.
  std::string (*incomplete)(const Geometry& g);
  Aabb (*bounds)(const Geometry& g, const Pose& pose, const Mat3& R, double margin);
  std::string (*mass)(const Geometry& g, double density, MassProperties& out);  // for valid geometry; empty text, or why it has none
  TriangleMesh (*tessellate)(const Geometry& g, const TessellationOptions& options);
  // o, d: the ray in the shape's own frame.
  bool (*raycast)(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit);
  void (*core)(const Geometry& g, ConvexCore& core);  // kind, size, radius, hull; null unless convex
  double (*innerRadius)(const Geometry& g);           // m, of a ball inside; 0: none; infinite: a solid without another side
  Vec3 (*innerCentre)(const Geometry& g) = nullptr;   // of that ball, in the shape's frame; null: its origin
};
const ShapeTraits& traitsOf(ShapeType type);

extern const ShapeTraits kSphereTraits, kCapsuleTraits, kBoxTraits, kCylinderTraits, kPlaneTraits, kConvexTraits, kMeshTraits,
    kCompoundTraits, kHeightfieldTraits;

inline bool positiveSize(double x) { return x > 0 && x < kInf; }
// Of a box about the shape's own origin with half extents along the world's axes.
inline Aabb boxAbout(const Pose& pose, const Vec3& half, double margin) {
  const Vec3 h = half + Vec3::Constant(margin);
  return {pose.p - h, pose.p + h};
}
Aabb boundsOfPoints(const std::vector<Vec3>& points, const Mat3& R, const Vec3& p, double margin);
inline MassProperties diagonalMass(double mass, double xx, double yy, double zz) {
  MassProperties m;
  m.mass = mass;
  m.inertia.diagonal() << xx, yy, zz;
  return m;
}

}  // namespace vertebra::geometry
