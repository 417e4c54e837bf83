// Course: a trajectory as a smooth function of time, and where it touches the ground. Uniform cubic B-spline over the frames, taken in the
// tangent space of the frame before: twice differentiable, and smoother than the frames (each becomes 1/6, 4/6, 1/6 of itself and its
// neighbours). World axes, Z up, ground at height 0; coordinates q, velocities v as engine/figure/coordinates.hpp has them.
#pragma once
#include <memory>
#include <vector>

#include "engine/figure/trajectory.hpp"
#include "engine/retarget/kinematics.hpp"

namespace vertebra::control {

struct SolePoint {  // of a body that stands somewhere in the trajectory
  retarget::Anchor at;
  double radius = 0;
};

class Course {
 public:
  // stands: whether it is asked for soles and feet, which takes longest to find.
  Course(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory, bool stands = true);

  const figure::FigureModel& model() const { return *model_; }
  std::shared_ptr<const figure::FigureModel> sharedModel() const { return model_; }
  double duration() const { return frameTime_ * (frames_ - 1); }
  int frames() const { return frames_; }
  double frameTime() const { return frameTime_; }
  int framesOf(double seconds) const;  // at least one
  // Outside of the trajectory its first or last frame, at rest. v and a may be null.
  void at(double t, double* q, double* v, double* a) const;

  const std::vector<SolePoint>& soles() const { return soles_; }  // ordered by body
  const std::vector<int>& feet() const { return feet_; }          // bodies that stand somewhere, in ascending order
  bool stands(std::size_t foot, double t) const;                  // at the nearest frame

 private:
  void findSoles();
  std::vector<bool> withRolls(const std::vector<bool>& still, const std::vector<bool>& rolls) const;
  const double* frame(int i) const;

  std::shared_ptr<const figure::FigureModel> model_;
  std::shared_ptr<const figure::Trajectory> trajectory_;
  int frames_ = 0;
  double frameTime_ = 0;
  std::vector<SolePoint> soles_;
  std::vector<int> feet_;
  std::vector<std::vector<bool>> stands_;              // by foot and frame
  mutable std::vector<double> before_, here_, after_;  // differences of neighbouring frames
};

// The points on which a figure stands in a pose: those of bodies whose lowest point is within 25 mm of the ground. False: there is none, or
// it is in the ground.
bool solesOfPose(std::shared_ptr<const figure::FigureModel> model, const std::vector<double>& q, std::vector<SolePoint>& soles,
                 std::vector<int>& feet);

}  // namespace vertebra::control
