// See point_tree.hpp.
#include "engine/geometry/point_tree.hpp"

#include <algorithm>

namespace vertebra::geometry {
namespace {

constexpr int kPointsOfLeaf = 16;  // points
constexpr int kLeastPart = 8;      // the smaller part of a node is at least the node by this
constexpr double kRoundOff = 1e-14;

}  // namespace

PointTree::PointTree(const std::vector<Vec3>& points, const std::vector<double>& radii) {
  entries_.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); i++) entries_.push_back({points[i], radii.empty() ? 0 : radii[i], static_cast<int>(i)});
  nodes_.reserve(4 * points.size() / kPointsOfLeaf + 1);
  build(0, static_cast<int>(points.size()));
}

int PointTree::build(int first, int last) {
  Vec3 lo = Vec3::Constant(kInf), hi = Vec3::Constant(-kInf);
  double radius = 0;
  for (int i = first; i < last; i++) {
    const Entry& e = entries_[static_cast<std::size_t>(i)];
    lo = lo.cwiseMin(e.point);
    hi = hi.cwiseMax(e.point);
    radius = std::max(radius, e.radius);
  }
  const int node = static_cast<int>(nodes_.size());
  radius += kRoundOff * (lo.norm() + hi.norm() + radius);
  nodes_.push_back({0.5 * (lo + hi), 0.5 * (hi - lo), radius, first, last});
  if (last - first <= kPointsOfLeaf) return node;
  int axis = 0;
  (hi - lo).maxCoeff(&axis);
  // In the middle of the box, or where that leaves little on one side, of the points.
  const double half = 0.5 * (lo[axis] + hi[axis]);
  const auto begin = entries_.begin() + first, end = entries_.begin() + last;
  int middle =
      static_cast<int>(std::partition(begin, end, [axis, half](const Entry& e) { return e.point[axis] < half; }) - entries_.begin());
  if (std::min(middle - first, last - middle) < (last - first) / kLeastPart) {
    middle = (first + last) / 2;
    std::nth_element(begin, entries_.begin() + middle, end,
                     [axis](const Entry& a, const Entry& b) { return a.point[axis] < b.point[axis]; });
  }
  build(first, middle);
  const int right = build(middle, last);
  nodes_[static_cast<std::size_t>(node)].right = right;
  return node;
}

int PointTree::support(const Vec3& direction) const {
  double most = -kInf;
  int best = 0;
  visit(0, direction, most, best);
  return best;
}

void PointTree::visit(int node, const Vec3& direction, double& most, int& best) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  if (n.right == 0) {
    for (int i = n.first; i < n.last; i++) {
      const Entry& e = entries_[static_cast<std::size_t>(i)];
      if (const double along = direction.dot(e.point) + e.radius; along > most || (along == most && e.index < best)) {
        most = along;
        best = e.index;
      }
    }
    return;
  }
  int near = node + 1, far = n.right;
  double nearReach = reach(nodes_[static_cast<std::size_t>(near)], direction),
         farReach = reach(nodes_[static_cast<std::size_t>(far)], direction);
  if (nearReach < farReach) {
    std::swap(near, far);
    std::swap(nearReach, farReach);
  }
  if (nearReach >= most) visit(near, direction, most, best);
  if (farReach >= most) visit(far, direction, most, best);
}

}  // namespace vertebra::geometry
