// The features of ignition-physics 5 that this test asks engines for, each by its name, and which of them a plugin offers.
#pragma once

#include <ignition/physics/BoxShape.hh>
#include <ignition/physics/CapsuleShape.hh>
#include <ignition/physics/ConstructEmpty.hh>
#include <ignition/physics/CylinderShape.hh>
#include <ignition/physics/EllipsoidShape.hh>
#include <ignition/physics/FixedJoint.hh>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/FrameSemantics.hh>
#include <ignition/physics/FreeGroup.hh>
#include <ignition/physics/GetBoundingBox.hh>
#include <ignition/physics/GetContacts.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/Joint.hh>
#include <ignition/physics/Link.hh>
#include <ignition/physics/PlaneShape.hh>
#include <ignition/physics/PrismaticJoint.hh>
#include <ignition/physics/RemoveEntities.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/RevoluteJoint.hh>
#include <ignition/physics/Shape.hh>
#include <ignition/physics/SphereShape.hh>
#include <ignition/physics/World.hh>
#include <ignition/physics/mesh/MeshShape.hh>
#include <ignition/physics/sdf/ConstructCollision.hh>
#include <ignition/physics/sdf/ConstructJoint.hh>
#include <ignition/physics/sdf/ConstructLink.hh>
#include <ignition/physics/sdf/ConstructModel.hh>
#include <ignition/physics/sdf/ConstructNestedModel.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <string>
#include <utility>
#include <vector>

namespace compare {

using Offered = std::vector<std::pair<std::string, bool>>;

#define VERTEBRA_FEATURE(F) \
  { #F, ignition::physics::detail::InspectFeatures < ignition::physics::FeaturePolicy3d, ignition::physics::F> ::Verify(plugin) }
template <class Plugin>
Offered offered(const Plugin& plugin) {
  return {VERTEBRA_FEATURE(GetEngineInfo),
          VERTEBRA_FEATURE(GetWorldFromEngine),
          VERTEBRA_FEATURE(GetModelFromWorld),
          VERTEBRA_FEATURE(GetNestedModelFromModel),
          VERTEBRA_FEATURE(GetLinkFromModel),
          VERTEBRA_FEATURE(GetJointFromModel),
          VERTEBRA_FEATURE(GetShapeFromLink),
          VERTEBRA_FEATURE(RemoveModelFromWorld),
          VERTEBRA_FEATURE(RemoveNestedModelFromModel),
          VERTEBRA_FEATURE(ConstructEmptyWorldFeature),
          VERTEBRA_FEATURE(ConstructEmptyModelFeature),
          VERTEBRA_FEATURE(ConstructEmptyNestedModelFeature),
          VERTEBRA_FEATURE(ConstructEmptyLinkFeature),
          VERTEBRA_FEATURE(sdf::ConstructSdfWorld),
          VERTEBRA_FEATURE(sdf::ConstructSdfModel),
          VERTEBRA_FEATURE(sdf::ConstructSdfNestedModel),
          VERTEBRA_FEATURE(sdf::ConstructSdfLink),
          VERTEBRA_FEATURE(sdf::ConstructSdfJoint),
          VERTEBRA_FEATURE(sdf::ConstructSdfCollision),
          VERTEBRA_FEATURE(ForwardStep),
          VERTEBRA_FEATURE(GetContactsFromLastStepFeature),
          VERTEBRA_FEATURE(Gravity),
          VERTEBRA_FEATURE(CollisionDetector),
          VERTEBRA_FEATURE(Solver),
          VERTEBRA_FEATURE(LinkFrameSemantics),
          VERTEBRA_FEATURE(JointFrameSemantics),
          VERTEBRA_FEATURE(ModelFrameSemantics),
          VERTEBRA_FEATURE(ShapeFrameSemantics),
          VERTEBRA_FEATURE(FreeGroupFrameSemantics),
          VERTEBRA_FEATURE(FindFreeGroupFeature),
          VERTEBRA_FEATURE(SetFreeGroupWorldPose),
          VERTEBRA_FEATURE(SetFreeGroupWorldVelocity),
          VERTEBRA_FEATURE(AddLinkExternalForceTorque),
          VERTEBRA_FEATURE(GetBasicJointState),
          VERTEBRA_FEATURE(SetBasicJointState),
          VERTEBRA_FEATURE(GetBasicJointProperties),
          VERTEBRA_FEATURE(SetJointTransformFromParentFeature),
          VERTEBRA_FEATURE(SetJointTransformToChildFeature),
          VERTEBRA_FEATURE(SetJointVelocityCommandFeature),
          VERTEBRA_FEATURE(SetJointPositionLimitsFeature),
          VERTEBRA_FEATURE(SetJointVelocityLimitsFeature),
          VERTEBRA_FEATURE(SetJointEffortLimitsFeature),
          VERTEBRA_FEATURE(DetachJointFeature),
          VERTEBRA_FEATURE(GetJointTransmittedWrench),
          VERTEBRA_FEATURE(AttachFixedJointFeature),
          VERTEBRA_FEATURE(AttachRevoluteJointFeature),
          VERTEBRA_FEATURE(AttachPrismaticJointFeature),
          VERTEBRA_FEATURE(GetShapeKinematicProperties),
          VERTEBRA_FEATURE(SetShapeKinematicProperties),
          VERTEBRA_FEATURE(GetShapeBoundingBox),
          VERTEBRA_FEATURE(CollisionFilterMaskFeature),
          VERTEBRA_FEATURE(AttachBoxShapeFeature),
          VERTEBRA_FEATURE(AttachCapsuleShapeFeature),
          VERTEBRA_FEATURE(AttachCylinderShapeFeature),
          VERTEBRA_FEATURE(AttachEllipsoidShapeFeature),
          VERTEBRA_FEATURE(AttachSphereShapeFeature),
          VERTEBRA_FEATURE(AttachPlaneShapeFeature),
          VERTEBRA_FEATURE(mesh::AttachMeshShapeFeature)};
}
#undef VERTEBRA_FEATURE

}  // namespace compare
