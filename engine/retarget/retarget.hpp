// Retargeting: a motion onto a figure of other proportions. Kinematic; the whole clip at once. Metres, seconds, world axes with Z up.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion.hpp"

namespace vertebra::retarget {

struct Settings {
  double rate = 0;  // frames a second; 0 = the motion's
};

struct Trajectory {
  double frameTime = 0;
  int nq = 0;
  std::vector<double> q;  // frames x nq
  int frames() const { return nq > 0 ? static_cast<int>(q.size()) / nq : 0; }
};

// The model's base must float. Returns an empty string, or what is wrong.
std::string retarget(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings, Trajectory& out);

}  // namespace vertebra::retarget
