// See named_joints.hpp.
#include "engine/retarget/named_joints.hpp"

#include <algorithm>
#include <cmath>

#include "engine/retarget/roles.hpp"

namespace vertebra::retarget {

namespace {

constexpr int kPoses = 32;           // of the motion that are looked at
constexpr double kStraight = 0.02;   // rad; less than that is no bend
constexpr double kEvenParts = 0.55;  // upper part of a limb to lower or the reverse, at least

bool structural(const std::vector<std::string>& w) {
  return !anyOf(w, {"twist", "roll", "end", "nub", "mod", "site", "helper", "ik", "target", "pole"});
}

}  // namespace

Named::Named(const figure::Motion& of) : motion(of) {
  for (const figure::MotionJoint& j : motion.joints) {
    words.push_back(retarget::words(j.name));
    real.push_back(structural(words.back()));
  }
  const int frames = motion.frames(), count = std::min(kPoses, frames);
  for (int k = 0; k < count; k++) {
    poses.emplace_back(motion.joints.size());
    const int frame = static_cast<int>(static_cast<long long>(k) * (frames - 1) / std::max(1, count - 1));
    figure::motionWorldPoses(motion, motion.frame(frame), false, poses.back().data());
  }
  if (!poses.empty()) return;
  poses.emplace_back(motion.joints.size());
  figure::motionWorldPoses(motion, nullptr, false, poses[0].data());
}

int Named::first(int side, std::initializer_list<const char*> of) const {
  for (std::size_t j = 0; j < words.size(); j++)
    if (real[j] && (side < 0 || sideOf(words[j]) == side) && anyOf(words[j], of)) return static_cast<int>(j);
  return -1;
}

int Named::end(int side, std::initializer_list<const char*> of) const {
  for (int j = 0; j < static_cast<int>(words.size()); j++) {
    const std::vector<std::string>& w = words[static_cast<std::size_t>(j)];
    if (!real[static_cast<std::size_t>(j)] || sideOf(w) != side || !anyOf(w, of)) continue;
    const int middle = up(j), top = middle < 0 ? -1 : up(middle);
    if (top >= 0 && parent(top) >= 0) return j;
  }
  return first(side, of);
}

int Named::up(int joint) const {
  while (joint >= 0) {
    const int from = joint;
    joint = parent(joint);
    if (joint >= 0 && real[static_cast<std::size_t>(joint)] && length(from, joint) > 0) return joint;
  }
  return -1;
}

// From a joint to one above it, by offsets; position channels may hold them instead.
double Named::length(int joint, int above) const {
  Vec3 sum = Vec3::Zero();
  for (; joint >= 0 && joint != above; joint = parent(joint)) {
    const Pose local = figure::motionLocalPose(motion, joint, motion.frames() > 0 ? motion.frame(0) : nullptr);
    sum += local.p.cwiseAbs();
  }
  return sum.norm();
}

int Named::child(int joint, std::initializer_list<const char*> of) const {
  int any = -1;
  for (std::size_t j = 0; j < words.size(); j++) {
    if (motion.joints[j].parent != joint) continue;
    if (anyOf(words[j], of)) return static_cast<int>(j);
    if (any < 0) any = static_cast<int>(j);
  }
  return any;
}

bool Named::forks(int joint) const {
  int children = 0;
  for (int j = 0; j < static_cast<int>(words.size()); j++) children += real[static_cast<std::size_t>(j)] && parent(j) == joint;
  return children > 1;
}

bool Named::bends(int end, int (&out)[2]) const {
  const auto straight = [&](int below, int joint, int above) {
    for (std::size_t k = 0; k < poses.size(); k++) {
      const Vec3 a = at(k, joint) - at(k, above), b = at(k, below) - at(k, joint);
      if (std::atan2(a.cross(b).norm(), a.dot(b)) > kStraight) return false;
    }
    return true;
  };
  std::vector<int> left;
  bool passed = false;
  for (int below = end, joint = up(end), above; joint >= 0 && !forks(joint); below = joint, joint = above) {
    above = up(joint);
    if (above >= 0 && straight(below, joint, above))
      passed = true;
    else
      left.push_back(joint);
  }
  if (!passed || left.size() < 2) return false;
  const double lower = (at(0, end) - at(0, left[0])).norm(), upper = (at(0, left[0]) - at(0, left[1])).norm();
  out[0] = left[0], out[1] = left[1];
  return std::min(lower, upper) > kEvenParts * std::max(lower, upper);
}

}  // namespace vertebra::retarget
