// See motion_derivatives.hpp.
#include "engine/figure/motion_derivatives.hpp"

#include <algorithm>

#include "engine/math/rotation.hpp"

namespace vertebra::figure {

void motionDerivatives(const Motion& m, int frame, Vec6* velocities, Vec6* accelerations) {
  const int n = m.frames(), first = std::clamp(frame - 1, 0, std::max(0, n - 4)), last = std::min(std::max(frame + 1, first + 3), n - 1);
  const std::size_t joints = m.joints.size();
  std::vector<std::vector<Pose>> poses;
  for (int i = first; i <= last; i++) {
    poses.emplace_back(joints);
    motionWorldPoses(m, m.frame(i), false, poses.back().data());
  }
  const double h = m.frameTime;
  const int count = last - first;  // of differences
  for (std::size_t j = 0; j < joints; j++) {
    const auto d = [&](int i) {  // of frames i and i + 1 of the clip
      const Pose &a = poses[static_cast<std::size_t>(i - first)][j], &b = poses[static_cast<std::size_t>(i - first + 1)][j];
      Vec6 out;
      out << b.p - a.p, quatLog(b.q * a.q.conjugate());
      return out;
    };
    const auto inner = [&](int i) -> Vec6 { return (d(i) - d(i - 1)) / (h * h); };
    Vec6 v = Vec6::Zero(), a = Vec6::Zero();
    const bool start = frame == 0;
    if (frame > 0 && frame < n - 1) {
      v = (d(frame - 1) + d(frame)) / (2 * h);
      a = inner(frame);
    } else if (count >= 2) {
      v = start ? Vec6((3 * d(0) - d(1)) / (2 * h)) : Vec6((3 * d(n - 2) - d(n - 3)) / (2 * h));
      a = inner(start ? 1 : n - 2);
      if (count >= 3) a = 2 * a - inner(start ? 2 : n - 3);
    } else if (count == 1) {
      v = d(0) / h;
    }
    if (velocities) velocities[j] = v;
    if (accelerations) accelerations[j] = a;
  }
}

}  // namespace vertebra::figure
