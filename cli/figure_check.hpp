// What `vertebra figure` finds when a motion is held against a figure, and in the controllers of a scene's figures.
#pragma once
#include <string>
#include <vector>

#include "cli/model.hpp"

namespace vertebra::cli {

struct AxisCheck {  // of a figure while the motion runs
  std::string name;
  double lower = 0, upper = 0, fastest = 0;                          // its range and largest rate in the skeleton; infinite: none
  double lowest = 0, highest = 0, quickest = 0;                      // in the motion
  int beyond = 0, firstBeyond = -1, tooFast = 0, firstTooFast = -1;  // frames
};
struct MotionCheck {
  std::string file;
  vtb_motion_info info;
  std::vector<std::string> met, lacking, spare;  // joints that both have; of the figure alone; of the motion alone
  std::vector<AxisCheck> axes;
  std::vector<Diagnostic> outliers;
};
// Joints meet by their names. Coordinates and rates are those that the figure would have.
MotionCheck checkMotion(const std::string& file, const Model& model, const Arguments& arguments, std::vector<Diagnostic>& diagnostics);
std::string describe(const MotionCheck& check);
void write(Json& json, const MotionCheck& check);

// The controllers of all figures of a scene after its first step: what they are, what they drive, with which gains, to where.
int checkControllers(const Arguments& arguments);

}  // namespace vertebra::cli
