// World: rays, cast shapes, overlaps and closest points. Shapes are tested in the order of their ids; at equal distance the first one wins.
#include <algorithm>

#include "engine/geometry/distance.hpp"
#include "engine/geometry/raycast.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

// Calls visit(id, slot, collider) for the shapes with geometry that are in the mask.
template <class Visit>
void eachShape(const WorldData& w, std::uint32_t mask, Visit&& visit) {
  for (std::size_t i = 0; i < w.shapes.size(); i++) {
    const ShapeSlot& s = w.shapes[i];
    if (!s.alive || geometry::traitsOf(s.def->geometry.type).kind == geometry::ShapeKind::Frame || !(s.def->category & mask)) continue;
    if (s.body >= 0 && !w.bodies[s.body].enabled) continue;
    const Pose pose = s.body < 0 ? poseInBody(w, s) : trees::poseOf(w, s.body) * poseInBody(w, s);
    visit(static_cast<int>(i), s, geometry::Collider(s.def->geometry, pose, s.def->bvh.get()));
  }
}

geometry::Aabb boxOf(const ShapeSlot& s, const geometry::Collider& c, double margin) {
  if (s.def->localBox.lo.allFinite() && s.def->localBox.hi.allFinite()) return geometry::placedBox(s.def->localBox, c.R, c.p, margin);
  Pose pose;
  pose.p = c.p;
  pose.q = Quat(c.R);
  return geometry::bounds(s.def->geometry, pose, margin);
}

Failure refusal(const geometry::Geometry& g) {
  if (geometry::isSolid(g)) return {};
  return {Failure::Unsupported, "only spheres, capsules, boxes, cylinders, convex shapes and meshes with convex parts can be asked with"};
}

}  // namespace

RayCastResult World::rayCast(const Vec3& origin, const Vec3& direction, double maxDistance, std::uint32_t mask) const {
  RayCastResult best;
  const double length = direction.norm();
  if (!(length > 0)) return best;
  const geometry::Ray ray{origin, direction / length};
  double reach = maxDistance;
  eachShape(*data_, mask, [&](int id, const ShapeSlot& s, const geometry::Collider& c) {
    geometry::RayHit hit;
    if (!geometry::raycast(c, ray, reach, hit)) return;
    if (best.shape >= 0 && hit.t >= best.distance) return;
    best = {s.body, id, hit.t, hit.point, hit.normal};
    reach = hit.t;
  });
  return best;
}

void World::rayCastAll(const Vec3& origin, const Vec3& direction, double maxDistance, std::uint32_t mask,
                       std::vector<RayCastResult>& out) const {
  out.clear();
  const double length = direction.norm();
  if (!(length > 0)) return;
  const geometry::Ray ray{origin, direction / length};
  eachShape(*data_, mask, [&](int id, const ShapeSlot& s, const geometry::Collider& c) {
    geometry::RayHit hit;
    if (geometry::raycast(c, ray, maxDistance, hit)) out.push_back({s.body, id, hit.t, hit.point, hit.normal});
  });
  std::sort(out.begin(), out.end(), [](const RayCastResult& a, const RayCastResult& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.shape < b.shape;
  });
}

Failure World::shapeCast(const geometry::Geometry& g, const Pose& pose, const Vec3& path, std::uint32_t mask, RayCastResult& out) const {
  out = {};
  if (Failure f = refusal(g)) return f;
  const geometry::Collider start(g, pose);
  const geometry::Aabb first = geometry::bounds(g, pose, 0);
  const geometry::Aabb swept{first.lo.cwiseMin(first.lo + path), first.hi.cwiseMax(first.hi + path)};
  const double length = path.norm(), near = 1e-7 * (first.hi - first.lo).norm();
  geometry::RigidMotion motion;
  motion.velocity = path;
  motion.pivot = pose.p;
  double duration = 1;
  eachShape(*data_, mask, [&](int id, const ShapeSlot& s, const geometry::Collider& c) {
    if (!boxOf(s, c, near).overlaps(swept)) return;
    geometry::Meeting meeting;
    if (geometry::meetings(start, motion, c, geometry::RigidMotion(), duration, near, -kInf, &meeting, 1) == 0) return;
    if (out.shape >= 0 && meeting.t >= duration) return;
    geometry::ClosestPoints touch;
    if (!geometry::closestPoints(geometry::moved(start, motion, meeting.t), c, kInf, touch)) return;
    duration = meeting.t;
    out = {s.body, id, meeting.t * length, touch.b, -touch.normal};
  });
  return {};
}

