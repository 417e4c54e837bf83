// Links whose collision shapes overlap with all joints at zero: robots are often drawn with such overlaps, and contacts between them would
// tear the figure apart in a simulation. See build.hpp.
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

constexpr double kOverlap = 1e-4;          // m; shapes that only touch may still collide
constexpr std::size_t kNamedPairs = 3;     // overlapping links; more pairs are reported as one finding that names the deepest
constexpr std::size_t kMostShapes = 5000;  // a robot with more shapes in one heap would take quadratic time

// Poses of all links with every joint at 0, the root at the origin.
std::vector<Pose> zeroPose(const figure::Skeleton& s) {
  std::vector<std::vector<int>> below(s.links.size());
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    if (!s.joints[j].loop && s.joints[j].parent >= 0) below[s.joints[j].parent].push_back(static_cast<int>(j));
  std::vector<Pose> pose(s.links.size());
  std::vector<int> open{s.root};
  while (!open.empty()) {
    int link = open.back();
    open.pop_back();
    for (int j : below[link]) {
      const figure::JointDescription& joint = s.joints[j];
      pose[joint.child] = pose[link] * joint.inParent * joint.inChild.inverse();
      open.push_back(joint.child);
    }
  }
  return pose;
}

bool solid(const geometry::Geometry& g) {  // no triangle soups: they have no inside
  return g.type == geometry::ShapeType::Sphere || g.type == geometry::ShapeType::Capsule || g.type == geometry::ShapeType::Box ||
         g.type == geometry::ShapeType::Cylinder || (g.type == geometry::ShapeType::Convex && g.hull != nullptr);
}

struct Overlap {
  std::pair<int, int> links;
  double depth;  // m
};

// One finding for each pair, or, for many pairs, one for all: many notes without consequence hide the important ones.
void tell(const UrdfRobot& robot, UrdfReport& report, std::vector<Overlap> overlaps) {
  auto name = [&](int link) { return quoted("link", robot.links[link].name); };
  auto millimetres = [](double depth) { return formatNumber(std::round(depth * 1e5) / 1e2) + " mm"; };
  if (overlaps.size() <= kNamedPairs) {
    for (const auto& [links, depth] : overlaps)
      report.info("urdf.pairs.overlap", robot.links[links.first].line, name(links.first) + " and " + name(links.second),
                  "their collision shapes overlap by " + millimetres(depth) + " with all joints at zero, so the two never collide");
    return;
  }
  std::stable_sort(overlaps.begin(), overlaps.end(), [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
  std::string deepest;
  for (std::size_t i = 0; i < kNamedPairs; ++i)
    deepest += (i > 0 ? ", " : "") + name(overlaps[i].links.first) + " and " + name(overlaps[i].links.second) + " by " +
               millimetres(overlaps[i].depth);
  report.info("urdf.pairs.overlap", robot.line, "robot",
              std::to_string(overlaps.size()) +
                  " pairs of links have collision shapes that overlap with all joints at zero, so these never collide; "
                  "deepest: " +
                  deepest);
}

}  // namespace

void separateOverlaps(const UrdfRobot& robot, UrdfReport& report, figure::Skeleton& skeleton) {
  std::vector<Pose> pose = zeroPose(skeleton);
  struct Placed {
    int link;
    const geometry::Shape* shape;
    Pose pose;
  };
  std::vector<Placed> placed;
  std::vector<geometry::Aabb> boxes;
  for (std::size_t i = 0; i < skeleton.links.size(); ++i)
    for (const geometry::Shape& shape : skeleton.links[i].shapes) {
      if (!solid(shape.geometry)) continue;
      placed.push_back({static_cast<int>(i), &shape, pose[i] * shape.local});
      boxes.push_back(geometry::bounds(shape.geometry, placed.back().pose, 0));
    }
  if (placed.size() > kMostShapes) {
    report.warning("urdf.pairs.not-searched", robot.line, "robot",
                   "with more than " + std::to_string(kMostShapes) +
                       " collision shapes, links that overlap at the zero pose are not looked for; "
                       "to mend: use fewer shapes");
    return;
  }
  geometry::BroadPhase broad;
  const std::vector<std::uint8_t> passive(boxes.size(), 0);
  broad.search(boxes.data(), passive.data(), static_cast<int>(boxes.size()));
  std::set<std::pair<int, int>> apart(skeleton.uncollidable.begin(), skeleton.uncollidable.end());
  std::map<std::pair<int, int>, double> deepest;  // m
  for (const geometry::BroadPhase::Pair& pair : broad.pairs()) {
    if (!boxes[pair.a].overlaps(boxes[pair.b])) continue;
    const Placed &a = placed[pair.a], &b = placed[pair.b];
    std::pair<int, int> links(std::min(a.link, b.link), std::max(a.link, b.link));
    if (links.first == links.second || apart.count(links) != 0) continue;
    geometry::Manifold m;
    geometry::collide(geometry::Collider(a.shape->geometry, a.pose), geometry::Collider(b.shape->geometry, b.pose), 0, m);
    double depth = 0;
    for (int i = 0; i < m.count; ++i) depth = std::max(depth, -m.points[i].gap);
    if (depth > kOverlap) deepest[links] = std::max(deepest[links], depth);
  }
  std::vector<Overlap> overlaps;
  for (const auto& [links, depth] : deepest) {
    skeleton.uncollidable.push_back(links);
    overlaps.push_back({links, depth});
  }
  tell(robot, report, std::move(overlaps));
  std::sort(skeleton.uncollidable.begin(), skeleton.uncollidable.end());
}

}  // namespace vertebra
