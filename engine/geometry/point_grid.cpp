// See point_grid.hpp.
#include "engine/geometry/point_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vertebra::geometry {
namespace {
std::size_t bucketsFor(std::size_t points) { return std::bit_ceil(std::max<std::size_t>(16, 2 * points)); }
}  // namespace

PointGrid::Cell PointGrid::cellOf(const Vec3& p) const {
  auto number = [&](double x) { return static_cast<int>(std::floor(std::clamp(x * perCell_, -1e9, 1e9))); };
  return {number(p.x()), number(p.y()), number(p.z())};
}

void PointGrid::reserve(std::size_t points) {
  cells_.reserve(points);
  entries_.reserve(points);
  first_.reserve(bucketsFor(points) + 1);
}

void PointGrid::build(const std::vector<Vec3>& points, double cell) {
  const std::size_t n = points.size(), buckets = bucketsFor(n);
  perCell_ = 1 / cell;
  mask_ = static_cast<std::uint32_t>(buckets - 1);
  cells_.resize(n);
  entries_.resize(n);
  first_.assign(buckets + 1, 0);
  for (std::size_t i = 0; i < n; i++) {
    cells_[i] = cellOf(points[i]);
    first_[bucketOf(cells_[i].x, cells_[i].y, cells_[i].z) + 1]++;
  }
  for (std::size_t b = 0; b < buckets; b++) first_[b + 1] += first_[b];
  for (std::size_t i = n; i-- > 0;)
    entries_[--first_[bucketOf(cells_[i].x, cells_[i].y, cells_[i].z) + 1]] = {cells_[i], static_cast<int>(i)};
  // Filling moved each end down to its bucket's start: first_[b + 1] is where b begins.
  for (std::size_t b = 0; b < buckets; b++) first_[b] = first_[b + 1];
  first_[buckets] = static_cast<int>(n);
}

}  // namespace vertebra::geometry
