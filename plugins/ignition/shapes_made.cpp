// Shapes of links made in the engine: sizes, ellipsoids and meshes as the C ABI takes them.
#include "plugins/ignition/shapes_made.hpp"

#include <algorithm>
#include <cmath>
#include <ignition/common/Console.hh>
#include <ignition/common/Mesh.hh>
#include <ignition/common/SubMesh.hh>
#include <utility>

namespace ignition::physics::vertebra {

namespace {

constexpr int kRings = 12, kMeridians = 24;  // of an ellipsoid: within 2 % of its radii
constexpr std::uint32_t kConvexParts = 32;   // of a mesh that moves, at most
// Bits of a filter beside the 16 of a mask: of a shape without a mask, and of one with it.
constexpr std::uint32_t kUnmasked = 1u << 16, kMasked = 1u << 17;

std::vector<double> ellipsoidPoints(const Vector& radii) {
  std::vector<double> points{0, 0, radii.z(), 0, 0, -radii.z()};
  for (int ring = 1; ring < kRings; ++ring)
    for (int meridian = 0; meridian < kMeridians; ++meridian) {
      const double polar = M_PI * ring / kRings, turn = 2 * M_PI * meridian / kMeridians;
      points.insert(points.end(), {radii.x() * std::sin(polar) * std::cos(turn), radii.y() * std::sin(polar) * std::sin(turn),
                                   radii.z() * std::cos(polar)});
    }
  return points;
}

Eigen::AlignedBox3d boxOf(const Shape& shape) {
  const Vector& s = shape.size;
  switch (shape.type) {
    case ShapeKind::Box:
      return {-s / 2, s / 2};
    case ShapeKind::Sphere:
      return {Vector::Constant(-s.x()), Vector::Constant(s.x())};
    case ShapeKind::Ellipsoid:
      return {-s, s};
    case ShapeKind::Cylinder:
      return {-Vector(s.x(), s.x(), s.z() / 2), Vector(s.x(), s.x(), s.z() / 2)};
    case ShapeKind::Capsule:
      return {-Vector(s.x(), s.x(), s.z() / 2 + s.x()), Vector(s.x(), s.x(), s.z() / 2 + s.x())};
    case ShapeKind::Plane:
    case ShapeKind::Mesh:
      break;
  }
  return {Vector::Constant(-HUGE_VAL), Vector::Constant(HUGE_VAL)};
}

// The shortest turn of z to a unit vector.
Frame turnOfZ(const Vector& normal) {
  const Vector axis = Vector::UnitZ().cross(normal);
  const double sine = axis.norm();
  return Frame(Eigen::AngleAxisd(std::atan2(sine, normal.z()), sine > 0 ? Vector(axis / sine) : Vector(Vector::UnitX())));
}

bool isStatic(const Link& link) {
  vtb_body_kind kind = VTB_BODY_KIND_STATIC;
  vtb_body_get_kind(link.world(), link.body, &kind);
  return kind == VTB_BODY_KIND_STATIC;
}

}  // namespace

Triangles trianglesOf(const common::Mesh& mesh, const Vector& scale) {
  Triangles result;
  for (unsigned part = 0; part < mesh.SubMeshCount(); ++part) {
    const auto submesh = mesh.SubMeshByIndex(part).lock();
    if (!submesh) continue;
    if (submesh->SubMeshPrimitiveType() != common::SubMesh::TRIANGLES) {
      ignwarn << "vertebra: submesh '" << submesh->Name() << "' of mesh '" << mesh.Name() << "' has no triangles and is left out\n";
      continue;
    }
    const auto first = static_cast<std::uint32_t>(result.points.size() / 3);
    for (unsigned i = 0; i < submesh->VertexCount(); ++i) {
      const math::Vector3d v = submesh->Vertex(i);
      result.points.insert(result.points.end(), {v.X() * scale.x(), v.Y() * scale.y(), v.Z() * scale.z()});
    }
    for (unsigned i = 0; i < submesh->IndexCount(); ++i) result.indices.push_back(first + static_cast<std::uint32_t>(submesh->Index(i)));
  }
  if (scale.prod() < 0)  // mirrored: outside is the other side
    for (std::size_t i = 0; i + 2 < result.indices.size(); i += 3) std::swap(result.indices[i + 1], result.indices[i + 2]);
  return result;
}

vtb_surface defaultSurface() {
  vtb_shape_def def;
  vtb_shape_def_init(&def, sizeof def);
  def.surface.friction = 1;  // SDF's default
  def.surface.friction_combine = VTB_COMBINE_MINIMUM;
  def.surface.restitution_combine = VTB_COMBINE_MULTIPLY;
  return def.surface;
}

bool addShape(const std::shared_ptr<Shape>& shape, const vtb_surface& surface, const Triangles* mesh) {
  Link& link = *shape->link;
  const std::string what = "collision '" + shape->name + "' of link '" + link.name + "'";
  vtb_shape_def def;
  vtb_shape_def_init(&def, sizeof def);
  def.surface = surface;
  const Vector& s = shape->size;
  shape->box = boxOf(*shape);
  std::vector<double> points;
  switch (shape->type) {
    case ShapeKind::Box:
      def.type = VTB_SHAPE_TYPE_BOX;
      Eigen::Map<Vector>(def.size) = s / 2;
      break;
    case ShapeKind::Sphere:
      def.type = VTB_SHAPE_TYPE_SPHERE;
      def.size[0] = s.x();
      break;
    case ShapeKind::Cylinder:
    case ShapeKind::Capsule:
      def.type = shape->type == ShapeKind::Capsule ? VTB_SHAPE_TYPE_CAPSULE : VTB_SHAPE_TYPE_CYLINDER;
      def.size[0] = s.x(), def.size[2] = s.z() / 2;
      break;
    case ShapeKind::Ellipsoid:
      if (s.x() == s.y() && s.y() == s.z()) {
        def.type = VTB_SHAPE_TYPE_SPHERE;
        def.size[0] = s.x();
        break;
      }
      points = ellipsoidPoints(s);
      def.type = VTB_SHAPE_TYPE_CONVEX;
      def.geometry.points = points.data(), def.geometry.point_count = static_cast<std::uint32_t>(points.size() / 3);
      break;
    case ShapeKind::Plane:
      def.type = VTB_SHAPE_TYPE_PLANE;
      shape->turn = turnOfZ(s);
      break;
    case ShapeKind::Mesh:
      def.type = VTB_SHAPE_TYPE_MESH;
      def.geometry.points = mesh->points.data(), def.geometry.point_count = static_cast<std::uint32_t>(mesh->points.size() / 3);
      def.geometry.triangles = mesh->indices.data();
      def.geometry.triangle_count = static_cast<std::uint32_t>(mesh->indices.size() / 3);
      if (!isStatic(link)) def.geometry.convex_parts = kConvexParts;
      shape->box.setEmpty();
      for (std::size_t i = 0; i + 2 < mesh->points.size(); i += 3) shape->box.extend(Vector(mesh->points.data() + i));
      break;
  }
  const auto pose = poseOf(shape->inLink * shape->turn);
  std::copy(pose.begin(), pose.end(), def.pose);
  vtb_status status = vtb_shape_create(link.world(), link.body, &def, &shape->shape);
  if (status != VTB_OK && shape->type == ShapeKind::Mesh && def.geometry.convex_parts) {
    ignwarn << "vertebra: " << what << ": its mesh moves and is not fit to be cut into convex parts (" << vtb_last_error()
            << "); its convex hull collides in its place\n";
    def.type = VTB_SHAPE_TYPE_CONVEX;
    def.geometry.triangles = nullptr, def.geometry.triangle_count = 0, def.geometry.convex_parts = 0;
    status = vtb_shape_create(link.world(), link.body, &def, &shape->shape);
  }
  if (!done(status, what)) return false;
  vtb_world_set_user_value(link.world(), VTB_NAMED_SHAPE, shape->shape.bits, shape->id);
  link.shapes.push_back(shape);
  setMask(*shape, shape->mask);
  return true;
}

bool setMask(Shape& shape, std::optional<std::uint16_t> mask) {
  shape.mask = mask;
  const std::uint32_t bits = mask.value_or(0);
  return done(mask ? vtb_shape_set_filter(shape.world(), shape.shape, bits | kMasked, bits | kUnmasked)
                   : vtb_shape_set_filter(shape.world(), shape.shape, kUnmasked, ~0u),
              "filter of collision '" + shape.name + "'");
}

}  // namespace ignition::physics::vertebra
