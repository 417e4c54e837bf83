// Coordinates of a figure as a clip, and a clip as coordinates. The clip stands in metres, its world is Z-up.
// Its root has the name of the root link, each further joint that of the figure's joint, and turns or slides about the axes of its own
// frame as BVH files can say it: an axis that is none of its frame's, and a frame that is turned in its parent, get a joint NAME.frame
// before it that keeps the turn. So an angle of a hinge is the figure's coordinate, whole turns included, and reading it back
// (motion_coordinates.hpp) gives the coordinates again.
#pragma once
#include <string>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion.hpp"
#include "engine/figure/trajectory.hpp"

namespace vertebra::figure {

// The trajectory fits the model (faultOfTrajectory), whose base floats. File axes: Y up in a figure as of a BVH file, whose links have the
// axes of their joints and whose root's y points up more than its z; else Z up. Empty, or which joint a clip cannot hold.
std::string motionFromTrajectory(const Trajectory& t, const FigureModel& model, Motion& out);

// All frames of the clip; the model's base floats. matched: joints of the figure that the clip has. Empty, or why not.
std::string trajectoryFromMotion(const Motion& m, const FigureModel& model, Trajectory& out, int& matched);

}  // namespace vertebra::figure
