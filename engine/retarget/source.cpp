// See source.hpp.
#include "engine/retarget/source.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_analysis.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/retarget/floor.hpp"

namespace vertebra::retarget {

namespace {

constexpr int kPoseJoints = 2;        // joints that jump where an end of a clip is of another pose
constexpr int kEndFrames = 12;        // looked at for that, besides
constexpr double kLongestPose = 1.2;  // s: of such a pose that is held, and
constexpr double kHeld = 1e-3;        // rad: of its joints from frame to frame
constexpr double kFeetUp = 0.15;      // of a leg's length: toes that never come nearer to the lowest joints do not tell the floor
constexpr double kFlesh = 0.05;       // the same: of a joint above what it lies on
constexpr double kMostFrames = 1e6;
constexpr double kLeastRate = 1e-9, kMostRate = 1e9;  // 1/s

figure::PointTrack follow(const Source& s, Role role) {
  std::vector<Vec3> positions;
  for (const SourceFrame& f : s.frames) positions.push_back(f.p[role]);
  return figure::trackOf(positions, s.frameTime);
}

// The height under the body where no foot comes down and something else does, as in lying with raised legs or standing on hands; else
// infinite.
double floorOfBody(const Source& s, double toes) {
  std::vector<double> lowest;
  for (const SourceFrame& f : s.frames) {
    double low = kInf;
    for (int r = 0; r < kRoles; r++)
      if (s.has(static_cast<Role>(r))) low = std::min(low, f.p[static_cast<Role>(r)].z());
    lowest.push_back(low);
  }
  const double body = figure::quantile(std::move(lowest), figure::kFloorShare);
  return toes - body > kFeetUp * s.leg ? body - kFlesh * s.leg : kInf;
}

void findContacts(Source& s) {
  figure::PointTrack toe[2], ankle[2];
  s.floor = kInf;
  for (int side = 0; side < 2; side++) {
    toe[side] = follow(s, sided(side, Role::LeftToe));
    ankle[side] = follow(s, sided(side, Role::LeftFoot));
    s.floor = std::min(s.floor, figure::quantile(toe[side].height, figure::kFloorShare));
  }
  s.floor = std::min(s.floor, floorOfBody(s, s.floor));
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

// Whether no joint turns from one frame to the next within frames first to last.
bool isHeld(const figure::Motion& m, int first, int last) {
  for (int i = first; i < last; i++)
    for (std::size_t j = 0; j < m.joints.size(); j++) {
      const Quat a = figure::motionLocalPose(m, static_cast<int>(j), m.frame(i)).q;
      if (a.angularDistance(figure::motionLocalPose(m, static_cast<int>(j), m.frame(i + 1)).q) > kHeld) return false;
    }
  return true;
}

// How many frames at an end are of another pose: one, or a pose held for a short time, from which joints jump into the motion.
int foreignFrames(const figure::Motion& m, bool atFirst) {
  const int last = m.frames() - 1, longest = std::min(m.frames() / 2, static_cast<int>(kLongestPose / m.frameTime));
  const int looked = std::min(last, longest + kEndFrames), from = atFirst ? 0 : last - looked;
  int out = 0;
  for (const figure::Outlier& o : figure::motionOutliers(figure::motionTrimmed(m, from, from + looked))) {
    if (o.joints < kPoseJoints) continue;
    const int frame = from + o.frame;  // the first after the jump
    if (o.kind == (atFirst ? figure::OutlierKind::First : figure::OutlierKind::Last)) out = std::max(out, 1);
    if (o.kind != figure::OutlierKind::Jump) continue;
    const int run = atFirst ? frame : last + 1 - frame;
    if (run <= longest && (atFirst ? isHeld(m, 0, frame - 1) : isHeld(m, frame, last))) out = std::max(out, run);
  }
  return out;
}

// The clip with ends that fit: one frame of another pose as what the two beside it lead to, more of them as the nearest that is none.
figure::Motion withFittingEnds(const figure::Motion& m, Source& s) {
  figure::Motion out = m;
  const int last = m.frames() - 1;
  if (last < 3) return out;
  const auto row = [&](int frame) { return out.values.data() + static_cast<std::ptrdiff_t>(frame) * m.channelCount; };
  const int first = s.foreignFirst = foreignFrames(m, true), behind = s.foreignLast = foreignFrames(m, false);
  if (first == 1) figure::motionRowBetween(m, 1, 2, -1, row(0));
  if (behind == 1) figure::motionRowBetween(m, last - 2, last - 1, 2, row(last));
  for (int i = 0; first > 1 && i < first; i++) std::copy_n(m.frame(first), m.channelCount, row(i));
  for (int i = 0; behind > 1 && i < behind; i++) std::copy_n(m.frame(last - behind), m.channelCount, row(last - i));
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
  const double perFrame = motion.frameTime / out.frameTime;
  out.ownFirst = std::min(count - 1, static_cast<int>(std::ceil(out.foreignFirst * perFrame - 1e-6)));
  out.ownLast = std::max(out.ownFirst, count - 1 - static_cast<int>(std::ceil(out.foreignLast * perFrame - 1e-6)));
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
