// See motion_edit.hpp.
#include "engine/figure/motion_edit.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "engine/figure/motion_channels.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
// Channels of joint j between two frames, 0 < u < 1; out is a row of all channels.
void channelsBetween(const Motion& m, int j, int first, int second, double u, double* out) {
  const MotionJoint& joint = m.joints[j];
  const double *a = m.frame(first) + joint.firstChannel, *b = m.frame(second) + joint.firstChannel;
  if (hasAllRotations(joint)) {
    const Pose from = motionLocalPose(m, j, m.frame(first)), to = motionLocalPose(m, j, m.frame(second));
    setLocalPose(joint, {from.p + u * (to.p - from.p), slerp(from.q, to.q, u)}, out);
    return;
  }
  out += joint.firstChannel;
  for (std::size_t c = 0; c < joint.channels.size(); c++)
    out[c] = a[c] + u * (isPosition(joint.channels[c]) ? b[c] - a[c] : shorterWay((b[c] - a[c]) * (kPi / 180)) * (180 / kPi));
}
}  // namespace

void motionRowBetween(const Motion& m, int first, int second, double u, double* row) {
  for (std::size_t j = 0; j < m.joints.size(); j++) channelsBetween(m, static_cast<int>(j), first, second, u, row);
}

Motion motionScaled(const Motion& m, double scale) {
  Motion out = m;
  for (MotionJoint& joint : out.joints) {
    joint.offset *= scale;
    for (Vec3& e : joint.endSites) e *= scale;
    for (std::size_t c = 0; c < joint.channels.size(); c++)
      if (isPosition(joint.channels[c]))
        for (std::size_t at = joint.firstChannel + c; at < out.values.size(); at += m.channelCount) out.values[at] *= scale;
  }
  return out;
}

double resampledFrames(const Motion& m, double fps) {
  return m.frames() == 0 ? 0 : std::floor((m.frames() - 1) * (m.frameTime * fps) + 1e-9) + 1;
}

Motion motionResampled(const Motion& m, double fps) {
  Motion out = m;
  if (!(fps > 0) || !std::isfinite(1 / fps) || m.frames() == 0) return out;
  out.frameTime = 1 / fps;
  const double last = m.frames() - 1, step = out.frameTime / m.frameTime;
  const double count = resampledFrames(m, fps);
  if (!(count <= 2147483647)) throw std::bad_alloc();
  out.values.clear();
  out.values.reserve(static_cast<std::size_t>(count) * m.channelCount);
  std::vector<double> row(m.frame(0), m.frame(0) + m.channelCount);
  for (double k = 0; k < count; k++) {
    const double x = std::min(k * step, last);
    const int i = static_cast<int>(x + 1e-9);
    const double u = x - i;
    if (std::fabs(u) < 1e-9 || i >= m.frames() - 1) {
      std::copy_n(m.frame(std::min(i, m.frames() - 1)), m.channelCount, row.begin());
    } else {
      motionRowBetween(m, i, i + 1, u, row.data());
    }
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return out;
}

Motion motionTrimmed(const Motion& m, int first, int last) {
  Motion out = m;
  first = std::max(first, 0);
  last = std::min(last, m.frames() - 1);
  if (first > last)
    out.values.clear();
  else
    out.values.assign(m.frame(first), m.frame(last) + m.channelCount);
  return out;
}

}  // namespace vertebra::figure
