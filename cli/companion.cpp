// See companion.hpp.
#include "cli/companion.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::cli {

namespace {

constexpr double kApart = 0.75;  // of the taller one's height, between the two

// Of the links' frames: least and largest coordinates.
void extent(const vtb_world* world, vtb_figure figure, double lower[3], double upper[3]) {
  size_t total = 0;
  check(vtb_figure_get_poses(world, figure, nullptr, 0, 0, &total), "placing the motion");
  std::vector<double> poses(7 * total);
  check(vtb_figure_get_poses(world, figure, at(poses), total, 0, &total), "placing the motion");
  for (int k = 0; k < 3; k++) lower[k] = 1e300, upper[k] = -1e300;
  for (std::size_t i = 0; i < total; i++)
    for (std::size_t k = 0; k < 3; k++) lower[k] = std::min(lower[k], poses[7 * i + k]), upper[k] = std::max(upper[k], poses[7 * i + k]);
}

}  // namespace

Companion::Companion(vtb_world* world, const vtb_motion* motion, vtb_figure beside) : world_(world), motion_(motion) {
  vtb_skeleton* made = nullptr;
  check(vtb_skeleton_from_motion(motion, nullptr, nullptr, &made), "making the motion's figure");
  skeleton_.reset(made);
  auto def = defaults(vtb_figure_def_init);
  def.skeleton = made;
  def.base = VTB_BASE_FLOATING;
  check(vtb_figure_create(world, &def, &figure_), "putting the motion's figure into the world");
  int32_t links = 0, joints = 0, nq = 0, nv = 0;
  check(vtb_figure_get_size(world, figure_, &links, &joints, &nq, &nv), "reading the motion's figure");
  for (int32_t link = 0; link < links; link++) {
    vtb_body body{};
    check(vtb_figure_get_body(world, figure_, link, &body), "reading the motion's figure");
    check(vtb_body_set_enabled(world, body, 0), "taking the motion's figure out of the physics");
  }
  vtb_workspace* workspace = nullptr;
  check(vtb_workspace_create(made, VTB_BASE_FLOATING, 0, &workspace), "preparing the motion's coordinates");
  coordinates_.workspace.reset(workspace);
  q_.resize(static_cast<std::size_t>(nq));
  v_.resize(static_cast<std::size_t>(nv));
  goTo(0);
  double lower[3], upper[3], mineLower[3], mineUpper[3];
  extent(world, beside, lower, upper);
  extent(world, figure_, mineLower, mineUpper);
  const double tall = std::max(upper[2] - lower[2], mineUpper[2] - mineLower[2]);
  // A clip's figure looks along -y: its left is +x.
  shift_[0] = upper[0] - mineLower[0] + kApart * tall;
  shift_[1] = 0.5 * (lower[1] + upper[1]) - 0.5 * (mineLower[1] + mineUpper[1]);
  goTo(0);
}

void Companion::goTo(double time) {
  check(vtb_workspace_from_motion(coordinates_.workspace.get(), motion_, time, at(q_), at(v_), nullptr), "sampling the motion");
  q_[0] += shift_[0];
  q_[1] += shift_[1];
  check(vtb_figure_set_state(world_, figure_, at(q_), nullptr), "placing the motion's figure");
}

}  // namespace vertebra::cli
