// Closed forms of the round pairs: sphere and capsule with each other, sphere with box and cylinder. Where centres or axes coincide every
// normal is correct; a fixed one is taken.
#include <algorithm>
#include <cmath>

#include "engine/geometry/collide_pairs.hpp"

namespace vertebra::geometry {
namespace {

// Two balls of radius ra, rb; also the closest points of two rounded segments.
void addBalls(const Vec3& a, double ra, const Vec3& b, double rb, const Vec3& fallback, std::uint32_t feature, double margin,
              Manifold& out) {
  Vec3 d = b - a;
  double distance = d.norm(), gap = distance - ra - rb;
  if (!(gap < margin)) return;
  Vec3 n = distance > 1e-12 * (ra + rb) ? Vec3(d / distance) : fallback;
  out.points[out.count++] = {a + n * (ra + 0.5 * gap), n, gap, feature};
}

// Sphere against a point of a solid's surface: `outward` points from the solid to the sphere, `distance` of the centre is signed.
void addSurface(const Vec3& centre, double radius, const Vec3& outward, double distance, std::uint32_t feature, double margin,
                Manifold& out) {
  double gap = distance - radius;
  if (!(gap < margin)) return;
  out.points[out.count++] = {centre - outward * (radius + 0.5 * gap), -outward, gap, feature};
}

}  // namespace

void collideSphereSphere(const Collider& a, const Collider& b, double margin, Manifold& out) {
  addBalls(a.p, a.geometry->size.x(), b.p, b.geometry->size.x(), Vec3::UnitZ(), 0, margin, out);
}

void collideSphereCapsule(const Collider& sphere, const Collider& capsule, double margin, Manifold& out) {
  Vec3 axis = capsule.R.col(2);
  double half = capsule.geometry->size.z(), t = std::clamp(axis.dot(sphere.p - capsule.p), -half, half);
  addBalls(sphere.p, sphere.geometry->size.x(), capsule.p + t * axis, capsule.geometry->size.x(), axis.unitOrthogonal(), 0, margin, out);
}

void collideCapsuleCapsule(const Collider& a, const Collider& b, double margin, Manifold& out) {
  const Vec3 u = a.R.col(2), v = b.R.col(2), w = b.p - a.p;
  const double ha = a.geometry->size.z(), hb = b.geometry->size.z(), ra = a.geometry->size.x(), rb = b.geometry->size.x();
  const double uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const Vec3 across = u.cross(v);
  const double sine2 = across.squaredNorm();
  Vec3 fallback = sine2 > 1e-12 ? Vec3(across.normalized()) : u.unitOrthogonal();

  // Closest points (Ericson, section 5.1.9): unconstrained on A, clamped, then on B, clamped, then A again.
  double s = sine2 > 1e-14 ? std::clamp((uw - uv * vw) / sine2, -ha, ha) : std::clamp(uw, -ha, ha);
  double t = std::clamp(uv * s - vw, -hb, hb);
  s = std::clamp(uw + uv * t, -ha, ha);
  Vec3 onA = s * u, onB = w + t * v;
  double nearest = (onB - onA).norm();
  if (nearest - ra - rb >= margin) return;

  // Almost parallel: the ends of the common stretch, if they touch too, so that one capsule can rest along another.
  if (sine2 < 4e-4) {
    double fromB = uw - hb * std::abs(uv), toB = uw + hb * std::abs(uv);
    double lo = std::max(-ha, fromB), hi = std::min(ha, toB);
    if (hi - lo > 1e-6 * (ha + hb)) {
      double least = kInf;
      std::uint32_t feature = 1;
      for (double x : {lo, hi}) {
        double y = std::clamp(uv * x - vw, -hb, hb);
        addBalls(a.p + x * u, ra, a.p + w + y * v, rb, fallback, feature++, margin, out);
        least = std::min(least, (w + y * v - x * u).norm());
      }
      if (out.count > 0 && least <= nearest + 1e-9 * (ra + rb)) return;
      if (out.count > 0 && least <= nearest + 1e-4 * (ra + rb)) {  // crossing at a tiny angle: the middle point is the nearest
        addBalls(a.p + onA, ra, a.p + onB, rb, fallback, 0, margin, out);
        return;
      }
      out.count = 0;
    }
  }
  addBalls(a.p + onA, ra, a.p + onB, rb, fallback, 0, margin, out);
}

void collideSphereBox(const Collider& sphere, const Collider& box, double margin, Manifold& out) {
  const Vec3 h = box.geometry->size, x = box.R.transpose() * (sphere.p - box.p);
  const double r = sphere.geometry->size.x();
  Vec3 nearest = x.cwiseMax(-h).cwiseMin(h), d = x - nearest;
  double distance = d.norm();
  if (distance > 1e-12 * (r + h.maxCoeff())) {
    addSurface(sphere.p, r, box.R * (d / distance), distance, 0, margin, out);
    return;
  }
  int axis;  // centre inside: the nearest face gives the normal
  double depth = (h - x.cwiseAbs()).minCoeff(&axis);
  addSurface(sphere.p, r, box.R.col(axis) * (x[axis] >= 0 ? 1.0 : -1.0), -depth, 0, margin, out);
}

void collideSphereCylinder(const Collider& sphere, const Collider& cylinder, double margin, Manifold& out) {
  const double rc = cylinder.geometry->size.x(), half = cylinder.geometry->size.z(), r = sphere.geometry->size.x();
  const Vec3 x = cylinder.R.transpose() * (sphere.p - cylinder.p);
  const double radial = std::sqrt(x.x() * x.x() + x.y() * x.y());
  Vec3 side = radial > 0 ? Vec3(x.x() / radial, x.y() / radial, 0) : Vec3::UnitX();
  Vec3 cap(0, 0, x.z() >= 0 ? 1 : -1);
  double beyondSide = radial - rc, beyondCap = std::abs(x.z()) - half;
  if (beyondSide > 0 && beyondCap > 0) {  // the rim
    double distance = std::sqrt(beyondSide * beyondSide + beyondCap * beyondCap);
    addSurface(sphere.p, r, cylinder.R * ((beyondSide * side + beyondCap * cap) / distance), distance, 0, margin, out);
  } else if (beyondSide > beyondCap) {
    addSurface(sphere.p, r, cylinder.R * side, beyondSide, 0, margin, out);
  } else {
    addSurface(sphere.p, r, cylinder.R * cap, beyondCap, 0, margin, out);
  }
}

}  // namespace vertebra::geometry
