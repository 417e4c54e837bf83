// A trajectory played by physics: prepared, tracked in a world of its own with level ground, and recorded.
#pragma once
#include <memory>
#include <string>

#include "engine/control/preparation.hpp"
#include "engine/control/tracker.hpp"

namespace vertebra::control {

struct PhysicsSettings {
  TrackSettings track;
  Preparation preparation;
  bool prepares = true;
  double step = 1.0 / 240;  // s, at most: frames are whole numbers of steps
  double start = 0;         // s of the trajectory
  bool selfCollision = false;
};

struct PhysicsResult {
  figure::Trajectory trajectory;  // frames of the given one from the start on, until the end or a fall
  TrackMeasures measures;
  double started = 0;  // s of the trajectory
  double shift = 0;    // m: largest way by which the preparation shifted the body
};

// The model's base must float. Returns an empty string, or what went wrong.
std::string playByPhysics(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory,
                          const PhysicsSettings& settings, PhysicsResult& out);

}  // namespace vertebra::control
