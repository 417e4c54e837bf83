// Retargeting: a motion onto a figure of other proportions. Kinematic; the whole clip at once. Metres, seconds, world axes with Z up.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion.hpp"
#include "engine/figure/trajectory.hpp"
#include "engine/retarget/guess.hpp"

namespace vertebra::retarget {

struct Settings {
  double rate = 0;               // frames a second; 0 = the motion's
  RoleMap map = {};              // names given for roles
  double start = 0, end = kInf;  // s: part of the motion that the result has; all of it is looked at
};

struct Result {
  figure::Trajectory trajectory;
  std::vector<Match> matches;
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();  // as Source has them
  int foreignFirst = 0, foreignLast = 0;
};

// The model's base must float. Returns an empty string, or what is wrong and how to mend it.
std::string retarget(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings, Result& out);

}  // namespace vertebra::retarget
