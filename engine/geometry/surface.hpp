// The combined surface of two surfaces in contact.
#pragma once
#include "engine/geometry/shape.hpp"

namespace vertebra::geometry {

struct ContactSurface {
  double friction = 0;           // while sliding
  double staticFriction = 0;     // while sticking, never below `friction`
  double rollingFriction = 0;    // m
  double torsionalFriction = 0;  // m
  double restitution = 0;
  double stiffness = 0, damping = 0;  // of a penalty contact; 0: rigid
  bool hertz = false;
};

// Friction and restitution follow the rule of higher rank of the two; of the lengths of rolling and torsional friction the larger applies,
// so that one soft partner suffices. Penalty springs act in series (a rigid partner leaves the other's stiffness), with Hertz's law where
// either follows it.
ContactSurface combine(const Surface& a, const Surface& b);

}  // namespace vertebra::geometry
