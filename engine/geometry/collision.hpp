// Narrow phase: contact manifolds between two posed shapes. World frame, metres.
//
// Contacts are reported where the signed distance ("gap", negative in penetration) is below the caller's margin, so that a solver can act
// before shapes touch. Nothing is remembered between calls: equal poses give equal manifolds, and the features of the points, computed each
// time, stay the same as long as the same corners, edges and faces meet. No heap is used.
//
// Pairs: sphere, capsule and plane by closed forms; boxes by separating axes and face clipping; all other convex pairs by GJK and EPA with
// face clipping; a static mesh triangle by triangle. Plane and mesh against each other, and compounds, give no contacts.
#pragma once
#include <cstdint>

#include "engine/geometry/shape.hpp"

namespace vertebra::geometry {

class MeshBvh;

struct Collider {
  const Geometry* geometry = nullptr;  // Convex with its hull, Mesh with its mesh
  Vec3 p = Vec3::Zero();               // world pose of the shape
  Mat3 R = Mat3::Identity();
  const MeshBvh* bvh = nullptr;  // Mesh only: engine/geometry/mesh_bvh.hpp

  Collider() = default;
  Collider(const Geometry& g, const Pose& pose, const MeshBvh* tree = nullptr)
      : geometry(&g), p(pose.p), R(pose.q.toRotationMatrix()), bvh(tree) {}
};

struct ContactPoint {
  Vec3 position;          // midway between the two surfaces
  Vec3 normal;            // unit, from A to B
  double gap;             // distance of the surfaces along the normal; negative: penetration
  std::uint32_t feature;  // id inside the pair, stable while the same features touch
};

struct Manifold {
  static constexpr int kCapacity = 8;
  int count = 0;   // at most 4, with a mesh, or a hull on a plane, 8
  int effort = 0;  // what they cost, in distances of two convex shapes
  ContactPoint points[kCapacity];
};

// Fills `out` with the contacts of gap < margin (margin >= 0). Sizes must be valid as massProperties demands (meshes may be open).
void collide(const Collider& a, const Collider& b, double margin, Manifold& out);

}  // namespace vertebra::geometry
