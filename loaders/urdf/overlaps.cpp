// Links whose collision shapes overlap where the file puts them, all joints at zero: robots are drawn with such overlaps, and a
// simulation that takes them for contacts tears the figure apart. See build.hpp.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/geometry/broad_phase.hpp"
#include "engine/geometry/collision.hpp"
#include "loaders/urdf/build.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

constexpr double kOverlap = 1e-4;          // m; shapes that only touch may go on colliding
constexpr std::size_t kMostShapes = 5000;  // a robot that is one heap of more shapes would cost the square of it

// Poses of all links with every joint at 0, the root at the origin.
std::vector<Pose> zeroPose(const Skeleton& s) {
  std::vector<std::vector<int>> below(s.links.size());
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    if (!s.joints[j].loop && s.joints[j].parent >= 0) below[s.joints[j].parent].push_back(static_cast<int>(j));
  std::vector<Pose> pose(s.links.size());
  std::vector<int> open{s.root};
  while (!open.empty()) {
    int link = open.back();
    open.pop_back();
    for (int j : below[link]) {
      const JointDescription& joint = s.joints[j];
      pose[joint.child] = pose[link] * joint.inParent * joint.inChild.inverse();
      open.push_back(joint.child);
    }
  }
  return pose;
}

bool solid(const Geometry& g) {  // no triangle soups: they have no inside to be in
  return g.type == ShapeType::Sphere || g.type == ShapeType::Capsule || g.type == ShapeType::Box || g.type == ShapeType::Cylinder ||
         (g.type == ShapeType::Convex && g.hull != nullptr);
}

}  // namespace

void separateOverlaps(const UrdfRobot& robot, UrdfReport& report, Skeleton& skeleton) {
  std::vector<Pose> pose = zeroPose(skeleton);
  struct Placed {
    int link;
    const Shape* shape;
    Pose pose;
  };
  std::vector<Placed> placed;
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < skeleton.links.size(); ++i)
    for (const Shape& shape : skeleton.links[i].shapes) {
      if (!solid(shape.geometry)) continue;
      placed.push_back({static_cast<int>(i), &shape, pose[i] * shape.local});
      boxes.push_back(bounds(shape.geometry, placed.back().pose, 0));
    }
  if (placed.size() > kMostShapes) {
    report.warning("urdf.pairs.not-searched", robot.line, "robot",
                   "with more than " + std::to_string(kMostShapes) + " collision shapes, links that overlap at the zero pose are not looked for; "
                   "to mend: use fewer shapes");
    return;
  }
  BroadPhase broad;
  broad.update(boxes.data(), nullptr, static_cast<int>(boxes.size()));
  std::set<std::pair<int, int>> apart(skeleton.uncollidable.begin(), skeleton.uncollidable.end());
  std::map<std::pair<int, int>, double> deepest;
  for (const BroadPhase::Pair& pair : broad.pairs()) {
    const Placed &a = placed[pair.a], &b = placed[pair.b];
    std::pair<int, int> links(std::min(a.link, b.link), std::max(a.link, b.link));
    if (links.first == links.second || apart.count(links) != 0) continue;
    Manifold m;
    collide(Collider(a.shape->geometry, a.pose), Collider(b.shape->geometry, b.pose), 0, m);
    double depth = 0;
    for (int i = 0; i < m.count; ++i) depth = std::max(depth, -m.points[i].gap);
    if (depth > kOverlap) deepest[links] = std::max(deepest[links], depth);
  }
  for (const auto& [links, depth] : deepest) {
    skeleton.uncollidable.push_back(links);
    const UrdfLink& first = robot.links[links.first];
    report.info("urdf.pairs.overlap", first.line, quoted("link", first.name) + " and " + quoted("link", robot.links[links.second].name),
                "their collision shapes overlap by " + formatNumber(std::round(depth * 1e5) / 1e2) +
                    " mm with all joints at zero, so the two never collide");
  }
  std::sort(skeleton.uncollidable.begin(), skeleton.uncollidable.end());
}

}  // namespace vertebra
