// Roles of a figure's parts, such as left_knee, in motions and robots: what retargeting matches instead of names. A map gives names for
// roles, where those of motion or figure say nothing or mislead. A description: no code behind it but the names.
#pragma once
#include <array>
#include <cstdint>
#include <string>

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
struct LimbRoles {
  Role top, middle, end;
};
inline constexpr LimbRoles kLimbs[] = {  // of the left side: leg, arm
    {Role::LeftHip, Role::LeftKnee, Role::LeftFoot},
    {Role::LeftShoulder, Role::LeftElbow, Role::LeftHand}};
inline constexpr int kRoles = 16, kSide = 7;  // roles of a side
inline constexpr std::array<const char*, kRoles> kRoleNames = {
    "left_hip",   "left_knee",  "left_foot", "left_toe",       "left_shoulder", "left_elbow", "left_hand", "right_hip",
    "right_knee", "right_foot", "right_toe", "right_shoulder", "right_elbow",   "right_hand", "pelvis",    "head"};

constexpr Role sided(int side, Role left) { return static_cast<Role>(static_cast<int>(left) + side * kSide); }
inline const char* nameOf(Role r) { return kRoleNames[static_cast<std::size_t>(r)]; }
template <class T>
struct ByRole : std::array<T, kRoles> {
  T& operator[](Role r) { return this->data()[static_cast<std::size_t>(r)]; }
  const T& operator[](Role r) const { return this->data()[static_cast<std::size_t>(r)]; }
};

// Names given for roles; empty = to be found. Links: of hip, knee and foot those that the first joint of the leg, the knee and the last
// joint of the leg move, of shoulder, elbow and hand likewise; the pelvis is the link that carries the hips. Toes are of motions only.
struct RoleMap {
  ByRole<std::string> joint, link;
  ByRole<int> line;  // in the file that they come from; 0 = none
  std::string file;
  RoleMap() { line.fill(0); }
};

}  // namespace vertebra::retarget
