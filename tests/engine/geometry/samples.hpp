// Random shapes and poses for the geometry tests, and an independent signed distance of two convex shapes.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/shape.hpp"
#include "engine/math/rotation.hpp"
#include "tests/support.hpp"

namespace test {

using namespace vertebra;

inline Vec3 randomVector(Random& r, double size) { return {r.range(-size, size), r.range(-size, size), r.range(-size, size)}; }

inline Vec3 randomUnit(Random& r) {
  for (;;) {
    Vec3 v = randomVector(r, 1);
    if (v.squaredNorm() > 1e-4 && v.squaredNorm() <= 1) return v.normalized();
  }
}

inline Quat randomRotation(Random& r) {
  const double angle = r.range(0, kPi);  // first: compilers evaluate arguments in orders of their own
  return quatFromAxisAngle(randomUnit(r), angle);
}

inline geometry::Geometry convex(const std::vector<Vec3>& points) {
  auto hull = std::make_shared<geometry::ConvexHull>();
  std::string error = geometry::makeConvexHull(points, *hull);
  REQUIRE(error == "");
  geometry::Geometry g;
  g.type = geometry::ShapeType::Convex;
  g.hull = hull;
  return g;
}

inline geometry::Geometry randomGeometry(Random& r, geometry::ShapeType type) {
  geometry::Geometry g;
  g.type = type;
  g.size = {r.range(0.2, 1), r.range(0.2, 1), r.range(0.2, 1)};
  if (type == geometry::ShapeType::Convex) {
    std::vector<Vec3> points;
    int n = 6 + r.below(30);
    for (int i = 0; i < n; ++i) points.push_back(randomUnit(r).cwiseProduct(g.size));
    g = convex(points);
  }
  return g;
}

inline std::shared_ptr<const geometry::TriangleMesh> boxMesh(const Vec3& h) {
  auto mesh = std::make_shared<geometry::TriangleMesh>();
  for (int k = 0; k < 8; ++k) mesh->vertices.push_back({k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z()});
  int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (auto& q : quads) {
    mesh->triangles.push_back({q[0], q[1], q[2]});
    mesh->triangles.push_back({q[0], q[2], q[3]});
  }
  return mesh;
}

// Largest n . x over the shape, n unit. Written apart from the engine's support functions.
inline double width(const geometry::Geometry& g, const Pose& pose, const Vec3& n) {
  Vec3 l = pose.q.conjugate() * n;
  double side = std::hypot(l.x(), l.y()), h = 0;
  const Vec3& s = g.size;
  switch (g.type) {
    case geometry::ShapeType::Sphere:
      h = s.x();
      break;
    case geometry::ShapeType::Capsule:
      h = s.x() + std::abs(l.z()) * s.z();
      break;
    case geometry::ShapeType::Box:
      h = std::abs(l.x()) * s.x() + std::abs(l.y()) * s.y() + std::abs(l.z()) * s.z();
      break;
    case geometry::ShapeType::Cylinder:
      h = side * s.x() + std::abs(l.z()) * s.z();
      break;
    case geometry::ShapeType::Convex:
      h = -kInf;
      for (const Vec3& v : g.hull->vertices) h = std::max(h, l.dot(v));
      break;
    default:
      FAIL("no width");
  }
  return h + n.dot(pose.p);
}

// Signed distance = the largest separation over all directions (Minkowski duality), by dense sampling and random local search.
inline double signedDistance(const geometry::Geometry& a, const Pose& pa, const geometry::Geometry& b, const Pose& pb, Random& r) {
  auto gap = [&](const Vec3& n) { return -width(b, pb, -n) - width(a, pa, n); };
  struct Start {
    double value;
    Vec3 n;
  };
  std::vector<Start> starts;
  const int samples = 1500;
  for (int i = 0; i < samples; ++i) {  // golden spiral
    double z = 1 - (2 * i + 1.0) / samples, rho = std::sqrt(1 - z * z), phi = 2.399963229728653 * i;
    Vec3 n(rho * std::cos(phi), rho * std::sin(phi), z);
    starts.push_back({gap(n), n});
  }
  std::sort(starts.begin(), starts.end(), [](const Start& x, const Start& y) { return x.value > y.value; });
  // Steps of all sizes mixed: the function has ridges, where a single shrinking step size stalls.
  auto climb = [&](Start& s, int steps) {
    for (int i = 0; i < steps; ++i) {
      Vec3 m = (s.n + std::pow(10.0, r.range(-9, -1)) * randomVector(r, 1)).normalized();
      double v = gap(m);
      if (v > s.value) s = {v, m};
    }
  };
  starts.resize(10);
  for (Start& s : starts) climb(s, 1000);
  Start best = *std::max_element(starts.begin(), starts.end(), [](const Start& x, const Start& y) { return x.value < y.value; });
  climb(best, 15000);
  return best.value;
}

}  // namespace test
