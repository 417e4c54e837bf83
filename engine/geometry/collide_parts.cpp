// A mesh with convex parts against any shape: part by part, then the points of all parts reduced as one manifold.
#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {
namespace {

constexpr int kPartsRoom = 64;

// Box of the other shape in the frame of the parts; for shapes with their own search by box (meshes, heightfields) or of infinite size:
// everything.
Aabb reachOf(const Collider& parts, const Collider& other, double margin) {
  const ShapeKind kind = traitsOf(other.geometry->type).kind;
  const bool searches = kind == ShapeKind::Plane || (kind == ShapeKind::Surface && !other.geometry->parts);
  if (searches) return {Vec3::Constant(-kInf), Vec3::Constant(kInf)};
  const Mat3 R = parts.R.transpose() * other.R;
  const Vec3 p = parts.R.transpose() * (other.p - parts.p);
  return placedBox(other.geometry->parts ? other.geometry->parts->whole : bounds(*other.geometry, Pose(), 0), R, p, margin);
}

}  // namespace

void collideParts(const Collider& a, const Collider& b, double margin, Manifold& out) {
  const ConvexParts& parts = *a.geometry->parts;
  const Aabb reach = reachOf(a, b, margin);
  ContactPoint found[kPartsRoom];
  int count = 0;
  Manifold one;
  for (std::size_t i = 0; i < parts.part.size(); ++i) {
    if (!parts.box[i].overlaps(reach)) continue;
    Collider part = a;
    part.geometry = &parts.part[i];
    collide(part, b, margin, one);
    out.effort += one.effort;
    if (count + one.count > kPartsRoom) reduceContacts(found, count, Manifold::kCapacity);
    for (int k = 0; k < one.count; ++k) {
      found[count] = one.points[k];
      found[count++].feature += 0x9e3779b9u * static_cast<std::uint32_t>(i);
    }
  }
  const Vec3 extent = parts.whole.hi - parts.whole.lo;
  dropDoubles(found, count, 1e-4 * extent.norm());
  reduceContacts(found, count, Manifold::kCapacity);
  for (int k = 0; k < count; ++k) out.points[k] = found[k];
  out.count = count;
}

}  // namespace vertebra::geometry
