// A motion as generalised coordinates of a figure, joints matched by name.
#pragma once
#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion.hpp"

namespace vertebra::capi {

// Coordinates and velocities at a time [s], clamped to the clip; either may be null. What the motion does not name stays neutral.
// Returns the number of the figure's joints (and floating base) that were matched.
int coordinatesFromMotion(const FigureModel& model, const Motion& motion, double time, double* q, double* v);

}  // namespace vertebra::capi
