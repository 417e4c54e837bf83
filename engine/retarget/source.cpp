// See source.hpp.
#include "engine/retarget/source.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_analysis.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/retarget/floor.hpp"

namespace vertebra::retarget {

namespace {

constexpr int kPoseJoints = 2;  // joints that jump where an end of a clip is of another pose
constexpr int kEndFrames = 12;  // looked at for that
constexpr double kMostFrames = 1e6;
constexpr double kLeastRate = 1e-9, kMostRate = 1e9;  // 1/s

figure::PointTrack follow(const Source& s, Role role) {
  std::vector<Vec3> positions;
  for (const SourceFrame& f : s.frames) positions.push_back(f.p[role]);
  return figure::trackOf(positions, s.frameTime);
}

void findContacts(Source& s) {
  figure::PointTrack toe[2], ankle[2];
  s.floor = kInf;
  for (int side = 0; side < 2; side++) {
    toe[side] = follow(s, sided(side, Role::LeftToe));
    ankle[side] = follow(s, sided(side, Role::LeftFoot));
    s.floor = std::min(s.floor, figure::quantile(toe[side].height, figure::kFloorShare));
  }
  for (int side = 0; side < 2; side++) {
    // An ankle stands no higher above the ground than its foot is long, be it held up and still in all of the clip.
    const SourceFrame& f = s.frames[0];
    const double foot = (f.p[sided(side, Role::LeftToe)] - f.p[sided(side, Role::LeftFoot)]).norm();
    s.ankleFloor[side] = std::min(figure::quantile(ankle[side].height, figure::kFloorShare), s.floor + foot);
    const std::vector<bool> a = figure::restingFrames(toe[side], s.floor, s.rule, s.frameTime);
    const std::vector<bool> b = figure::restingFrames(ankle[side], s.ankleFloor[side], s.rule, s.frameTime);
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

bool endFits(const figure::Motion& m, figure::OutlierKind end) {
  const int last = m.frames() - 1;
  const bool first = end == figure::OutlierKind::First;
  const std::vector<figure::Outlier> odd =
      figure::motionOutliers(figure::motionTrimmed(m, first ? 0 : last - kEndFrames, first ? kEndFrames : last));
  return std::none_of(odd.begin(), odd.end(), [&](const figure::Outlier& o) { return o.kind == end && o.joints >= kPoseJoints; });
}

// The clip with ends that fit.
figure::Motion withFittingEnds(const figure::Motion& m, Source& s) {
  figure::Motion out = m;
  const int last = m.frames() - 1;
  if (last < 3) return out;
  s.firstFits = endFits(m, figure::OutlierKind::First);
  s.lastFits = endFits(m, figure::OutlierKind::Last);
  if (!s.firstFits) figure::motionRowBetween(m, 1, 2, -1, out.values.data());
  if (!s.lastFits)
    figure::motionRowBetween(m, last - 2, last - 1, 2, out.values.data() + static_cast<std::ptrdiff_t>(last) * m.channelCount);
  return out;
}

}  // namespace

SourceFrame sourceFrame(const Roles& roles, const Pose* poses) {
  SourceFrame f;
  for (int r = 0; r < kRoles; r++) {
    const Role role = static_cast<Role>(r);
    if (roles[role] < 0) continue;
    const Pose& pose = poses[roles[role]];
    f.p[role] = pose.p;
    f.R[role] = pose.q.toRotationMatrix();
  }
  return f;
}

std::string readSource(const figure::Motion& given, double rate, const RoleMap& map, Source& out) {
  out = {};
  if (given.frames() < 1) return "the motion has no frames";
  if (const std::string missing = findRoles(given, map, out.roles); !missing.empty()) return missing;
  const figure::Motion motion = withFittingEnds(given, out);
  const double taken = rate > 0 ? rate : 1 / motion.frameTime;
  if (!(motion.duration() * taken < kMostFrames))
    return "the result would have more than a million frames; trim the motion or lower the rate";
  if (!(taken >= kLeastRate && taken <= kMostRate)) return "the frame rate must be from 1e-9 to 1e9 frames a second";
  out.frameTime = rate > 0 ? 1 / rate : motion.frameTime;
  const int count = static_cast<int>(std::floor(motion.duration() / out.frameTime + 1e-6)) + 1;
  std::vector<Pose> poses(motion.joints.size());
  for (int i = 0; i < count; i++) {
    figure::motionWorldPosesAt(motion, i * out.frameTime, false, poses.data());
    out.frames.push_back(sourceFrame(out.roles, poses.data()));
  }
  figure::motionWorldPoses(motion, nullptr, false, poses.data());
  out.rest = sourceFrame(out.roles, poses.data());
  const auto leg = [&](const SourceFrame& f, int side) {
    const Vec3 knee = f.p[sided(side, Role::LeftKnee)];
    return (f.p[sided(side, Role::LeftHip)] - knee).norm() + (f.p[sided(side, Role::LeftFoot)] - knee).norm();
  };
  const SourceFrame& middle = out.frames[out.frames.size() / 2];
  out.leg = 0.5 * (leg(middle, 0) + leg(middle, 1));
  if (!(out.leg > 0)) return "the legs have no length";
  for (double* limit : {out.rule.height, out.rule.height + 1, out.rule.speed, out.rule.speed + 1}) *limit *= out.size();
  out.slope = floorSlope(out);
  for (SourceFrame& f : out.frames) level(out.slope, f);
  findContacts(out);
  return {};
}

}  // namespace vertebra::retarget
