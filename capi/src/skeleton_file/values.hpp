// What the elements of a skeleton file hold once read: structs of vertebra.h, with names in place of indices.
#pragma once
#include <string>

#include "capi/src/convert.hpp"

namespace vertebra::capi::skeleton_file {

struct SkeletonValues {
  std::string name, root;
  int32_t floating = 1, neighboursCollide = 0;
};
struct LinkValues {
  std::string name;
  vtb_link_def def = defaults<vtb_link_def>();
};
struct VisualsValues {};
struct JointValues {
  std::string name, parent, child, mimic;
  vtb_skeleton_joint_def def = defaults<vtb_skeleton_joint_def>();
  int32_t loop = 0, safety = 0;
  double safetyLower = 0, safetyUpper = 0, safetyKPosition = 0, safetyKVelocity = 0;
};
struct SiteValues {
  std::string name, link;
  double pose[7] = {0, 0, 0, 0, 0, 0, 1};
};
struct RoleValues {
  std::string name, link;
};
struct PairValues {
  std::string a, b;
};

}  // namespace vertebra::capi::skeleton_file
