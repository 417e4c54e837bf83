// How well a figure's trajectory renders a motion: errors of key points, feet in contact, ground, links in each other, limits, smoothness.
// World axes, Z up, ground at height 0; metres, radians, seconds, shares from 0 to 1.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/figure/trajectory.hpp"
#include "engine/retarget/source.hpp"
#include "engine/retarget/target.hpp"

namespace vertebra::retarget {

struct AxisMeasure {  // one coordinate of a joint
  std::string name;
  double lower = -kInf, upper = kInf, velocity = kInf;  // limits
  double lowest = 0, highest = 0;                       // reached
  double excess = 0;                                    // largest passing of a limit
  double beyond = 0, resting = 0;                       // shares of frames: more than 1e-3 beyond; within 1e-3 of a limit or beyond
  double speed = 0, fast = 0;                           // largest rate; share of steps faster than its limit
  double jump = 0;                                      // largest change from a frame to the next
  double spike = 0;                                     // largest distance from the mean of the frames before and after
};

struct PointMeasure {  // a key point, from the middle of the hips and in the world: distance from its goal, mean and 95th percentile
  double relative = 0, relative95 = 0, global = 0, global95 = 0;
  bool known = false;
};

struct ContactMeasure {
  int side = 0, first = 0, last = 0;  // frames
  double slide = 0;                   // largest distance that the sole drifts within it
  double path = 0;                    // length of the drift
};

struct FrameMeasure {
  double footHeight[2] = {0, 0};  // of the lowest point of the sole
  double error = 0;               // mean over the key points of the limbs, from the middle of the hips
  double depth = 0;               // of the deepest point below the ground; negative = above
  double overlap = 0;             // of links, beyond that of zero coordinates
  ByRole<Vec3> source, figure;    // points of the roles
};

struct Measures {
  double frameTime = 0;
  std::vector<AxisMeasure> axes;
  std::vector<ContactMeasure> contacts;
  std::vector<FrameMeasure> frames;
  ByRole<PointMeasure> points;
  ByRole<double> turn, turn95;  // of feet, hands, head after the best constant alignment: mean and 95th percentile; -1 = none
  PointMeasure limbs;           // knees, feet, elbows and hands together
  double yaw = 0;               // rotation of the figure's path against the motion's about the vertical
  double pathScale = 1;         // of the figure's path over the motion's
  double limitFrames = 0, restingFrames = 0, fastFrames = 0, jumpFrames = 0, spikeFrames = 0;  // shares
  double excess = 0, speedRatio = 0, jump = 0, spike = 0, jerk = 0;  // largest passing of a limit, rate over its limit; jerk r.m.s.
  double slideMean = 0, slide95 = 0, slideMost = 0, slideSpeed = 0;
  double contactShare = 0, contactKept = 0, contactHeight = 0;  // kept: sole within 20 mm of the ground; median height in contact
  double depthMost = 0, depthMean = 0, deepFrames = 0, floatingFrames = 0;  // deep: more than 5 mm; floating: all over 20 mm above
  double overlapMost = 0, overlapFrames = 0;                                // frames with more than 10 mm
  std::string deepest, overlapping;                                         // links
  double footJerk = 0, handJerk = 0;                                        // over the motion's at the figure's size; 0 where that is still
};

// The trajectory's frames are at the source's times. The source has the trajectory's number of frames.
Measures measure(const Source& source, const Target& target, const figure::Trajectory& trajectory);

// Reads motion and figure and measures: an empty string, or what is wrong.
std::string measure(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const RoleMap& map,
                    const figure::Trajectory& trajectory, Measures& out);

}  // namespace vertebra::retarget
