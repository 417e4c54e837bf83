// What a clip shows: frames that do not fit their neighbours, and parts that can be repeated. World axes, Z up, SI.
#pragma once
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// A step from one frame to the next is too large where it is more than kOutlierRatio times the median of the ten steps around it, and more
// than the joint may turn (or a root move) in a frame.
inline constexpr double kOutlierRatio = 6;
inline constexpr double kOutlierAngle = 0.25;  // rad, and
inline constexpr double kOutlierRate = 15;     // rad/s
inline constexpr double kOutlierPath = 0.03;   // m, and
inline constexpr double kOutlierSpeed = 3;     // m/s

enum class OutlierKind { First, Last, Spike, Jump };  // a jump: from the frame before to this one, and it stays

struct Outlier {
  int frame = 0;
  OutlierKind kind = OutlierKind::Jump;
  int joint = 0;     // with the largest step, of those concerned
  double angle = 0;  // rad: of that step; 0 where it is the root's path
  double path = 0;   // m
  int joints = 0;    // concerned
};
std::vector<Outlier> motionOutliers(const Motion& m);

// Two frames between which the clip can be repeated: first .. last - 1 is one period. `error`: m, the root mean square over the joints of
// the differences of their positions and, times 0.1 s, of their velocities, both in the axes of the heading of what carries the clip
// (motion_ground.hpp), its place on the ground left out. Of all pairs the shortest whose error is within a tenth (and 1 mm) of the least.
// first = -1: the clip is too short.
struct Loop {
  int first = -1, last = -1;
  double error = 0;
};
Loop motionLoop(const Motion& m, double shortest);  // s: least length

}  // namespace vertebra::figure
