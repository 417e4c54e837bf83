// Hull of half-spaces: the largest inscribed ball gives an interior point, polar duality about it turns planes into points, and each
// face of their hull is a vertex of the intersection (Preparata and Shamos, Computational Geometry, section 7.3).
// The ball is the linear program max r, n_i . x + r <= d_i; its dual has four equality rows and is solved by a two-phase simplex
// tableau with Bland's rule, which cannot cycle.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/geometry/convex_hull.hpp"

namespace vertebra::geometry {
namespace {

// minimise d . y, sum y_i (n_i, 1) = (0, 0, 0, 1), y >= 0. The multipliers of the rows are the primal solution (x, r).
class ChebyshevProgram {
 public:
  explicit ChebyshevProgram(const std::vector<HalfSpace>& unit) : m_(static_cast<int>(unit.size())), columns_(m_ + 4), cost_(m_ + 4, 0.0) {
    for (int i = 0; i < m_; ++i) {
      columns_[i] = {unit[i].normal.x(), unit[i].normal.y(), unit[i].normal.z(), 1};
      cost_[i] = unit[i].offset;
    }
    for (int k = 0; k < 4; ++k) {
      columns_[m_ + k].fill(0);
      columns_[m_ + k][k] = 1;
      basis_[k] = m_ + k;
    }
    right_ = {0, 0, 0, 1};
  }

  // False if the half-spaces hold arbitrarily large balls.
  bool solve(Vec3& centre, double& radius) {
    std::vector<double> artificial(m_ + 4, 0.0);
    for (int k = 0; k < 4; ++k) artificial[m_ + k] = 1;
    if (!minimise(artificial, m_ + 4)) return false;
    double infeasible = 0;
    for (int k = 0; k < 4; ++k)
      if (basis_[k] >= m_) infeasible += right_[k];
    if (infeasible > 1e-9) return false;
    if (!minimise(cost_, m_)) return false;
    // Multipliers: cost of the basis times the inverse basis, which stands in the artificial columns.
    std::array<double, 4> y{};
    for (int k = 0; k < 4; ++k)
      for (int row = 0; row < 4; ++row)
        if (basis_[row] < m_) y[k] += cost_[basis_[row]] * columns_[m_ + k][row];
    centre = Vec3(y[0], y[1], y[2]);
    radius = y[3];
    return true;
  }

 private:
  bool minimise(const std::vector<double>& cost, int enterable) {
    for (int iteration = 0; iteration < 50 * (m_ + 10); ++iteration) {
      int enter = -1;
      for (int j = 0; j < enterable && enter < 0; ++j) {
        double reduced = cost[j];
        for (int row = 0; row < 4; ++row) reduced -= cost[basis_[row]] * columns_[j][row];
        if (reduced < -1e-11) enter = j;
      }
      if (enter < 0) return true;
      int leave = -1;
      double best = kInf;
      for (int row = 0; row < 4; ++row) {
        double a = columns_[enter][row];
        if (a <= 1e-11) continue;
        double ratio = right_[row] / a;
        if (ratio < best - 1e-14 || (ratio <= best + 1e-14 && leave >= 0 && basis_[row] < basis_[leave])) {
          best = ratio;
          leave = row;
        }
      }
      if (leave < 0) return false;
      pivot(leave, enter);
    }
    return false;
  }

  void pivot(int row, int column) {
    double inverse = 1 / columns_[column][row];
    std::array<double, 4> factor = columns_[column];
    for (auto& c : columns_) {
      double scaled = c[row] * inverse;
      for (int k = 0; k < 4; ++k)
        if (k != row) c[k] -= factor[k] * scaled;
      c[row] = scaled;
    }
    double scaled = right_[row] * inverse;
    for (int k = 0; k < 4; ++k)
      if (k != row) right_[k] -= factor[k] * scaled;
    right_[row] = scaled;
    basis_[row] = column;
  }

  int m_;
  std::vector<std::array<double, 4>> columns_;
  std::vector<double> cost_;
  std::array<double, 4> right_{};
  std::array<int, 4> basis_{};
};

}  // namespace

std::string makeConvexHull(const std::vector<HalfSpace>& halfSpaces, ConvexHull& out) {
  if (halfSpaces.size() < 4) return "a bounded solid needs at least 4 half-spaces, got " + std::to_string(halfSpaces.size());
  std::vector<HalfSpace> unit;
  double largest = 0;
  for (size_t i = 0; i < halfSpaces.size(); ++i) {
    double length = halfSpaces[i].normal.norm();
    double offset = halfSpaces[i].offset / length;
    if (!(length > 0) || !std::isfinite(length) || !std::isfinite(offset))
      return "half-space " + std::to_string(i) + " has no finite unit normal or offset";
    unit.push_back({halfSpaces[i].normal / length, offset});
    largest = std::max(largest, std::abs(offset));
  }
  double scale = largest > 0 ? largest : 1;
  for (HalfSpace& h : unit) h.offset /= scale;

  Vec3 centre = Vec3::Zero();
  double radius = 0;
  if (!ChebyshevProgram(unit).solve(centre, radius)) return "the half-spaces enclose no bounded solid";
  if (!(radius > 1e-9)) return "the half-spaces have no common interior";
  std::vector<Vec3> dual;
  for (const HalfSpace& h : unit) dual.push_back(h.normal * (radius / (h.offset - h.normal.dot(centre))));
  ConvexHull polar;
  std::string error = makeConvexHull(dual, polar);
  if (!error.empty()) return "the half-spaces enclose no bounded solid";
  std::vector<Vec3> vertices;
  for (size_t f = 0; f < polar.faces.size(); ++f) {
    if (!(polar.offsets[f] > 1e-9)) return "the half-spaces enclose no bounded solid";
    vertices.push_back(scale * (centre + polar.normals[f] * (radius / polar.offsets[f])));
  }
  return makeConvexHull(vertices, out);
}

}  // namespace vertebra::geometry
