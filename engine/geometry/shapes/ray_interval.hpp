// A ray meets a convex solid in one interval: each part of the solid narrows it and stores the normal at its start.
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/geometry/raycast.hpp"

namespace vertebra::geometry {

struct RayInterval {
  double lo = -kInf, hi = kInf;
  Vec3 normal = Vec3::Zero();  // where the ray enters

  void enter(double t, const Vec3& n) {
    if (t > lo) {
      lo = t;
      normal = n;
    }
  }
  void leave(double t) { hi = std::min(hi, t); }
  void miss() {
    lo = kInf;
    hi = -kInf;
  }

  // The half-space n . x <= offset.
  void clip(const Vec3& o, const Vec3& d, const Vec3& n, double offset) {
    double speed = n.dot(d), height = n.dot(o) - offset;
    if (speed < 0)
      enter(-height / speed, n);
    else if (speed > 0)
      leave(-height / speed);
    else if (height > 0)
      miss();
  }
};

// Roots of |o + t d|^2 = r^2 for the given parts of origin and direction, measured from the nearest point, which keeps distant rays exact.
inline bool roundRoots(const Vec3& o, const Vec3& d, double r, double& t0, double& t1) {
  double dd = d.squaredNorm();
  if (!(dd > 0)) return false;
  double middle = -o.dot(d) / dd;
  double left = r * r - (o + middle * d).squaredNorm();
  if (left < 0) return false;
  double half = std::sqrt(left / dd);
  t0 = middle - half;
  t1 = middle + half;
  return true;
}

inline RayInterval sphereInterval(const Vec3& o, const Vec3& d, double r) {
  RayInterval i;
  double t0, t1;
  if (roundRoots(o, d, r, t0, t1)) {
    i.enter(t0, (o + t0 * d) / r);
    i.leave(t1);
  } else {
    i.miss();
  }
  return i;
}

inline void clipTube(RayInterval& i, const Vec3& o, const Vec3& d, double r) {
  Vec3 o2(o.x(), o.y(), 0), d2(d.x(), d.y(), 0);
  double t0, t1;
  if (d2.squaredNorm() < 1e-24) {
    if (o2.squaredNorm() > r * r) i.miss();
  } else if (roundRoots(o2, d2, r, t0, t1)) {
    i.enter(t0, (o2 + t0 * d2) / r);
    i.leave(t1);
  } else {
    i.miss();
  }
}

inline RayInterval cylinderInterval(const Vec3& o, const Vec3& d, double r, double half) {
  RayInterval i;
  i.clip(o, d, Vec3::UnitZ(), half);
  i.clip(o, d, -Vec3::UnitZ(), half);
  clipTube(i, o, d, r);
  return i;
}

// The hit at the start of the interval, or at t = 0 where the ray starts inside.
inline bool hitOf(const RayInterval& i, const Collider& shape, const Ray& ray, double maxDistance, RayHit& hit) {
  if (!(i.lo <= i.hi) || i.hi < 0 || i.lo > maxDistance) return false;
  if (i.lo < 0)
    hit = {0, ray.origin, -ray.direction, -1};
  else
    hit = {i.lo, ray.origin + i.lo * ray.direction, shape.R * i.normal, -1};
  return true;
}

}  // namespace vertebra::geometry
