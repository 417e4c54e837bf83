// Features of links and of what moves as one: frames of all things, forces and torques on links, free groups.
// World axes; m, m/s, m/s^2, rad/s, N, N m.
#pragma once

#include <ignition/physics/FrameSemantics.hh>
#include <ignition/physics/FreeGroup.hh>
#include <ignition/physics/Link.hh>

#include "plugins/ignition/base.hpp"
#include "plugins/ignition/groups.hpp"

namespace ignition::physics::vertebra {

struct LinkFeatureList
    : FeatureList<LinkFrameSemantics, JointFrameSemantics, ModelFrameSemantics, ShapeFrameSemantics, FreeGroupFrameSemantics,
                  AddLinkExternalForceTorque, FindFreeGroupFeature, SetFreeGroupWorldPose, SetFreeGroupWorldVelocity> {};

class LinkFeatures : public virtual Base, public virtual Implements3d<LinkFeatureList> {
 public:
  FrameData3d FrameDataRelativeToWorld(const FrameID& frame) const override;

  void AddLinkExternalForceInWorld(const Identity& link, const LinearVector3d& force, const LinearVector3d& position) override;
  void AddLinkExternalTorqueInWorld(const Identity& link, const AngularVector3d& torque) override;

  Identity FindFreeGroupForModel(const Identity& model) const override;
  Identity FindFreeGroupForLink(const Identity& link) const override;
  Identity GetFreeGroupRootLink(const Identity& group) const override;
  void SetFreeGroupWorldPose(const Identity& group, const Pose3d& pose) override;
  void SetFreeGroupWorldLinearVelocity(const Identity& group, const LinearVector3d& velocity) override;
  void SetFreeGroupWorldAngularVelocity(const Identity& group, const AngularVector3d& velocity) override;

 private:
  std::shared_ptr<Link> rootOf(const Identity& group) const;
  std::vector<Group> partsOf(const Identity& group, const Link& root) const;
  void push(const Identity& group, const Vector* velocity, const Vector* turning);
};

}  // namespace ignition::physics::vertebra
