// Closed meshes that are not convex.
#pragma once
#include "tests/engine/geometry/samples.hpp"

namespace test {

// Along z from 0 to `height` over a counter-clockwise outline in the xy plane; sides, and both ends by cutting off ears.
inline std::shared_ptr<const geometry::TriangleMesh> prism(const std::vector<Vec3>& outline, double height) {
  auto mesh = std::make_shared<geometry::TriangleMesh>();
  const int n = static_cast<int>(outline.size());
  for (const Vec3& p : outline) mesh->vertices.push_back({p.x(), p.y(), 0});
  for (const Vec3& p : outline) mesh->vertices.push_back({p.x(), p.y(), height});
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh->triangles.push_back({i, j, n + j});
    mesh->triangles.push_back({i, n + j, n + i});
  }
  std::vector<int> left;
  for (int i = 0; i < n; ++i) left.push_back(i);
  auto turn = [&](int a, int b, int c) { return (outline[b] - outline[a]).cross(outline[c] - outline[a]).z(); };
  while (left.size() >= 3) {
    const int m = static_cast<int>(left.size());
    for (int k = 0; k < m; ++k) {
      const int a = left[(k + m - 1) % m], b = left[k], c = left[(k + 1) % m];
      bool ear = turn(a, b, c) > 0;
      for (int x : left)
        if (x != a && x != b && x != c && turn(a, b, x) >= 0 && turn(b, c, x) >= 0 && turn(c, a, x) >= 0) ear = false;
      if (!ear) continue;
      mesh->triangles.push_back({n + a, n + b, n + c});
      mesh->triangles.push_back({a, c, b});
      left.erase(left.begin() + k);
      break;
    }
    REQUIRE(static_cast<int>(left.size()) < m);
  }
  return mesh;
}

inline std::shared_ptr<const geometry::TriangleMesh> torus(double major, double minor, int around, int across) {  // about z
  auto mesh = std::make_shared<geometry::TriangleMesh>();
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      const double u = 2 * kPi * i / around, v = 2 * kPi * k / across, r = major + minor * std::cos(v);
      mesh->vertices.push_back({r * std::cos(u), r * std::sin(u), minor * std::sin(v)});
    }
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      const int a = i * across + k, b = (i + 1) % around * across + k, c = (i + 1) % around * across + (k + 1) % across,
                d = i * across + (k + 1) % across;
      mesh->triangles.push_back({a, b, c});
      mesh->triangles.push_back({a, c, d});
    }
  return mesh;
}

}  // namespace test
