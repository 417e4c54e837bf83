// Points in a tree of boxes, for the farthest along many directions: meshes have ten thousands of points, of which a direction concerns a
// few. Lengths in the caller's unit, one frame.
#pragma once
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::geometry {

class PointTree {
 public:
  // At least one point, all finite; radii: of balls around them, none = 0.
  explicit PointTree(const std::vector<Vec3>& points, const std::vector<double>& radii = {});
  // Index of the point whose ball reaches farthest along the unit vector; of several the first.
  int support(const Vec3& direction) const;

 private:
  struct Entry {
    Vec3 point;
    double radius;
    int index;
  };
  struct Node {
    Vec3 centre, half;
    double radius;    // largest of its points, and round-off
    int first, last;  // of entries_
    int right = 0;    // child; the left one follows; 0: none
  };
  int build(int first, int last);
  static double reach(const Node& node, const Vec3& direction) {
    return direction.dot(node.centre) + direction.cwiseAbs().dot(node.half) + node.radius;
  }
  void visit(int node, const Vec3& direction, double& most, int& best) const;

  std::vector<Entry> entries_;
  std::vector<Node> nodes_;
};

}  // namespace vertebra::geometry
