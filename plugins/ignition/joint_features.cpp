// Features of joints. A joint that was detached, an axis it does not have and a number that is none are told and change nothing; what is
// read of them is not a number.
#include "plugins/ignition/joint_features.hpp"

#include <cmath>
#include <ignition/common/Console.hh>

#include "plugins/ignition/joints_made.hpp"

namespace ignition::physics::vertebra {

namespace {

std::ostream& complaint(const Joint& joint) { return ignerr << "vertebra: joint '" << joint.name << "': "; }

bool has(const Joint& joint, std::size_t axis) {
  if (joint.detached) {
    complaint(joint) << "it was detached\n";
    return false;
  }
  if (axis < joint.axes.size()) return true;
  complaint(joint) << "degree of freedom " << axis << " is none of its " << joint.axes.size() << ", counted from 0\n";
  return false;
}

bool takes(const Joint& joint, std::size_t axis, double value, const char* what) {
  if (!has(joint, axis)) return false;
  if (std::isfinite(value)) return true;
  complaint(joint) << "a " << what << " of " << value << " is ignored\n";
  return false;
}

double& lower(JointAxis& axis) { return axis.def.lower; }
double& upper(JointAxis& axis) { return axis.def.upper; }
double& minVelocity(JointAxis& axis) { return axis.minVelocity; }
double& maxVelocity(JointAxis& axis) { return axis.maxVelocity; }
double& minEffort(JointAxis& axis) { return axis.minEffort; }
double& maxEffort(JointAxis& axis) { return axis.maxEffort; }

}  // namespace

double JointFeatures::GetJointPosition(const Identity& id, std::size_t axis) const {
  const Joint& joint = at<Joint>(id);
  return has(joint, axis) ? positionsOf(joint)[axis] : NAN;
}
double JointFeatures::GetJointVelocity(const Identity& id, std::size_t axis) const {
  const Joint& joint = at<Joint>(id);
  return has(joint, axis) ? velocitiesOf(joint)[axis] : NAN;
}
double JointFeatures::GetJointAcceleration(const Identity& id, std::size_t axis) const {
  const Joint& joint = at<Joint>(id);
  return has(joint, axis) ? accelerationsOf(joint)[axis] : NAN;
}

// What is asked for in the coming step, else what the motor did in the last one.
double JointFeatures::GetJointForce(const Identity& id, std::size_t axis) const {
  const Joint& joint = at<Joint>(id);
  if (!has(joint, axis)) return NAN;
  const Command& command = joint.axes[axis].command;
  if (command.mode == VTB_MOTOR_MODE_TORQUE && command.step == joint.model->world->step) return command.value;
  vtb_joint_forces forces{};
  forces.struct_size = sizeof forces;
  if (!joint.joint.bits || !done(vtb_joint_get_forces(joint.world(), joint.joint, &forces), "force of joint '" + joint.name + "'"))
    return 0;
  return forces.motor[axis];
}

Pose3d JointFeatures::GetJointTransform(const Identity& id) const {
  const Joint& joint = at<Joint>(id);
  const Frame child = linkFrame(*joint.child);
  return joint.parent ? Pose3d(linkFrame(*joint.parent).inverse() * child) : Pose3d(child);
}

void JointFeatures::SetJointPosition(const Identity& id, std::size_t axis, double value) {
  Joint& joint = at<Joint>(id);
  if (!takes(joint, axis, value, "position") || !joint.joint.bits) return;
  std::vector<double> positions = positionsOf(joint);
  positions[axis] = value;
  setPositions(joint, positions);
}
void JointFeatures::SetJointVelocity(const Identity& id, std::size_t axis, double value) {
  Joint& joint = at<Joint>(id);
  if (!takes(joint, axis, value, "velocity") || !joint.joint.bits) return;
  std::vector<double> velocities = velocitiesOf(joint);
  velocities[axis] = value;
  done(vtb_joint_set_state(joint.world(), joint.joint, nullptr, velocities.data()), "velocity of joint '" + joint.name + "'");
}
void JointFeatures::SetJointAcceleration(const Identity& id, std::size_t, double) {
  complaint(at<Joint>(id)) << "accelerations follow from forces and cannot be set; set a velocity or a force\n";
}
void JointFeatures::SetJointForce(const Identity& id, std::size_t axis, double value) {
  const auto joint = get<Joint>(id);
  if (takes(*joint, axis, value, "force")) command(joint, axis, VTB_MOTOR_MODE_TORQUE, value);
}
void JointFeatures::SetJointVelocityCommand(const Identity& id, std::size_t axis, double value) {
  const auto joint = get<Joint>(id);
  if (takes(*joint, axis, value, "velocity command")) command(joint, axis, VTB_MOTOR_MODE_VELOCITY, value);
}

void JointFeatures::setLimit(const Identity& id, std::size_t index, double value, double& (*limit)(JointAxis&), const char* what) {
  Joint& joint = at<Joint>(id);
  if (!has(joint, index)) return;
  if (std::isnan(value)) {
    complaint(joint) << "a " << what << " of " << value << " is ignored\n";
    return;
  }
  JointAxis& axis = joint.axes[index];
  limit(axis) = value;
  if (axis.def.lower > axis.def.upper || axis.minVelocity > axis.maxVelocity || axis.minEffort > axis.maxEffort)
    ignwarn << "vertebra: joint '" << joint.name << "': the " << what << " of " << value
            << " crosses its counterpart; the limits before hold until both fit\n";
  else
    applyAxis(joint, index);
}
void JointFeatures::SetJointMinPosition(const Identity& id, std::size_t axis, double v) { setLimit(id, axis, v, lower, "least position"); }
void JointFeatures::SetJointMaxPosition(const Identity& id, std::size_t axis, double v) {
  setLimit(id, axis, v, upper, "largest position");
}
void JointFeatures::SetJointMinVelocity(const Identity& id, std::size_t axis, double v) {
  setLimit(id, axis, v, minVelocity, "least velocity");
}
void JointFeatures::SetJointMaxVelocity(const Identity& id, std::size_t axis, double v) {
  setLimit(id, axis, v, maxVelocity, "largest velocity");
}
void JointFeatures::SetJointMinEffort(const Identity& id, std::size_t axis, double v) { setLimit(id, axis, v, minEffort, "least effort"); }
void JointFeatures::SetJointMaxEffort(const Identity& id, std::size_t axis, double v) {
  setLimit(id, axis, v, maxEffort, "largest effort");
}

std::size_t JointFeatures::GetJointDegreesOfFreedom(const Identity& id) const { return at<Joint>(id).axes.size(); }
Pose3d JointFeatures::GetJointTransformFromParent(const Identity& id) const { return at<Joint>(id).inParent; }
Pose3d JointFeatures::GetJointTransformToChild(const Identity& id) const { return at<Joint>(id).inChild.inverse(); }
void JointFeatures::SetJointTransformFromParent(const Identity& id, const Pose3d& pose) {
  Joint& joint = at<Joint>(id);
  joint.inParent = pose;
  if (!joint.detached) remakeJoint(joint);
}
void JointFeatures::SetJointTransformToChild(const Identity& id, const Pose3d& pose) {
  Joint& joint = at<Joint>(id);
  joint.inChild = pose.inverse();
  if (!joint.detached) remakeJoint(joint);
}

void JointFeatures::DetachJoint(const Identity& id) {
  const auto joint = get<Joint>(id);
  if (!joint->detached) removeJoint(joint);
}

Wrench3d JointFeatures::GetJointTransmittedWrenchInJointFrame(const Identity& id) const {
  const Joint& joint = at<Joint>(id);
  Wrench3d wrench;
  wrench.force.setZero(), wrench.torque.setZero();
  vtb_joint_forces f{};
  f.struct_size = sizeof f;
  if (!joint.joint.bits || !done(vtb_joint_get_forces(joint.world(), joint.joint, &f), "wrench of joint '" + joint.name + "'"))
    return wrench;
  const Eigen::Matrix3d turn = (linkFrame(*joint.child) * joint.inChild).linear().transpose();
  for (const double* part : {f.force, f.motor_force, f.spring_force, f.friction_force, f.limit_force})
    wrench.force += turn * Eigen::Map<const Vector>(part);
  for (const double* part : {f.torque, f.motor_torque, f.spring_torque, f.friction_torque, f.limit_torque})
    wrench.torque += turn * Eigen::Map<const Vector>(part);
  return wrench;
}

Identity JointFeatures::cast(const Identity& id, vtb_joint_type type) const {
  const auto joint = get<Joint>(id);
  const bool fits = joint->type == type || (type == VTB_JOINT_TYPE_REVOLUTE && joint->type == VTB_JOINT_TYPE_CONTINUOUS);
  return fits && !joint->detached ? identityOf(joint) : this->GenerateInvalidId();
}

// The child moves to where the joint's frames, which are those of the links, meet.
Identity JointFeatures::attach(const Identity& childId, const BaseLink3dPtr& parent, const std::string& name, vtb_joint_type type,
                               const Vector& axis) {
  const auto child = get<Link>(childId);
  for (const auto& other : child->model->joints)
    if (other->child == child) {
      ignerr << "vertebra: joint '" << name << "' is not made: link '" << child->name << "' hangs on joint '" << other->name
             << "' already; detach it first\n";
      return this->GenerateInvalidId();
    }
  auto joint = make<Joint>(name);
  joint->model = child->model;
  joint->child = child;
  if (parent) joint->parent = get<Link>(parent->FullIdentity());
  joint->type = type;
  joint->axis = axis.normalized();
  if (!addJoint(joint)) {
    forget(*joint);
    return this->GenerateInvalidId();
  }
  if (joint->joint.bits) setPositions(*joint, std::vector<double>(joint->axes.size(), 0));
  return identityOf(joint);
}

void JointFeatures::setAxis(const Identity& id, const Vector& axis) {
  Joint& joint = at<Joint>(id);
  if (!axis.allFinite() || axis.norm() == 0) {
    complaint(joint) << "an axis of " << axis.transpose() << " is ignored\n";
    return;
  }
  joint.axis = axis.normalized();
  if (!joint.detached) remakeJoint(joint);
}

Identity JointFeatures::CastToFixedJoint(const Identity& id) const { return cast(id, VTB_JOINT_TYPE_FIXED); }
Identity JointFeatures::AttachFixedJoint(const Identity& child, const BaseLink3dPtr& parent, const std::string& name) {
  return attach(child, parent, name, VTB_JOINT_TYPE_FIXED, Vector::UnitX());
}
Identity JointFeatures::CastToRevoluteJoint(const Identity& id) const { return cast(id, VTB_JOINT_TYPE_REVOLUTE); }
AngularVector3d JointFeatures::GetRevoluteJointAxis(const Identity& id) const { return at<Joint>(id).axis; }
void JointFeatures::SetRevoluteJointAxis(const Identity& id, const AngularVector3d& axis) { setAxis(id, axis); }
Identity JointFeatures::AttachRevoluteJoint(const Identity& child, const BaseLink3dPtr& parent, const std::string& name,
                                            const AngularVector3d& axis) {
  return attach(child, parent, name, VTB_JOINT_TYPE_REVOLUTE, axis);
}
Identity JointFeatures::CastToPrismaticJoint(const Identity& id) const { return cast(id, VTB_JOINT_TYPE_PRISMATIC); }
LinearVector3d JointFeatures::GetPrismaticJointAxis(const Identity& id) const { return at<Joint>(id).axis; }
void JointFeatures::SetPrismaticJointAxis(const Identity& id, const LinearVector3d& axis) { setAxis(id, axis); }
Identity JointFeatures::AttachPrismaticJoint(const Identity& child, const BaseLink3dPtr& parent, const std::string& name,
                                             const LinearVector3d& axis) {
  return attach(child, parent, name, VTB_JOINT_TYPE_PRISMATIC, axis);
}

}  // namespace ignition::physics::vertebra
