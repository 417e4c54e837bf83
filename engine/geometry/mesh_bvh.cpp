// Median split along the longest axis of the centres: balanced, so the depth is bounded by the logarithm of the triangle count.
#include "engine/geometry/mesh_bvh.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::geometry {
namespace {

constexpr int kLeaf = 4;

struct EdgeUse {  // an edge by its end positions, the lower one first
  Vec3 a, b;
  std::int32_t triangle, side;
};

bool before(const Vec3& u, const Vec3& v) { return std::lexicographical_compare(u.data(), u.data() + 3, v.data(), v.data() + 3); }
bool before(const EdgeUse& x, const EdgeUse& y) {
  if (before(x.a, y.a)) return true;
  if (before(y.a, x.a)) return false;
  return before(x.b, y.b);
}

Aabb boxOf(const MeshBvh::Triangle& t) {
  return {t.corner[0].cwiseMin(t.corner[1]).cwiseMin(t.corner[2]), t.corner[0].cwiseMax(t.corner[1]).cwiseMax(t.corner[2])};
}

// Slab test; 0 * inf gives NaN, which min and max below ignore.
bool rayMeets(const Aabb& box, const Vec3& origin, const Vec3& inverse, double limit) {
  double lo = 0, hi = limit;
  for (int k = 0; k < 3; ++k) {
    double a = (box.lo[k] - origin[k]) * inverse[k], b = (box.hi[k] - origin[k]) * inverse[k];
    if (a > b) std::swap(a, b);
    if (a > lo) lo = a;
    if (b < hi) hi = b;
  }
  return lo <= hi;
}

}  // namespace

MeshBvh::MeshBvh(const TriangleMesh& mesh) {
  connect(mesh);
  build();
}

// Triangles with their neighbours. Edges are matched by position: triangle soups repeat vertices.
void MeshBvh::connect(const TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.vertices.size());
  std::vector<EdgeUse> edges;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& v = mesh.triangles[i];
    if (v.minCoeff() < 0 || v.maxCoeff() >= count) continue;
    Triangle t;
    for (int k = 0; k < 3; ++k) t.corner[k] = mesh.vertices[v[k]] + Vec3::Zero();  // -0 becomes 0: edges match by value
    Vec3 area = (t.corner[1] - t.corner[0]).cross(t.corner[2] - t.corner[0]);
    double length = area.norm();
    if (!(length > 0) || !std::isfinite(length)) continue;
    t.normal = area / length;
    t.index = static_cast<std::int32_t>(i);
    for (int k = 0; k < 3; ++k) {
      t.neighbourNormal[k].setZero();
      t.convex[k] = false;
      const Vec3 &p = t.corner[k], &q = t.corner[(k + 1) % 3];
      bool ordered = before(p, q);
      edges.push_back({ordered ? p : q, ordered ? q : p, static_cast<std::int32_t>(triangles_.size()), k});
    }
    triangles_.push_back(t);
  }
  std::stable_sort(edges.begin(), edges.end(), [](const EdgeUse& x, const EdgeUse& y) { return before(x, y); });
  for (size_t i = 0; i < edges.size();) {
    size_t end = i + 1;
    while (end < edges.size() && !before(edges[i], edges[end])) ++end;
    if (end - i == 2) {
      for (int k = 0; k < 2; ++k) {
        Triangle& t = triangles_[edges[i + k].triangle];
        const Triangle& other = triangles_[edges[i + 1 - k].triangle];
        int side = edges[i + k].side, apex = (edges[i + 1 - k].side + 2) % 3;
        t.neighbourNormal[side] = other.normal;
        Vec3 reach = other.corner[apex] - t.corner[side];
        t.convex[side] = t.normal.dot(reach) < -1e-6 * reach.norm();
      }
    }
    i = end;
  }
}

void MeshBvh::build() {
  if (triangles_.empty()) return;
  struct Range {
    int node, first, count;
  };
  nodes_.reserve(triangles_.size());
  nodes_.push_back({});
  std::vector<Range> work{{0, 0, static_cast<int>(triangles_.size())}};
  while (!work.empty()) {
    Range r = work.back();
    work.pop_back();
    Aabb box = boxOf(triangles_[r.first]), centres{Vec3::Constant(kInf), Vec3::Constant(-kInf)};
    for (int i = r.first; i < r.first + r.count; ++i) {
      Aabb b = boxOf(triangles_[i]);
      box.lo = box.lo.cwiseMin(b.lo);
      box.hi = box.hi.cwiseMax(b.hi);
      Vec3 c = b.lo + b.hi;
      centres.lo = centres.lo.cwiseMin(c);
      centres.hi = centres.hi.cwiseMax(c);
    }
    nodes_[r.node].box = box;
    if (r.count <= kLeaf) {
      nodes_[r.node].first = r.first;
      nodes_[r.node].count = r.count;
      continue;
    }
    int axis;
    (centres.hi - centres.lo).maxCoeff(&axis);
    auto key = [axis](const Triangle& t) {
      Aabb b = boxOf(t);
      return b.lo[axis] + b.hi[axis];
    };
    auto begin = triangles_.begin() + r.first;
    int half = r.count / 2;
    std::nth_element(begin, begin + half, begin + r.count, [&](const Triangle& x, const Triangle& y) {
      double a = key(x), b = key(y);
      return a < b || (a == b && x.index < y.index);
    });
    int child = static_cast<int>(nodes_.size());
    nodes_[r.node].first = child;
    nodes_.push_back({});
    nodes_.push_back({});
    work.push_back({child + 1, r.first + half, r.count - half});
    work.push_back({child, r.first, half});
  }
}

Aabb MeshBvh::bounds() const { return nodes_.empty() ? Aabb{Vec3::Constant(kInf), Vec3::Constant(-kInf)} : nodes_[0].box; }

// After Möller and Trumbore (1997, "Fast, minimum storage ray-triangle intersection").
double rayTriangle(const MeshTriangle& tri, const Vec3& origin, const Vec3& direction) {
  Vec3 e1 = tri.corner[1] - tri.corner[0], e2 = tri.corner[2] - tri.corner[0], p = direction.cross(e2);
  double determinant = e1.dot(p);
  if (determinant == 0) return kInf;
  Vec3 s = origin - tri.corner[0], q = s.cross(e1);
  double u = s.dot(p) / determinant, v = direction.dot(q) / determinant, x = e2.dot(q) / determinant;
  return u < -1e-12 || v < -1e-12 || u + v > 1 + 1e-12 || !(x >= 0) ? kInf : x;
}

const MeshBvh::Triangle* MeshBvh::raycast(const Vec3& origin, const Vec3& direction, double& t) const {
  const Triangle* hit = nullptr;
  if (nodes_.empty()) return hit;
  Vec3 inverse = direction.cwiseInverse();
  std::int32_t stack[kMaxDepth], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (!rayMeets(node.box, origin, inverse, t)) continue;
    if (node.count == 0) {
      stack[top++] = node.first + 1;
      stack[top++] = node.first;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const double x = rayTriangle(triangles_[i], origin, direction);
      if (!(x <= t) || (x == t && hit) || x == kInf) continue;
      t = x;
      hit = &triangles_[i];
    }
  }
  return hit;
}

std::shared_ptr<const MeshBvh> makeMeshBvh(const TriangleMesh& mesh) { return std::make_shared<const MeshBvh>(mesh); }

}  // namespace vertebra::geometry
