// When a joint of a clip rests on the ground: by its height and speed, with hysteresis. World axes, Z up, metres, seconds.
#pragma once
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// A contact begins where the point is lower than height[0] above the floor and slower than speed[0]; it ends where it is higher than
// height[1] or faster than speed[1]. One that is shorter than `shortest` is none.
struct ContactRule {
  double height[2] = {0.03, 0.05};  // m
  double speed[2] = {0.1, 0.2};     // m/s
  double shortest = 0.1;            // s
};

// Whether a point rests now, by whether it rested a frame before. height: m above the floor; speed: m/s.
inline bool rests(const ContactRule& rule, bool before, double height, double speed) {
  return height < rule.height[before] && speed < rule.speed[before];
}

inline constexpr double kSpeedReach = 1.0 / 30;  // s: to both sides of a frame; over less, noise of the record outweighs what moves
int speedReach(double frameTime);                // in frames

struct PointTrack {                   // of a point, frame by frame
  std::vector<double> height, speed;  // m; m/s, by differences over the reach to both sides (one side at the ends)
};
PointTrack trackOf(const std::vector<Vec3>& positions, double frameTime);

// The value below which `share` of the values lie, between neighbours linear; 0 of none.
double quantile(std::vector<double> values, double share);

inline constexpr double kFloorShare = 0.03;  // of the heights of a foot lie below the floor: noise of the record
std::vector<bool> restingFrames(const PointTrack& track, double floor, const ContactRule& rule, double frameTime);

// Of a joint of a clip. floor: m, or not a number: found from the joint's own heights.
std::vector<bool> motionContacts(const Motion& m, int joint, double floor, const ContactRule& rule);

}  // namespace vertebra::figure
