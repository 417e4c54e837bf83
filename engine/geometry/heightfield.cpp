// Walk over the cells after Amanatides and Woo (1987, "A fast voxel traversal algorithm for ray tracing"): along each axis the ray's
// parameter at the next grid line.
#include "engine/geometry/heightfield.hpp"

namespace vertebra::geometry {
namespace {

struct Corners {
  Vec3 p[3];
};

// Seen from above counter-clockwise: (row, column) - (row, column + 1) - (row + 1, column + 1), and the other half.
Corners corners(const HeightGrid& g, int row, int column, int half) {
  if (half == 0) return {{g.at(row, column), g.at(row, column + 1), g.at(row + 1, column + 1)}};
  return {{g.at(row, column), g.at(row + 1, column + 1), g.at(row + 1, column)}};
}

Vec3 normalOf(const Corners& c) { return (c.p[1] - c.p[0]).cross(c.p[2] - c.p[0]).normalized(); }

}  // namespace

std::string makeHeightGrid(int rows, int columns, double dx, double dy, std::vector<double> height, HeightGrid& out) {
  if (rows < 2 || columns < 2) return "a heightfield needs at least 2 rows and 2 columns";
  if (!(dx > 0 && dy > 0 && std::isfinite(dx) && std::isfinite(dy))) return "a heightfield needs positive spacings";
  if (height.size() != static_cast<std::size_t>(rows) * columns) return "a heightfield needs rows x columns heights";
  out.lowest = kInf;
  out.highest = -kInf;
  for (double z : height) {
    if (!std::isfinite(z)) return "a height is not a finite number";
    out.lowest = std::min(out.lowest, z);
    out.highest = std::max(out.highest, z);
  }
  out.rows = rows;
  out.columns = columns;
  out.dx = dx;
  out.dy = dy;
  out.height = std::move(height);
  return {};
}

MeshTriangle heightTriangle(const HeightGrid& g, int row, int column, int half) {
  // Across each edge: the cell and half beyond, and which corner of it lies opposite.
  struct Across {
    int row, column, half, apex;
  };
  const Across table[2][3] = {{{row - 1, column, 1, 0}, {row, column + 1, 1, 1}, {row, column, 1, 2}},
                              {{row, column, 0, 1}, {row + 1, column, 0, 2}, {row, column - 1, 0, 0}}};
  const Corners own = corners(g, row, column, half);
  MeshTriangle t;
  for (int k = 0; k < 3; ++k) t.corner[k] = own.p[k];
  t.normal = normalOf(own);
  t.index = 2 * (row * (g.columns - 1) + column) + half;
  for (int k = 0; k < 3; ++k) {
    const Across& n = table[half][k];
    t.neighbourNormal[k].setZero();
    t.convex[k] = false;
    if (n.row < 0 || n.column < 0 || n.row > g.rows - 2 || n.column > g.columns - 2) continue;
    const Corners beyond = corners(g, n.row, n.column, n.half);
    const Vec3 reach = beyond.p[n.apex] - t.corner[k];
    t.neighbourNormal[k] = normalOf(beyond);
    t.convex[k] = t.normal.dot(reach) < -1e-6 * reach.norm();
  }
  return t;
}

Vec3 sideNormal(int side) { return (side % 2 == 0 ? -1 : 1) * (side < 2 ? Vec3::UnitX() : Vec3::UnitY()); }

double beyondSide(const HeightGrid& g, int side, const Vec3& p) {
  const double last = side < 2 ? (g.columns - 1) * g.dx : (g.rows - 1) * g.dy, x = side < 2 ? p.x() : p.y();
  return side % 2 == 0 ? -x : x - last;
}

MeshTriangle sideTriangle(const HeightGrid& g, double depth, int side, int segment, int half) {
  const bool alongY = side < 2, far = side % 2 == 1;
  const int segments = (alongY ? g.rows : g.columns) - 1, border = far ? (alongY ? g.columns : g.rows) - 1 : 0;
  const auto top = [&](int k) { return alongY ? g.at(k, border) : g.at(border, k); };
  const auto under = [&](int k) { return Vec3(top(k).x(), top(k).y(), g.lowest - depth); };
  // Seen from outside a is left of b, so that the corners go round counter-clockwise.
  const bool forward = side == 1 || side == 2;
  const int a = segment + !forward, b = segment + forward;
  MeshTriangle t;
  const Vec3 corner[4] = {under(a), under(b), top(b), top(a)};
  for (int k = 0; k < 3; ++k) t.corner[k] = corner[half == 0 ? k : (k == 0 ? 0 : k + 1)];
  t.normal = sideNormal(side);
  int before = 0;  // segments of the sides before
  for (int k = 0; k < side; ++k) before += (k < 2 ? g.rows : g.columns) - 1;
  t.index = 2 * ((g.rows - 1) * (g.columns - 1) + before + segment) + half;
  // Edges of half 0: bottom, upright at b, diagonal; of half 1: diagonal, top, upright at a. Neighbours in the side are level with it.
  for (int k = 0; k < 3; ++k) t.convex[k] = false, t.neighbourNormal[k].setZero();
  t.neighbourNormal[half == 0 ? 2 : 0] = t.normal;
  const bool last = half == 0 ? b == 0 || b == segments : a == 0 || a == segments;
  if (!last) t.neighbourNormal[half == 0 ? 1 : 2] = t.normal;
  return t;
}

bool raycastHeights(const HeightGrid& g, const Vec3& o, const Vec3& d, double& t, MeshTriangle& hit) {
  // The stretch of the ray above the grid.
  const double size[2] = {(g.columns - 1) * g.dx, (g.rows - 1) * g.dy}, spacing[2] = {g.dx, g.dy};
  const int cells[2] = {g.columns - 1, g.rows - 1};
  double from = 0, to = t;
  auto clip = [&](double origin, double speed, double lo, double hi) {
    if (speed == 0) {
      if (origin < lo || origin > hi) to = -1;
      return;
    }
    double a = (lo - origin) / speed, b = (hi - origin) / speed;
    if (a > b) std::swap(a, b);
    from = std::max(from, a);
    to = std::min(to, b);
  };
  for (int k = 0; k < 2; ++k) clip(o[k], d[k], 0, size[k]);
  const double slack = 1e-9 * (1 + std::abs(g.lowest) + std::abs(g.highest));
  clip(o.z(), d.z(), g.lowest - slack, g.highest + slack);
  if (!(from <= to)) return false;
  int cell[2], step[2];
  double next[2], stride[2];
  for (int k = 0; k < 2; ++k) {
    const double x = o[k] + from * d[k];
    cell[k] = static_cast<int>(std::clamp(std::floor(x / spacing[k]), 0.0, cells[k] - 1.0));
    step[k] = d[k] > 0 ? 1 : -1;
    stride[k] = d[k] != 0 ? spacing[k] / std::abs(d[k]) : kInf;
    next[k] = d[k] != 0 ? ((cell[k] + (d[k] > 0)) * spacing[k] - o[k]) / d[k] : kInf;
  }
  while (cell[0] >= 0 && cell[1] >= 0 && cell[0] < cells[0] && cell[1] < cells[1]) {
    bool found = false;
    for (int half = 0; half < 2; ++half) {
      const MeshTriangle triangle = heightTriangle(g, cell[1], cell[0], half);
      const double x = rayTriangle(triangle, o, d);
      if (!(x <= t) || (found && x == t) || x == kInf) continue;
      t = x;
      hit = triangle;
      found = true;
    }
    if (found) return true;
    const int k = next[0] <= next[1] ? 0 : 1;
    if (next[k] > to) return false;
    cell[k] += step[k];
    next[k] += stride[k];
  }
  return false;
}

}  // namespace vertebra::geometry
