// See convert.hpp.
#include "capi/src/convert.hpp"

#include <Eigen/Eigenvalues>

#include "capi/src/conversions.hpp"
#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/heightfield.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/geometry/tessellate.hpp"

namespace vertebra::capi {

dynamics::AxisParameters axisParameters(const vtb_axis_def& def) {
  dynamics::AxisParameters axis;
  readPairs(AxisPairs::list, def, axis);
  if (axis.lower > axis.upper || axis.lower == kInf || axis.upper == -kInf) refuse(VTB_E_ARG, "lower must not be above upper");
  return axis;
}

namespace {
std::vector<Vec3> points(const vtb_geometry& def) {
  std::vector<Vec3> result(def.point_count);
  for (uint32_t i = 0; i < def.point_count; i++)
    result[i] = Vec3(def.points[3 * std::size_t(i)], def.points[3 * std::size_t(i) + 1], def.points[3 * std::size_t(i) + 2]);
  return result;
}

std::shared_ptr<const geometry::ConvexHull> hull(const vtb_geometry& def) {
  auto result = std::make_shared<geometry::ConvexHull>();
  std::string error;
  if ((def.point_count > 0) == (def.plane_count > 0)) refuse(VTB_E_ARG, "a convex shape needs either points or planes, not both");
  if (def.point_count > 0) {
    error = geometry::makeConvexHull(points(def), *result);
  } else {
    std::vector<geometry::HalfSpace> planes(def.plane_count);
    for (uint32_t i = 0; i < def.plane_count; i++) {
      const double* p = def.planes + 4 * std::size_t(i);
      planes[i] = {Vec3(p[0], p[1], p[2]), p[3]};
    }
    error = geometry::makeConvexHull(planes, *result);
  }
  if (!error.empty()) refuse(VTB_E_ARG, "convex shape: " + error);
  return result;
}

std::shared_ptr<const geometry::TriangleMesh> mesh(const vtb_geometry& def) {
  if (def.point_count < 3 || def.triangle_count < 1) refuse(VTB_E_ARG, "a mesh shape needs points and triangles");
  auto result = std::make_shared<geometry::TriangleMesh>();
  result->vertices = points(def);
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

std::shared_ptr<const geometry::ConvexParts> parts(const geometry::TriangleMesh& mesh, const vtb_geometry& def) {
  if (def.convex_parts == 0) return nullptr;
  auto result = std::make_shared<geometry::ConvexParts>();
  const geometry::PartsOptions options{static_cast<int>(def.convex_parts), def.convex_tolerance};
  const std::string error = geometry::makeConvexParts(mesh, options, *result);
  if (!error.empty()) refuse(VTB_E_ARG, "convex parts: " + error);
  return result;
}

std::shared_ptr<const geometry::HeightGrid> heights(const vtb_geometry& def, const Vec3& spacing) {
  constexpr uint32_t kMost = 1u << 15;  // samples along a side
  if (def.height_rows < 2 || def.height_columns < 2 || def.height_rows > kMost || def.height_columns > kMost)
    refuse(VTB_E_ARG, "height_rows and height_columns must be 2 to " + std::to_string(kMost));
  const std::size_t count = static_cast<std::size_t>(def.height_rows) * def.height_columns;
  auto result = std::make_shared<geometry::HeightGrid>();
  const std::string error = geometry::makeHeightGrid(static_cast<int>(def.height_rows), static_cast<int>(def.height_columns), spacing[0],
                                                     spacing[1], std::vector<double>(def.heights, def.heights + count), *result);
  if (!error.empty()) refuse(VTB_E_ARG, error);
  return result;
}

// Makes what a geometry that has its type and size consists of, and checks that it is whole.
void complete(geometry::Geometry& g, const vtb_geometry& def) {
  if (g.type == geometry::ShapeType::Convex) g.hull = hull(def);
  if (g.type == geometry::ShapeType::Mesh) {
    g.mesh = mesh(def);
    g.parts = parts(*g.mesh, def);
  }
  if (g.type == geometry::ShapeType::Heightfield) g.grid = heights(def, g.size);
  if (const std::string lacks = geometry::traitsOf(g.type).incomplete(g); !lacks.empty()) refuse(VTB_E_ARG, lacks);
}
}  // namespace

geometry::Shape shapeFrom(const vtb_shape_def& def) {
  geometry::Shape shape;
  readPairs(ShapePairs::list, def, shape);
  complete(shape.geometry, def.geometry);
  return shape;
}

geometry::TriangleMesh placedTriangles(const geometry::Geometry& geometry, const Pose& pose) {
  geometry::TriangleMesh mesh = geometry::tessellate(geometry);
  for (Vec3& v : mesh.vertices) v = pose * v;
  return mesh;
}

void writeTriangles(const geometry::TriangleMesh& mesh, double* vertices, std::size_t vertexCapacity, uint32_t* triangles,
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

void checkAxes(dynamics::JointType type, const Vec3& axis, const Vec3& axis2) {
  if (dynamics::hasTwoAxes(type) && axis.cross(axis2).norm() < 1e-3)
    refuse(VTB_E_ARG, std::string("axis and axis2 of a ") + dynamics::jointTypeName(type) + " joint are parallel");
}

double checkedMass(double mass) { return finiteNotNegative(mass, "mass"); }

void checkCentre(const Vec3& com) {
  if (!(com.cwiseAbs().maxCoeff() <= kFarthest)) refuse(VTB_E_ARG, "com is farther than 1e100 m from the link frame");
}

void checkInertia(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia, Eigen::EigenvaluesOnly);
  if (!(eigen.eigenvalues()[0] >= -1e-9 * eigen.eigenvalues()[2]))
    refuse(VTB_E_ARG, "inertia (xx, xy, xz, yy, yz, zz) is not positive semidefinite; no rigid body can have it");
}

}  // namespace vertebra::capi
