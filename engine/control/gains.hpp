// Default gains and torque limits of a figure's axes, from its masses. SI units; arrays by velocity of the figure, 0 for a floating base.
#pragma once
#include <vector>

#include "engine/figure/figure_model.hpp"

namespace vertebra::control {

struct Gains {
  std::vector<double> inertia;             // kg m^2 or kg that each axis moves: the diagonal of M at zero coordinates, with armature
  std::vector<double> stiffness, damping;  // omega^2 and 2 ratio omega times it
};

// omega [rad/s]: natural frequency; ratio: of damping, 1 = critical. The same for any mass and length: a drive of these gains follows a
// step of its target in about 5 / omega.
Gains defaultGains(std::shared_ptr<const figure::FigureModel> model, double omega, double ratio);

// Those of drives in any pose: the largest inertia of 16 poses within the limits (a straight arm turns lightly about its length, a bent one
// does not), and so stiff that the joint's own friction, or its damping at 1 rad/s, bends it by 0.02 rad at most.
Gains driveGains(std::shared_ptr<const figure::FigureModel> model, double omega, double ratio);

struct Efforts {
  std::vector<double> limit;  // N m or N
  std::vector<bool> derived;  // the skeleton gives none (infinite or 0)
};

// Those of the skeleton. Where it gives none: twice the weight of all that the axis carries times its reach; of axes that carry a foot
// besides the figure's weight times the distance of the farthest point of that foot.
Efforts effortLimits(std::shared_ptr<const figure::FigureModel> model, const std::vector<int>& feet, double gravity);

}  // namespace vertebra::control
