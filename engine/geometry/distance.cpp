// Every shape becomes convex cores with a radius: a single one, one for each part, or the triangles near the other shape.
#include "engine/geometry/distance.hpp"

#include <algorithm>
#include <cmath>

#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/gjk.hpp"
#include "engine/geometry/heightfield.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::geometry {
namespace {

constexpr int kMaxAdvances = 100;

bool isPlane(const Collider& c) { return traitsOf(c.geometry->type).kind == ShapeKind::Plane; }

// Calls visit(core, triangle or null) for the cores of a shape; for a surface, for the triangles that meet the box (world axes).
template <class Visit>
void eachCore(const Collider& c, const Vec3& origin, const Aabb& box, Visit&& visit) {
  const Geometry& g = *c.geometry;
  if (g.parts) {
    Collider part = c;
    for (std::size_t i = 0; i < g.parts->part.size(); ++i) {
      if (!placedBox(g.parts->box[i], c.R, c.p, 0).overlaps(box)) continue;
      part.geometry = &g.parts->part[i];
      visit(makeCore(part, origin), nullptr);
    }
    return;
  }
  if (traitsOf(g.type).kind != ShapeKind::Surface) {
    visit(makeCore(c, origin), nullptr);
    return;
  }
  auto triangle = [&](const MeshTriangle& t) {
    ConvexCore core;
    core.kind = ConvexCore::Kind::Triangle;
    for (int k = 0; k < 3; ++k) core.corner[k] = c.R * t.corner[k] + (c.p - origin);
    visit(core, &t);
  };
  Aabb local{Vec3::Constant(-kInf), Vec3::Constant(kInf)};
  if (box.lo.allFinite() && box.hi.allFinite()) local = placedBox(box, c.R.transpose(), -(c.R.transpose() * c.p), 0);
  if (c.bvh)
    c.bvh->overlapping(local, triangle);
  else if (g.grid) {
    overlappingHeights(*g.grid, local, triangle);
    for (int side = 0; side < kGridSides; ++side) overlappingSide(*g.grid, g.size.z(), side, local, triangle);
  }
}

Aabb boxOf(const Collider& c, double margin) {
  if (c.geometry->parts) return placedBox(c.geometry->parts->whole, c.R, c.p, margin);
  Pose pose;
  pose.p = c.p;
  pose.q = Quat(c.R);
  return bounds(*c.geometry, pose, margin);
}

void toPlane(const ConvexCore& core, const Vec3& up, double height, Separation& out) {
  int hint = 0;
  out.kind = Separation::Kind::Apart;
  out.normal = -up;
  out.a = core.support(out.normal, hint);
  out.distance = up.dot(out.a) - height;
  out.b = out.a - out.distance * up;
}

void keepNearest(const Separation& sep, double radiusA, double radiusB, const Vec3& origin, ClosestPoints& best) {
  const double distance = sep.distance - radiusA - radiusB;
  if (distance >= best.distance) return;
  best = {distance, origin + sep.a + radiusA * sep.normal, origin + sep.b - radiusB * sep.normal, sep.normal};
}

// ---- moving cores

double reachOf(const ConvexCore& core) {  // of the core's points from core.p
  switch (core.kind) {
    case ConvexCore::Kind::Point:
      return 0;
    case ConvexCore::Kind::Segment:
      return core.size.z();
    case ConvexCore::Kind::Box:
      return core.size.norm();
    case ConvexCore::Kind::Cylinder:
      return std::hypot(core.size.x(), core.size.z());
    case ConvexCore::Kind::Hull: {
      double square = 0;
      for (const Vec3& v : core.hull->vertices) square = std::max(square, v.squaredNorm());
      return std::sqrt(square);
    }
    case ConvexCore::Kind::Triangle:
      return std::sqrt(std::max({core.corner[0].squaredNorm(), core.corner[1].squaredNorm(), core.corner[2].squaredNorm()}));
  }
  return 0;
}

class Mover {  // one core in motion
 public:
  Mover(const ConvexCore& core, const RigidMotion& motion, const Vec3& origin) : start_(core), motion_(motion) {
    motion_.pivot -= origin;
    omega_ = motion.omega.norm();
    if (core.kind == ConvexCore::Kind::Triangle) {  // as an offset triangle about its middle, so that its reach is its own size
      start_.p = core.middle();
      for (Vec3& c : start_.corner) c -= start_.p;
    }
    const Vec3 arm = start_.p - motion_.pivot;
    reach_ = (omega_ > 0 ? (motion.omega / omega_).cross(arm).norm() : 0) + reachOf(start_);
  }
  ConvexCore at(double t) const {
    ConvexCore core = start_;
    const Mat3 turn = omega_ > 0 ? quatExp(t * motion_.omega).toRotationMatrix() : Mat3(Mat3::Identity());
    core.p = motion_.pivot + t * motion_.velocity + turn * (start_.p - motion_.pivot);
    core.R = turn * start_.R;
    if (core.kind == ConvexCore::Kind::Triangle)
      for (Vec3& c : core.corner) c = core.p + turn * c;
    return core;
  }
  // Largest speed of any point along the unit vector n, from now on.
  double speedAlong(const Vec3& n) const { return n.dot(motion_.velocity) + (omega_ > 0 ? n.cross(motion_.omega).norm() * reach_ : 0); }

