// Mass of a solid cylinder about its centre, axis z: of capsules too.
#pragma once
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {

inline MassProperties cylinderMass(double density, double r, double half) {
  double mass = density * kPi * r * r * 2 * half;
  double side = mass * (r * r / 4 + half * half / 3);
  return diagonalMass(mass, side, side, mass * r * r / 2);
}

}  // namespace vertebra::geometry
