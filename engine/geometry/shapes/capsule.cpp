// Capsules along z: size.x = radius, size.z = half length of the cylindrical part.
#include "engine/geometry/shapes/cylinder.hpp"
#include "engine/geometry/shapes/ray_interval.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/shapes/triangles.hpp"

namespace vertebra::geometry {
namespace {

MassProperties capsuleMass(double density, double r, double half) {
  MassProperties tube = cylinderMass(density, r, half);
  double caps = density * 4.0 / 3.0 * kPi * r * r * r;  // both hemispheres; the centre of one lies 3/8 r beyond the tube
  double side = caps * (0.4 * r * r + half * half + 0.75 * half * r);
  return diagonalMass(tube.mass + caps, tube.inertia(0, 0) + side, tube.inertia(1, 1) + side, tube.inertia(2, 2) + caps * 0.4 * r * r);
}

std::string incomplete(const Geometry& g) {
  return positiveSize(g.size.x()) && g.size.z() >= 0 && g.size.z() < kInf ? ""
                                                                          : "a capsule needs a positive radius and a length of at least 0";
}
Aabb box(const Geometry& g, const Pose& pose, const Mat3& R, double margin) {
  return boxAbout(pose, (R.col(2) * g.size.z()).cwiseAbs() + Vec3::Constant(g.size.x()), margin);
}
std::string mass(const Geometry& g, double density, MassProperties& out) {
  out = capsuleMass(density, g.size.x(), g.size.z());
  return {};
}
TriangleMesh triangles(const Geometry& g, const TessellationOptions& o) {
  return roundSolid(g.size.x(), g.size.z(), std::clamp(o.segments, 3, 1024));
}
// Union of tube and two balls: it is convex, so its interval runs from the least start to the greatest end of the three.
bool cast(const Collider& shape, const Vec3& o, const Vec3& d, const Ray& ray, double maxDistance, RayHit& hit) {
  const double r = shape.geometry->size.x(), half = shape.geometry->size.z();
  const Vec3 up(0, 0, half);
  RayInterval all;
  all.lo = kInf;
  all.hi = -kInf;
  for (const RayInterval& i : {cylinderInterval(o, d, r, half), sphereInterval(o - up, d, r), sphereInterval(o + up, d, r)}) {
    if (!(i.lo <= i.hi)) continue;
    if (i.lo < all.lo) {
      all.lo = i.lo;
      all.normal = i.normal;
    }
    all.hi = std::max(all.hi, i.hi);
  }
  return hitOf(all, shape, ray, maxDistance, hit);
}
void core(const Geometry& g, ConvexCore& core) {
  core.kind = ConvexCore::Kind::Segment;
  core.radius = g.size.x();
}
double inner(const Geometry& g) { return g.size.x(); }

}  // namespace

const ShapeTraits kCapsuleTraits{"capsule", ShapeKind::Convex, true, incomplete, box, mass, triangles, cast, core, inner};

}  // namespace vertebra::geometry
