// From shapes to contacts: see contacts.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

// foresee: time [s] after the present over which impacts of fast bodies are looked for; 0 = not at all. step: length of the step whose
// rows are built next, in which contacts that nothing can close are left out; 0 = none are.
void collideAll(WorldData& w, double foresee = 0, double step = 0);
// m: a gap that nothing can close in a step, given how fast the bodies approach each other at its start.
double reachOfStep(const WorldData& w, double approach, double step);
Pose shapeWorldPose(const WorldData& w, const ShapeSlot& s);
void updateTouching(WorldData& w);  // contact events, once forces are known

}  // namespace vertebra
