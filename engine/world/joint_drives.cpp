// World: motors of joints, their targets, and drives that are set for one step. See world.hpp.
#include "engine/trees/axis_summary.hpp"
#include "engine/trees/topology.hpp"
#include "engine/world/edits.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {

const MotorSettings& World::motor(int joint, int axis) const {
  static const MotorSettings none;
  const JointSlot& j = data_->joints[joint];
  return axis < j.nv ? *j.axes[axis].motor : none;
}
Failure World::setMotor(int joint, int axis, const MotorSettings& m) {
  JointSlot& j = data_->joints[joint];
  if (axis < 0 || axis >= j.nv) return {Failure::Argument, "the joint has " + std::to_string(j.nv) + " axes"};
  const bool wasOff = j.axes[axis].motor->mode == MotorMode::Off;
  j.axes[axis].motor.make() = m;
  if (wasOff || m.mode == MotorMode::Off || !j.hasAxisForces) trees::updateAxisForces(*data_, joint);
  wakeBothEnds(*data_, j);
  return {};
}
Failure World::setOrientationMotor(int joint, const Quat& target, const Vec3& velocity, double stiffness, double damping, double maxForce) {
  JointSlot& j = data_->joints[joint];
  if (j.def->constraint != ConstraintType::Joint || j.def->type != dynamics::JointType::Spherical)
    return {Failure::Unsupported, "the orientation motor is for spherical joints; see vtb_joint_set_motor"};
  j.orientationMotor = true;
  j.orientation.make().targetQuat = unit(target);
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.stiffness = stiffness;
  m.damping = damping;
  m.maxForce = maxForce;
  for (int k = 0; k < 3; k++) {
    m.velocity = velocity[k];
    j.axes[k].motor.make() = m;
  }
  trees::updateAxisForces(*data_, joint);
  wakeBothEnds(*data_, j);
  return {};
}
Failure World::setMotorTarget(int joint, const Pose& pose, const Vec3& linear, const Vec3& angular) {
  JointSlot& j = data_->joints[joint];
  if (j.def->constraint != ConstraintType::Motor) return {Failure::Unsupported, "a target pose is for motor joints (VTB_JOINT_TYPE_MOTOR)"};
  JointOrientation& o = j.orientation.make();
  o.targetPosition = pose.p;
  o.targetQuat = unit(pose.q);
  o.targetVelocity = linear;
  o.targetOmega = angular;
  wakeBothEnds(*data_, j);
  return {};
}

MotorTarget World::motorTarget(int joint) const {
  const JointSlot& j = data_->joints[joint];
  const Rare<JointOrientation>& o = j.orientation;
  MotorTarget target{j.orientationMotor, {o->targetPosition, o->targetQuat}, o->targetVelocity, o->targetOmega};
  if (j.orientationMotor) target.omega = Vec3(j.axes[0].motor->velocity, j.axes[1].motor->velocity, j.axes[2].motor->velocity);
  return target;
}

void World::drivesOfStep(bool wait) {
  WorldData& w = *data_;
  if (wait) {
    w.driven.clear();
    w.pushed.clear();
  }
  w.wakeTime = w.time;
  w.drivesWait = wait;
}

JointDrive World::jointDrive(int joint) const {
  const JointSlot& j = data_->joints[joint];
  const Rare<JointOrientation>& o = j.orientation;
  JointDrive drive;
  for (int k = 0; k < j.nv; k++) drive.motor[k] = *j.axes[k].motor;
  drive.oriented = static_cast<bool>(o);
  drive.target = {j.orientationMotor, {o->targetPosition, o->targetQuat}, o->targetVelocity, o->targetOmega};
  return drive;
}

void World::takeBackDrive(int joint, const JointDrive& drive) {
  JointSlot& j = data_->joints[joint];
  for (int k = 0; k < j.nv; k++)
    if (MotorSettings* const motor = j.axes[k].motor.get()) *motor = drive.motor[k];  // one that was not made then had its default
  j.orientationMotor = drive.target.orientationMotor;
  if (drive.oriented) {
    JointOrientation& o = j.orientation.make();
    o.targetPosition = drive.target.pose.p;
    o.targetQuat = drive.target.pose.q;
    o.targetVelocity = drive.target.velocity;
    o.targetOmega = drive.target.omega;
  } else {
    j.orientation.reset();
  }
  trees::updateAxisForces(*data_, joint);
}

}  // namespace vertebra::world
