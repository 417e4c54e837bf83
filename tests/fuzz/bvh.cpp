// Fuzzes the BVH reader: any text either loads into a valid clip or is rejected; a loaded clip can be written and read again.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "engine/figure/motion_edit.hpp"
#include "loaders/bvh/bvh.hpp"
#include "loaders/bvh/figure.hpp"

using namespace vertebra;

namespace {
void require(bool holds) {
  if (!holds) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  figure::Motion strict;
  Diagnostics refused;
  BvhOptions options;
  options.strict = true;
  const bool strictLoads = loadBvhText(text, "fuzz.bvh", options, strict, refused);
  require(strictLoads || refused.hasErrors());

  figure::Motion m;
  Diagnostics diagnostics;
  if (!loadBvhText(text, "fuzz.bvh", {}, m, diagnostics)) {
    require(!strictLoads && diagnostics.hasErrors());
    return 0;
  }
  require(m.frameTime > 0 && std::isfinite(m.frameTime) && m.unit > 0);
  require(m.channelCount == 0 ? m.values.empty() : m.values.size() % m.channelCount == 0);
  int columns = 0;
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    const figure::MotionJoint& joint = m.joints[j];
    require(joint.parent < static_cast<int>(j) && joint.offset.allFinite() && m.findJoint(joint.name) == static_cast<int>(j));
    require(joint.channels.empty() || joint.firstChannel + static_cast<int>(joint.channels.size()) <= m.channelCount);
    columns += static_cast<int>(joint.channels.size());
  }
  require(columns == m.channelCount);
  for (double x : m.values) require(std::isfinite(x));
  std::vector<Pose> poses(m.joints.size());
  figure::motionWorldPosesAt(m, 0.3 * m.duration(), false, poses.data());

  if (m.joints.size() <= 100) {
    figure::Skeleton skeleton;
    if (skeletonFromMotion(m, {}, skeleton, diagnostics)) require(figure::checkSkeleton(skeleton).empty());
  }
  if (m.values.size() < 10000) {
    const figure::Motion resampled = figure::motionResampled(m, 2.5 / m.frameTime);
    require(resampled.frames() >= m.frames());
  }

  figure::Motion again;
  require(loadBvhText(writeBvhText(m), "again.bvh", {}, again, diagnostics));
  require(again.joints.size() == m.joints.size() && again.values.size() == m.values.size());
  return 0;
}