 private:
  ConvexCore start_;
  RigidMotion motion_;
  double omega_ = 0, reach_ = 0;
};

// Time at which the cores come within `near` of each other, or infinity. `distance(t, sep)` fills the separation of the cores at t.
template <class Distance>
double advance(const Mover& a, const Mover& b, Distance&& distance, double duration, double near, double skip, Separation& sep) {
  double t = 0;
  for (int k = 0; k < kMaxAdvances; ++k) {
    const double gap = distance(t, sep);
    if (k == 0 && gap < skip) return kInf;
    if (gap <= near) return t;
    const double approach = a.speedAlong(sep.normal) + b.speedAlong(-sep.normal);
    if (!(approach > 0)) return kInf;
    t += (gap - 0.5 * near) / approach;
    if (t > duration) return kInf;
  }
  return t;  // still ahead: reporting a meeting a little early is safe
}

}  // namespace

bool closestPoints(const Collider& a, const Collider& b, double maxDistance, ClosestPoints& out) {
  const Vec3 origin = a.p;
  ClosestPoints best;
  best.distance = maxDistance;
  bool surface = false;
  const Aabb everything{Vec3::Constant(-kInf), Vec3::Constant(kInf)};
  eachCore(a, origin, everything, [&](const ConvexCore& ca, const MeshTriangle*) {
    Separation sep;
    if (isPlane(b)) {
      const Vec3 up = b.R.col(2);
      toPlane(ca, up, up.dot(b.p - origin), sep);
      keepNearest(sep, ca.radius, 0, origin, best);
      return;
    }
    const Aabb near = best.distance < kInf ? boxOf(a, std::max(best.distance, 0.0)) : everything;
    eachCore(b, origin, near, [&](const ConvexCore& cb, const MeshTriangle* triangle) {
      const double radii = ca.radius + cb.radius, reach = std::max(best.distance, 0.0) + radii;
      if (triangle) {  // the contacts below decide which side is inside, and how deep
        surface = true;
        gjkDistance(ca, cb, reach, sep);
        if (sep.kind == Separation::Kind::Overlap) {
          sep.distance = radii;
          sep.normal = -(b.R * triangle->normal);
          sep.a = sep.b = sep.simplex.point[0].b;
        }
      } else {
        separation(ca, cb, reach, sep);
      }
      if (sep.kind != Separation::Kind::Far) keepNearest(sep, ca.radius, cb.radius, origin, best);
    });
  });
  if (surface || b.geometry->type == ShapeType::Heightfield) {
    Manifold manifold;
    collide(a, b, 0, manifold);
    for (int k = 0; k < manifold.count; ++k) {
      const ContactPoint& p = manifold.points[k];
      if (p.gap < best.distance) best = {p.gap, p.position - 0.5 * p.gap * p.normal, p.position + 0.5 * p.gap * p.normal, p.normal};
    }
  }
  if (!(best.distance < maxDistance)) return false;
  out = best;
  return true;
}

