// What stands in for bodies of which nothing else would show, so that they can be seen and taken hold of: bodies without shapes, and the
// links of figures that have neither shapes nor visuals. It is the even box with the body's mass and moments of inertia, no edge shorter
// than kLeast of the extent of the world. Metres; a box in its body's frame.
#include <algorithm>
#include <set>

#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {

constexpr double kLeast = 0.008;  // half an edge

double extentOf(const std::vector<ShownBody>& bodies) {
  Box box;
  for (const ShownBody& body : bodies) box.add({body.pose[0], body.pose[1], body.pose[2]});
  return box.valid() ? (box.upper - box.lower).length() : 0;
}

void boxTriangles(const double com[3], const InertiaBox& box, std::vector<double>& vertices, std::vector<std::uint32_t>& triangles) {
  for (int c = 0; c < 8; c++) {
    const osg::Vec3d p = osg::Vec3d(com[0], com[1], com[2]) + box.corner(c);
    vertices.insert(vertices.end(), {p.x(), p.y(), p.z()});
  }
  const bool righthanded = (box.axis[0] ^ box.axis[1]) * box.axis[2] > 0;
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      const std::uint32_t at = side ? 1u << axis : 0, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
      std::uint32_t corner[4] = {at, at | u, at | u | v, at | v};
      if ((side == 1) != righthanded) std::swap(corner[1], corner[3]);  // seen from outside anticlockwise
      triangles.insert(triangles.end(), {corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]});
    }
}

}  // namespace

void WorldView::readStandIns(const vtb_world* world) {
  std::vector<bool> shaped(bodies_.size());
  std::set<int> dressed;  // figures of which some link shows
  for (const auto* parts : {&shapes_, &visuals_})
    for (const auto& [key, part] : *parts) {
      if (part.body < 0) continue;
      shaped[static_cast<std::size_t>(part.body)] = true;
      dressed.insert(bodies_[static_cast<std::size_t>(part.body)].figure);
    }
  for (auto& [bits, part] : standIns_) part.seen = false;
  const double least = kLeast * extentOf(bodies_);
  for (std::size_t i = 0; i < bodies_.size(); i++) {
    const ShownBody& body = bodies_[i];
    if (shaped[i] || (body.figure >= 0 && dressed.contains(body.figure)) || !body.moving || !(body.mass > 0)) continue;
    const auto [entry, added] = standIns_.try_emplace(body.handle.bits);
    Part& part = entry->second;
    part.seen = true;
    part.body = static_cast<int>(i);
    if (!added) continue;
    InertiaBox box = inertiaBox(world, body);
    for (double& half : box.half) half = std::max(half, least);
    std::vector<double> vertices;
    std::vector<std::uint32_t> triangles;
    boxTriangles(body.com, box, vertices, triangles);
    part.scene = scene_.addPart();
    constexpr float kDefault[4] = {0.7f, 0.7f, 0.7f, 1};
    scene_.addTriangles(part.scene, vertices, triangles, colourOf(kDefault, part.body));
    for (std::size_t v = 0; v + 2 < vertices.size(); v += 3) part.box.add({vertices[v], vertices[v + 1], vertices[v + 2]});
  }
  for (auto i = standIns_.begin(); i != standIns_.end();) {
    if (i->second.seen) {
      ++i;
      continue;
    }
    if (i->second.scene >= 0) scene_.removePart(i->second.scene);
    i = standIns_.erase(i);
  }
}

}  // namespace vertebra::viewer
