// Length of a file unit and up axis: BVH states neither, so both are estimated from the figure's bones.
#include <algorithm>
#include <cmath>

#include "loaders/bvh/reader.hpp"

namespace vertebra::bvh {

namespace {
struct Candidate {
  double metres;
  const char* name;
};
// The last is the scale of the CMU library: inches / 0.45 (its FAQ).
constexpr Candidate kCandidates[] = {
    {1, "metre"}, {0.01, "centimetre"}, {0.001, "millimetre"}, {0.0254, "inch"}, {0.0254 / 0.45, "CMU unit (inch/0.45)"}};
constexpr double kUsualHeight = 1.7;         // m
constexpr double kHeightPerDiameter = 0.66;  // captured humans, standing, joints only: 0.58 to 0.69

// Longest path between two ends of the first root's tree, along the bones, file units. Independent of the pose.
double diameter(const figure::Motion& m, const double* frame) {
  const int n = static_cast<int>(m.joints.size());
  std::vector<double> reach(n, 0);
  std::vector<int> children(n, 0);
  for (const figure::MotionJoint& j : m.joints)
    if (j.parent >= 0) children[j.parent]++;
  double best = 0;
  auto pass = [&](int j, double length) {
    best = std::max(best, reach[j] + length);
    reach[j] = std::max(reach[j], length);
  };
  for (int j = n - 1; j >= 0; j--) {
    const figure::MotionJoint& joint = m.joints[j];
    for (const Vec3& e : joint.endSites) pass(j, e.norm());
    if (joint.parent < 0) continue;
    const bool carried = m.joints[joint.parent].parent < 0 && children[joint.parent] == 1 && joint.channels.size() >= 6;
    if (!carried) pass(joint.parent, reach[j] + figure::motionLocalPose(m, j, frame).p.norm());
  }
  return best;
}

// Of the joints and end sites of a pose, but for a root, which may be a mark on the ground; frame null: at rest.
struct Bounds {
  Vec3 lo = Vec3::Constant(kInf), hi = Vec3::Constant(-kInf);
  Vec3 extent() const { return hi - lo; }
};

Bounds boundsOf(const figure::Motion& m, const double* frame) {
  std::vector<Pose> poses(m.joints.size());
  figure::motionWorldPoses(m, frame, true, poses.data());
  Bounds b;
  const auto take = [&](const Vec3& p) {
    b.lo = b.lo.cwiseMin(p);
    b.hi = b.hi.cwiseMax(p);
  };
  for (std::size_t j = 0; j < poses.size(); j++) {
    if (m.joints[j].parent < 0 && m.joints.size() > 1) continue;
    take(poses[j].p);
    for (const Vec3& e : m.joints[j].endSites) take(poses[j] * e);
  }
  return b;
}

// Which of y and z a figure of these extents stands along: 1, 2, or 0 = neither by the given factor.
int along(const Vec3& extent, double factor) { return extent.z() > factor * extent.y() ? 2 : extent.y() > factor * extent.z() ? 1 : 0; }

double middleHalf(std::vector<double> x) {  // how far it spreads; a jump is no more than a quarter of a motion
  if (x.empty()) return 0;
  std::sort(x.begin(), x.end());
  return x[x.size() - 1 - x.size() / 4] - x[x.size() / 4];
}

struct Up {
  int axis;
  const char* why;
};

// A figure at rest stands along the axis that is up, or, as in files whose bones all lie along their own x, along neither; in most frames
// it stands, too. Where the two differ it may lie in all of them, or its root may turn it: the axis up is the one with a floor, along which
// its lowest point hardly moves.
Up guessUp(const figure::Motion& m, const FrameSamples& frames) {
  constexpr double kRest = 1.5, kPosed = 1.2, kStands = 0.5, kFloor = 0.5;
  const Vec3 rest = boundsOf(m, nullptr).extent();
  const bool stands = std::max(rest.y(), rest.z()) > kStands * rest.maxCoeff();
  const int atRest = stands ? along(rest, kRest) : 0;
  std::size_t votes[3] = {0, 0, 0};
  std::vector<double> lowest[2];
  for (const double* frame : frames) {
    const Bounds b = boundsOf(m, frame);
    votes[along(b.extent(), kPosed)]++;
    for (int k = 0; k < 2; k++) lowest[k].push_back(b.lo[1 + k]);
  }
  const int posed = 2 * votes[1] > frames.size() ? 1 : 2 * votes[2] > frames.size() ? 2 : 0;
  // Of a pose alone, or one that is held, no floor is known.
  const double sways[2] = {middleHalf(lowest[0]), middleHalf(lowest[1])};
  const bool floor = sways[0] > 0 ? sways[1] < kFloor * sways[0] : !stands;
  if (posed == 2 && atRest == 2) return {2, "z taken as up: the figure extends along z, at rest and in most frames"};
  if (posed == 2 && floor) return {2, "z taken as up: the figure extends along z in most frames, and keeps to a floor there"};
  if (posed == 0 && atRest == 2) return {2, "z taken as up: the figure extends along z at rest"};
  if (posed == 2) return {1, "y taken as up, as is usual; but the figure extends along z in most frames: give the axis to override"};
  return {1, "y taken as up, as is usual; the world is turned to z-up"};
}

}  // namespace

FrameSamples sampledFrames(const figure::Motion& m) {
  constexpr int kMost = 16;
  FrameSamples out;
  const int count = std::min(kMost, m.frames());
  for (int k = 0; k < count; k++) out.push_back(m.frame(static_cast<int>(static_cast<long long>(k) * m.frames() / count)));
  return out;
}

void settleUnits(figure::Motion& m, const FrameSamples& frames, const BvhOptions& options, Report& report) {
  const double* const firstFrame = frames.empty() ? nullptr : frames[0];
  int up = options.upAxis;
  if (up < 0 || up > 2) {
    const Up guessed = guessUp(m, frames);
    up = guessed.axis;
    report.info("bvh.up-axis", 0, "", guessed.why);
  }
  const double h = std::sqrt(0.5);
  if (up == 0)
    m.turn = Quat(h, 0, -h, 0);
  else if (up == 1)
    m.turn = Quat(h, h, 0, 0);
  else
    m.turn = Quat::Identity();

  if (options.unit > 0 && std::isfinite(options.unit)) {
    m.unit = options.unit;
    return;
  }
  const double height = kHeightPerDiameter * diameter(m, firstFrame);
  m.unit = 1;
  if (!(height > 0) || !std::isfinite(height)) {
    report.info("bvh.unit", 0, "", "the bones have no length to guess a unit from; one metre was taken; give the unit to override");
    return;
  }
  const Candidate* best = kCandidates;
  auto distance = [&](const Candidate& c) { return std::fabs(std::log(height * c.metres / kUsualHeight)); };
  for (const Candidate& c : kCandidates)
    if (distance(c) < distance(*best)) best = &c;
  m.unit = best->metres;
  std::string text = "file unit guessed as one " + std::string(best->name) + ", which makes the figure about " +
                     formatNumber(std::round(height * m.unit * 100) / 100) + " m tall; give the unit to override";
  if (distance(*best) < std::log(1.6))
    report.info("bvh.unit", 0, "", text);
  else
    report.info("bvh.unit", 0, "", "the figure's size is unlike a human's; " + text);
}

}  // namespace vertebra::bvh
