// Two surfaces in contact as one.
#pragma once
#include "engine/geometry/shape.hpp"

namespace vertebra {

struct ContactSurface {
  double friction = 0;           // while sliding
  double staticFriction = 0;     // up to which it sticks, never below `friction`
  double rollingFriction = 0;    // m
  double torsionalFriction = 0;  // m
  double restitution = 0;
};

// Friction and restitution by the rule of higher rank of the two; lengths of rolling and torsional friction: the larger, so that one
// soft partner suffices.
ContactSurface combine(const Surface& a, const Surface& b);

}  // namespace vertebra
