// Places of markers on their bodies, from a motion: the pose of each frame by the present places, and the mean of the places by these
// poses, in turn. The places given count as some frames do. See marker_fit.hpp.
#include <algorithm>
#include <utility>

#include "engine/retarget/marker_fit.hpp"

namespace vertebra::retarget {
namespace {

constexpr int kFitRounds = 8, kFitFrames = 100;  // frames that it looks at

}  // namespace

bool MarkerFit::calibrate(const std::vector<Vec3>& positions) {
  const std::size_t count = sites_.size(), frames = positions.size() / count, stride = std::max<std::size_t>(1, frames / kFitFrames);
  const double hold = settings_.noise * settings_.noise / (settings_.placing * settings_.placing);
  const bool learns = std::exchange(settings_.learns, false);
  bool any = false;
  for (int round = 0; round < kFitRounds; round++) {
    std::vector<Vec3> sum(count, Vec3::Zero());
    std::vector<double> weight(count, hold);
    for (std::size_t k = 0; k < count; k++) sum[k] = hold * given_[k];
    restart();
    for (std::size_t i = 0; i < frames; i++) {
      if (!fit(&positions[i * count])) continue;
      correct();
      kinematics_.update(q_.data());
      any = true;
      if (i % stride != 0) continue;
      for (const Seen& s : seen_) {
        const Pose body{kinematics_.bodyPosition(sites_[s.site].body), Quat(kinematics_.bodyRotation(sites_[s.site].body))};
        sum[s.site] += (body * sites_[s.site].frame).inverse() * s.at;
        weight[s.site] += 1;
      }
    }
    for (std::size_t k = 0; k < count; k++) offsets_[k] = sum[k] / weight[k];
    place();
  }
  settings_.learns = learns;
  restart();
  return any;
}

}  // namespace vertebra::retarget
