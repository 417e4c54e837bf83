// See motion_contacts.hpp.
#include "engine/figure/motion_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::figure {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const std::size_t i = static_cast<std::size_t>(at);
  const double next = values[std::min(i + 1, values.size() - 1)];
  return values[i] + (at - static_cast<double>(i)) * (next - values[i]);
}

int speedReach(double frameTime) { return static_cast<int>(std::max(1.0, std::round(kSpeedReach / frameTime))); }

PointTrack trackOf(const std::vector<Vec3>& positions, double frameTime) {
  PointTrack t;
  const std::size_t n = positions.size(), reach = static_cast<std::size_t>(speedReach(frameTime));
  for (std::size_t i = 0; i < n; i++) {
    const std::size_t a = i > reach ? i - reach : 0, b = std::min(i + reach, n - 1);
    t.height.push_back(positions[i].z());
    t.speed.push_back(b > a ? (positions[b] - positions[a]).norm() / (static_cast<double>(b - a) * frameTime) : 0);
  }
  return t;
}

std::vector<bool> restingFrames(const PointTrack& t, double floor, const ContactRule& rule, double frameTime) {
  std::vector<bool> on(t.height.size());
  bool now = false;
  for (std::size_t i = 0; i < on.size(); i++) on[i] = now = rests(rule, now, t.height[i] - floor, t.speed[i]);
  const double shortest = std::max(2.0, std::ceil(rule.shortest / frameTime - 1e-9));
  for (std::size_t i = 0; i < on.size();) {
    std::size_t j = i;
    while (j < on.size() && on[j] == on[i]) j++;
    if (on[i] && static_cast<double>(j - i) < shortest)
      std::fill(on.begin() + static_cast<std::ptrdiff_t>(i), on.begin() + static_cast<std::ptrdiff_t>(j), false);
    i = j;
  }
  return on;
}

std::vector<bool> motionContacts(const Motion& m, int joint, double floor, const ContactRule& rule) {
  if (m.frames() == 0) return {};
  std::vector<Pose> poses(m.joints.size());
  std::vector<Vec3> positions;
  for (int i = 0; i < m.frames(); i++) {
    motionWorldPoses(m, m.frame(i), false, poses.data());
    positions.push_back(poses[static_cast<std::size_t>(joint)].p);
  }
  const PointTrack track = trackOf(positions, m.frameTime);
  return restingFrames(track, std::isnan(floor) ? quantile(track.height, kFloorShare) : floor, rule, m.frameTime);
}

}  // namespace vertebra::figure
