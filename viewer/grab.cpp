// See grab.hpp.
#include "viewer/grab.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {
constexpr double kOmega = 14;       // rad/s, of everything that hangs on it as one mass; critically damped
constexpr double kGravity = 9.81;   // m/s^2
constexpr double kStrongest = 4;    // weights, along each axis
constexpr double kGyration = 0.25;  // radius of gyration by size
constexpr double kTorque = 0.8;     // rad of error at which the torque is at its bound
}  // namespace

Hold holdAt(const vtb_world* world, vtb_body body, const osg::Vec3d& point, double mass, double size, bool turning) {
  Hold hold;
  hold.body = body;
  hold.mass = mass;
  hold.size = size;
  hold.turning = turning;
  double pose[7];
  check(vtb_body_get_pose(world, body, pose));
  const double there[7] = {point[0], point[1], point[2], 0, 0, 0, 1};
  double inverse[7];
  check(vtb_pose_inverse(pose, inverse));
  check(vtb_pose_multiply(inverse, there, hold.local));
  return hold;
}

void Grab::begin(const Hold& hold) {
  end();
  vtb_joint_def def;
  check(vtb_joint_def_init(&def, sizeof def));
  def.type = VTB_JOINT_TYPE_MOTOR;
  def.body_b = hold.body;
  std::copy_n(hold.local, 7, def.frame_b);
  check(vtb_joint_create(world_, &def, &joint_));
  hold_ = hold;
  const double inertia = hold.mass * std::pow(kGyration * hold.size, 2);
  for (int32_t axis = 0; axis < 6; axis++) {
    vtb_motor_def motor;
    check(vtb_motor_def_init(&motor, sizeof motor));
    const double load = axis < 3 ? hold.mass : inertia;
    motor.mode = axis < 3 || hold.turning ? VTB_MOTOR_MODE_POSITION : VTB_MOTOR_MODE_OFF;
    motor.stiffness = load * kOmega * kOmega;
    motor.damping = 2 * load * kOmega;
    motor.max_force = axis < 3 ? kStrongest * kGravity * hold.mass : kTorque * motor.stiffness;
    check(vtb_joint_set_motor(world_, joint_, axis, &motor));
  }
  aim(point(), osg::Quat());
}

void Grab::end() {
  if (!hold_) return;
  vtb_joint_destroy(world_, joint_);  // or it went with its body
  hold_.reset();
}

void Grab::aim(const osg::Vec3d& point, const osg::Quat& turn) {
  const double pose[7] = {point[0], point[1], point[2], turn.x(), turn.y(), turn.z(), turn.w()};
  check(vtb_joint_set_target(world_, joint_, pose, nullptr));
  check(vtb_body_wake(world_, hold_->body));
}

double Grab::force() const {
  vtb_joint_forces forces{};
  forces.struct_size = sizeof forces;
  if (!hold_ || vtb_joint_get_forces(world_, joint_, &forces) != VTB_OK) return 0;
  return std::hypot(forces.motor_force[0], forces.motor_force[1], forces.motor_force[2]);
}

osg::Vec3d Grab::point() const {
  double pose[7];
  check(vtb_body_get_pose(world_, hold_->body, pose));
  return applied(pose, {hold_->local[0], hold_->local[1], hold_->local[2]});
}

}  // namespace vertebra::viewer
