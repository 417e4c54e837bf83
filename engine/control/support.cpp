// See support.hpp.
#include "engine/control/support.hpp"

#include <algorithm>

namespace vertebra::control {

namespace {

using Vec2 = Eigen::Vector2d;

Vec2 nearestOnSegment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double size = along.squaredNorm();
  return size > 0 ? Vec2(a + std::clamp((p - a).dot(along) / size, 0.0, 1.0) * along) : a;
}

}  // namespace

// Outside, all points are to the left of the ray from p through one of them, and the nearest point lies on a segment between two.
Vec2 nearestInHull(const Vec2& p, const std::vector<Vec2>& points) {
  const bool outside = std::any_of(points.begin(), points.end(), [&](const Vec2& through) {
    const Vec2 ray = through - p;
    return std::all_of(points.begin(), points.end(), [&](const Vec2& point) {
      const Vec2 other = point - p;
      return ray.x() * other.y() - ray.y() * other.x() >= 0;
    });
  });
  if (!outside) return p;
  Vec2 best = points[0];
  for (std::size_t i = 0; i < points.size(); i++)
    for (std::size_t k = 0; k <= i; k++) {
      const Vec2 at = nearestOnSegment(p, points[i], points[k]);
      if ((at - p).squaredNorm() < (best - p).squaredNorm()) best = at;
    }
  return best;
}

}  // namespace vertebra::control
