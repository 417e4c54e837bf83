// See made_energy.hpp.
#include "engine/steppers/ode/made_energy.hpp"

#include <algorithm>

namespace vertebra::steppers {
namespace {

constexpr double kGain = 0.01;   // of the kinetic energy
constexpr double kStill = 1e-3;  // m/s, which is no motion

}  // namespace

bool makesEnergy(const WorldData& w, const TreeSystem& system, const OdeFlow& flow, const OdeSettings& settings) {
  const OdeFlow::Energy before = flow.energyAtStart(), now = flow.energy();
  double mass = 0, speed = kStill;
  for (int ti : system.island.trees) mass += w.trees[ti].mass;
  if (orderOf(settings.integrator) == 1) speed += 2 * settings.step * w.settings.gravity.norm();
  if (flow.touches()) speed += w.settings.contactSpeed;
  const double gained = now.sum() - before.sum();
  return gained > kGain * std::max(before.kinetic, now.kinetic) + 0.5 * mass * speed * speed && flow.isClosed();
}

Failure makesTooMuch(const WorldData& w, const OdeFlow& flow) {
  return {Failure::Diverged, "the step at " + std::to_string(w.time) + " s makes " +
                                 std::to_string(flow.energy().sum() - flow.energyAtStart().sum()) +
                                 " J of nothing, in steps of the integrator however short, and was undone; where light links bear heavy "
                                 "loads, use smaller time steps, steps with an error control, or the stepper impulse"};
}

}  // namespace vertebra::steppers
