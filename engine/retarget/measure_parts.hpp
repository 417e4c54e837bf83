// Parts of measure.hpp: what bodies do over the ground and to each other, and what coordinates do within their limits.
#pragma once
#include <vector>

#include "engine/retarget/measure.hpp"
#include "engine/retarget/obstacles.hpp"

namespace vertebra::retarget {

double meanOf(const std::vector<double>& values);

// Fed with the frames in order.
class BodyMeasure {
 public:
  BodyMeasure(const Source& source, const Target& target, Measures& out);
  void add(const Kinematics& kinematics, FrameMeasure& out);
  void finish();

 private:
  void addFoot(int side, const Kinematics& kinematics, FrameMeasure& out);
  void contact(int side, const Interval& interval);

  const Source& source_;
  const Target& target_;
  Measures& out_;
  Obstacles obstacles_;
  std::vector<Vec3> sole_[2];             // last frame's points of the sole
  std::vector<double> soleHeight_[2];     // and their heights
  std::vector<Eigen::Vector2d> slip_[2];  // from each frame to the next, of the points near the lowest
  std::vector<int> pairs_;
  std::vector<Nearness> near_;
  int frames_ = 0;
};

void measureAxes(const Target& target, const figure::Trajectory& trajectory, Measures& out);

}  // namespace vertebra::retarget
