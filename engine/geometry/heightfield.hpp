// Terrain over a grid of heights: its triangles, computed on demand. Shape's frame, metres; solid below the surface.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "engine/geometry/mesh_bvh.hpp"

namespace vertebra::geometry {

// Checks sizes and numbers and stores the range of heights. Returns what is wrong, or an empty text.
std::string makeHeightGrid(int rows, int columns, double dx, double dy, std::vector<double> height, HeightGrid& out);

// Triangle 0 or 1 of a cell, with its neighbours; 2 * (row * (columns - 1) + column) + half is its index.
MeshTriangle heightTriangle(const HeightGrid& grid, int row, int column, int half);

// Calls visit(const MeshTriangle&) for the triangles whose columns the box meets and whose cell is not wholly below it.
template <class Visit>
void overlappingHeights(const HeightGrid& grid, const Aabb& box, Visit&& visit) {
  auto cell = [](double x, double spacing, int samples) {
    return static_cast<int>(std::clamp(std::floor(x / spacing), 0.0, samples - 2.0));
  };
  if (!(box.hi.x() >= 0 && box.hi.y() >= 0 && box.lo.x() <= (grid.columns - 1) * grid.dx && box.lo.y() <= (grid.rows - 1) * grid.dy))
    return;
  const int r0 = cell(box.lo.y(), grid.dy, grid.rows), r1 = cell(box.hi.y(), grid.dy, grid.rows);
  const int c0 = cell(box.lo.x(), grid.dx, grid.columns), c1 = cell(box.hi.x(), grid.dx, grid.columns);
  for (int r = r0; r <= r1; ++r)
    for (int c = c0; c <= c1; ++c) {
      const double top = std::max({grid.z(r, c), grid.z(r, c + 1), grid.z(r + 1, c), grid.z(r + 1, c + 1)});
      if (top < box.lo.z()) continue;
      visit(heightTriangle(grid, r, c, 0));
      visit(heightTriangle(grid, r, c, 1));
    }
}

// The solid ends in vertical sides: 0 at x = 0, 1 at the last column, 2 at y = 0, 3 at the last row.
inline constexpr int kGridSides = 4;
Vec3 sideNormal(int side);                                           // outward
double beyondSide(const HeightGrid& grid, int side, const Vec3& p);  // m; < 0: p is on the inner side
// Triangle 0 or 1 of the segment of a side, from its border down to `depth` below the lowest height.
MeshTriangle sideTriangle(const HeightGrid& grid, double depth, int side, int segment, int half);
// Calls visit(const MeshTriangle&) for the triangles of a side that the box may meet.
template <class Visit>
void overlappingSide(const HeightGrid& grid, double depth, int side, const Aabb& box, Visit&& visit) {
  const bool alongY = side < 2;  // the border runs along y
  const int across = alongY ? 0 : 1, along = 1 - across;
  const double spacing = alongY ? grid.dy : grid.dx, size[2] = {(grid.columns - 1) * grid.dx, (grid.rows - 1) * grid.dy},
               at = side % 2 == 0 ? 0 : size[across];
  const int segments = (alongY ? grid.rows : grid.columns) - 1;
  if (box.lo[across] > at || box.hi[across] < at || box.hi.z() < grid.lowest - depth || box.lo.z() > grid.highest) return;
  if (box.hi[along] < 0 || box.lo[along] > size[along]) return;
  const auto segment = [&](double x) { return static_cast<int>(std::clamp(std::floor(x / spacing), 0.0, segments - 1.0)); };
  for (int k = segment(box.lo[along]); k <= segment(box.hi[along]); ++k)
    for (int half = 0; half < 2; ++half) visit(sideTriangle(grid, depth, side, k, half));
}

// First triangle along origin + t * direction, 0 <= t <= t of the call, by a walk over the cells; either side. False, t unchanged: none.
bool raycastHeights(const HeightGrid& grid, const Vec3& origin, const Vec3& direction, double& t, MeshTriangle& hit);

}  // namespace vertebra::geometry
