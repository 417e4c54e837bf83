// Rays against posed shapes. World frame, metres.
#pragma once
#include "engine/geometry/collision.hpp"

namespace vertebra::geometry {

struct Ray {
  Vec3 origin = Vec3::Zero();
  Vec3 direction = Vec3::UnitX();  // unit
};

struct RayHit {
  double t = 0;  // distance along the ray
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // unit, out of the shape; of a mesh: towards the ray's origin
  int triangle = -1;           // of a mesh
};

// First point of the shape at 0 <= t <= maxDistance. A ray that starts inside a solid hits at t = 0 with normal = -direction.
bool raycast(const Collider& shape, const Ray& ray, double maxDistance, RayHit& hit);

}  // namespace vertebra::geometry
