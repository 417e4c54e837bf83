// See collision_hull.hpp.
#include "loaders/mesh/collision_hull.hpp"

#include <algorithm>

#include "engine/geometry/convex_hull.hpp"

namespace vertebra {

namespace {

// Distance of a point outside the hull; the largest plane distance, a lower bound of the true one and equal to it above a face.
double outside(const geometry::ConvexHull& hull, const Vec3& p, int& face) {
  double most = -kInf;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    double d = hull.normals[f].dot(p) - hull.offsets[f];
    if (d > most) {
      most = d;
      face = static_cast<int>(f);
    }
  }
  return most;
}

}  // namespace

std::string makeCollisionHull(const std::vector<Vec3>& points, CollisionHull& out) {
  geometry::ConvexHull full;
  std::string problem = geometry::makeConvexHull(points, full, kHullVertices);
  if (!problem.empty()) return problem;
  out.fullVertices = static_cast<int>(full.vertices.size());
  out.error = 0;
  if (out.fullVertices <= kHullVertices) {
    out.hull = std::move(full);
    return "";
  }
  const std::vector<Vec3>& all = full.vertices;
  std::vector<char> taken(all.size(), 0);
  std::vector<Vec3> chosen;
  auto take = [&](int i) {
    if (taken[i]) return;
    taken[i] = 1;
    chosen.push_back(all[i]);
  };
  // Extreme points in the 26 directions of a cube's corners, edges and faces: an initial hull with volume.
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        Vec3 d(x, y, z);
        int best = 0;
        for (std::size_t i = 1; i < all.size(); ++i)
          if (d.dot(all[i]) > d.dot(all[best])) best = static_cast<int>(i);
        take(best);
      }
  for (;;) {
    geometry::ConvexHull hull;
    problem = geometry::makeConvexHull(chosen, hull);
    if (!problem.empty()) return problem;
    // The farthest vertex above each face, the worst faces first; each round uses half of the remaining room, so that later choices see the
    // new hull.
    std::vector<std::pair<double, int>> farthest(hull.normals.size(), {0.0, -1});
    double error = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      int face = 0;
      double d = taken[i] ? 0 : outside(hull, all[i], face);
      if (d > farthest[face].first) farthest[face] = {d, static_cast<int>(i)};
      error = std::max(error, d);
    }
    out.error = error;
    int room = kHullVertices - static_cast<int>(chosen.size());
    if (room <= 0 || error <= 0) {
      out.hull = std::move(hull);
      return "";
    }
    std::sort(farthest.begin(), farthest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    int count = std::max(1, room / 2);
    for (const auto& [d, i] : farthest)
      if (i >= 0 && count-- > 0) take(i);
  }
}

}  // namespace vertebra
