// The table of joint types, collected from the traits of each. See joint_type.hpp.
#include "engine/dynamics/joint_type.hpp"

#include "engine/dynamics/joints/joints.hpp"

namespace vertebra::dynamics {
namespace {

constexpr auto tableOfTypes() {
  std::array<JointTraits, kJointTypes + 1> all{};
  for (int i = 0; i <= kJointTypes; i++) withJoint(static_cast<JointType>(i), [&](auto joint) { all[i] = decltype(joint)::traits; });
  all[static_cast<int>(JointType::Continuous)].name = "continuous";  // a revolute joint without limits
  return all;
}

}  // namespace

constinit const std::array<JointTraits, kJointTypes + 1> kJointTraits = tableOfTypes();

}  // namespace vertebra::dynamics
