// See motion_combine.hpp.
#include "engine/figure/motion_combine.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/figure/motion_ground.hpp"
#include "engine/figure/side_names.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

Motion motionSpeed(const Motion& m, double factor) {
  Motion out = m;
  out.frameTime /= factor;
  out = motionResampled(out, 1 / m.frameTime);
  out.frameTime = m.frameTime;
  return out;
}

namespace {
// Joint of b for each joint of a; otherwise what is missing.
std::string matchJoints(const Motion& a, const Motion& b, std::vector<int>& of) {
  if (a.joints.size() != b.joints.size())
    return "the clips have " + std::to_string(a.joints.size()) + " and " + std::to_string(b.joints.size()) + " joints";
  for (const MotionJoint& joint : a.joints) {
    const int k = b.findJoint(joint.name);
    if (k < 0) return "the second clip has no joint '" + joint.name + "'";
    const MotionJoint& other = b.joints[static_cast<std::size_t>(k)];
    const auto above = [](const Motion& m, int parent) {
      return parent < 0 ? std::string() : m.joints[static_cast<std::size_t>(parent)].name;
    };
    if (above(a, joint.parent) != above(b, other.parent)) return "joint '" + joint.name + "' has another parent in the second clip";
    if (joint.channels != other.channels) return "joint '" + joint.name + "' has other channels in the second clip";
    of.push_back(k);
  }
  return {};
}

// b's rows in a's columns and units, what carries them placed by `move` (world); joints above that are where they are in a.
std::vector<double> rowsOfSecond(const Motion& a, const std::vector<Carrier>& carriers, const Motion& b, const std::vector<int>& of,
                                 const Pose& move) {
  std::vector<bool> above(a.joints.size(), false);
  for (const Carrier& carrier : carriers)
    for (int j = a.joints[static_cast<std::size_t>(carrier.joint)].parent; j >= 0; j = a.joints[static_cast<std::size_t>(j)].parent)
      above[static_cast<std::size_t>(j)] = true;
  std::vector<double> rows;
  std::vector<double> row(a.frame(0), a.frame(0) + a.channelCount);
  std::vector<Pose> world(b.joints.size());
  for (int i = 0; i < b.frames(); i++) {
    for (std::size_t j = 0; j < a.joints.size(); j++) {
      const MotionJoint &joint = a.joints[j], &other = b.joints[static_cast<std::size_t>(of[j])];
      const double* from = b.frame(i) + other.firstChannel;
      double* to = row.data() + joint.firstChannel;
      if (above[j]) continue;
      for (std::size_t c = 0; c < joint.channels.size(); c++) to[c] = from[c] * (isPosition(joint.channels[c]) ? b.unit / a.unit : 1);
    }
    motionWorldPoses(b, b.frame(i), false, world.data());
    for (const Carrier& carrier : carriers)
      setCarrierPose(a, carrier, move * world[static_cast<std::size_t>(of[static_cast<std::size_t>(carrier.joint)])], row.data());
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

// Of two clips with equal joints; out holds the row before on entry.
void blendRows(const Motion& m, const double* from, const double* to, double w, double* out) {
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    const MotionJoint& joint = m.joints[j];
    if (hasAllRotations(joint)) {
      const Pose a = motionLocalPose(m, static_cast<int>(j), from), b = motionLocalPose(m, static_cast<int>(j), to);
      setLocalPose(joint, {a.p + w * (b.p - a.p), slerp(a.q, b.q, w)}, out);
      continue;
    }
    for (std::size_t c = 0; c < joint.channels.size(); c++) {
      const std::size_t at = static_cast<std::size_t>(joint.firstChannel) + c;
      const double d = to[at] - from[at];
      out[at] = from[at] + w * (isPosition(joint.channels[c]) ? d : shorterWay(d * (kPi / 180)) * (180 / kPi));
    }
  }
}
}  // namespace

std::string motionAppended(const Motion& a, const Motion& second, double blend, Motion& out) {
  std::vector<int> of;
  if (std::string wrong = matchJoints(a, second, of); !wrong.empty()) return wrong;
  const std::vector<Carrier> carriers = carriersOf(a);
  if (std::string wrong = lackOf(a, carriers); !wrong.empty()) return wrong;
  if (second.frames() == 0) return "the second clip has no frames";
  if (std::fabs(a.turn.dot(second.turn)) < 1 - 1e-9) return "another axis of the second clip's file points up";
  const bool sameRate = std::fabs(a.frameTime - second.frameTime) <= 1e-9 * a.frameTime;
  const Motion b = sameRate ? second : motionResampled(second, 1 / a.frameTime);
  const int na = a.frames(), nb = b.frames();
  const int overlap = static_cast<int>(std::clamp(std::round(blend / a.frameTime), 1.0, static_cast<double>(std::min(na, nb))));
  const int middleB = (overlap - 1) / 2, middleA = na - overlap + middleB;
  const Pose p = carrierPose(a, carriers[0], a.frame(middleA));
  std::vector<Pose> world(b.joints.size());
  motionWorldPoses(b, b.frame(middleB), false, world.data());
  const Pose& q = world[static_cast<std::size_t>(of[static_cast<std::size_t>(carriers[0].joint)])];
  Pose move;
  move.q = quatFromAxisAngle(Vec3::UnitZ(), headingOf(p.q * q.q.conjugate()));
  move.p = p.p - move.q * q.p;
  move.p.z() = 0;
  const std::vector<double> rows = rowsOfSecond(a, carriers, b, of, move);
  out = a;
  const auto width = static_cast<std::size_t>(a.channelCount);
  out.values.resize(static_cast<std::size_t>(na - overlap) * width);
  std::vector<double> row(a.frame(std::max(0, na - overlap - 1)), a.frame(std::max(0, na - overlap - 1)) + width);
  for (int k = 0; k < nb; k++) {
    const double* to = rows.data() + static_cast<std::size_t>(k) * width;
    const double u = (k + 1.0) / (overlap + 1.0);
    const bool both = k < overlap;
    blendRows(a, both ? a.frame(na - overlap + k) : to, to, both ? u * u * (3 - 2 * u) : 0, row.data());
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return {};
}

namespace {
// The joint on the other side by name; the joint itself if there is none.
int partnerOf(const Motion& m, int j) {
  for (const SideName& other : otherSideNames(m.joints[static_cast<std::size_t>(j)].name))
    if (const int k = m.findJoint(other.name); k >= 0) return k;
  return j;
}

int acrossAxis(const Motion& m, const std::vector<int>& partner) {
  std::vector<Vec3> place(m.joints.size());
  Vec3 apart = Vec3::Zero();
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    const int parent = m.joints[j].parent;
    place[j] = m.joints[j].offset + (parent >= 0 ? place[static_cast<std::size_t>(parent)] : Vec3(Vec3::Zero()));
  }
  for (std::size_t j = 0; j < m.joints.size(); j++) apart += (place[j] - place[static_cast<std::size_t>(partner[j])]).cwiseAbs();
  Eigen::Index axis;
  return apart.maxCoeff(&axis) > 0 ? static_cast<int>(axis) : -1;
}
}  // namespace

std::string motionMirrored(const Motion& m, int axis, Motion& out) {
  std::vector<int> partner;
  for (std::size_t j = 0; j < m.joints.size(); j++) partner.push_back(partnerOf(m, static_cast<int>(j)));
  if (axis < 0) axis = acrossAxis(m, partner);
  if (axis < 0) return "no joints on the left and on the right, apart from each other, are found by their names; say the axis";
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    const MotionJoint &joint = m.joints[j], &other = m.joints[static_cast<std::size_t>(partner[j])];
    if (partner[static_cast<std::size_t>(partner[j])] != static_cast<int>(j))
      return "joint '" + joint.name + "' and '" + other.name + "' are no pair: the latter's other side is another joint";
    if (joint.channels != other.channels) return "joints '" + joint.name + "' and '" + other.name + "' have different channels";
  }
  out = m;
  const auto width = static_cast<std::size_t>(m.channelCount);
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    const MotionJoint& joint = m.joints[j];
    const auto from = static_cast<std::size_t>(m.joints[static_cast<std::size_t>(partner[j])].firstChannel);
    for (std::size_t c = 0; c < joint.channels.size(); c++) {
      const bool along = static_cast<int>(joint.channels[c]) % 3 == axis;
      const double sign = isPosition(joint.channels[c]) == along ? -1 : 1;
      for (std::size_t at = 0; at < m.values.size(); at += width)
        out.values[at + static_cast<std::size_t>(joint.firstChannel) + c] = sign * m.values[at + from + c];
    }
  }
  return {};
}

}  // namespace vertebra::figure
