// Trajectory: the coordinates of a figure with a moving root over time, at equal steps. Order and meaning of the coordinates: those of its
// skeleton with a floating base (engine/figure/coordinates.hpp): position and quaternion of the root link, then the joints. SI units.
#pragma once
#include <string>
#include <vector>

namespace vertebra::figure {

struct Trajectory {
  std::string name;
  std::vector<std::string> names;  // of the coordinates
  double frameTime = 1.0 / 30;     // s
  std::vector<double> q;           // frames x coordinates, row after row

  int nq() const { return static_cast<int>(names.size()); }
  int frames() const { return names.empty() ? 0 : static_cast<int>(q.size() / names.size()); }
  const double* frame(int i) const { return q.data() + static_cast<std::size_t>(i) * names.size(); }
};

// A trajectory with what a figure makes of it (trajectory_arrays.hpp), as learning pipelines read it. World axes, Z up, SI.
// Row after row: frames, then links, then components. Quaternions with w first, as learning pipelines have them.
struct TrajectoryArrays {
  int frames = 0, links = 0, jointQ = 0, jointV = 0;
  double fps = 0;
  std::vector<double> jointPositions, jointVelocities, positions, orientations, linear, angular;
  std::vector<std::string> jointNames, linkNames;  // of joint coordinates
};

}  // namespace vertebra::figure
