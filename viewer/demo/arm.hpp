// The arm of the demo: a robot's arm from a URDF file, fixed beside the walk, that holds a pose under gravity.
#pragma once
#include <string>

#include "viewer/demo/driven_figure.hpp"

namespace vertebra::viewer {

class Arm : public DrivenFigure {
 public:
  Arm(vtb_world* world, const std::string& file, double y);  // y, m: where it stands along the walk
  double sag();                                              // rad from its pose

 private:
  vtb_world* world_;
};

}  // namespace vertebra::viewer
