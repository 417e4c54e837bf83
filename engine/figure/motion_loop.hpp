// The path of a clip's root over the ground taken out of it, and a part of a clip made into a period that repeats itself. Raw values keep
// the file's axes, units and channel order.
#pragma once
#include <string>
#include <vector>

#include "engine/figure/motion_ground.hpp"

namespace vertebra::figure {

// Where the first carrier (motion_ground.hpp) is on the ground in each frame; headings without jumps of whole turns.
using GroundPath = std::vector<GroundPlace>;

// The clip with its first carrier above the origin in every frame and without heading; all carriers move with it. path: what was taken out,
// so that pose = (turn by heading about the vertical, then shift by x, y) * pose of `out`, but for joints above the carriers, which stay.
// Empty, or why not.
std::string motionInPlace(const Motion& m, GroundPath& path, Motion& out);

// Frames first..last as one period: the last is the first, moved on over the ground. Over the first `blend` seconds the difference between
// the two fades, in positions and rotations and in their velocities, by cubics of Hermite; later frames are as they were. last is at least
// first + 2. Empty, or why not.
std::string motionLooped(const Motion& m, int first, int last, double blend, Motion& out);

}  // namespace vertebra::figure
