// See driven_figure.hpp.
#include "viewer/demo/driven_figure.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::viewer {

void DrivenFigure::create(vtb_world* world, vtb_base base, const double* position) {
  vtb_figure_def def;
  check(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = skeleton.get();
  def.base = base;
  std::copy_n(position, 3, def.pose);
  check(vtb_figure_create(world, &def, &figure));
  check(vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv));
  vtb_workspace* made = nullptr;
  check(vtb_figure_create_workspace(world, figure, &made));
  workspace.reset(made);
  target.assign(static_cast<std::size_t>(nq), 0);
  q = target;
  targetRate.assign(static_cast<std::size_t>(nv), 0);
  stiffness = damping = torque = error = targetRate;
}

void DrivenFigure::drive(vtb_world* world) {
  check(vtb_figure_set_motors(world, figure, target.data(), targetRate.data(), stiffness.data(), damping.data(), torque.data()));
}

void DrivenFigure::measureError(vtb_world* world) {
  std::size_t total = 0;
  check(vtb_figure_get_q(world, figure, q.data(), q.size(), &total));
  check(vtb_workspace_difference(workspace.get(), q.data(), target.data(), error.data()));
}

std::pair<std::size_t, std::size_t> DrivenFigure::axes(int32_t joint) const {
  vtb_joint_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_joint(skeleton.get(), joint, &info));
  int32_t qIndex = -1, vIndex = -1;
  check(vtb_workspace_get_joint(workspace.get(), joint, &qIndex, &vIndex));
  if (vIndex < 0) return {0, 0};
  return {static_cast<std::size_t>(vIndex), static_cast<std::size_t>(vIndex + info.axes)};
}

double DrivenFigure::norm(std::size_t first, std::size_t last) const {
  double sum = 0;
  for (std::size_t i = first; i < last; i++) sum += error[i] * error[i];
  return std::sqrt(sum);
}

}  // namespace vertebra::viewer
