// Bounding volume hierarchy over a triangle mesh, with what contacts need of each triangle: its normal and its neighbours across the edges.
// Mesh frame, metres. Built once, identical for the same mesh; immutable after that.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/geometry/bounds.hpp"

namespace vertebra::geometry {

struct MeshTriangle {
  Vec3 corner[3];
  Vec3 normal;              // unit, outward by the winding
  Vec3 neighbourNormal[3];  // across the edge from corner k to k + 1; zero where the mesh ends or more than two triangles meet
  std::int32_t index;       // in the mesh
  bool convex[3];           // the edge is a ridge, seen from outside; flat and concave edges are false
};

// Where origin + t * direction, t >= 0, meets the triangle, on either side; infinite where it does not.
double rayTriangle(const MeshTriangle& triangle, const Vec3& origin, const Vec3& direction);

class MeshBvh {
 public:
  using Triangle = MeshTriangle;

  // Triangles without area, or with vertices that do not exist or are not finite, are left out.
  explicit MeshBvh(const TriangleMesh& mesh);

  const std::vector<Triangle>& triangles() const { return triangles_; }  // in tree order
  Aabb bounds() const;

  // Calls visit(const Triangle&) for the triangles whose boxes overlap.
  template <class Visit>
  void overlapping(const Aabb& box, Visit&& visit) const {
    if (nodes_.empty()) return;
    std::int32_t stack[kMaxDepth], top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[stack[--top]];
      if (!node.box.overlaps(box)) continue;
      if (node.count > 0) {
        for (int i = 0; i < node.count; ++i) visit(triangles_[node.first + i]);
      } else {
        stack[top++] = node.first + 1;
        stack[top++] = node.first;
      }
    }
  }

  // Nearest triangle along origin + t * direction, 0 <= t <= t of the call; hits either side. Null and t unchanged if none.
  const Triangle* raycast(const Vec3& origin, const Vec3& direction, double& t) const;

 private:
  static constexpr int kMaxDepth = 96;
  struct Node {
    Aabb box;
    std::int32_t first = 0, count = 0;  // leaf: triangles first .. first + count; inner (count 0): children first, first + 1
  };
  void connect(const TriangleMesh& mesh);
  void build();

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

std::shared_ptr<const MeshBvh> makeMeshBvh(const TriangleMesh& mesh);

}  // namespace vertebra::geometry
