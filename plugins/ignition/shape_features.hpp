// Features of shapes: kinds to cast to and to attach, their sizes, poses in their links, boxes around them. m; frames in the link.
#pragma once

#include <ignition/physics/BoxShape.hh>
#include <ignition/physics/CapsuleShape.hh>
#include <ignition/physics/CylinderShape.hh>
#include <ignition/physics/EllipsoidShape.hh>
#include <ignition/physics/GetBoundingBox.hh>
#include <ignition/physics/PlaneShape.hh>
#include <ignition/physics/Shape.hh>
#include <ignition/physics/SphereShape.hh>
#include <ignition/physics/mesh/MeshShape.hh>

#include "plugins/ignition/base.hpp"

namespace ignition::physics::vertebra {

struct ShapeFeatureList
    : FeatureList<GetShapeKinematicProperties, SetShapeKinematicProperties, GetShapeBoundingBox, GetLinkBoundingBox, GetModelBoundingBox,
                  CollisionFilterMaskFeature, GetBoxShapeProperties, AttachBoxShapeFeature, GetCapsuleShapeProperties,
                  AttachCapsuleShapeFeature, GetCylinderShapeProperties, AttachCylinderShapeFeature, GetEllipsoidShapeProperties,
                  AttachEllipsoidShapeFeature, GetSphereShapeProperties, AttachSphereShapeFeature, GetPlaneShapeProperties,
                  AttachPlaneShapeFeature, mesh::GetMeshShapeProperties, mesh::AttachMeshShapeFeature> {};

class ShapeFeatures : public virtual Base, public virtual Implements3d<ShapeFeatureList> {
 public:
  Pose3d GetShapeRelativeTransform(const Identity& shape) const override;
  void SetShapeRelativeTransform(const Identity& shape, const Pose3d& pose) override;
  AlignedBox3d GetShapeAxisAlignedBoundingBox(const Identity& shape) const override;
  void SetCollisionFilterMask(const Identity& shape, std::uint16_t mask) override;
  std::uint16_t GetCollisionFilterMask(const Identity& shape) const override;
  void RemoveCollisionFilterMask(const Identity& shape) override;

  Identity CastToBoxShape(const Identity& shape) const override;
  LinearVector3d GetBoxShapeSize(const Identity& box) const override;
  Identity AttachBoxShape(const Identity& link, const std::string& name, const LinearVector3d& size, const Pose3d& pose) override;
  Identity CastToCapsuleShape(const Identity& shape) const override;
  double GetCapsuleShapeRadius(const Identity& capsule) const override;
  double GetCapsuleShapeLength(const Identity& capsule) const override;
  Identity AttachCapsuleShape(const Identity& link, const std::string& name, double radius, double length, const Pose3d& pose) override;
  Identity CastToCylinderShape(const Identity& shape) const override;
  double GetCylinderShapeRadius(const Identity& cylinder) const override;
  double GetCylinderShapeHeight(const Identity& cylinder) const override;
  Identity AttachCylinderShape(const Identity& link, const std::string& name, double radius, double height, const Pose3d& pose) override;
  Identity CastToEllipsoidShape(const Identity& shape) const override;
  LinearVector3d GetEllipsoidShapeRadii(const Identity& ellipsoid) const override;
  Identity AttachEllipsoidShape(const Identity& link, const std::string& name, LinearVector3d radii, const Pose3d& pose) override;
  Identity CastToSphereShape(const Identity& shape) const override;
  double GetSphereShapeRadius(const Identity& sphere) const override;
  Identity AttachSphereShape(const Identity& link, const std::string& name, double radius, const Pose3d& pose) override;
  Identity CastToPlaneShape(const Identity& shape) const override;
  LinearVector3d GetPlaneShapeNormal(const Identity& plane) const override;
  LinearVector3d GetPlaneShapePoint(const Identity& plane) const override;
  Identity AttachPlaneShape(const Identity& link, const std::string& name, const LinearVector3d& normal,
                            const LinearVector3d& point) override;
  Identity CastToMeshShape(const Identity& shape) const override;
  LinearVector3d GetMeshShapeSize(const Identity& mesh) const override;
  LinearVector3d GetMeshShapeScale(const Identity& mesh) const override;
  Identity AttachMeshShape(const Identity& link, const std::string& name, const common::Mesh& mesh, const Pose3d& pose,
                           const LinearVector3d& scale) override;

 private:
  Identity cast(const Identity& shape, ShapeKind kind) const;
  Identity attach(const Identity& link, const std::string& name, ShapeKind kind, const Vector& size, const Pose3d& pose);
};

}  // namespace ignition::physics::vertebra
