// Energy that a step of an integrator makes of nothing. Where links swing faster than its steps resolve, an explicit one does, without
// limit. Not counted: what methods of first order make of a fall, and the speed at which penetration is pushed out. Of methods of order 4
// and 5 much smaller errors tell that their steps are too long for links that turn fast or for drives, and lost energy does too; so does
// momentum of what floats that neither gravity nor contacts explain. The work of drives and dampers counts, as it is integrated.
#pragma once
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/ode/tree_systems.hpp"

namespace vertebra::steppers {

enum class Made { Nothing, Errors, Little, Momentum, TooMuch };
Made madeEnergy(const WorldData& w, const TreeSystem& system, const OdeFlow& flow, const OdeSettings& settings, double time, double h);
Failure makesTooMuch(const WorldData& w, const OdeFlow& flow);

}  // namespace vertebra::steppers
