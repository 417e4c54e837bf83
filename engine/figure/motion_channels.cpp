// See motion_channels.hpp.
#include "engine/figure/motion_channels.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
// Shifts angle by whole turns (radians) to the value nearest to `to`.
double nearest(double angle, double to) { return to + shorterWay(angle - to); }

Vec3 anglesNearest(const EulerOrder& order, const Quat& q, const Vec3& to) {
  Vec3 a = eulerFromQuat(order, q), b;
  const bool proper = order[0] == order[2];
  b = proper ? Vec3(a[0] + kPi, -a[1], a[2] + kPi) : Vec3(a[0] + kPi, kPi - a[1], a[2] + kPi);
  for (int k = 0; k < 3; k++) {
    a[k] = nearest(a[k], to[k]);
    b[k] = nearest(b[k], to[k]);
  }
  return (a - to).squaredNorm() <= (b - to).squaredNorm() ? a : b;
}
}  // namespace

bool hasAllRotations(const MotionJoint& joint) {
  const auto rotations = std::count_if(joint.channels.begin(), joint.channels.end(), [](Channel c) { return !isPosition(c); });
  return rotations == 3 && rotationAxes(joint).count == 3;
}

bool hasAllPositions(const MotionJoint& joint) {
  bool has[3] = {false, false, false};
  for (Channel c : joint.channels)
    if (isPosition(c)) has[static_cast<int>(c)] = true;
  return has[0] && has[1] && has[2];
}

void setLocalPose(const MotionJoint& joint, const Pose& local, double* row) {
  double* v = row + joint.firstChannel;
  Vec3 angles = Vec3::Zero();
  const bool turns = hasAllRotations(joint);
  int r = 0;
  for (std::size_t c = 0; c < joint.channels.size(); c++)
    if (isPosition(joint.channels[c]))
      v[c] = local.p[static_cast<int>(joint.channels[c])];
    else if (turns)
      angles[r++] = v[c] * (kPi / 180);
  if (!turns) return;
  const RotationAxes axes = rotationAxes(joint);
  angles = anglesNearest({axes.axis[0], axes.axis[1], axes.axis[2]}, local.q, angles);
  r = 0;
  for (std::size_t c = 0; c < joint.channels.size(); c++)
    if (!isPosition(joint.channels[c])) v[c] = angles[r++] * (180 / kPi);
}

Motion withoutFrames(const Motion& m) {
  Motion out;
  out.name = m.name;
  out.joints = m.joints;
  out.channelCount = m.channelCount;
  out.frameTime = m.frameTime;
  out.unit = m.unit;
  out.turn = m.turn;
  return out;
}

double headingOf(const Quat& turn) { return shorterWay(2 * arctan2(turn.z(), turn.w())); }

}  // namespace vertebra::figure
