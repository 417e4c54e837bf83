// What a trajectory means for a figure: velocities of its coordinates, poses and twists of its links, frame by frame. World axes, Z up, SI.
#pragma once
#include <string>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/trajectory.hpp"

namespace vertebra::figure {

// Empty, or how the trajectory's coordinates differ from the model's, whose base floats; the root's seven are known by their place.
std::string faultOfTrajectory(const Trajectory& t, const FigureModel& model);

// v (nv values) of a frame: with d(i) the difference of frames i and i + 1 on the group and h the frame time, (d(i-1) + d(i)) / 2h; at the
// ends (3 d(0) - d(1)) / 2h. Exact for constant velocities and for constant acceleration along a line.
void trajectoryVelocities(const Trajectory& t, const FigureModel& model, int frame, double* v);

TrajectoryArrays trajectoryArrays(const Trajectory& t, std::shared_ptr<const FigureModel> model);

}  // namespace vertebra::figure
