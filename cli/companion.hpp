// A motion beside the figure that follows it: the motion's own figure in the same world, taken out of its physics and placed by the clip.
#pragma once
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

class Companion {
 public:
  // motion stays the caller's. The companion stands to the left of the figure as the motion begins, by what both are wide.
  Companion(vtb_world* world, const vtb_motion* motion, vtb_figure beside);
  void goTo(double time);  // s; past its end it stays

 private:
  vtb_world* world_;
  const vtb_motion* motion_;
  vtb_figure figure_{};
  Skeleton skeleton_;
  Coordinates coordinates_;
  std::vector<double> q_, v_;
  double shift_[2] = {};
};

}  // namespace vertebra::cli
