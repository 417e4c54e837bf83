// The stepper `displacement` with the settings of its tests: many sweeps, no sleep.
#pragma once
#include "tests/engine/world/scenes.hpp"

namespace test {

inline WorldSettings displacementSettings(double step = 1.0 / 240) {
  WorldSettings s;
  s.stepper = Stepper::Displacement;
  s.timeStep = step;
  s.sleeping = false;
  s.solverIterations = 100;
  s.solverTolerance = 1e-9;
  return s;
}

}  // namespace test
