// The table of steppers. See steppers.hpp and state/stepper_traits.hpp.
#include "engine/steppers/steppers.hpp"

namespace vertebra::steppers {
namespace {

constexpr StepperTraits kSteppers[] = {
    // in the order of enum Stepper
    {.name = "impulse", .step = stepImpulse, .foresee = strikeLaunched, .shiftsPenetration = true, .multirate = true, .ownSteps = true},
    {.name = "variational", .step = stepVariational, .resize = resizeVariational, .foresee = strikeLaunched, .shiftsPenetration = true},
    {.name = "ode",
     .step = stepOde,
     .reserve = reserveOde,
     .accelerationRows = true,
     .implicitFields = false,
     .divides = false,
     .searchesOften = true,
     .ownSteps = true,
     .ownIntegrators = true},
    // The flow of impulse; its rows are soft (constraints/row_law.hpp).
    {.name = "spook",
     .step = stepImpulse,
     .foresee = strikeLaunched,
     .exactRows = false,
     .smoothSteps = false,
     .mildSprings = false,
     .multirate = true,
     .ownSteps = true},
    {.name = "displacement",
     .step = stepDisplacement,
     .reserve = reserveDisplacement,
     .foresee = foreseeDisplacement,
     .freePoses = true,
     .mildSprings = false,
     .sweepsPositions = true},
};

}  // namespace

const StepperTraits& rowOf(Stepper stepper) { return kSteppers[static_cast<int>(stepper)]; }

}  // namespace vertebra::steppers

const vertebra::StepperTraits& vertebra::state::traitsOf(Stepper stepper) { return steppers::rowOf(stepper); }
