// The functions of the narrow phase, dispatched by collision.cpp. Each fills an empty manifold; normals from A to B.
#pragma once
#include "engine/geometry/collision.hpp"

namespace vertebra::geometry {

struct ConvexCore;

void collideSphereSphere(const Collider& a, const Collider& b, double margin, Manifold& out);
void collideSphereCapsule(const Collider& sphere, const Collider& capsule, double margin, Manifold& out);
void collideCapsuleCapsule(const Collider& a, const Collider& b, double margin, Manifold& out);
void collideSphereBox(const Collider& sphere, const Collider& box, double margin, Manifold& out);
void collideSphereCylinder(const Collider& sphere, const Collider& cylinder, double margin, Manifold& out);
void collideConvexPlane(const Collider& convex, const Collider& plane, double margin, Manifold& out);
void collideBoxes(const Collider& a, const Collider& b, double margin, Manifold& out);
void collideConvex(const Collider& a, const Collider& b, double margin, Manifold& out);
void collideConvexMesh(const Collider& convex, const Collider& mesh, double margin, Manifold& out);
void collideConvexHeights(const Collider& convex, const Collider& heights, double margin, Manifold& out);
void collideParts(const Collider& parts, const Collider& other, double margin, Manifold& out);  // calls collide() for each part

// Keeps at most `keep` points: the deepest, then those that spread widest; at equal merit a small bias prefers the earlier point, so that
// the choice does not alternate at rest. The first `chosen` points are kept as they are.
void reduceContacts(ContactPoint* points, int& count, int keep, int chosen = 0);

// Of points nearer than `near` with about the same normal, keeps only the deepest.
void dropDoubles(ContactPoint* points, int& count, double near);

}  // namespace vertebra::geometry
