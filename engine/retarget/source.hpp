// A motion as retargeting sees it: positions and orientations of roles at the frames of the result, and which foot is in contact when.
// World axes, Z up, metres, seconds.
#pragma once
#include <string>
#include <vector>

#include "engine/figure/motion_contacts.hpp"
#include "engine/retarget/roles.hpp"

namespace vertebra::retarget {

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
  double leg = 0;                 // m: thigh and shin
  double floor = 0;               // m: height on which toes stand
  double ankleFloor[2] = {0, 0};  // m: of ankles, likewise
  figure::ContactRule rule;       // for its size
  std::vector<Interval> contacts[2];
  std::vector<bool> inContact[2];

  int count() const { return static_cast<int>(frames.size()); }
  bool has(Role r) const { return roles[r] >= 0; }
  Vec3 middle(int frame, Role left) const {
    const ByRole<Vec3>& p = frames[static_cast<std::size_t>(frame)].p;
    return 0.5 * (p[left] + p[sided(1, left)]);
  }
};

SourceFrame sourceFrame(const Roles& roles, const Pose* poses);  // poses of the motion's joints, world
// rate: frames a second of the result; 0 = the motion's. Returns an empty string, or what is missing.
std::string readSource(const figure::Motion& motion, double rate, const RoleMap& given, Source& out);

}  // namespace vertebra::retarget
