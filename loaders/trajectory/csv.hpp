// A figure's trajectory as a CSV file that describes itself: a line "# fps=30", a header with the root's position and quaternion (root_x to
// root_z, root_qx to root_qw) and the names of the coordinates of the joints, then a row a frame. Metres, radians, Z up. The same as JSON.
// Reading: lines that begin with # are comments, but for fps= and figure=; blanks around values, empty lines, every line end and a byte
// order mark are accepted; everything else that does not fit is an error with its line.
#pragma once
#include <string>
#include <string_view>

#include "engine/figure/trajectory.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

inline constexpr const char* kRootColumns[] = {"root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"};
std::string trajectoryColumn(const figure::Trajectory& trajectory, std::size_t coordinate);  // its name in files

// Empty, or which coordinate's name a CSV cannot hold: a comma, an end of line, blanks at its ends, or a # first.
std::string unwritableName(const figure::Trajectory& trajectory);
std::string writeTrajectoryText(const figure::Trajectory& trajectory);  // numbers read back to the same values
std::string writeTrajectoryJson(const figure::Trajectory& trajectory);  // one object: fps, figure, names, frames

// False when there is an error; `out` is then unspecified. `name` is the file in the findings.
bool loadTrajectoryText(std::string_view text, const std::string& name, figure::Trajectory& out, Diagnostics& diagnostics);
bool loadTrajectoryFile(const std::string& path, figure::Trajectory& out, Diagnostics& diagnostics);

}  // namespace vertebra
