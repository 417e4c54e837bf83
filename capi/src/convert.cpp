// See convert.hpp.
#include "capi/src/convert.hpp"

#include <Eigen/Eigenvalues>

#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/heightfield.hpp"
#include "engine/geometry/tessellate.hpp"

namespace vertebra::capi {

vtb_axis_def axisDefaults() { return axisDef(AxisParameters{}); }

AxisParameters axisParameters(const vtb_axis_def& def) {
  reserved(def.reserved);
  AxisParameters axis;
  axis.lower = notNan(def.lower, "lower");
  axis.upper = notNan(def.upper, "upper");
  if (axis.lower > axis.upper || axis.lower == kInf || axis.upper == -kInf) refuse(VTB_E_ARG, "lower must not be above upper");
  axis.velocity = notNegative(def.velocity, "velocity");
  axis.effort = notNegative(def.effort, "effort");
  axis.damping = finiteNotNegative(def.damping, "damping");
  axis.friction = finiteNotNegative(def.friction, "friction");
  axis.stiffness = finiteNotNegative(def.stiffness, "stiffness");
  axis.rest = finite(def.rest, "rest");
  axis.armature = finiteNotNegative(def.armature, "armature");
  axis.restitution = finiteNotNegative(def.restitution, "restitution");
  if (axis.restitution > 1) refuse(VTB_E_ARG, "restitution is above 1");
  return axis;
}

vtb_axis_def axisDef(const AxisParameters& axis) {
  vtb_axis_def def{};
  def.struct_size = sizeof def;
  def.lower = axis.lower;
  def.upper = axis.upper;
  def.velocity = axis.velocity;
  def.effort = axis.effort;
  def.damping = axis.damping;
  def.friction = axis.friction;
  def.stiffness = axis.stiffness;
  def.rest = axis.rest;
  def.armature = axis.armature;
  def.restitution = axis.restitution;
  return def;
}

vtb_shape_def shapeDefaults() {
  vtb_shape_def def{};
  def.type = VTB_SHAPE_SPHERE;
  std::copy_n(kIdentity, 7, def.pose);
  const Surface surface;
  def.friction = surface.friction;
  def.restitution = surface.restitution;
  def.static_friction = surface.staticFriction;
  def.rolling_friction = surface.rollingFriction;
  def.torsional_friction = surface.torsionalFriction;
  def.category = Shape{}.category;
  def.mask = Shape{}.mask;
  def.convex_tolerance = PartsOptions().tolerance;
  std::copy_n(Visual{}.rgba, 4, def.rgba);
  return def;
}

namespace {
std::vector<Vec3> points(const vtb_shape_def& def) {
  finiteArray(def.points, std::size_t(3) * def.point_count, "points");
  std::vector<Vec3> result(def.point_count);
  for (uint32_t i = 0; i < def.point_count; i++)
    result[i] = Vec3(def.points[3 * std::size_t(i)], def.points[3 * std::size_t(i) + 1], def.points[3 * std::size_t(i) + 2]);
  return result;
}

std::shared_ptr<const ConvexHull> hull(const vtb_shape_def& def) {
  auto result = std::make_shared<ConvexHull>();
  std::string error;
  if ((def.point_count > 0) == (def.plane_count > 0)) refuse(VTB_E_ARG, "a convex shape needs either points or planes");
  if (def.point_count > 0) {
    error = makeConvexHull(points(def), *result);
  } else {
    finiteArray(def.planes, std::size_t(4) * def.plane_count, "planes");
    std::vector<HalfSpace> planes(def.plane_count);
    for (uint32_t i = 0; i < def.plane_count; i++) {
      const double* p = def.planes + 4 * std::size_t(i);
      planes[i] = {Vec3(p[0], p[1], p[2]), p[3]};
    }
    error = makeConvexHull(planes, *result);
  }
  if (!error.empty()) refuse(VTB_E_ARG, "convex shape: " + error);
  return result;
}

std::shared_ptr<const TriangleMesh> mesh(const vtb_shape_def& def) {
  if (def.point_count < 3 || def.triangle_count < 1) refuse(VTB_E_ARG, "a mesh shape needs points and triangles");
  auto result = std::make_shared<TriangleMesh>();
  result->vertices = points(def);
  required(def.triangles, "triangles");
  result->triangles.resize(def.triangle_count);
  for (uint32_t i = 0; i < def.triangle_count; i++)
    for (int k = 0; k < 3; k++) {
      const uint32_t v = def.triangles[3 * std::size_t(i) + k];
      if (v >= def.point_count)
        refuse(VTB_E_ARG, "triangles: triangle " + std::to_string(i) + " names point " + std::to_string(v) + ", there are " +
                              std::to_string(def.point_count));
      result->triangles[i][k] = static_cast<int>(v);
    }
  return result;
}

std::shared_ptr<const ConvexParts> parts(const TriangleMesh& mesh, const vtb_shape_def& def) {
  if (def.convex_parts == 0) return nullptr;
  if (def.convex_parts > 1024) refuse(VTB_E_ARG, "convex_parts is above 1024");
  auto result = std::make_shared<ConvexParts>();
  const PartsOptions options{static_cast<int>(def.convex_parts), finiteNotNegative(def.convex_tolerance, "convex_tolerance")};
  const std::string error = makeConvexParts(mesh, options, *result);
  if (!error.empty()) refuse(VTB_E_ARG, "convex parts: " + error);
  return result;
}

std::shared_ptr<const HeightGrid> heights(const vtb_shape_def& def) {
  constexpr uint32_t kMost = 1u << 15;  // samples along a side
  if (def.height_rows < 2 || def.height_columns < 2 || def.height_rows > kMost || def.height_columns > kMost)
    refuse(VTB_E_ARG, "height_rows and height_columns must be 2 to " + std::to_string(kMost));
  const std::size_t count = static_cast<std::size_t>(def.height_rows) * def.height_columns;
  finiteArray(def.heights, count, "heights");
  auto result = std::make_shared<HeightGrid>();
  const std::string error = makeHeightGrid(static_cast<int>(def.height_rows), static_cast<int>(def.height_columns), def.size[0],
                                           def.size[1], std::vector<double>(def.heights, def.heights + count), *result);
  if (!error.empty()) refuse(VTB_E_ARG, error);
  return result;
}

Geometry geometry(const vtb_shape_def& def) {
  Geometry g;
  g.type = static_cast<ShapeType>(choice(def.type, VTB_SHAPE_SPHERE, VTB_SHAPE_HEIGHTFIELD, "type"));
  g.size = vector(def.size, "size");
  const auto needs = [&](int axis, bool zeroAllowed) {
    if (!(g.size[axis] > 0 || (zeroAllowed && g.size[axis] == 0)))
      refuse(VTB_E_ARG,
             "size[" + std::to_string(axis) + "] must be " + (zeroAllowed ? "0 or more" : "positive") + " for this type of shape");
  };
  switch (g.type) {
    case ShapeType::Sphere:
      needs(0, false);
      break;
    case ShapeType::Capsule:
      needs(0, false), needs(2, true);
      break;
    case ShapeType::Box:
      needs(0, false), needs(1, false), needs(2, false);
      break;
    case ShapeType::Cylinder:
      needs(0, false), needs(2, false);
      break;
    case ShapeType::Convex:
      g.hull = hull(def);
      break;
    case ShapeType::Mesh:
      g.mesh = mesh(def);
      g.parts = parts(*g.mesh, def);
      break;
    case ShapeType::Heightfield:
      needs(0, false), needs(1, false), needs(2, true);
      g.grid = heights(def);
      break;
    case ShapeType::Plane:
    case ShapeType::Compound:
      break;
  }
  return g;
}
}  // namespace

vtb_surface_def surfaceDef(const Surface& surface) {
  vtb_surface_def def{};
  def.struct_size = sizeof def;
  def.friction = surface.friction;
  def.restitution = surface.restitution;
  def.static_friction = surface.staticFriction;
  def.rolling_friction = surface.rollingFriction;
  def.torsional_friction = surface.torsionalFriction;
  def.friction_combine = static_cast<int32_t>(surface.frictionRule);
  def.restitution_combine = static_cast<int32_t>(surface.restitutionRule);
  def.flags = (surface.hertz ? uint32_t(VTB_SURFACE_HERTZ) : 0u) | (surface.stabilised ? uint32_t(VTB_SURFACE_STABILISED) : 0u);
  def.contact_stiffness = surface.stiffness;
  def.contact_damping = surface.damping;
  return def;
}

Surface checkedSurface(const vtb_surface_def& def) {
  const uint32_t flags = flagsOf(def.flags, VTB_SURFACE_HERTZ | VTB_SURFACE_STABILISED, "surface_flags");
  Surface surface;
  surface.hertz = flags & VTB_SURFACE_HERTZ;
  surface.stabilised = flags & VTB_SURFACE_STABILISED;
  surface.stiffness = finiteNotNegative(def.contact_stiffness, "contact_stiffness");
  surface.damping = finiteNotNegative(def.contact_damping, "contact_damping");
  surface.friction = finiteNotNegative(def.friction, "friction");
  surface.restitution = finiteNotNegative(def.restitution, "restitution");
  if (surface.restitution > 1) refuse(VTB_E_ARG, "restitution is above 1");
  surface.staticFriction = finiteNotNegative(def.static_friction, "static_friction");
  surface.rollingFriction = finiteNotNegative(def.rolling_friction, "rolling_friction");
  surface.torsionalFriction = finiteNotNegative(def.torsional_friction, "torsional_friction");
  surface.frictionRule = static_cast<Combine>(choice(def.friction_combine, VTB_COMBINE_DEFAULT, VTB_COMBINE_MAXIMUM, "friction_combine"));
  surface.restitutionRule =
      static_cast<Combine>(choice(def.restitution_combine, VTB_COMBINE_DEFAULT, VTB_COMBINE_MAXIMUM, "restitution_combine"));
  return surface;
}

Shape shapeFrom(const vtb_shape_def& def) {
  reserved(def.reserved);
  Shape shape;
  shape.local = pose(def.pose, "pose");
  shape.surface =
      checkedSurface({sizeof(vtb_surface_def), def.surface_flags, def.friction, def.restitution, def.static_friction, def.rolling_friction,
                      def.torsional_friction, def.friction_combine, def.restitution_combine, def.contact_stiffness, def.contact_damping});
  shape.category = def.category;
  shape.mask = def.mask;
  for (float c : def.rgba)
    if (!(c >= 0 && c <= 1)) refuse(VTB_E_ARG, "rgba must be from 0 to 1");
  std::copy_n(def.rgba, 4, shape.rgba);
  shape.geometry = geometry(def);
  return shape;
}

TriangleMesh placedTriangles(const Geometry& geometry, const Pose& pose) {
  TriangleMesh mesh = tessellate(geometry);
  for (Vec3& v : mesh.vertices) v = pose * v;
  return mesh;
}

void writeTriangles(const TriangleMesh& mesh, double* vertices, std::size_t vertexCapacity, uint32_t* triangles,
                    std::size_t triangleCapacity) {
  requiredArray(vertices, vertexCapacity, "vertices");
  requiredArray(triangles, triangleCapacity, "triangles");
  for (std::size_t i = 0; i < std::min(vertexCapacity, mesh.vertices.size()); i++) write(mesh.vertices[i], vertices + 3 * i);
  for (std::size_t i = 0; i < std::min(triangleCapacity, mesh.triangles.size()); i++)
    for (int k = 0; k < 3; k++) triangles[3 * i + k] = static_cast<uint32_t>(mesh.triangles[i][k]);
}

void checkSwingTwist(double swing, double twistLower, double twistUpper) {
  notNegative(swing, "swing");
  if (notNan(twistLower, "twist_lower") > notNan(twistUpper, "twist_upper") || twistLower == kInf || twistUpper == -kInf)
    refuse(VTB_E_ARG, "twist_lower must not be above twist_upper");
}

void checkAxes(JointType type, const Vec3& axis, const Vec3& axis2) {
  if (hasTwoAxes(type) && axis.cross(axis2).norm() < 1e-3)
    refuse(VTB_E_ARG, std::string("axis and axis2 of a ") + jointTypeName(type) + " joint are parallel");
}

double checkedMass(double mass) { return finiteNotNegative(mass, "mass"); }

Mat3 checkedInertia(const double* values) {
  Mat3 m = inertia(values, "inertia");
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(m, Eigen::EigenvaluesOnly);
  if (!(eigen.eigenvalues()[0] >= -1e-9 * eigen.eigenvalues()[2]))
    refuse(VTB_E_ARG, "inertia (xx, xy, xz, yy, yz, zz) is not positive semidefinite; no rigid body can have it");
  return m;
}

}  // namespace vertebra::capi
