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

Vec3 extent(const figure::Motion& m, const double* frame) {
  std::vector<Pose> poses(m.joints.size());
  figure::motionWorldPoses(m, frame, true, poses.data());
  Vec3 lo = Vec3::Constant(kInf), hi = Vec3::Constant(-kInf);
  for (std::size_t j = 0; j < poses.size(); j++) {
    if (m.joints[j].parent < 0 && m.joints.size() > 1) continue;  // a root may be a mark on the ground
    lo = lo.cwiseMin(poses[j].p);
    hi = hi.cwiseMax(poses[j].p);
    for (const Vec3& e : m.joints[j].endSites) {
      Vec3 p = poses[j] * e;
      lo = lo.cwiseMin(p);
      hi = hi.cwiseMax(p);
    }
  }
  return hi - lo;
}
}  // namespace

void settleUnits(figure::Motion& m, const double* firstFrame, const BvhOptions& options, Report& report) {
  int up = options.upAxis;
  if (up < 0 || up > 2) {
    up = 1;
    Vec3 rest = extent(m, nullptr), posed = firstFrame ? extent(m, firstFrame) : rest;
    if (rest.z() > 1.5 * rest.y() && posed.z() > 1.2 * posed.y()) up = 2;
    report.info("bvh.up-axis", 0, "",
                up == 2 ? "z taken as up: the figure extends along z, at rest and in the first frame"
                        : "y taken as up, as is usual; the world is turned to z-up");
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
