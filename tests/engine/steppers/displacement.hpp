// The stepper `displacement` with the settings of its tests: many sweeps, no sleep, steps that are not divided where sweeps leave much.
#pragma once
#include "tests/engine/world/scenes.hpp"

namespace test {

inline WorldSettings displacementSettings(double step = 1.0 / 240) {
  WorldSettings s;
  s.stepper = Stepper::Displacement;
  s.timeStep = step;
  s.sleeping = false;
  s.adaptiveSubsteps = 1;
  s.solverIterations = 100;
  s.solverTolerance = 1e-9;
  return s;
}

}  // namespace test
