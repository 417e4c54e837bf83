// The path of a clip's root over the ground taken out of it, and a part of a clip made into a period that repeats itself. Raw values keep
// the file's axes, units and channel order.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// Where the first root is on the ground: x, y (m, Z-up world) and heading (rad, the turn about the vertical nearest to the root's turn from
// the rest pose, without jumps of whole turns), of each frame.
using GroundPath = std::vector<std::array<double, 3>>;

// The clip with its first root above the origin in every frame and without heading; all roots move with it. path: what was taken out, so
// that pose = (turn by heading about the vertical, then shift by x, y) * pose of `out`. Empty, or why not.
std::string motionInPlace(const Motion& m, GroundPath& path, Motion& out);

// Frames first..last as one period: `last` is the place of `first`, moved on over the ground. Over the first `blend` seconds the difference
// between the two fades, in positions and rotations and in their velocities, by cubics of Hermite; later frames are as they were. last
// is at least first + 2. Empty, or why not.
std::string motionLooped(const Motion& m, int first, int last, double blend, Motion& out);

}  // namespace vertebra::figure
