// Which bodies of a figure are its legs, arms and head: by a map, by names of joints and links, or by topology and lengths in the pose of
// zero coordinates.
#pragma once
#include <string>
#include <vector>

#include "engine/retarget/kinematics.hpp"
#include "engine/retarget/role_map.hpp"

namespace vertebra::retarget {

struct LimbBodies {
  std::vector<int> chain;  // from the first joint of the limb to the last; empty = the figure has no such limb
  int middle = -1;         // knee or elbow that a map gives
};

struct FigureParts {
  LimbBodies legs[2], arms[2];
  int pelvis = -1;  // body that a map gives
  int head = -1;    // link
};

// `surface`: by body, the mean of its surface's points in the world, or its origin. An empty string, or what is missing or wrong.
std::string findParts(const Kinematics& zero, const std::vector<Vec3>& surface, const RoleMap& given, FigureParts& out);

}  // namespace vertebra::retarget
