// Joints made in the engine: definitions from records, coordinates, accelerations, motors.
#include "plugins/ignition/joints_made.hpp"

#include <algorithm>
#include <cmath>
#include <ignition/common/Console.hh>

namespace ignition::physics::vertebra {

namespace {

std::string nameOf(const Joint& joint) { return "joint '" + joint.name + "' of model '" + joint.model->name + "'"; }

Frame frameOfEnd(const std::shared_ptr<Link>& link) { return link ? linkFrame(*link) : Frame::Identity(); }

void setPose(double (&out)[7], const Frame& frame) {
  const auto pose = poseOf(frame);
  std::copy(pose.begin(), pose.end(), out);
}

bool moves(const std::shared_ptr<Link>& link) {
  vtb_body_kind kind = VTB_BODY_KIND_STATIC;
  return link && vtb_body_get_kind(link->world(), link->body, &kind) == VTB_OK && kind == VTB_BODY_KIND_DYNAMIC;
}

// In the engine only. A joint of two links that stand still is none there.
bool create(Joint& joint) {
  joint.joint = {};
  if (!moves(joint.parent) && !moves(joint.child)) return true;
  vtb_joint_def def;
  vtb_joint_def_init(&def, sizeof def);
  def.type = joint.type;
  if (joint.parent) def.body_a = joint.parent->body;
  if (joint.child) def.body_b = joint.child->body;
  setPose(def.frame_a, joint.inParent);
  setPose(def.frame_b, joint.inChild);
  Eigen::Map<Vector>(def.axis) = joint.axis;
  Eigen::Map<Vector>(def.axis2) = joint.axis2;
  def.pitch = joint.pitch;
  if (!done(vtb_joint_create(joint.world(), &def, &joint.joint), nameOf(joint))) return false;
  for (std::size_t i = 0; i < joint.axes.size(); ++i)
    if (!applyAxis(joint, i)) return false;
  return true;
}

void forgetMotors(Joint& joint) {
  for (JointAxis& axis : joint.axes) axis.command = {};
}

double narrower(double least, double largest) { return std::min(std::abs(least), std::abs(largest)); }

struct Motion {
  Vector angular = Vector::Zero(), linearAcceleration = Vector::Zero(), angularAcceleration = Vector::Zero();
};

// Of the end of a joint at a point of the world.
Motion motionAt(const std::shared_ptr<Link>& link, const Vector& point) {
  Motion motion;
  double twist[6], acceleration[6];
  if (!link || vtb_body_get_twist(link->world(), link->body, twist) != VTB_OK ||
      vtb_body_get_acceleration(link->world(), link->body, acceleration) != VTB_OK)
    return motion;
  const Vector arm = point - linkFrame(*link).translation();
  motion.angular = Eigen::Map<const Vector>(twist + 3);
  motion.angularAcceleration = Eigen::Map<const Vector>(acceleration + 3);
  motion.linearAcceleration =
      Eigen::Map<const Vector>(acceleration) + motion.angularAcceleration.cross(arm) + motion.angular.cross(motion.angular.cross(arm));
  return motion;
}

}  // namespace

JointAxis freeAxis() {
  JointAxis axis;
  vtb_axis_def_init(&axis.def, sizeof axis.def);
  axis.minEffort = axis.minVelocity = -HUGE_VAL;
  axis.maxEffort = axis.maxVelocity = HUGE_VAL;
  return axis;
}

std::size_t axesOf(vtb_joint_type type) {
  switch (type) {
    case VTB_JOINT_TYPE_FIXED:
      return 0;
    case VTB_JOINT_TYPE_UNIVERSAL:
      return 2;
    case VTB_JOINT_TYPE_SPHERICAL:
      return 3;
    default:
      return 1;
  }
}

void placeJoint(Joint& joint, const Frame& inChild) {
  joint.inChild = inChild;
  joint.inParent = frameOfEnd(joint.parent).inverse() * frameOfEnd(joint.child) * inChild;
}

bool addJoint(const std::shared_ptr<Joint>& joint) {
  joint->axes.resize(axesOf(joint->type), freeAxis());
  if (!create(*joint)) return false;
  joint->model->joints.push_back(joint);
  return true;
}

bool remakeJoint(Joint& joint) {
  const std::vector<double> positions = positionsOf(joint), velocities = velocitiesOf(joint);
  if (joint.joint.bits) done(vtb_joint_destroy(joint.world(), joint.joint), nameOf(joint));
  forgetMotors(joint);
  return create(joint) &&
         (!joint.joint.bits || (setPositions(joint, positions) &&
                                done(vtb_joint_set_state(joint.world(), joint.joint, nullptr, velocities.data()), nameOf(joint))));
}

bool applyAxis(const Joint& joint, std::size_t index) {
  if (!joint.joint.bits) return true;
  const JointAxis& axis = joint.axes[index];
  vtb_axis_def def = axis.def;
  def.velocity = narrower(axis.minVelocity, axis.maxVelocity);
  def.effort = std::max(std::abs(axis.minEffort), std::abs(axis.maxEffort));
  return done(vtb_joint_set_axis(joint.world(), joint.joint, static_cast<int32_t>(index), &def), nameOf(joint));
}

void removeJoint(const std::shared_ptr<Joint>& joint) {
  if (joint->joint.bits) done(vtb_joint_destroy(joint->world(), joint->joint), nameOf(*joint));
  joint->joint = {};
  joint->detached = true;
  auto& joints = joint->model->joints;
  joints.erase(std::remove(joints.begin(), joints.end(), joint), joints.end());
}

std::vector<double> positionsOf(const Joint& joint) {
  std::vector<double> positions(joint.axes.size(), 0);
  double q[7] = {};
  if (!joint.joint.bits || !done(vtb_joint_get_state(joint.world(), joint.joint, q, nullptr), nameOf(joint))) return positions;
  if (joint.type == VTB_JOINT_TYPE_SPHERICAL) {
    const Eigen::AngleAxisd turn(Eigen::Quaterniond(q[3], q[0], q[1], q[2]));
    Eigen::Map<Vector>(positions.data()) = turn.angle() * turn.axis();
  } else {
    std::copy_n(q, positions.size(), positions.begin());
  }
  return positions;
}

bool setPositions(Joint& joint, const std::vector<double>& positions) {
  double q[4] = {};
  if (joint.type == VTB_JOINT_TYPE_SPHERICAL) {
    const Vector turn = Eigen::Map<const Vector>(positions.data());
    const double angle = turn.norm();
    const Eigen::Quaterniond quaternion(Eigen::AngleAxisd(angle, angle > 0 ? Vector(turn / angle) : Vector(Vector::UnitX())));
    Eigen::Map<Eigen::Vector4d>(q + 0) = quaternion.coeffs();  // x, y, z, w
  } else {
    std::copy(positions.begin(), positions.end(), q);
  }
  return done(vtb_joint_set_state(joint.world(), joint.joint, q, nullptr), "position of " + nameOf(joint));
}

std::vector<double> velocitiesOf(const Joint& joint) {
  std::vector<double> velocities(joint.axes.size(), 0);
  if (joint.joint.bits) done(vtb_joint_get_state(joint.world(), joint.joint, nullptr, velocities.data()), nameOf(joint));
  return velocities;
}

std::vector<double> accelerationsOf(const Joint& joint) {
  std::vector<double> accelerations(joint.axes.size(), 0);
  double anchor[7], columns[18];
  std::size_t total = 0;
  if (!joint.joint.bits || joint.axes.empty() || vtb_joint_get_world_frames(joint.world(), joint.joint, nullptr, anchor) != VTB_OK ||
      vtb_joint_get_world_axes(joint.world(), joint.joint, columns, 6, &total) != VTB_OK)
    return accelerations;
  const Vector point = Eigen::Map<const Vector>(anchor);
  const Motion parent = motionAt(joint.parent, point), child = motionAt(joint.child, point);
  const Eigen::Map<const Eigen::Matrix3Xd> axes(columns, 3, static_cast<Eigen::Index>(joint.axes.size()));
  // What the joint's own velocity leaves of an acceleration without changing its rate stands at right angles to a single axis.
  Vector relative = child.angularAcceleration - parent.angularAcceleration;
  if (joint.type == VTB_JOINT_TYPE_PRISMATIC) relative = child.linearAcceleration - parent.linearAcceleration;
  if (joint.type == VTB_JOINT_TYPE_UNIVERSAL) {  // one axis turns with the parent, the other with the child
    const std::vector<double> rates = velocitiesOf(joint);
    relative -= rates[0] * parent.angular.cross(axes.col(0)) + rates[1] * child.angular.cross(axes.col(1));
  }
  if (joint.type == VTB_JOINT_TYPE_SPHERICAL) relative -= child.angular.cross(child.angular - parent.angular);
  if (joint.type == VTB_JOINT_TYPE_UNIVERSAL) {  // the axes need not be at right angles
    const double c = axes.col(0).dot(axes.col(1)), first = axes.col(0).dot(relative), second = axes.col(1).dot(relative);
    accelerations = {(first - c * second) / (1 - c * c), (second - c * first) / (1 - c * c)};
  } else {
    for (std::size_t i = 0; i < accelerations.size(); ++i) accelerations[i] = axes.col(static_cast<Eigen::Index>(i)).dot(relative);
  }
  return accelerations;
}

void command(const std::shared_ptr<Joint>& joint, std::size_t index, vtb_motor_mode mode, double value) {
  World& world = *joint->model->world;
  Command& command = joint->axes[index].command;
  command.mode = mode, command.value = value, command.step = world.step;
  if (joint->waiting) return;
  joint->waiting = true;
  world.commanded.push_back(joint);
}

void drive(World& world) {
  const auto settled = [&](const std::shared_ptr<Joint>& joint) {
    bool fresh = false;
    for (std::size_t i = 0; i < joint->axes.size(); ++i) {
      JointAxis& axis = joint->axes[i];
      Command& command = axis.command;
      if (command.mode == VTB_MOTOR_MODE_OFF) continue;
      if (command.step == world.step) {
        fresh = true;
      } else {
        command.value = 0;
        if (command.mode == VTB_MOTOR_MODE_TORQUE) command.mode = VTB_MOTOR_MODE_OFF;
      }
      if (!joint->joint.bits || (command.mode == command.set && command.value == command.setValue)) continue;
      vtb_motor_def motor;
      vtb_motor_def_init(&motor, sizeof motor);
      motor.mode = command.mode;
      if (command.mode == VTB_MOTOR_MODE_TORQUE) motor.force = std::clamp(command.value, axis.minEffort, axis.maxEffort);
      if (command.mode == VTB_MOTOR_MODE_VELOCITY) {
        motor.velocity = command.value;
        motor.damping = HUGE_VAL;
        motor.max_force = narrower(axis.minEffort, axis.maxEffort);
      }
      if (done(vtb_joint_set_motor(world.world, joint->joint, static_cast<int32_t>(i), &motor), "command of " + nameOf(*joint)))
        command.set = command.mode, command.setValue = command.value;
    }
    joint->waiting = fresh;
    return !fresh;
  };
  auto& list = world.commanded;
  list.erase(std::remove_if(list.begin(), list.end(), settled), list.end());
}

}  // namespace ignition::physics::vertebra
