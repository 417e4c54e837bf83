// See motion_ground.hpp.
#include "engine/figure/motion_ground.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_channels.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
constexpr double kStays = 1e-6;  // file units and degrees: what changes less is at rest

bool stays(const Motion& m, const MotionJoint& joint) {
  for (std::size_t c = 0; c < joint.channels.size(); c++) {
    const std::size_t column = static_cast<std::size_t>(joint.firstChannel) + c;
    for (int i = 1; i < m.frames(); i++)
      if (std::fabs(m.frame(i)[column] - m.frame(0)[column]) > kStays) return false;
  }
  return true;
}

bool movable(const MotionJoint& joint) { return hasAllRotations(joint) && hasAllPositions(joint); }

// The only child; -1 if there is another number of them.
int onlyChild(const Motion& m, int parent) {
  int found = -1;
  for (std::size_t j = 0; j < m.joints.size(); j++)
    if (m.joints[j].parent == parent) {
      if (found >= 0) return -1;
      found = static_cast<int>(j);
    }
  return found;
}
}  // namespace

std::vector<Carrier> carriersOf(const Motion& m) {
  std::vector<Carrier> out;
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    if (m.joints[j].parent >= 0) continue;
    Carrier carrier{static_cast<int>(j), {}};
    for (;;) {
      const MotionJoint& joint = m.joints[static_cast<std::size_t>(carrier.joint)];
      const int child = onlyChild(m, carrier.joint);
      if (m.frames() == 0 || child < 0 || !movable(m.joints[static_cast<std::size_t>(child)]) || !stays(m, joint)) break;
      carrier.above = carrier.above * motionLocalPose(m, carrier.joint, m.frame(0));
      carrier.joint = child;
    }
    out.push_back(carrier);
  }
  return out;
}

std::string lackOf(const Motion& m, const std::vector<Carrier>& carriers) {
  if (m.frames() == 0) return "the clip has no frames";
  for (const Carrier& carrier : carriers)
    if (const MotionJoint& joint = m.joints[static_cast<std::size_t>(carrier.joint)]; !movable(joint))
      return "the root '" + joint.name + "' lacks position or rotation channels, so it cannot be moved over the ground";
  return {};
}

Pose carrierPose(const Motion& m, const Carrier& carrier, const double* frame) {
  const Pose raw = carrier.above * motionLocalPose(m, carrier.joint, frame);
  return {m.unit * (m.turn * raw.p), m.turn * raw.q};
}

void setCarrierPose(const Motion& m, const Carrier& carrier, const Pose& world, double* row) {
  const Quat back = m.turn.conjugate();
  setLocalPose(m.joints[static_cast<std::size_t>(carrier.joint)], carrier.above.inverse() * Pose{back * world.p / m.unit, back * world.q},
               row);
}

void moveCarriers(const Motion& m, const std::vector<Carrier>& carriers, const double* frame, const Pose& move, double* row) {
  for (const Carrier& carrier : carriers) setCarrierPose(m, carrier, move * carrierPose(m, carrier, frame), row);
}

GroundPlace placeOnGround(const Motion& m, const Carrier& carrier, const double* frame) {
  const Pose pose = carrierPose(m, carrier, frame);
  return {pose.p.x(), pose.p.y(), headingOf(pose.q * m.turn.conjugate())};
}

Pose groundPose(const GroundPlace& place) { return {Vec3(place[0], place[1], 0), quatFromAxisAngle(Vec3::UnitZ(), place[2])}; }

}  // namespace vertebra::figure
