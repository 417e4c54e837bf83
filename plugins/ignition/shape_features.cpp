// Features of shapes: sizes are kept in the records; poses go to the engine.
#include "plugins/ignition/shape_features.hpp"

#include <algorithm>

#include "plugins/ignition/shapes_made.hpp"

namespace ignition::physics::vertebra {

Pose3d ShapeFeatures::GetShapeRelativeTransform(const Identity& id) const { return at<Shape>(id).inLink; }
void ShapeFeatures::SetShapeRelativeTransform(const Identity& id, const Pose3d& pose) {
  Shape& shape = at<Shape>(id);
  if (done(vtb_shape_set_pose(shape.world(), shape.shape, poseOf(pose * shape.turn).data()), "pose of collision '" + shape.name + "'"))
    shape.inLink = pose;
}
AlignedBox3d ShapeFeatures::GetShapeAxisAlignedBoundingBox(const Identity& id) const { return at<Shape>(id).box; }

void ShapeFeatures::SetCollisionFilterMask(const Identity& shape, std::uint16_t mask) { setMask(at<Shape>(shape), mask); }
std::uint16_t ShapeFeatures::GetCollisionFilterMask(const Identity& shape) const { return at<Shape>(shape).mask.value_or(0xffff); }
void ShapeFeatures::RemoveCollisionFilterMask(const Identity& shape) { setMask(at<Shape>(shape), std::nullopt); }

Identity ShapeFeatures::cast(const Identity& id, ShapeKind kind) const {
  const auto shape = get<Shape>(id);
  return shape->type == kind ? identityOf(shape) : this->GenerateInvalidId();
}

Identity ShapeFeatures::attach(const Identity& link, const std::string& name, ShapeKind kind, const Vector& size, const Pose3d& pose) {
  auto shape = make<Shape>(name);
  shape->link = get<Link>(link);
  shape->type = kind;
  shape->size = size;
  shape->inLink = pose;
  if (addShape(shape, defaultSurface())) return identityOf(shape);
  forget(*shape);
  return this->GenerateInvalidId();
}

Identity ShapeFeatures::CastToBoxShape(const Identity& shape) const { return cast(shape, ShapeKind::Box); }
LinearVector3d ShapeFeatures::GetBoxShapeSize(const Identity& box) const { return at<Shape>(box).size; }
Identity ShapeFeatures::AttachBoxShape(const Identity& link, const std::string& name, const LinearVector3d& size, const Pose3d& pose) {
  return attach(link, name, ShapeKind::Box, size, pose);
}

Identity ShapeFeatures::CastToCapsuleShape(const Identity& shape) const { return cast(shape, ShapeKind::Capsule); }
double ShapeFeatures::GetCapsuleShapeRadius(const Identity& capsule) const { return at<Shape>(capsule).size.x(); }
double ShapeFeatures::GetCapsuleShapeLength(const Identity& capsule) const { return at<Shape>(capsule).size.z(); }
Identity ShapeFeatures::AttachCapsuleShape(const Identity& link, const std::string& name, double radius, double length,
                                           const Pose3d& pose) {
  return attach(link, name, ShapeKind::Capsule, {radius, radius, length}, pose);
}

Identity ShapeFeatures::CastToCylinderShape(const Identity& shape) const { return cast(shape, ShapeKind::Cylinder); }
double ShapeFeatures::GetCylinderShapeRadius(const Identity& cylinder) const { return at<Shape>(cylinder).size.x(); }
double ShapeFeatures::GetCylinderShapeHeight(const Identity& cylinder) const { return at<Shape>(cylinder).size.z(); }
Identity ShapeFeatures::AttachCylinderShape(const Identity& link, const std::string& name, double radius, double height,
                                            const Pose3d& pose) {
  return attach(link, name, ShapeKind::Cylinder, {radius, radius, height}, pose);
}

Identity ShapeFeatures::CastToEllipsoidShape(const Identity& shape) const { return cast(shape, ShapeKind::Ellipsoid); }
LinearVector3d ShapeFeatures::GetEllipsoidShapeRadii(const Identity& ellipsoid) const { return at<Shape>(ellipsoid).size; }
Identity ShapeFeatures::AttachEllipsoidShape(const Identity& link, const std::string& name, LinearVector3d radii, const Pose3d& pose) {
  return attach(link, name, ShapeKind::Ellipsoid, radii, pose);
}

Identity ShapeFeatures::CastToSphereShape(const Identity& shape) const { return cast(shape, ShapeKind::Sphere); }
double ShapeFeatures::GetSphereShapeRadius(const Identity& sphere) const { return at<Shape>(sphere).size.x(); }
Identity ShapeFeatures::AttachSphereShape(const Identity& link, const std::string& name, double radius, const Pose3d& pose) {
  return attach(link, name, ShapeKind::Sphere, Vector::Constant(radius), pose);
}

Identity ShapeFeatures::CastToPlaneShape(const Identity& shape) const { return cast(shape, ShapeKind::Plane); }
LinearVector3d ShapeFeatures::GetPlaneShapeNormal(const Identity& id) const {
  const Shape& plane = at<Shape>(id);
  return plane.inLink.linear() * plane.size;
}
LinearVector3d ShapeFeatures::GetPlaneShapePoint(const Identity& plane) const { return at<Shape>(plane).inLink.translation(); }
Identity ShapeFeatures::AttachPlaneShape(const Identity& link, const std::string& name, const LinearVector3d& normal,
                                         const LinearVector3d& point) {
  return attach(link, name, ShapeKind::Plane, normal.normalized(), Pose3d(Eigen::Translation3d(point)));
}

Identity ShapeFeatures::CastToMeshShape(const Identity& shape) const { return cast(shape, ShapeKind::Mesh); }
LinearVector3d ShapeFeatures::GetMeshShapeSize(const Identity& mesh) const { return at<Shape>(mesh).box.sizes(); }
LinearVector3d ShapeFeatures::GetMeshShapeScale(const Identity& mesh) const { return at<Shape>(mesh).scale; }
Identity ShapeFeatures::AttachMeshShape(const Identity& link, const std::string& name, const common::Mesh& mesh, const Pose3d& pose,
                                        const LinearVector3d& scale) {
  auto shape = make<Shape>(name);
  shape->link = get<Link>(link);
  shape->type = ShapeKind::Mesh;
  shape->inLink = pose;
  shape->scale = scale;
  const Triangles triangles = trianglesOf(mesh, scale);
  if (addShape(shape, defaultSurface(), &triangles)) return identityOf(shape);
  forget(*shape);
  return this->GenerateInvalidId();
}

}  // namespace ignition::physics::vertebra
