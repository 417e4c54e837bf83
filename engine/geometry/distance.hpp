// Distance of two posed shapes, and the time at which moving ones meet. World frame, metres.
#pragma once
#include <cstdint>

#include <vector>

#include "engine/geometry/collision.hpp"

namespace vertebra::geometry {

struct ClosestPoints {
  double distance = 0;           // negative: depth of penetration
  Vec3 a = Vec3::Zero(), b = a;  // closest points, or the deepest of each in the other
  Vec3 normal = Vec3::UnitZ();   // unit, from A to B
};

// Whether a shape may be A below: a convex shape or a mesh with convex parts. B may be anything but a compound.
bool isSolid(const Geometry& geometry);

// False: farther apart than maxDistance. Exact for convex shapes and planes; with parts, a mesh or a heightfield, the nearest part or
// triangle is taken, in penetration the deepest.
bool closestPoints(const Collider& a, const Collider& b, double maxDistance, ClosestPoints& out);

// A rigid motion at constant rates: the pivot moves at constant velocity, the body rotates about it.
struct RigidMotion {
  Vec3 velocity = Vec3::Zero();  // of the pivot
  Vec3 omega = Vec3::Zero();
  Vec3 pivot = Vec3::Zero();  // at the start
  Vec3 at(const Vec3& point) const { return velocity + omega.cross(point - pivot); }
};
Collider moved(const Collider& c, const RigidMotion& m, double t);

struct Meeting {
  double t = 0;
  Vec3 normal = Vec3::Zero();  // unit, from A to B, of the features that meet; of a triangle: against its face
};

// Times in [0, duration] at which a part of A comes within `near` of a part or triangle of B, by conservative advancement (Mirtich 1996,
// ch. 2): the present distance over the largest speed at which any two points may approach along its direction cannot miss a touch. Pairs
// of parts that start nearer than `skip` are left out. The earliest `room` ones in order; returns their number. The number of distances
// that were measured, which is the cost, is added to `distances`, where it is given.
int meetings(const Collider& a, const RigidMotion& motionA, const Collider& b, const RigidMotion& motionB, double duration, double near,
             double skip, Meeting* out, int room, std::int64_t* distances = nullptr);

}  // namespace vertebra::geometry