Collider moved(const Collider& c, const RigidMotion& m, double t) {
  Collider out = c;
  const Mat3 turn = quatExp(t * m.omega).toRotationMatrix();
  out.p = m.pivot + t * m.velocity + turn * (c.p - m.pivot);
  out.R = turn * c.R;
  return out;
}

int meetings(const Collider& a, const RigidMotion& motionA, const Collider& b, const RigidMotion& motionB, double duration, double near,
             double skip, Meeting* out, int room, std::int64_t* distances) {
  const Vec3 origin = a.p;
  int count = 0;
  std::int64_t measured = 0;
  auto keep = [&](double t, const Vec3& normal) {
    if (!(t < kInf) || (count == room && t >= out[count - 1].t)) return;
    if (count < room) ++count;
    int at = count - 1;
    for (; at > 0 && out[at - 1].t > t; --at) out[at] = out[at - 1];
    out[at] = {t, normal};
  };
  // The volume swept by A, seen from B: its box at both ends, plus the bulge of the rotation between them and the motion of B.
  Aabb swept = boxOf(a, 0);
  const Aabb last = boxOf(moved(a, motionA, duration), 0);
  const Vec3 arm = 0.5 * (swept.lo + swept.hi) - motionA.pivot;
  const double turning = duration * motionA.omega.norm() * (arm.norm() + 0.5 * (swept.hi - swept.lo).norm());
  const double other =
      duration * motionB.velocity.norm() +
      duration * motionB.omega.norm() * ((0.5 * (swept.lo + swept.hi) - motionB.pivot).norm() + duration * motionA.velocity.norm());
  const Vec3 slack = Vec3::Constant(near + 0.5 * turning + other);
  swept = {swept.lo.cwiseMin(last.lo) - slack, swept.hi.cwiseMax(last.hi) + slack};

  const Aabb everything{Vec3::Constant(-kInf), Vec3::Constant(kInf)};
  eachCore(a, origin, everything, [&](const ConvexCore& ca, const MeshTriangle*) {
    const Mover moverA(ca, motionA, origin);
    Separation sep;
    if (isPlane(b)) {
      const ConvexCore none;
      const Mover moverB(none, motionB, origin);  // rotating planes: their speed at the pivot is used for all points
      auto distance = [&](double t, Separation& s) {
        measured++;
        const Collider plane = moved(b, motionB, t);
        toPlane(moverA.at(t), plane.R.col(2), plane.R.col(2).dot(plane.p - origin), s);
        return s.distance - ca.radius;
      };
      const double t = advance(moverA, moverB, distance, duration, near, skip, sep);
      keep(t, sep.normal);
      return;
    }
    const bool oneSided = b.geometry->type == ShapeType::Mesh && !b.geometry->parts;
    const Vec3 centre = oneSided ? ca.centre() : Vec3(Vec3::Zero());
    eachCore(b, origin, swept, [&](const ConvexCore& cb, const MeshTriangle* triangle) {
      const Vec3 face = triangle ? Vec3(b.R * triangle->normal) : Vec3(Vec3::Zero());
      if (triangle && oneSided && face.dot(centre - cb.corner[0]) < 0) return;
      const Mover moverB(cb, motionB, origin);
      auto distance = [&](double t, Separation& s) {
        measured++;
        gjkDistance(moverA.at(t), moverB.at(t), kInf, s);
        return s.kind == Separation::Kind::Overlap ? -kInf : s.distance - ca.radius - cb.radius;
      };
      const double t = advance(moverA, moverB, distance, duration, near, skip, sep);
      keep(t, triangle ? Vec3(-face) : sep.normal);
    });
  });
  if (distances) *distances += measured;
  return count;
}

}  // namespace vertebra::geometry
