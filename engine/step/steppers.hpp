// The steppers behind one interface: each moves all trees that are awake by h and leaves coordinates, velocities and forces of the new
// state in WorldData. What they share is in physics_step.cpp: prescribed bodies have moved before; contacts are remembered, islands put
// to sleep and everything undone on failure after. A new stepper is one file, a line here and one in stepperOf().
#pragma once
#include "engine/step/world_data.hpp"

namespace vertebra {

using StepFunction = Failure (*)(WorldData& w, double h);

Failure stepImpulse(WorldData& w, double h);

// Failures that several report: of a step that gave no numbers, and of a tree without a factor at a link.
Failure diverged(const WorldData& w);
Failure noFactor(const WorldData& w, const TreeRuntime& t, int link);

}  // namespace vertebra
