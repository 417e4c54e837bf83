// Free groups: found by walking over joints, moved by the root of their tree.
#include "plugins/ignition/groups.hpp"

#include <ignition/common/Console.hh>
#include <unordered_set>

namespace ignition::physics::vertebra {

namespace {

// What is left open after a move by a root that is free: round-off. More says that another body is the root.
constexpr double kResidual = 1e-6;

bool moves(vtb_world* world, vtb_body body) {
  vtb_body_kind kind = VTB_BODY_KIND_STATIC;
  return body.bits && vtb_body_get_kind(world, body, &kind) == VTB_OK && kind == VTB_BODY_KIND_DYNAMIC;
}

std::vector<vtb_joint> jointsOf(vtb_world* world, vtb_body body) {
  std::size_t total = 0;
  vtb_body_get_joints(world, body, nullptr, 0, &total);
  std::vector<vtb_joint> joints(total);
  if (vtb_body_get_joints(world, body, joints.data(), total, &total) != VTB_OK) joints.clear();
  return joints;
}

bool whole(const double residual[2]) {
  if (residual[0] < kResidual && residual[1] < kResidual) return true;
  ignerr << "vertebra: a free group could not be moved as a whole: " << residual[0] << " and " << residual[1] << " remain\n";
  return false;
}

}  // namespace

Group groupOf(vtb_world* world, vtb_body body) {
  Group group;
  std::unordered_set<std::uint64_t> seen{body.bits};
  group.bodies.push_back(body);
  group.root = body;
  if (!moves(world, body)) return group;
  for (std::size_t next = 0; next < group.bodies.size(); ++next) {
    const vtb_body here = group.bodies[next];
    for (const vtb_joint joint : jointsOf(world, here)) {
      vtb_joint_def def;
      vtb_joint_def_init(&def, sizeof def);
      if (vtb_joint_get_def(world, joint, &def) != VTB_OK) continue;
      const vtb_body other = def.body_a.bits == here.bits ? def.body_b : def.body_a;
      if (!moves(world, other))
        group.anchored = true;
      else if (seen.insert(other.bits).second)
        group.bodies.push_back(other);
    }
  }
  // The engine's tree starts at the group's first body in the order of making.
  std::size_t total = 0;
  vtb_world_get_bodies(world, nullptr, 0, &total);
  std::vector<vtb_body> all(total);
  vtb_world_get_bodies(world, all.data(), total, &total);
  for (const vtb_body candidate : all)
    if (seen.count(candidate.bits)) {
      group.root = candidate;
      break;
    }
  return group;
}

std::vector<Group> groupsOf(vtb_world* world, const std::vector<std::shared_ptr<Link>>& links) {
  std::vector<Group> groups;
  std::unordered_set<std::uint64_t> seen;
  for (const auto& link : links) {
    if (seen.count(link->body.bits)) continue;
    groups.push_back(groupOf(world, link->body));
    for (const vtb_body body : groups.back().bodies) seen.insert(body.bits);
  }
  return groups;
}

bool moveGroup(vtb_world* world, const Group& group, const Frame& displacement) {
  double pose[7], residual[2];
  if (!done(vtb_body_get_pose(world, group.root, pose), "pose of a free group")) return false;
  const auto moved = poseOf(displacement * frameOf(pose));
  return done(vtb_body_set_pose(world, group.root, moved.data(), residual), "pose of a free group") && whole(residual);
}

bool pushGroup(vtb_world* world, const Group& group, const Vector& velocity, const Vector& turning, const Vector& point) {
  double twist[6], pose[7], residual[2];
  if (!done(vtb_body_get_twist(world, group.root, twist), "velocity of a free group") ||
      !done(vtb_body_get_pose(world, group.root, pose), "velocity of a free group"))
    return false;
  Eigen::Map<Vector>(twist + 0) += velocity + turning.cross(Eigen::Map<const Vector>(pose) - point);
  Eigen::Map<Vector>(twist + 3) += turning;
  return done(vtb_body_set_twist(world, group.root, twist, residual), "velocity of a free group") && whole(residual);
}

}  // namespace ignition::physics::vertebra
