// See support.hpp.
#include "engine/control/support.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/types.hpp"

namespace vertebra::control {

namespace {

using Vec2 = Eigen::Vector2d;

Vec2 nearestOnSegment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double size = along.squaredNorm();
  return size > 0 ? Vec2(a + std::clamp((p - a).dot(along) / size, 0.0, 1.0) * along) : a;
}

}  // namespace

// Outside, the nearest point lies on a segment between two of them.
Vec2 nearestInHull(const Vec2& p, const std::vector<Vec2>& points) {
  std::vector<double> angles;
  Vec2 best = points[0];
  for (std::size_t i = 0; i < points.size(); i++) {
    angles.push_back(std::atan2(points[i].y() - p.y(), points[i].x() - p.x()));
    for (std::size_t k = 0; k <= i; k++) {
      const Vec2 at = nearestOnSegment(p, points[i], points[k]);
      if ((at - p).squaredNorm() < (best - p).squaredNorm()) best = at;
    }
  }
  std::sort(angles.begin(), angles.end());
  double gap = angles.front() + 2 * kPi - angles.back();
  for (std::size_t i = 1; i < angles.size(); i++) gap = std::max(gap, angles[i] - angles[i - 1]);
  return gap < kPi ? p : best;
}

}  // namespace vertebra::control
