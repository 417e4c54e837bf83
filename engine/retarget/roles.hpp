// Roles of a figure's parts, such as left_knee, in motions and robots: what retargeting matches instead of names. Found by names (any of
// the usual families) for the ends of limbs, and by descent and lengths for what lies between, because names of thighs and shins mislead.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::retarget {

enum class Role : std::uint8_t {
  LeftHip,
  LeftKnee,
  LeftFoot,
  LeftToe,
  LeftShoulder,
  LeftElbow,
  LeftHand,
  RightHip,
  RightKnee,
  RightFoot,
  RightToe,
  RightShoulder,
  RightElbow,
  RightHand,
  Pelvis,
  Head
};
inline constexpr int kRoles = 16, kSide = 7;  // roles of a side
extern const std::array<const char*, kRoles> kRoleNames;

constexpr Role sided(int side, Role left) { return static_cast<Role>(static_cast<int>(left) + side * kSide); }
template <class T>
struct ByRole : std::array<T, kRoles> {
  T& operator[](Role r) { return this->data()[static_cast<std::size_t>(r)]; }
  const T& operator[](Role r) const { return this->data()[static_cast<std::size_t>(r)]; }
};
using RoleMap = ByRole<int>;  // joint of a motion; -1 = none

// Words of a name, lower case: prefixes up to a colon are left out, "LeftUpLeg", "left_up_leg" and "LLEG" are parted.
std::vector<std::string> words(const std::string& name);
int sideOf(const std::vector<std::string>& words);  // 0 left, 1 right, -1 neither
bool anyOf(const std::vector<std::string>& words, std::initializer_list<const char*> of);

// An empty string, or which role was not found.
std::string findRoles(const figure::Motion& motion, RoleMap& out);

}  // namespace vertebra::retarget
