// Clips made of clips: one after another, faster, mirrored. Raw values keep the file's axes, units and channel order.
#pragma once
#include <string>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// The clip `factor` times as fast, at the same frame rate.
Motion motionSpeed(const Motion& m, double factor);

// a, then b at a's frame rate. Over `blend` seconds (at least one frame, at most the shorter clip) both run, and weights 3u^2 - 2u^3 lead
// from a to b: positions linear, rotations by slerp. b is first turned about the vertical and moved along the ground, so that its first
// root is where a's is in the middle of that time and looks the same way. Joints are matched by name; the skeleton is a's. Empty, or what
// the two lack: a joint, equal channels, a root with all channels.
std::string motionAppended(const Motion& a, const Motion& b, double blend, Motion& out);

// Left and right exchanged: the reflection in the plane through the file's origin across `axis` (0..2, of the file; -1: the axis along
// which left joints lie beside right ones). Channels of partners, as names say, are exchanged; rotations about other axes than this one and
// positions along it change their sign. Exact: twice gives the clip again. The world poses are those of the mirror image where the offsets
// of partners are. Empty, or why not.
std::string motionMirrored(const Motion& m, int axis, Motion& out);

}  // namespace vertebra::figure
