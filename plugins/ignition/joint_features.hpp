// Features of joints: state, commands, limits, frames, the kinds of joints a host can cast to and attach, what they transmit.
// rad, m, N m, N; frames child in parent.
#pragma once

#include <ignition/physics/FixedJoint.hh>
#include <ignition/physics/Joint.hh>
#include <ignition/physics/PrismaticJoint.hh>
#include <ignition/physics/RevoluteJoint.hh>

#include "plugins/ignition/base.hpp"

namespace ignition::physics::vertebra {

struct JointFeatureList
    : FeatureList<GetBasicJointState, SetBasicJointState, GetBasicJointProperties, SetJointTransformFromParentFeature,
                  SetJointTransformToChildFeature, SetJointVelocityCommandFeature, SetJointPositionLimitsFeature,
                  SetJointVelocityLimitsFeature, SetJointEffortLimitsFeature, DetachJointFeature, GetJointTransmittedWrench, FixedJointCast,
                  AttachFixedJointFeature, RevoluteJointCast, GetRevoluteJointProperties, SetRevoluteJointProperties,
                  AttachRevoluteJointFeature, PrismaticJointCast, GetPrismaticJointProperties, SetPrismaticJointProperties,
                  AttachPrismaticJointFeature> {};

class JointFeatures : public virtual Base, public virtual Implements3d<JointFeatureList> {
 public:
  double GetJointPosition(const Identity& joint, std::size_t axis) const override;
  double GetJointVelocity(const Identity& joint, std::size_t axis) const override;
  double GetJointAcceleration(const Identity& joint, std::size_t axis) const override;
  double GetJointForce(const Identity& joint, std::size_t axis) const override;
  Pose3d GetJointTransform(const Identity& joint) const override;

  void SetJointPosition(const Identity& joint, std::size_t axis, double value) override;
  void SetJointVelocity(const Identity& joint, std::size_t axis, double value) override;
  void SetJointAcceleration(const Identity& joint, std::size_t axis, double value) override;
  void SetJointForce(const Identity& joint, std::size_t axis, double value) override;
  void SetJointVelocityCommand(const Identity& joint, std::size_t axis, double value) override;

  void SetJointMinPosition(const Identity& joint, std::size_t axis, double value) override;
  void SetJointMaxPosition(const Identity& joint, std::size_t axis, double value) override;
  void SetJointMinVelocity(const Identity& joint, std::size_t axis, double value) override;
  void SetJointMaxVelocity(const Identity& joint, std::size_t axis, double value) override;
  void SetJointMinEffort(const Identity& joint, std::size_t axis, double value) override;
  void SetJointMaxEffort(const Identity& joint, std::size_t axis, double value) override;

  std::size_t GetJointDegreesOfFreedom(const Identity& joint) const override;
  Pose3d GetJointTransformFromParent(const Identity& joint) const override;
  Pose3d GetJointTransformToChild(const Identity& joint) const override;
  void SetJointTransformFromParent(const Identity& joint, const Pose3d& pose) override;
  void SetJointTransformToChild(const Identity& joint, const Pose3d& pose) override;

  void DetachJoint(const Identity& joint) override;
  Wrench3d GetJointTransmittedWrenchInJointFrame(const Identity& joint) const override;

  Identity CastToFixedJoint(const Identity& joint) const override;
  Identity AttachFixedJoint(const Identity& child, const BaseLink3dPtr& parent, const std::string& name) override;
  Identity CastToRevoluteJoint(const Identity& joint) const override;
  AngularVector3d GetRevoluteJointAxis(const Identity& joint) const override;
  void SetRevoluteJointAxis(const Identity& joint, const AngularVector3d& axis) override;
  Identity AttachRevoluteJoint(const Identity& child, const BaseLink3dPtr& parent, const std::string& name,
                               const AngularVector3d& axis) override;
  Identity CastToPrismaticJoint(const Identity& joint) const override;
  LinearVector3d GetPrismaticJointAxis(const Identity& joint) const override;
  void SetPrismaticJointAxis(const Identity& joint, const LinearVector3d& axis) override;
  Identity AttachPrismaticJoint(const Identity& child, const BaseLink3dPtr& parent, const std::string& name,
                                const LinearVector3d& axis) override;

 private:
  Identity cast(const Identity& joint, vtb_joint_type type) const;
  Identity attach(const Identity& child, const BaseLink3dPtr& parent, const std::string& name, vtb_joint_type type, const Vector& axis);
  void setAxis(const Identity& joint, const Vector& axis);
  void setLimit(const Identity& joint, std::size_t axis, double value, double& (*limit)(JointAxis&), const char* what);
};

}  // namespace ignition::physics::vertebra
