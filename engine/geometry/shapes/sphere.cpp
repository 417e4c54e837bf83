// Spheres: size.x = radius.
#include "engine/geometry/shapes/ray_interval.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/shapes/triangles.hpp"

namespace vertebra::geometry {
namespace {

std::string incomplete(const Geometry& g) { return positiveSize(g.size.x()) ? "" : "a sphere needs a positive radius"; }
Aabb box(const Geometry& g, const Pose& pose, const Mat3&, double margin) { return boxAbout(pose, Vec3::Constant(g.size.x()), margin); }
std::string mass(const Geometry& g, double density, MassProperties& out) {
  const double r = g.size.x(), mass = density * 4.0 / 3.0 * kPi * r * r * r, i = 0.4 * mass * r * r;
  out = diagonalMass(mass, i, i, i);
  return {};
}
TriangleMesh triangles(const Geometry& g, const TessellationOptions& o) {
  return roundSolid(g.size.x(), 0, std::clamp(o.segments, 3, 1024));
}
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  return hitOf(sphereInterval(o, d, shape.geometry->size.x()), shape, ray, maxDistance, hit);
}
void core(const Geometry& g, ConvexCore& core) { core.radius = g.size.x(); }
double inner(const Geometry& g) { return g.size.x(); }

}  // namespace

const ShapeTraits kSphereTraits{"sphere", ShapeKind::Convex, true, incomplete, box, mass, triangles, cast, core, inner};

}  // namespace vertebra::geometry
