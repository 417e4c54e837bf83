// The smooth course that a pass of inverse kinematics stays near to, and how far from it each frame may go so that no axis passes its
// largest speed, whatever the frames beside it do. Coordinates of the figure; metres, radians, seconds.
#pragma once
#include <vector>

#include "engine/retarget/target.hpp"

namespace vertebra::retarget {

struct Course {
  std::vector<std::vector<double>> q;     // by frame
  std::vector<std::vector<double>> room;  // by frame and velocity; infinite where no speed is given
};

// The coordinates without what changes faster than `deviation` (s, of a Gaussian), within largest speeds.
Course smoothCourse(const Target& target, const std::vector<std::vector<double>>& q, double frameTime, double deviation);

// Coordinates at frame i without fast changes; deviation in frames.
void smoothedAt(const Target& target, const std::vector<std::vector<double>>& q, int i, double deviation, std::vector<double>& out);

}  // namespace vertebra::retarget
