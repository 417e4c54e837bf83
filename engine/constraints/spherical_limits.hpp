// Swing and twist limits of an orientation. Angles in rad.
#pragma once
#include "engine/state/slots.hpp"

namespace vertebra::constraints {

// A limit within the margin: the weights of the joint's three rates whose sum is the rate of its gap.
struct SphericalLimit {
  Vec3 direction;
  double gap = 0, restitution = 0;
  int axis = 0;  // names its warm start
};
int sphericalLimits(const JointSlot& j, Quat q, double margin, SphericalLimit* out);  // at most three

}  // namespace vertebra::constraints
