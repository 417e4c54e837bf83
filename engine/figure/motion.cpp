// See motion.hpp.
#include "engine/figure/motion.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"

namespace vertebra::figure {

int Motion::findJoint(const std::string& n) const {
  for (std::size_t i = 0; i < joints.size(); i++)
    if (joints[i].name == n) return static_cast<int>(i);
  return -1;
}

Pose motionLocalPose(const Motion& m, int j, const double* frame) {
  const MotionJoint& joint = m.joints[j];
  Pose pose;
  pose.p = joint.offset;
  if (!frame) return pose;
  const double* v = frame + joint.firstChannel;
  for (std::size_t c = 0; c < joint.channels.size(); c++) {
    int k = static_cast<int>(joint.channels[c]);
    if (k < 3)
      pose.p[k] = v[c];
    else
      pose.q = pose.q * quatFromAxisAngle(Vec3::Unit(k - 3), v[c] * (kPi / 180));
  }
  return pose;
}

Pose motionLocalPoseAt(const Motion& m, int j, double t) {
  const int n = m.frames();
  if (n == 0) return motionLocalPose(m, j, nullptr);
  double x = std::clamp(t / m.frameTime, 0.0, static_cast<double>(n - 1));
  int i = std::min(static_cast<int>(x), std::max(0, n - 2));
  double u = x - i;
  Pose a = motionLocalPose(m, j, m.frame(i));
  if (u == 0 || n == 1) return a;
  Pose b = motionLocalPose(m, j, m.frame(i + 1));
  const RotationAxes axes = rotationAxes(m.joints[j]);
  if (axes.count > 2) return {a.p + u * (b.p - a.p), slerp(a.q, b.q, u)};
  Pose pose;
  pose.p = a.p + u * (b.p - a.p);
  for (int k = 0; k < axes.count; k++) {  // on the joint's own axes; the shortest path between two rotations may leave these
    const double from = rotationAngle(m, j, k, i), to = rotationAngle(m, j, k, i + 1);
    pose.q = pose.q * quatFromAxisAngle(Vec3::Unit(axes.axis[k]), from + u * shorterWay(to - from));
  }
  return pose;
}

RotationAxes rotationAxes(const MotionJoint& joint) {
  RotationAxes out;
  int last = -1;
  for (Channel c : joint.channels) {
    const int axis = static_cast<int>(c) - 3;
    if (axis < 0 || axis == last) continue;
    if (out.count < 3) out.axis[out.count] = axis;
    out.count++;
    last = axis;
  }
  return out;
}

double rotationAngle(const Motion& m, int j, int k, int frame) {
  const MotionJoint& joint = m.joints[j];
  const double* v = m.frame(frame) + joint.firstChannel;
  double degrees = 0;
  int last = -1, at = -1;
  for (std::size_t c = 0; c < joint.channels.size(); c++) {
    const int axis = static_cast<int>(joint.channels[c]) - 3;
    if (axis < 0) continue;
    if (axis != last) at++;
    last = axis;
    if (at == k) degrees += v[c];
  }
  return degrees * (kPi / 180);
}

double shorterWay(double angle) {
  if (angle > -kPi && angle <= kPi) return angle;
  return angle - 2 * kPi * std::round(angle / (2 * kPi));
}

namespace {
void chain(const Motion& m, bool raw, Pose* out) {  // out holds local poses; parents come first
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    int p = m.joints[j].parent;
    if (p >= 0) out[j] = out[p] * out[j];
  }
  if (raw) return;
  for (std::size_t j = 0; j < m.joints.size(); j++) out[j] = {m.unit * (m.turn * out[j].p), m.turn * out[j].q};
}
}  // namespace

void motionWorldPoses(const Motion& m, const double* frame, bool raw, Pose* out) {
  for (std::size_t j = 0; j < m.joints.size(); j++) out[j] = motionLocalPose(m, static_cast<int>(j), frame);
  chain(m, raw, out);
}
void motionWorldPosesAt(const Motion& m, double t, bool raw, Pose* out) {
  for (std::size_t j = 0; j < m.joints.size(); j++) out[j] = motionLocalPoseAt(m, static_cast<int>(j), t);
  chain(m, raw, out);
}

}  // namespace vertebra::figure
