// A figure's trajectory as a CSV file that describes itself: a line "# fps=30", a header with the root's position and quaternion (root_x to
// root_z, root_qx to root_qw) and the names of the coordinates of the joints, then a row a frame. Metres, radians, Z up.
#pragma once
#include <string>

#include "engine/figure/trajectory.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

std::string writeTrajectoryText(const figure::Trajectory& trajectory);  // numbers read back to the same values
bool writeTrajectoryFile(const figure::Trajectory& trajectory, const std::string& path, Diagnostics& diagnostics);

}  // namespace vertebra
