// See walker.hpp. Drives and ranges of its joints are found by their names.
#include "viewer/demo/walker.hpp"

#include <algorithm>
#include <cstring>

namespace vertebra::viewer {
namespace {

constexpr double kJointGoesLimp = 0.45;  // rad from its target
constexpr double kRootGoesLimp = 0.20;   // m from its target

// Joints whose names contain the word: their drives and ranges. Twist is about the axis of the clip's first rotation channel, which points
// forward in these clips, so that bending knees and hips are swing, arms hanging down are twist.
struct Drive {
  const char* word;
  double stiffness, damping, torque;  // N m/rad, N m s/rad, N m
  double swing, twist;                // rad
};
constexpr Drive kDrives[] = {{"UpLeg", 1200, 60, 260, 1.8, 0.6},  {"Foot", 500, 20, 160, 0.9, 0.4},   {"Toe", 40, 2, 30, 0.9, 0.3},
                             {"Leg", 900, 40, 220, 2.2, 0.2},     {"Spine", 1200, 60, 260, 0.5, 0.4}, {"Chest", 900, 40, 200, 0.5, 0.4},
                             {"Shoulder", 300, 10, 80, 0.5, 0.4}, {"ForeArm", 80, 3, 40, 2.2, 2.2},   {"Hand", 20, 0.5, 10, 1.0, 1.0},
                             {"Arm", 160, 6, 70, 2.2, 1.8},       {"", 80, 3, 30, 0.6, 0.5}};  // the last: neck and head
constexpr double kLimpDamping = 1.5;                                                           // N m s/rad, like that of flesh

const Drive& driveOf(const char* name) {
  const Drive* d = kDrives;
  while (!std::strstr(name, d->word)) d++;
  return *d;
}

}  // namespace

Walker::Walker(vtb_world* world, const std::string& clip, double gravity) : world_(world) {
  vtb_motion* motion = nullptr;
  check(vtb_motion_load_bvh(clip.c_str(), nullptr, nullptr, &motion));
  motion_.reset(motion);
  vtb_skeleton* made = nullptr;
  check(vtb_skeleton_from_motion(motion, nullptr, nullptr, &made));
  skeleton.reset(made);
  const double origin[3] = {};
  create(world, VTB_BASE_FLOATING, origin);
  follow(0);
  check(vtb_figure_set_state(world, figure, target.data(), targetRate.data()));

  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_info(made, &info));
  weight_ = info.mass * gravity;
  check(vtb_figure_get_body(world, figure, info.root, &root_));
  limp_.assign(static_cast<std::size_t>(joints), false);
  for (int32_t j = 0; j < joints; j++) {
    bound(j);
    setLimp(j, false);
  }
  driveRoot(VTB_MOTOR_MODE_POSITION);
}

void Walker::control(double time) {
  follow(time);
  measureError(world_);
  if (!fallen_) {
    for (int32_t j = 0; j < joints; j++) {
      const auto [first, last] = axes(j);
      const double off = norm(first, last);
      jointError_ = std::max(jointError_, off);
      if (off > kJointGoesLimp) setLimp(j, true);
      if (off < 0.5 * kJointGoesLimp && limp(j)) setLimp(j, false);
    }
    if (norm(0, 3) > kRootGoesLimp || 3 * limpCount() > joints) {
      fallen_ = true;
      driveRoot(VTB_MOTOR_MODE_OFF);
      for (int32_t j = 0; j < joints; j++) setLimp(j, true);
    }
  }
  check(vtb_joint_set_target(world_, rootDrive_, target.data(), targetRate.data()));
  drive(world_);
}

int Walker::limpCount() const { return static_cast<int>(std::count(limp_.begin(), limp_.end(), true)); }

void Walker::clipPosition(double time, const char* link, double* position) {
  follow(time);
  int32_t index = 0;
  check(vtb_skeleton_find_link(skeleton.get(), link, &index));
  std::vector<double> poses(7 * static_cast<std::size_t>(links));
  std::size_t total = 0;
  check(vtb_dynamics_poses(workspace.get(), target.data(), poses.data(), static_cast<std::size_t>(links), 0, &total));
  std::copy_n(&poses[7 * static_cast<std::size_t>(index)], 3, position);
}

void Walker::follow(double time) {
  check(vtb_workspace_from_motion(workspace.get(), motion_.get(), time, target.data(), targetRate.data(), nullptr));
}

void Walker::bound(int32_t joint) {
  vtb_joint_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_joint(skeleton.get(), joint, &info));
  if (info.type != VTB_JOINT_TYPE_SPHERICAL) return;
  vtb_joint handle{};
  check(vtb_figure_get_joint(world_, figure, joint, &handle));
  const Drive& d = driveOf(info.name);
  check(vtb_joint_set_swing_twist(world_, handle, d.swing, -d.twist, d.twist));
}

void Walker::setLimp(int32_t joint, bool limp) {
  vtb_joint_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_joint(skeleton.get(), joint, &info));
  const Drive& d = driveOf(info.name);
  const auto [first, last] = axes(joint);
  for (std::size_t i = first; i < last; i++) {
    stiffness[i] = limp ? 0 : d.stiffness;
    damping[i] = limp ? kLimpDamping : d.damping;
    torque[i] = d.torque;
    if (limp) targetRate[i] = 0;
  }
  limp_[static_cast<std::size_t>(joint)] = limp;
}

// Six axes between the world and the pelvis. Together the three forces never carry more than half the weight.
void Walker::driveRoot(vtb_motor_mode mode) {
  if (!rootDrive_.bits) {
    vtb_joint_def def;
    check(vtb_joint_def_init(&def, sizeof def));
    def.type = VTB_JOINT_TYPE_MOTOR;
    def.body_b = root_;
    check(vtb_joint_create(world_, &def, &rootDrive_));
  }
  const double share[3] = {0.2, 0.2, 0.4};  // of the weight; their norm is 0.49
  for (int32_t axis = 0; axis < 6; axis++) {
    vtb_motor_def motor;
    check(vtb_motor_def_init(&motor, sizeof motor));
    motor.mode = mode;
    motor.stiffness = axis < 3 ? 6000 : 1500;
    motor.damping = axis < 3 ? 600 : 100;
    motor.max_force = axis < 3 ? share[axis] * weight_ : 120;
    check(vtb_joint_set_motor(world_, rootDrive_, axis, &motor));
  }
}

}  // namespace vertebra::viewer
