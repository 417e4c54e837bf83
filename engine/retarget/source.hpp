// A motion as retargeting sees it: positions and orientations of roles at the frames of the result, and which foot is in contact when.
// World axes, Z up, metres, seconds.
#pragma once
#include <string>
#include <vector>

#include "engine/figure/motion_contacts.hpp"
#include "engine/retarget/roles.hpp"

namespace vertebra::retarget {

inline constexpr double kLeg = 0.85;  // m: the leg for which the rule of contacts is made

struct SourceFrame {
  ByRole<Vec3> p;
  ByRole<Mat3> R;
};

struct Interval {
  int first = 0, last = 0;  // frames, both within
};

struct Source {
  Roles roles;
  double frameTime = 1.0 / 30;
  std::vector<SourceFrame> frames;
  SourceFrame rest;                                 // the skeleton's pose at rest
  double leg = 0;                                   // m: thigh and shin
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();  // m/m: of the record's floor along x and y; the frames are as on a level one
  double floor = 0;                                 // m: height on which toes stand
  double ankleFloor[2] = {0, 0};                    // m: of ankles, likewise
  figure::ContactRule rule;                         // for its size
  int foreignFirst = 0, foreignLast = 0;            // frames at the ends of another pose, such as a T-pose, replaced
  int ownFirst = 0, ownLast = 0;                    // frames between those, at the result's rate
  std::vector<Interval> contacts[2];
  std::vector<bool> inContact[2];

  int count() const { return static_cast<int>(frames.size()); }
  // Of lengths and speeds to a grown person's.
  double size() const { return leg > 0.6 && leg < 1.15 ? 1 : leg / kLeg; }
  bool has(Role r) const { return roles[r] >= 0; }
  Vec3 middle(int frame, Role left) const {
    const ByRole<Vec3>& p = frames[static_cast<std::size_t>(frame)].p;
    return 0.5 * (p[left] + p[sided(1, left)]);
  }
};

SourceFrame sourceFrame(const Roles& roles, const Pose* poses);  // poses of the motion's joints, world
// rate: frames a second of the result; 0 = the motion's. Returns an empty string, or what is missing.
std::string readSource(const figure::Motion& given, double rate, const RoleMap& map, Source& out);

}  // namespace vertebra::retarget
