// Broad phase against all pairs by brute force, its order, its independence of history, and degenerate boxes.
#include "engine/geometry/broad_phase.hpp"

#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

std::vector<geometry::BroadPhase::Pair> bruteForce(const std::vector<geometry::Aabb>& boxes, const std::vector<std::uint8_t>& passive) {
  std::vector<geometry::BroadPhase::Pair> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      auto real = [](const geometry::Aabb& b) { return (b.lo.array() <= b.hi.array()).all(); };
      if (passive[i] && passive[j]) continue;
      if (real(boxes[i]) && real(boxes[j]) && boxes[i].overlaps(boxes[j])) pairs.push_back({i, j});
    }
  return pairs;
}

// As a caller does: a search only where the last one does not hold, then the pairs whose boxes overlap.
std::vector<geometry::BroadPhase::Pair> overlapping(geometry::BroadPhase& broad, const std::vector<geometry::Aabb>& boxes,
                                                    const std::vector<std::uint8_t>& passive) {
  const int n = static_cast<int>(boxes.size());
  bool holds = broad.count() == n;
  for (int i = 0; holds && i < n; ++i) holds = broad.holdsFor(i, boxes[i], passive[i]);
  if (!holds) broad.search(boxes.data(), passive.data(), n);
  std::vector<geometry::BroadPhase::Pair> pairs;
  for (const geometry::BroadPhase::Pair& p : broad.pairs())
    if (boxes[p.a].overlaps(boxes[p.b]) && !(passive[p.a] && passive[p.b])) pairs.push_back(p);
  return pairs;
}

std::vector<geometry::Aabb> randomBoxes(Random& r, int n, const Vec3& room, double size, bool wild) {
  std::vector<geometry::Aabb> boxes;
  for (int i = 0; i < n; ++i) {
    Vec3 c = randomVector(r, 1).cwiseProduct(room), h = Vec3(r.range(0.2, 1), r.range(0.2, 1), r.range(0.2, 1)) * size;
    if (wild && i % 37 == 0) h *= 40;
    if (wild && i % 101 == 5) h.setConstant(kInf);
    boxes.push_back({c - h, c + h});
    if (wild && i % 53 == 7) boxes.back() = geometry::Aabb{};
    if (wild && i % 59 == 8) boxes.back().lo.y() = std::nan("");
    if (wild && i % 61 == 9) boxes.back().lo.z() = -kInf;
  }
  return boxes;
}

}  // namespace

TEST_CASE("broad phase equals brute force and does not remember") {
  Random r(21);
  geometry::BroadPhase used;
  for (int trial = 0; trial < 120; ++trial) {
    int n = trial < 5 ? trial : r.below(trial % 3 == 1 ? 40 : 600);  // few boxes take another path
    Vec3 room(r.range(0.1, 20), r.range(0.1, 20), r.range(0.1, 20));
    if (trial % 7 == 0) room.x() = 0;
    std::vector<geometry::Aabb> boxes = randomBoxes(r, n, room, r.range(0.05, 1), trial % 3 == 0);
    std::vector<std::uint8_t> passive;
    for (int i = 0; i < n; ++i) passive.push_back(r.unit() < 0.3);
    std::vector<geometry::BroadPhase::Pair> expected = bruteForce(boxes, passive);
    REQUIRE(overlapping(used, boxes, passive) == expected);
    geometry::BroadPhase fresh;
    REQUIRE(overlapping(fresh, boxes, passive) == expected);
  }
}

TEST_CASE("broad phase of boxes that move little, empty and fill, fall asleep and wake") {
  Random r(23);
  for (const double far : {0.0, 1e5}) {
    std::vector<geometry::Aabb> boxes = randomBoxes(r, 300, {4, 4, 1}, 0.3, true);
    for (geometry::Aabb& b : boxes)
      for (Vec3* corner : {&b.lo, &b.hi}) *corner += Vec3::Constant(far);
    std::vector<std::uint8_t> passive(boxes.size(), 0);
    geometry::BroadPhase broad;
    for (int step = 0; step < 300; ++step) {
      const Vec3 by = randomVector(r, step % 50 == 49 ? 1 : 1e-3);
      geometry::Aabb& one = boxes[r.below(300)];
      const geometry::Aabb before = one;
      one = {before.lo + by, before.hi + by};
      if (step % 20 == 10) std::swap(one.lo.z(), one.hi.z());
      passive[r.below(300)] = step % 40 < 30;
      REQUIRE(overlapping(broad, boxes, passive) == bruteForce(boxes, passive));
    }
  }
}

// A room is a twentieth of an edge, 0.025 m; boxes that move by so much in each step get up to four times that.
TEST_CASE("boxes that move are searched every few steps") {
  Random r(24);
  std::vector<geometry::Aabb> boxes;
  std::vector<Vec3> step;
  for (int i = 0; i < 200; ++i) {
    const Vec3 c = randomVector(r, 2), h = Vec3::Constant(0.25);
    boxes.push_back({c - h, c + h});
    step.push_back(randomVector(r, 0.025));
  }
  const std::vector<std::uint8_t> passive(boxes.size(), 0);
  geometry::BroadPhase broad;
  int searches = 0;
  for (int k = 0; k < 60; ++k) {
    bool holds = broad.count() == 200;
    for (int i = 0; holds && i < 200; ++i) holds = broad.holdsFor(i, boxes[i], false);
    searches += !holds;
    REQUIRE(overlapping(broad, boxes, passive) == bruteForce(boxes, passive));
    for (int i = 0; i < 200; ++i) boxes[i] = {boxes[i].lo + step[i], boxes[i].hi + step[i]};
  }
  CHECK(searches < 30);
}

TEST_CASE("touching and equal boxes are pairs") {
  std::vector<geometry::Aabb> boxes = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}};
  geometry::BroadPhase b;
  CHECK(overlapping(b, boxes, {0, 0, 0}) == std::vector<geometry::BroadPhase::Pair>{{0, 1}, {0, 2}, {1, 2}});
}

TEST_CASE("bounds hold the shape tightly") {
  Random r(22);
  for (geometry::ShapeType type : {geometry::ShapeType::Sphere, geometry::ShapeType::Box, geometry::ShapeType::Cylinder,
                                   geometry::ShapeType::Capsule, geometry::ShapeType::Convex})
    for (int i = 0; i < 50; ++i) {
      geometry::Geometry g = randomGeometry(r, type);
      Pose pose{randomVector(r, 3), randomRotation(r)};
      geometry::Aabb box = geometry::bounds(g, pose, 0.125);
      for (int k = 0; k < 3; ++k) {
        CHECK(box.hi[k] == Approx(width(g, pose, Vec3::Unit(k)) + 0.125));
        CHECK(box.lo[k] == Approx(-width(g, pose, -Vec3::Unit(k)) - 0.125));
      }
    }
  geometry::Geometry plane;
  plane.type = geometry::ShapeType::Plane;
  CHECK(geometry::bounds(plane, {{0, 0, 2}, Quat::Identity()}, 0.5).hi == Vec3(kInf, kInf, 2.5));
  CHECK(geometry::bounds(plane, {{0, 0, 2}, quatFromRpy(0.1, 0, 0)}, 0.5).hi == Vec3(kInf, kInf, kInf));
}
