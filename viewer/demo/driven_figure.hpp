// A figure of the demo whose joints are driven to a pose: its coordinates, the targets and gains of its drives and the error that they
// leave. Coordinates as of the workspace: m and rad; stiffness N m/rad, damping N m s/rad, torque N m.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "viewer/demo/handles.hpp"

namespace vertebra::viewer {

struct DrivenFigure {
  vtb_figure figure{};
  client::Skeleton skeleton;
  client::Workspace workspace;
  int32_t links = 0, joints = 0, nq = 0, nv = 0;
  std::vector<double> target, targetRate, stiffness, damping, torque, q, error;

  void create(vtb_world* world, vtb_base base, const double* position);  // of the skeleton
  void drive(vtb_world* world);                                          // writes targets and gains
  void measureError(vtb_world* world);
  std::pair<std::size_t, std::size_t> axes(int32_t joint) const;  // of a joint among the velocities; empty for fixed ones
  double norm(std::size_t first, std::size_t last) const;         // of the error of these axes
};

}  // namespace vertebra::viewer
