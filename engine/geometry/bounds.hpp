// Axis-aligned bounding boxes in the world frame, metres.
#pragma once
#include "engine/geometry/shape.hpp"

namespace vertebra::geometry {

struct Aabb {
  Vec3 lo = Vec3::Constant(kInf), hi = Vec3::Constant(-kInf);  // empty
  bool overlaps(const Aabb& o) const {
    return lo.x() <= o.hi.x() && o.lo.x() <= hi.x() && lo.y() <= o.hi.y() && o.lo.y() <= hi.y() && lo.z() <= o.hi.z() && o.lo.z() <= hi.z();
  }
};

// The axis-aligned box around a box that is rotated by R and moved by p.
inline Aabb placedBox(const Aabb& box, const Mat3& R, const Vec3& p, double margin) {
  const Vec3 centre = p + R * (0.5 * (box.lo + box.hi));
  const Vec3 half = R.cwiseAbs() * (0.5 * (box.hi - box.lo)) + Vec3::Constant(margin);
  return {centre - half, centre + half};
}

// Tight for every type, enlarged by `margin` on all sides. A plane's box is the half-space, infinite except where its normal is a world
// axis; a heightfield's is that of its solid. A compound or a shape without its hull or mesh has an empty box (lo > hi), which overlaps
// nothing.
Aabb bounds(const Geometry& geometry, const Pose& pose, double margin);
// Radius of a ball inside a shape, in m: how far the shape may penetrate before a contact's direction can be wrong.
double innerRadius(const Geometry& geometry);
Vec3 innerCentre(const Geometry& geometry);  // of that ball, in the shape's frame

}  // namespace vertebra::geometry