Failure World::overlap(const geometry::Geometry& g, const Pose& pose, std::uint32_t mask, std::vector<int>& shapes) const {
  shapes.clear();
  if (Failure f = refusal(g)) return f;
  const geometry::Collider asked(g, pose);
  const geometry::Aabb box = geometry::bounds(g, pose, 0);
  eachShape(*data_, mask, [&](int id, const ShapeSlot& s, const geometry::Collider& c) {
    geometry::ClosestPoints touch;
    if (boxOf(s, c, 0).overlaps(box) && geometry::closestPoints(asked, c, 0, touch)) shapes.push_back(id);
  });
  return {};
}

void World::overlapBox(const Vec3& lower, const Vec3& upper, std::uint32_t mask, std::vector<int>& shapes) const {
  shapes.clear();
  eachShape(*data_, mask, [&](int id, const ShapeSlot& s, const geometry::Collider& c) {
    if (boxOf(s, c, 0).overlaps({lower, upper})) shapes.push_back(id);
  });
}

Failure World::closest(const geometry::Geometry& g, const Pose& pose, double maxDistance, std::uint32_t mask, ClosestResult& out) const {
  out = {};
  if (Failure f = refusal(g)) return f;
  const geometry::Collider asked(g, pose);
  const geometry::Aabb box = geometry::bounds(g, pose, 0);
  double reach = maxDistance;
  eachShape(*data_, mask, [&](int id, const ShapeSlot& s, const geometry::Collider& c) {
    if (reach < kInf && !boxOf(s, c, std::max(0.0, reach)).overlaps(box)) return;
    geometry::ClosestPoints p;
    if (!geometry::closestPoints(asked, c, reach, p)) return;
    reach = p.distance;
    out = {s.body, id, p.distance, p.a, p.b, p.normal};
  });
  return {};
}

Failure World::closest(int shapeA, int shapeB, double maxDistance, ClosestResult& out) const {
  const WorldData& w = *data_;
  out = {};
  auto collider = [&](int id) {
    const ShapeSlot& s = w.shapes[id];
    return geometry::Collider(s.def->geometry, s.body < 0 ? poseInBody(w, s) : trees::poseOf(w, s.body) * poseInBody(w, s),
                              s.def->bvh.get());
  };
  const geometry::Collider a = collider(shapeA), b = collider(shapeB);
  if (geometry::traitsOf(a.geometry->type).kind == geometry::ShapeKind::Frame ||
      geometry::traitsOf(b.geometry->type).kind == geometry::ShapeKind::Frame)
    return {Failure::Unsupported, "a compound has no geometry of its own"};
  const bool swap = !geometry::isSolid(*a.geometry);
  if (swap && !geometry::isSolid(*b.geometry))
    return {Failure::Unsupported, "planes, heightfields and meshes without convex parts have no distance from each other"};
  geometry::ClosestPoints p;
  if (!(swap ? geometry::closestPoints(b, a, maxDistance, p) : geometry::closestPoints(a, b, maxDistance, p))) return {};
  out = {w.shapes[shapeB].body, shapeB, p.distance, swap ? p.b : p.a, swap ? p.a : p.b, swap ? Vec3(-p.normal) : p.normal};
  return {};
}

}  // namespace vertebra::world
