// See goals.hpp.
#include "engine/retarget/goals.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/retarget/sole.hpp"

namespace vertebra::retarget {

namespace {

constexpr double kFlat = 0.35;         // rad; of a foot's tilt within its mean in contact that still counts as flat
constexpr double kShinUp = 0.4;        // cosine to the vertical of a shin that stands
constexpr double kHipUp = 0.2;         // of the leg's length: height of a hip that a leg bears
constexpr double kRestUpright = 0.95;  // of a shin at rest: cosine to the vertical
constexpr double kRestFlat = 0.9;      // of a foot at rest: cosine to the vertical, above which it hangs down

Vec3 unit(const Vec3& v) {
  const double n = v.norm();
  return n > 1e-12 ? Vec3(v / n) : Vec3(Vec3::Zero());
}

}  // namespace

ByRole<bool> wantedRoles(const Source& s, const Target& t) {
  ByRole<bool> wanted;
  wanted.fill(false);
  const auto both = [&](Role r) { return s.has(r) && t.has(r); };
  wanted[Role::Head] = both(Role::Head);
  for (int side = 0; side < 2; side++) {
    for (const Role top : {Role::LeftHip, Role::LeftShoulder}) wanted[sided(side, top)] = both(sided(side, top));
    for (const Bone& bone : kBones) wanted[sided(side, bone.to)] = wanted[sided(side, bone.from)] && both(sided(side, bone.to));
  }
  return wanted;
}

void layOut(const ByRole<Vec3>& p, const ByRole<bool>& wanted, const Bones& bones, const Mat3& W, ByRole<Vec3>& goal) {
  const bool arms = wanted[Role::LeftShoulder] && wanted[Role::RightShoulder];
  const auto laid = [&](const Vec3& from, double length, const Vec3& a, const Vec3& b) { return Vec3(from + length * (W * unit(b - a))); };
  const Vec3 zero = Vec3::Zero(), root = 0.5 * (p[Role::LeftHip] + p[Role::RightHip]);
  const Vec3 chest = arms ? Vec3(0.5 * (p[Role::LeftShoulder] + p[Role::RightShoulder])) : root;
  const Vec3 top = arms ? laid(zero, bones.trunk, root, chest) : zero;
  if (wanted[Role::Head]) goal[Role::Head] = laid(top, arms ? bones.length[Role::Head] : bones.crown, chest, p[Role::Head]);
  for (int side = 0; side < 2; side++) {
    const Role hip = sided(side, Role::LeftHip), shoulder = sided(side, Role::LeftShoulder);
    goal[hip] = laid(zero, bones.length[hip], root, p[hip]);
    if (wanted[shoulder])
      goal[shoulder] =
          arms ? laid(top, bones.length[shoulder], chest, p[shoulder]) : laid(goal[hip], bones.flank[side], p[hip], p[shoulder]);
    for (const Bone& bone : kBones) {
      const Role from = sided(side, bone.from), to = sided(side, bone.to);
      if (wanted[to]) goal[to] = laid(goal[from], bones.length[to], p[from], p[to]);
    }
  }
}

namespace {

// Along the trunk of a motion's frame: to the middle of the shoulders, the head, or from a hip to the shoulder above it.
Vec3 trunkOf(const Source& s, const ByRole<Vec3>& p, const Vec3& root) {
  const bool left = s.has(Role::LeftShoulder), right = s.has(Role::RightShoulder);
  if (left && right) return unit(0.5 * (p[Role::LeftShoulder] + p[Role::RightShoulder]) - root);
  if (s.has(Role::Head)) return unit(p[Role::Head] - root);
  if (left) return unit(p[Role::LeftShoulder] - p[Role::LeftHip]);
  return right ? unit(p[Role::RightShoulder] - p[Role::RightHip]) : Vec3(Vec3::Zero());
}

}  // namespace

FrameGoal goalOf(const Source& s, const Target& t, int frame, double scale) {
  FrameGoal g;
  g.turned.fill(false);
  g.wanted = wantedRoles(s, t);
  for (Vec3& p : g.p) p.setZero();
  for (Mat3& R : g.R) R = Mat3::Identity();
  const ByRole<Vec3>& p = s.frames[static_cast<std::size_t>(frame)].p;
  const Vec3 root = s.middle(frame, Role::LeftHip);
  g.root = scale * (root - Vec3(0, 0, s.floor));
  g.up = trunkOf(s, p, root);
  layOut(p, g.wanted, t.bones, Mat3::Identity(), g.p);
  return g;
}

Mat3 meanRotation(const Mat3& sum) {
  const Eigen::JacobiSVD<Mat3> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 turn = Mat3::Identity();
  turn(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * turn * svd.matrixV().transpose();
}

Goals makeGoals(const Source& source, const Target& target) {
  Goals goals;
  goals.scale = target.leg / source.leg;
  for (int side = 0; side < 2; side++) goals.aside[side].assign(source.contacts[side].size(), Vec3::Zero());
  for (int i = 0; i < source.count(); i++) goals.frames.push_back(goalOf(source, target, i, goals.scale));
  return goals;
}

namespace {

// Of the foot's orientation at a frame to that of a level one: x along the foot on the ground, z up.
Mat3 levelFoot(const Source& source, const SourceFrame& f, int side) {
  const Role foot = sided(side, Role::LeftFoot), toe = sided(side, Role::LeftToe);
  Vec3 x = f.p[toe] - f.p[foot];
  if (source.roles[toe] == source.roles[foot] || Vec3(x.x(), x.y(), 0).norm() < 1e-6) {  // no toe: across the hips
    const Vec3 left = f.p[Role::LeftHip] - f.p[Role::RightHip];
    x = left.cross(Vec3::UnitZ());
  }
  x = unit(Vec3(x.x(), x.y(), 0));
  Mat3 R;
  R.col(0) = x, R.col(1) = Vec3::UnitZ().cross(x), R.col(2) = Vec3::UnitZ();
  return f.R[foot].transpose() * R;
}

// Whether a leg is one that stands: feet that lie, kneel or sit touch the ground, too, and are not flat.
bool stands(const Source& s, const SourceFrame& f, int side) {
  const Vec3 shin = unit(f.p[sided(side, Role::LeftKnee)] - f.p[sided(side, Role::LeftFoot)]);
  return shin.z() > kShinUp && f.p[sided(side, Role::LeftHip)].z() - s.floor > kHipUp * s.leg;
}

// Orientations at which the source's foot is flat: in contact under a leg that stands, else at rest, else on the whole.
std::vector<Mat3> flatFeet(const Source& s, int side) {
  std::vector<Mat3> upright, all;
  for (int i = 0; i < s.count(); i++) {
    const SourceFrame& f = s.frames[static_cast<std::size_t>(i)];
    all.push_back(levelFoot(s, f, side));
    if (s.inContact[side][static_cast<std::size_t>(i)] && stands(s, f, side)) upright.push_back(all.back());
  }
  if (!upright.empty()) return upright;
  const Role foot = sided(side, Role::LeftFoot);
  const Vec3 shin = unit(s.rest.p[sided(side, Role::LeftKnee)] - s.rest.p[foot]);
  const Vec3 sole = unit(s.rest.p[sided(side, Role::LeftToe)] - s.rest.p[foot]);
  if (shin.z() > kRestUpright && std::fabs(sole.z()) < kRestFlat) return {levelFoot(s, s.rest, side)};
  return all;
}

}  // namespace

Alignment alignFoot(const Source& source, const Target& target, int side) {
  const Role foot = sided(side, Role::LeftFoot);
  if (target.endBody[foot] < 0) return {};
  const std::vector<Mat3> flat = flatFeet(source, side);
  // The mean of those near the mean: heels and toes that roll are left out.
  Mat3 mean = Mat3::Zero();
  for (const Mat3& R : flat) mean += R;
  mean = meanRotation(mean);
  for (int round = 0; round < 5; round++) {
    Mat3 sum = Mat3::Zero();
    for (const Mat3& R : flat) {
      const double cosine = 0.5 * ((R.transpose() * mean).trace() - 1);
      const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
      sum += R / (1 + (angle / (0.2 * kFlat)) * (angle / (0.2 * kFlat)));
    }
    mean = meanRotation(sum);
  }
  return {mean * target.upright[foot], true};
}

void orient(const SourceFrame& frame, Role role, const Alignment& alignment, FrameGoal& goal) {
  goal.R[role] = frame.R[role] * alignment.offset;
  goal.turned[role] = true;
}

void setOrientations(const Source& source, Role role, const Alignment& alignment, Goals& goals) {
  if (!alignment.known || !source.has(role)) return;
  for (std::size_t i = 0; i < goals.frames.size(); i++) orient(source.frames[i], role, alignment, goals.frames[i]);
}

namespace {

struct FootPath {
  std::vector<Vec3> free, offset;  // where the leg alone would put the ankle; what is added
  std::vector<double> hold;
};

FootPath pathOf(const Source& source, const Sole& sole, const std::vector<Mat3>& R, const Goals& goals, int side) {
  const int frames = source.count();
  FootPath path;
  path.hold.assign(static_cast<std::size_t>(frames), 0);
  path.offset.assign(static_cast<std::size_t>(frames), Vec3::Zero());
  for (const FrameGoal& g : goals.frames) path.free.push_back(g.root + g.p[sided(side, Role::LeftFoot)]);
  const std::vector<Interval>& contacts = source.contacts[side];
  for (std::size_t n = 0; n < contacts.size(); n++) {
    const Interval& c = contacts[n];
    Vec3 at = path.free[static_cast<std::size_t>(c.first)], mean = Vec3::Zero();
    for (int i = c.first; i <= c.last; i++) {
      const std::size_t k = static_cast<std::size_t>(i);
      if (i > c.first) at += sole.roll(R[k - 1], R[k]);
      at.z() = -sole.lowest(R[k]);
      path.offset[k] = at - path.free[k];
      path.hold[k] = 1;
      mean += path.offset[k];
    }
    mean /= c.last - c.first + 1;
    // The path as a whole is where the leg alone would put it on average.
    for (int i = c.first; i <= c.last; i++) path.offset[static_cast<std::size_t>(i)].head<2>() += (goals.aside[side][n] - mean).head<2>();
  }
  // Between contacts.
  const double reach = kApproach / source.frameTime;
  for (int i = 0; i < frames; i++) {
    const std::size_t k = static_cast<std::size_t>(i);
    if (source.inContact[side][k]) continue;
    const Interval *before = nullptr, *after = nullptr;
    for (const Interval& c : contacts) {
      if (c.last < i) before = &c;
      if (c.first > i && !after) after = &c;
    }
    if (before && after) {
      const double x = static_cast<double>(i - before->last) / (after->first - before->last);
      const Vec3 a = path.offset[static_cast<std::size_t>(before->last)], b = path.offset[static_cast<std::size_t>(after->first)];
      path.offset[k] = a + smoothStep(x) * (b - a);
    } else if (before || after) {
      path.offset[k] = path.offset[static_cast<std::size_t>(before ? before->last : after->first)];
    }
    const double gap = std::min(before ? i - before->last : kInf, after ? after->first - i : kInf);
    path.hold[k] = std::isfinite(gap) ? 1 - smoothStep(gap / reach) : 0;
    const double low = path.free[k].z() + path.offset[k].z() + sole.lowest(R[k]);
    if (low < kClearance) path.offset[k].z() += kClearance - low;
  }
  return path;
}

}  // namespace

Vec3 smoothedAt(const std::vector<Vec3>& x, int i, double deviation) {
  const int n = static_cast<int>(x.size()), reach = static_cast<int>(std::min(std::ceil(3 * deviation), n - 1.0));
  Vec3 out = Vec3::Zero();
  double sum = 0;
  for (int k = -reach; k <= reach; k++) {
    const double w = deviation > 0 ? std::exp(-0.5 * k * k / (deviation * deviation)) : 1;
    out += w * x[static_cast<std::size_t>(std::clamp(i + k, 0, n - 1))];
    sum += w;
  }
  return out / sum;
}

Vec3 rootShift(const Vec3 (&offset)[2], const double (&hold)[2]) {
  const double w[2] = {0.02 + hold[0], 0.02 + hold[1]};
  return (w[0] * offset[0] + w[1] * offset[1]) / (w[0] + w[1]);
}

void placeFeet(const Source& source, const Target& target, const std::vector<Mat3> (&R)[2], Goals& goals) {
  FootPath path[2];
  for (int side = 0; side < 2; side++) path[side] = pathOf(source, Sole(target, side), R[side], goals, side);
  std::vector<Vec3> shift;
  for (std::size_t i = 0; i < goals.frames.size(); i++) {
    const double hold[2] = {path[0].hold[i], path[1].hold[i]};
    shift.push_back(rootShift({path[0].offset[i], path[1].offset[i]}, hold));
  }
  for (std::size_t i = 0; i < goals.frames.size(); i++) {
    FrameGoal& g = goals.frames[i];
    g.root += smoothedAt(shift, static_cast<int>(i), kBlend / source.frameTime);
    for (int side = 0; side < 2; side++) {
      g.foot[side] = path[side].free[i] + path[side].offset[i];
      g.hold[side] = path[side].hold[i];
    }
  }
}

}  // namespace vertebra::retarget
