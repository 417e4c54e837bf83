// See source.hpp.
#include "engine/retarget/source.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

// A contact begins where toe or ankle is lower than the first height and slower than the first speed, and ends beyond the second of one;
// for a leg of kLeg, m and m/s.
constexpr double kHeight[2] = {0.03, 0.05}, kSpeed[2] = {0.1, 0.2}, kLeg = 0.85;
constexpr double kShortest = 0.1;  // s
constexpr double kMostFrames = 1e6;

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const std::size_t i = static_cast<std::size_t>(at);
  const double next = values[std::min(i + 1, values.size() - 1)];
  return values[i] + (at - static_cast<double>(i)) * (next - values[i]);
}

struct Track {
  std::vector<double> height, speed;
};

Track follow(const Source& s, Role role) {
  Track t;
  const int n = s.count();
  for (int i = 0; i < n; i++) {
    const int a = std::max(i - 1, 0), b = std::min(i + 1, n - 1);
    const Vec3 d = s.frames[static_cast<std::size_t>(b)].p[role] - s.frames[static_cast<std::size_t>(a)].p[role];
    t.height.push_back(s.frames[static_cast<std::size_t>(i)].p[role].z());
    t.speed.push_back(b > a ? d.norm() / ((b - a) * s.frameTime) : 0);
  }
  return t;
}

std::vector<bool> touching(const Track& t, double floor, double size, int shortest) {
  std::vector<bool> on(t.height.size());
  bool now = false;
  for (std::size_t i = 0; i < on.size(); i++) on[i] = now = t.height[i] - floor < size * kHeight[now] && t.speed[i] < size * kSpeed[now];
  for (std::size_t i = 0; i < on.size();) {
    std::size_t j = i;
    while (j < on.size() && on[j] == on[i]) j++;
    if (on[i] && static_cast<int>(j - i) < shortest)
      std::fill(on.begin() + static_cast<std::ptrdiff_t>(i), on.begin() + static_cast<std::ptrdiff_t>(j), false);
    i = j;
  }
  return on;
}

void findContacts(Source& s) {
  const double size = s.leg > 0.6 && s.leg < 1.15 ? 1 : s.leg / kLeg;
  const int shortest = std::max(2, static_cast<int>(std::ceil(kShortest / s.frameTime - 1e-9)));
  Track toe[2], ankle[2];
  s.floor = kInf;
  for (int side = 0; side < 2; side++) {
    toe[side] = follow(s, sided(side, Role::LeftToe));
    ankle[side] = follow(s, sided(side, Role::LeftFoot));
    s.floor = std::min(s.floor, quantile(toe[side].height, 0.03));
  }
  for (int side = 0; side < 2; side++) {
    const std::vector<bool> a = touching(toe[side], s.floor, size, shortest);
    const std::vector<bool> b = touching(ankle[side], quantile(ankle[side].height, 0.03), size, shortest);
    std::vector<bool>& on = s.inContact[side];
    on.assign(a.size(), false);
    for (std::size_t i = 0; i < on.size(); i++) on[i] = a[i] || b[i];
    for (int i = 0; i < s.count(); i++) {
      if (!on[static_cast<std::size_t>(i)]) continue;
      if (i == 0 || !on[static_cast<std::size_t>(i - 1)]) s.contacts[side].push_back({i, i});
      s.contacts[side].back().last = i;
    }
  }
}

}  // namespace

std::string readSource(const figure::Motion& motion, double rate, const RoleMap& given, Source& out) {
  out = {};
  if (motion.frames() < 1) return "the motion has no frames";
  if (const std::string missing = findRoles(motion, given, out.roles); !missing.empty()) return missing;
  const double longest = motion.duration() * (rate > 0 ? rate : 1 / motion.frameTime);
  if (!(longest < kMostFrames)) return "the result would have more than a million frames; trim the motion or lower the rate";
  out.frameTime = rate > 0 ? 1 / rate : motion.frameTime;
  const int count = static_cast<int>(std::floor(motion.duration() / out.frameTime + 1e-6)) + 1;
  std::vector<Pose> poses(motion.joints.size());
  for (int i = 0; i < count; i++) {
    figure::motionWorldPosesAt(motion, i * out.frameTime, false, poses.data());
    SourceFrame f;
    for (int r = 0; r < kRoles; r++) {
      const Role role = static_cast<Role>(r);
      if (!out.has(role)) continue;
      const Pose& pose = poses[static_cast<std::size_t>(out.roles[role])];
      f.p[role] = pose.p;
      f.R[role] = pose.q.toRotationMatrix();
    }
    out.frames.push_back(f);
  }
  const auto leg = [&](const SourceFrame& f, int side) {
    const Vec3 knee = f.p[sided(side, Role::LeftKnee)];
    return (f.p[sided(side, Role::LeftHip)] - knee).norm() + (f.p[sided(side, Role::LeftFoot)] - knee).norm();
  };
  const SourceFrame& middle = out.frames[out.frames.size() / 2];
  out.leg = 0.5 * (leg(middle, 0) + leg(middle, 1));
  if (!(out.leg > 0)) return "the legs have no length";
  findContacts(out);
  return {};
}

}  // namespace vertebra::retarget
