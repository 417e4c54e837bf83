// See collision_hull.hpp.
#include "loaders/mesh/collision_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/point_tree.hpp"

namespace vertebra {

namespace {

constexpr double kExact = 1e-9;  // of the size: what sticks out by less is no vertex
constexpr int kAtOnce = 5;       // points that are added in the last round

// The farthest point along a direction that is turned a little: of a flat side a corner, not any point on it.
int corner(const geometry::PointTree& tree, const Vec3& direction) {
  return tree.support((direction + 1e-6 * Vec3(0.31, -0.73, 0.52)).normalized());
}

// Four points of a large tetrahedron: the first, the farthest from it, from the line through both, from the plane through these.
std::array<int, 4> fourApart(const std::vector<Vec3>& points) {
  std::array<int, 4> at{};
  const auto farthest = [&](auto&& distance) {
    const auto nearer = [&](const Vec3& a, const Vec3& b) { return distance(a - points[0]) < distance(b - points[0]); };
    return static_cast<int>(std::max_element(points.begin(), points.end(), nearer) - points.begin());
  };
  const auto from = [&](int k) { return Vec3(points[static_cast<std::size_t>(at[static_cast<std::size_t>(k)])] - points[0]); };
  at[1] = farthest([](const Vec3& p) { return p.squaredNorm(); });
  at[2] = farthest([&](const Vec3& p) { return p.cross(from(1)).squaredNorm(); });
  const Vec3 normal = from(1).cross(from(2));
  at[3] = farthest([&](const Vec3& p) { return std::fabs(p.dot(normal)); });
  return at;
}

}  // namespace

std::string makeCollisionHull(const std::vector<Vec3>& points, CollisionHull& out) {
  out.error = 0;
  if (points.size() <= kHullVertices || !std::all_of(points.begin(), points.end(), [](const Vec3& p) { return p.allFinite(); }))
    return geometry::makeConvexHull(points, out.hull);
  const geometry::PointTree tree(points);
  std::vector<char> taken(points.size(), 0);
  std::vector<Vec3> chosen;
  const auto take = [&](int at) {
    const std::size_t i = static_cast<std::size_t>(at);
    if (taken[i]) return false;
    taken[i] = 1;
    chosen.push_back(points[i]);
    return true;
  };
  // Extreme points in the 26 directions of a cube's corners, edges and faces: an initial hull with volume.
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++)
      for (int z = -1; z <= 1; z++)
        if (x != 0 || y != 0 || z != 0) take(corner(tree, Vec3(x, y, z).normalized()));
  double size = 0;
  for (const Vec3& p : chosen) size = std::max(size, (p - chosen[0]).norm());
  for (bool thin = false;;) {
    geometry::ConvexHull hull;
    if (std::string problem = geometry::makeConvexHull(chosen, hull); !problem.empty()) {
      if (thin) return problem;
      thin = true;  // its sides are along none of these directions
      for (int i : fourApart(points)) take(i);
      continue;
    }
    // The farthest point above each face, the worst faces first; each round uses half of the remaining room, so that later choices see the
    // new hull.
    std::vector<std::pair<double, int>> farthest;
    for (std::size_t f = 0; f < hull.normals.size(); f++) {
      const int i = tree.support(hull.normals[f]);
      farthest.push_back({hull.normals[f].dot(points[static_cast<std::size_t>(i)]) - hull.offsets[f], static_cast<int>(f)});
    }
    std::sort(farthest.begin(), farthest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    const double error = farthest.front().first;
    int room = kHullVertices - static_cast<int>(chosen.size());
    bool more = false;
    if (error > kExact * size && room > 0) {
      int count = room > kAtOnce ? room / 2 : room;
      for (const auto& [d, f] : farthest) {
        if (count == 0 || !(d > kExact * size)) break;
        const Vec3& normal = hull.normals[static_cast<std::size_t>(f)];
        if (!take(corner(tree, normal)) && !take(tree.support(normal))) continue;
        more = true;
        count--;
      }
    }
    if (more) continue;
    out.error = error > kExact * size ? error : 0;
    out.hull = std::move(hull);
    return "";
  }
}

}  // namespace vertebra
