// Clips of handles, and at other rates: the number of frames is looked at before they are made.
#pragma once
#include <cstdio>

#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "engine/figure/motion_edit.hpp"

namespace vertebra::capi {

inline const figure::Motion& clipOf(const vtb_motion* motion) { return *required(motion, "motion").clip; }

inline constexpr double kMostValues = 1e9;  // of a clip that is made: 8 GB

inline void fitting(const figure::Motion& clip, double framesPerSecond) {
  const double frames = figure::resampledFrames(clip, framesPerSecond);
  if (frames * clip.channelCount <= kMostValues && frames <= kMostValues) return;
  char text[64];
  std::snprintf(text, sizeof text, "%.4g", frames);
  refuse(VTB_E_UNSUPPORTED, std::string("the result would have ") + text + " frames, which are more than fit in memory");
}

}  // namespace vertebra::capi
