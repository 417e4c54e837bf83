// Worlds of the tests of the stepper `ode`.
#pragma once
#include "tests/engine/world/scenes.hpp"

namespace test {

inline vertebra::WorldSettings ode(double rate, vertebra::Integrator integrator = vertebra::Integrator::RungeKutta4,
                                   vertebra::StepControl control = vertebra::StepControl::Fixed) {
  vertebra::WorldSettings s;
  s.stepper = vertebra::Stepper::Ode;
  s.odeIntegrator = integrator;
  s.odeControl = control;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  s.stabilisation = vertebra::Stabilisation::None;
  return s;
}

inline void push(vertebra::world::World& w, int body, const vertebra::Vec3& velocity, const vertebra::Vec3& omega) {
  double residual[2];
  REQUIRE_FALSE(w.setBodyTwist(body, velocity, omega, residual));
}

}  // namespace test
