// A physics step, its stages and its times: see physics_step.cpp.
#pragma once
#include <algorithm>

#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

Failure physicsStep(WorldData& w, double h);
// For trees that are not held: fields and drivelines for their step, and that step itself; h: the longest of them.
void prepareForces(WorldData& w, double h);
Failure advance(WorldData& w, double h);
// Whether the step is to be divided, because its motion drove a contact deeper than it may: asked when contacts are found and before rows
// are solved, which would be in vain. What was set into another body stays as deep.
Failure failTooDeep(WorldData& w, double h);
// Whether what is open or deep by `now` got beyond `bound` in the step, or further by an eighth of it: it would give way step by step.
inline bool gaveWay(double now, double before, double bound) {
  constexpr double kCreep = 0.125;
  return now > bound && now - before > std::max(bound - before, kCreep * bound);
}
void placePrescribed(WorldData& w, double after);  // prescribed bodies `after` s before the step's end

}  // namespace vertebra::steppers
