// The stepper `displacement` as its tests run it: many sweeps, no sleep.
#pragma once
#include "tests/engine/step/scenes.hpp"

namespace test {

inline WorldSettings displacementSettings(double step = 1.0 / 240) {
  WorldSettings s;
  s.stepper = Stepper::Displacement;
  s.timeStep = step;
  s.sleeping = false;
  s.lcpIterations = 100;
  s.lcpTolerance = 1e-9;
  return s;
}

}  // namespace test
