// See arm.hpp.
#include "viewer/demo/arm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vertebra::viewer {

Arm::Arm(vtb_world* world, const std::string& file, double y) : world_(world) {
  vtb_skeleton* made = nullptr;
  check(vtb_skeleton_load_urdf(file.c_str(), nullptr, nullptr, &made));
  skeleton.reset(made);
  const double place[3] = {0.9, y, 0};
  create(world, VTB_BASE_FIXED, place);
  check(vtb_workspace_neutral(workspace.get(), target.data()));
  const std::pair<const char*, double> pose[] = {{"joint1", 1.9}, {"joint2", 0.4}, {"joint4", 1.0}, {"joint6", 0.7}};
  for (const auto& [name, angle] : pose) {
    int32_t joint = 0, qIndex = 0, vIndex = 0;
    check(vtb_skeleton_find_joint(made, name, &joint));
    check(vtb_workspace_get_joint(workspace.get(), joint, &qIndex, &vIndex));
    target[static_cast<std::size_t>(qIndex)] = angle;
  }
  check(vtb_figure_set_state(world, figure, target.data(), targetRate.data()));
  std::fill(stiffness.begin(), stiffness.end(), 4000);
  std::fill(damping.begin(), damping.end(), 80);
  std::fill(torque.begin(), torque.end(), HUGE_VAL);  // the effort limits of the file bound them
  drive(world);
}

double Arm::sag() {
  measureError(world_);
  return norm(0, error.size());
}

}  // namespace vertebra::viewer
