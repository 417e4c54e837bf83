// See motion_joints.hpp.
#include "engine/figure/motion_joints.hpp"

#include <algorithm>

#include "engine/figure/motion_channels.hpp"

namespace vertebra::figure {

namespace {
constexpr double kFixedOffset = 1e-9;  // file units, and of the length of an offset: a joint that goes farther from it moves

// A hierarchy over the joints of a clip: other parents, joints taken out.
struct Hierarchy {
  std::vector<int> parent;  // -1 = a root
  std::vector<bool> kept;
};

Hierarchy hierarchyOf(const Motion& m) {
  Hierarchy tree{{}, std::vector<bool>(m.joints.size(), true)};
  for (const MotionJoint& joint : m.joints) tree.parent.push_back(joint.parent);
  return tree;
}

// Joints that are kept, parents first, children of one joint in the clip's order: as a file lists them.
std::vector<int> fileOrder(const Hierarchy& tree) {
  std::vector<int> order, waiting;
  const int n = static_cast<int>(tree.parent.size());
  const auto wait = [&](int parent) {
    for (int j = n - 1; j >= 0; j--)
      if (tree.kept[static_cast<std::size_t>(j)] && tree.parent[static_cast<std::size_t>(j)] == parent) waiting.push_back(j);
  };
  wait(-1);
  while (!waiting.empty()) {
    order.push_back(waiting.back());
    waiting.pop_back();
    wait(order.back());
  }
  return order;
}

Pose inParent(const std::vector<Pose>& world, int parent, int j) {
  const Pose& own = world[static_cast<std::size_t>(j)];
  return parent < 0 ? own : world[static_cast<std::size_t>(parent)].inverse() * own;
}

void giveRotations(MotionJoint& joint) {
  joint.channels.erase(std::remove_if(joint.channels.begin(), joint.channels.end(), [](Channel c) { return !isPosition(c); }),
                       joint.channels.end());
  joint.channels.insert(joint.channels.end(), {Channel::Zrotation, Channel::Xrotation, Channel::Yrotation});
}

void givePositions(MotionJoint& joint) {
  joint.channels.erase(std::remove_if(joint.channels.begin(), joint.channels.end(), isPosition), joint.channels.end());
  joint.channels.insert(joint.channels.begin(), {Channel::Xposition, Channel::Yposition, Channel::Zposition});
}

// Joints of the new clip in file order, with the channels that they need, without frames.
Motion jointsOf(const Motion& m, const Hierarchy& tree, const std::vector<int>& order) {
  const std::size_t n = m.joints.size();
  std::vector<Pose> rest(n), world(n);
  motionWorldPoses(m, nullptr, true, rest.data());
  Motion out = withoutFrames(m);
  out.joints.clear();
  std::vector<bool> moves(n, false);
  for (int i = 0; i < m.frames(); i++) {
    motionWorldPoses(m, m.frame(i), true, world.data());
    for (const int j : order) {
      const auto at = static_cast<std::size_t>(j);
      if (tree.parent[at] == m.joints[at].parent) continue;
      const Vec3 offset = inParent(rest, tree.parent[at], j).p, p = inParent(world, tree.parent[at], j).p;
      if ((p - offset).norm() > kFixedOffset * (1 + offset.norm())) moves[at] = true;
    }
  }
  std::vector<int> place(n, -1);
  for (const int j : order) {
    const auto at = static_cast<std::size_t>(j);
    MotionJoint joint = m.joints[at];
    if (tree.parent[at] != joint.parent) {
      joint.parent = tree.parent[at];
      joint.offset = inParent(rest, joint.parent, j).p;
      if (!hasAllRotations(joint)) giveRotations(joint);
      if (moves[at] && !hasAllPositions(joint)) givePositions(joint);
    }
    if (joint.parent >= 0) joint.parent = place[static_cast<std::size_t>(joint.parent)];
    place[at] = static_cast<int>(out.joints.size());
    out.joints.push_back(std::move(joint));
  }
  out.channelCount = 0;
  for (MotionJoint& joint : out.joints) {
    joint.firstChannel = out.channelCount;
    out.channelCount += static_cast<int>(joint.channels.size());
  }
  return out;
}

Motion rebuilt(const Motion& m, const Hierarchy& tree) {
  const std::vector<int> order = fileOrder(tree);
  Motion out = jointsOf(m, tree, order);
  const auto width = static_cast<std::size_t>(out.channelCount);
  out.values.reserve(width * static_cast<std::size_t>(m.frames()));
  std::vector<Pose> world(m.joints.size());
  std::vector<double> row(width, 0.0);
  for (int i = 0; i < m.frames(); i++) {
    motionWorldPoses(m, m.frame(i), true, world.data());
    for (std::size_t k = 0; k < order.size(); k++) {
      const auto j = static_cast<std::size_t>(order[k]);
      const MotionJoint& joint = out.joints[k];
      if (tree.parent[j] == m.joints[j].parent)
        std::copy_n(m.frame(i) + m.joints[j].firstChannel, joint.channels.size(), row.begin() + joint.firstChannel);
      else
        setLocalPose(joint, inParent(world, tree.parent[j], order[k]), row.data());
    }
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return out;
}

bool carriesNothing(const Motion& m, const Hierarchy& tree, int j) {
  for (std::size_t k = 0; k < tree.parent.size(); k++)
    if (tree.kept[k] && tree.parent[k] == j) return false;
  return m.joints[static_cast<std::size_t>(j)].endSites.empty();
}

// A copy of the clip whose joint `parent` ends where `joint` was, when nothing else hangs there any more.
Motion withEnd(const Motion& m, const Hierarchy& tree, int parent, int joint) {
  Motion out = m;
  if (parent >= 0 && carriesNothing(m, tree, parent))
    out.joints[static_cast<std::size_t>(parent)].endSites.push_back(m.joints[static_cast<std::size_t>(joint)].offset);
  return out;
}
}  // namespace

std::string motionReparented(const Motion& m, int joint, int parent, Motion& out) {
  const std::string& name = m.joints[static_cast<std::size_t>(joint)].name;
  for (int above = parent; above >= 0; above = m.joints[static_cast<std::size_t>(above)].parent) {
    if (above != joint) continue;
    return parent == joint ? "joint '" + name + "' cannot hang on itself"
                           : "joint '" + m.joints[static_cast<std::size_t>(parent)].name + "' hangs below '" + name + "'";
  }
  Hierarchy tree = hierarchyOf(m);
  const int before = m.joints[static_cast<std::size_t>(joint)].parent;
  tree.parent[static_cast<std::size_t>(joint)] = parent;
  out = rebuilt(withEnd(m, tree, before, joint), tree);
  return {};
}

std::string motionDropped(const Motion& m, int joint, Motion& out) {
  Hierarchy tree = hierarchyOf(m);
  const int parent = m.joints[static_cast<std::size_t>(joint)].parent;
  if (m.joints.size() == 1) return "the clip has no joint but '" + m.joints[0].name + "'";
  const auto children = std::count_if(m.joints.begin(), m.joints.end(), [&](const MotionJoint& other) { return other.parent == joint; });
  if (parent < 0 && children > 1)
    return "root '" + m.joints[static_cast<std::size_t>(joint)].name + "' has " + std::to_string(children) +
           " children; hang them on one of them first";
  tree.kept[static_cast<std::size_t>(joint)] = false;
  for (int& above : tree.parent)
    if (above == joint) above = parent;
  out = rebuilt(withEnd(m, tree, parent, joint), tree);
  return {};
}

}  // namespace vertebra::figure
