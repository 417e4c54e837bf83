// See vehicle.hpp.
#include "viewer/vehicle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "viewer/include/vertebra_view.h"
#include "viewer/names.hpp"
#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {

constexpr double kSteerRate = 2.5;  // of the half range, 1/s
constexpr double kWheelSpeed = 15;  // rad/s of wheels without a driveline
constexpr double kFree = 0.5;       // rad: range of steering without limits

bool contains(std::string name, const char* word) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find(word) != std::string::npos;
}

}  // namespace

Vehicle::Vehicle(vtb_world* world) : world_(world) {
  for (const vtb_constraint c : listed<vtb_constraint>(
           [&](vtb_constraint*out, std::size_t n, std::size_t*total) { return vtb_world_get_constraints(world, out, n, total); })) {
    Part part;
    part.handle = c;
    part.input.struct_size = sizeof part.input;
    if (vtb_driveline_get_input(world, c, &part.input) != VTB_OK) continue;
    part.steers = contains(nameOf(world, VTB_NAMED_CONSTRAINT, c.bits), "steer");
    if (part.input.gear > 0) gear_ = part.input.gear;
    parts_.push_back(part);
  }
  for (const vtb_joint joint :
       listed<vtb_joint>([&](vtb_joint*out, std::size_t n, std::size_t*total) { return vtb_world_get_joints(world, out, n, total); })) {
    vtb_joint_def def{};
    def.struct_size = sizeof def;
    check(vtb_joint_get_def(world, joint, &def));
    const std::string name = nameOf(world, VTB_NAMED_JOINT, joint.bits);
    const bool wheel = def.type == VTB_JOINT_TYPE_WHEEL;
    Axis axis;
    axis.joint = joint;
    axis.axis = wheel ? 1 : 0;
    vtb_axis_def limits{};
    limits.struct_size = sizeof limits;
    if (vtb_joint_get_axis(world, joint, axis.axis, &limits) != VTB_OK) continue;
    axis.lower = std::isfinite(limits.lower) ? limits.lower : -kFree;
    axis.upper = std::isfinite(limits.upper) ? limits.upper : kFree;
    axis.bound = limits.effort;
    vtb_motor_def motor{};
    motor.struct_size = sizeof motor;
    check(vtb_joint_get_motor(world, joint, axis.axis, &motor));
    if ((wheel && motor.mode == VTB_MOTOR_MODE_POSITION) || (def.type == VTB_JOINT_TYPE_REVOLUTE && contains(name, "steer")))
      steering_.push_back(axis);
    else if (parts_.empty() && def.type == VTB_JOINT_TYPE_CONTINUOUS && (contains(name, "wheel") || contains(name, "spin")))
      wheels_.push_back(axis);
  }
}

bool Vehicle::key(int key, bool pressed) {
  if (!any()) return false;
  switch (key) {
    case VTB_VIEWER_KEY_UP:
      forward_ = pressed;
      break;
    case VTB_VIEWER_KEY_DOWN:
      back_ = pressed;
      break;
    case VTB_VIEWER_KEY_LEFT:
      left_ = pressed;
      break;
    case VTB_VIEWER_KEY_RIGHT:
      right_ = pressed;
      break;
    case VTB_VIEWER_KEY_PAGE_UP:
    case VTB_VIEWER_KEY_PAGE_DOWN:
      if (pressed) shift(key == VTB_VIEWER_KEY_PAGE_UP ? 1 : -1);
      break;
    default:
      return false;
  }
  used_ = true;
  return true;
}

void Vehicle::shift(int by) {
  if (gear_ < 0) return;
  bool taken = false;
  for (Part& part : parts_) {  // only a gearbox refuses a gear that it does not have
    vtb_driveline_input input = part.input;
    input.gear = std::max(0, gear_ + by);
    if (part.input.gear > 0 && vtb_driveline_set_input(world_, part.handle, &input) == VTB_OK) part.input = input, taken = true;
  }
  if (taken) gear_ = std::max(0, gear_ + by);
}

void Vehicle::update(double seconds) {
  if (!used_) return;
  const double wanted = (left_ ? 1 : 0) - (right_ ? 1 : 0);
  steer_ += std::clamp(wanted - steer_, -kSteerRate * seconds, kSteerRate * seconds);
  for (const Part& part : parts_) {
    vtb_driveline_input input = part.input;
    if (part.steers) {
      input.stroke = wanted;
    } else if (forward_) {
      input.throttle = 1;
    } else if (back_) {
      input.throttle = input.speed = 0;
    }
    check(vtb_driveline_set_input(world_, part.handle, &input));
  }
  for (const Axis& axis : steering_) {
    vtb_motor_def motor{};
    motor.struct_size = sizeof motor;
    check(vtb_joint_get_motor(world_, axis.joint, axis.axis, &motor));
    if (motor.mode != VTB_MOTOR_MODE_POSITION) {
      motor.mode = VTB_MOTOR_MODE_POSITION;
      motor.stiffness = std::isfinite(axis.bound) && axis.bound > 0 ? 10 * axis.bound : 2000;
      motor.damping = 0.05 * motor.stiffness;
    }
    motor.position = steer_ > 0 ? steer_ * axis.upper : -steer_ * axis.lower;
    check(vtb_joint_set_motor(world_, axis.joint, axis.axis, &motor));
  }
  for (const Axis& axis : wheels_) {
    vtb_motor_def motor;
    check(vtb_motor_def_init(&motor, sizeof motor));
    if (forward_ || back_) {
      motor.mode = VTB_MOTOR_MODE_VELOCITY;
      motor.velocity = forward_ ? kWheelSpeed : -kWheelSpeed;
      motor.damping = std::isfinite(axis.bound) && axis.bound > 0 ? axis.bound / 2 : 20;
    }
    check(vtb_joint_set_motor(world_, axis.joint, axis.axis, &motor));
  }
  if (!used_) return;
  for (const std::vector<Axis>* axes : {&steering_, &wheels_})
    for (const Axis& axis : *axes) {
      vtb_joint_def def{};
      def.struct_size = sizeof def;
      check(vtb_joint_get_def(world_, axis.joint, &def));
      if (def.body_b.bits) check(vtb_body_wake(world_, def.body_b));
    }
}

std::string Vehicle::text() const {
  if (!used_) return any() ? "arrow keys drive" : "";
  char text[96];
  std::snprintf(text, sizeof text, "%s, steering %+.0f %%", forward_ ? "throttle" : back_ ? "brake" : "idle", 100 * steer_);
  return gear_ >= 0 ? std::string(text) + ", gear index " + std::to_string(gear_) : text;
}

}  // namespace vertebra::viewer
