// Preparation: a trajectory made ready to be tracked. Its feet keep clear of the ground, roll without sliding and stand flat where one
// bears alone (footing.hpp). The body moves sideways so far that the ground forces it needs act near the middle of the soles that stand (a
// dynamics filter over the point of zero moment, the whole course at once). Legs are solved again by inverse kinematics, so that feet that
// stand stay where they are.
#pragma once
#include <memory>

#include "engine/control/course.hpp"

namespace vertebra::control {

struct Preparation {
  double clearance = 0.02;  // m: of soles in the middle of a swing
  double bend = 0.015;    // share of the root's height at the start by which it goes down around steps: straight legs give no force upwards
  double stray = 0.1;     // weight of a shift of the body against the way that ground forces act outside of the soles
  int passes = 2;         // 0: the body is not shifted
  double gravity = 9.81;  // m/s^2
};

// The largest shift of the body in m, in `shift`.
std::shared_ptr<const figure::Trajectory> prepare(std::shared_ptr<const figure::FigureModel> model,
                                                  std::shared_ptr<const figure::Trajectory> trajectory, const Preparation& how,
                                                  double& shift);

}  // namespace vertebra::control
