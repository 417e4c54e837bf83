// The table of joint types, collected from the traits of each. See joint_type.hpp.
#include "engine/dynamics/joint_type.hpp"

#include "engine/dynamics/joints/joints.hpp"

namespace vertebra::dynamics {
namespace {

constexpr std::array<JointTraits, kJointTypes> tableOfTypes() {
  std::array<JointTraits, kJointTypes> all{};
  for (int i = 0; i < kJointTypes; i++) withJoint(static_cast<JointType>(i), [&](auto joint) { all[i] = decltype(joint)::traits; });
  all[static_cast<int>(JointType::Continuous)].name = "continuous";  // a revolute joint without limits
  return all;
}

}  // namespace

constinit const std::array<JointTraits, kJointTypes> kJointTraits = tableOfTypes();

}  // namespace vertebra::dynamics
