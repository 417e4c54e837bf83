// A uniform hashed grid over points, for neighbours within one cell's width. Built anew each time by counting, in linear time; the order in
// which pairs and points are visited depends on their numbers and cells alone.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::geometry {

class PointGrid {
 public:
  void reserve(std::size_t points);
  void build(const std::vector<Vec3>& points, double cell);

  // Calls f(i, k) once for each pair whose points lie in one cell or in cells that touch, hence for all pairs nearer than a cell's width.
  template <class F>
  void eachPair(F&& f) const {
    const int n = static_cast<int>(cells_.size());
    for (int i = 0; i < n; i++) {
      const Cell c = cells_[i];
      auto pair = [&](int k) { f(i, k); };
      inColumn(c.x, c.y, c.z, c.z, [&](int k) {
        if (k > i) f(i, k);
      });
      inColumn(c.x, c.y, c.z + 1, c.z + 1, pair);
      inColumn(c.x, c.y + 1, c.z - 1, c.z + 1, pair);
      for (int step = -1; step <= 1; step++) inColumn(c.x + 1, c.y + step, c.z - 1, c.z + 1, pair);
    }
  }
  // Calls f(i) for the points in the cells that the box meets.
  template <class F>
  void eachIn(const Vec3& lower, const Vec3& upper, F&& f) const {
    const Cell lo = cellOf(lower), hi = cellOf(upper);
    const double number = (double(hi.x) - lo.x + 1) * (double(hi.y) - lo.y + 1) * (double(hi.z) - lo.z + 1);
    if (number > static_cast<double>(cells_.size())) {
      for (std::size_t i = 0; i < cells_.size(); i++) {
        const Cell& c = cells_[i];
        if (c.x >= lo.x && c.x <= hi.x && c.y >= lo.y && c.y <= hi.y && c.z >= lo.z && c.z <= hi.z) f(static_cast<int>(i));
      }
      return;
    }
    for (int x = lo.x; x <= hi.x; x++)
      for (int y = lo.y; y <= hi.y; y++) inColumn(x, y, lo.z, hi.z, f);
  }

 private:
  struct Cell {
    int x, y, z;
  };
  struct Entry {
    Cell cell;
    int point;
  };
  Cell cellOf(const Vec3& p) const;
  // Cells above each other have consecutive buckets.
  std::uint32_t bucketOf(int x, int y, int z) const {
    return ((static_cast<std::uint32_t>(x) * 73856093u ^ static_cast<std::uint32_t>(y) * 19349663u) + static_cast<std::uint32_t>(z)) &
           mask_;
  }
  template <class F>
  void inColumn(int x, int y, int z0, int z1, F&& f) const {
    for (int z = z0; z <= z1;) {
      const std::uint32_t bucket = bucketOf(x, y, z);
      const int here =
          static_cast<int>(std::min<std::int64_t>(std::int64_t(z1) - z + 1, std::int64_t(mask_) + 1 - bucket));  // up to the wrap-around
      const int end = first_[bucket + here];
      for (int at = first_[bucket]; at < end; at++) {
        const Cell& c = entries_[at].cell;
        if (c.x == x && c.y == y && c.z >= z && c.z - z < here) f(entries_[at].point);
      }
      z += here;
    }
  }

  double perCell_ = 1;  // 1/m
  std::uint32_t mask_ = 0;
  std::vector<Cell> cells_;     // of each point
  std::vector<int> first_;      // of each bucket in entries_, and the end
  std::vector<Entry> entries_;  // by bucket, then point
};

}  // namespace vertebra::geometry
