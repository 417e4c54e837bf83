// Compounds: a frame that other shapes name as parent; no geometry.
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry&) { return {}; }
Aabb box(const Geometry&, const Pose&, const Mat3&, double) { return {}; }
std::string mass(const Geometry&, double, MassProperties&) { return "a compound has no geometry of its own"; }
TriangleMesh triangles(const Geometry&, const TessellationOptions&) { return {}; }
bool cast(const Collider&, const Vec3&, const Vec3&, const Ray&, double, RayHit&) { return false; }
double inner(const Geometry&) { return 0; }

}  // namespace

const ShapeTraits kCompoundTraits{"compound", ShapeKind::Frame, true, incomplete, box, mass, triangles, cast, nullptr, inner};

}  // namespace vertebra::geometry
