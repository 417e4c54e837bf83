// Motors that make a figure follow a clip: bounded ones on its joints and, under a floating base, a six-axis drive of its root.
//
// Joints: the bound is 0.15 x weight x size of the figure for turning axes and half the weight for sliding ones, or the file's effort
// where that is lower; it is reached at an error of 0.1 rad or 0.02 m; damping is 0.02 s x stiffness. Root: at most half the weight
// in sum (0.41 up, 0.2 each sideways) and 0.1 x weight x size of torque about each axis, reached at 0.05 m and 0.2 rad.
#pragma once
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

class Drives {
 public:
  // lift is added to the height of the root in the clip. Failure if no joint of the clip has the name of one of the figure's.
  Drives(vtb_world* world, vtb_figure figure, const Model& model, Coordinates& coordinates, bool floating, const vtb_motion* motion,
         double size, double lift);
  // Where the clip is at a time; clamped to its ends.
  void aim(double time);

 private:
  void powerJoints(const Model& model, double weight, double size);
  void powerRoot(const Model& model, double weight, double size);

  vtb_world* world_;
  vtb_figure figure_;
  vtb_workspace* workspace_;
  const vtb_motion* motion_;
  bool floating_;
  double lift_;
  vtb_joint root_{};
  std::vector<double> q_, v_;
};

}  // namespace vertebra::cli
