// Edits of a clip that give another clip: scaled, resampled, trimmed. Raw values keep the file's axes, units and channel order.
#pragma once
#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// A row of channels between two frames, 0 < u < 1: positions linear, rotations by slerp; angles are those nearest to what stands in the
// row.
void motionRowBetween(const Motion& m, int first, int second, double u, double* row);

// Lengths (OFFSETs, End Sites, position channels) times `scale`; `unit` is unchanged, so the figure grows by that factor.
Motion motionScaled(const Motion& m, double scale);

// The clip at another frame rate, fps > 0; positions linear, rotations by slerp, then converted back to the joint's own channels: of the
// angles for the same rotation, those nearest to the frame before. A new frame that coincides with an old one keeps its values.
// Frames that a clip has at another rate: what to look at before it is made.
double resampledFrames(const Motion& m, double fps);
Motion motionResampled(const Motion& m, double fps);

// Frames first..last, both included, clamped to the clip; none when first > last.
Motion motionTrimmed(const Motion& m, int first, int last);

}  // namespace vertebra::figure
