// See made_energy.hpp.
#include "engine/steppers/ode/made_energy.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::steppers {
namespace {

constexpr double kGain = 0.01;      // of the kinetic energy
constexpr double kPrecise = 1e-6;   // the same of methods of the fourth order and above
constexpr double kMomentum = 0.01;  // of what gravity gives in a step
constexpr double kDriven = 1e-4;    // the same of figures with drives and springs, whose steps may be too long for those
constexpr double kLittle = 1e-3;    // m, times the weight, of figures with drives
constexpr int kPreciseOrder = 4;
constexpr double kFast = 0.2;    // rad, of a link in a step of the integrator: slower turns keep the order of their method
constexpr double kSlow = 1e-5;   // m/s, of the centre of mass, which is round-off
constexpr double kStill = 1e-3;  // m/s, which is no motion

}  // namespace

Made madeEnergy(const WorldData& w, const TreeSystem& system, const OdeFlow& flow, const OdeSettings& settings, double time, double h) {
  const OdeFlow::Energy before = flow.energyAtStart(), now = flow.energy();
  bool driven = false;
  double mass = 0, speed = kStill, fastest = 0;
  for (int ti : system.island.trees) {
    const TreeRuntime& t = w.trees[ti];
    mass += t.mass;
    driven |= t.driven;
    for (int i = t.first; i < t.first + t.tree.count; i++) fastest = std::max(fastest, w.state[i].w.norm());
  }
  if (orderOf(settings.integrator) == 1) speed += 2 * settings.step * w.settings.gravity.norm();
  if (flow.touches()) speed += w.settings.contactSpeed;
  const double given = std::max(0.0, -flow.rubbed(system.next));  // by friction, which brakes what turns back within a step past its rest
  const double gained = now.sum() - before.sum() - flow.driven(system.next) + flow.damped(system.next) - given,
               floor = 0.5 * mass * speed * speed,
               kinetic = std::max({before.kinetic, now.kinetic, std::fabs(flow.driven(system.next)), flow.damped(system.next)});
  if (gained > kGain * kinetic + floor && flow.isClosed()) {
    const bool little = driven && gained < kLittle * mass * w.settings.gravity.norm();  // what grips switches at its bound of force
    return little ? Made::Little : Made::TooMuch;
  }
  if (orderOf(settings.integrator) < kPreciseOrder) return Made::Nothing;
  const double fall = h * w.settings.gravity.norm();
  if (flow.floats() && flow.lostMomentum(time, system.next).norm() > mass * (kMomentum * fall + kSlow)) return Made::Momentum;
  const auto errs = [&](double share) {
    return gained > 0 ? gained > share * kinetic + floor && flow.isClosed() : -gained > share * kinetic + floor && flow.keepsEnergy();
  };
  if (driven && errs(kDriven)) return Made::Errors;
  if (flow.touches() || !(fastest * settings.step > kFast)) return Made::Nothing;
  return errs(kPrecise) ? Made::Errors : Made::Nothing;
}

Failure makesTooMuch(const WorldData& w, const OdeFlow& flow) {
  return {Failure::Diverged, "the step at " + std::to_string(w.time) + " s makes " +
                                 std::to_string(flow.energy().sum() - flow.energyAtStart().sum()) +
                                 " J of nothing, in steps of the integrator however short, and was undone; where light links bear heavy "
                                 "loads or drives are stiff, use smaller time steps, steps with an error control, or the stepper impulse"};
}

}  // namespace vertebra::steppers
