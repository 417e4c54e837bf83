// See shapes.hpp.
#include "capi/src/scene/shapes.hpp"

#include "capi/src/conversions.hpp"
#include "engine/geometry/convex_parts.hpp"

namespace vertebra::capi::scene {

namespace {

void readMesh(ShapeValues& values, MeshCache& meshes) {
  if (!values.points.empty()) refuse(VTB_E_ARG, "it has both points and a file; to mend: keep one");
  const MeshCache::Entry& entry = meshes.get(values.file);
  if (!entry.problem.empty()) refuse(VTB_E_IO, "'" + values.file + "': " + entry.problem);
  const Vec3 scale(values.scale[0], values.scale[1], values.scale[2]);
  for (const MeshPart& part : entry.parts) {
    const auto mesh = scaledMesh(part.mesh, scale);
    const auto first = static_cast<uint32_t>(values.points.size() / 3);
    for (const Vec3& v : mesh->vertices) values.points.insert(values.points.end(), v.data(), v.data() + 3);
    if (values.def.type == VTB_SHAPE_TYPE_MESH)
      for (const auto& t : mesh->triangles)
        for (int k = 0; k < 3; k++) values.triangles.push_back(first + static_cast<uint32_t>(t[k]));
  }
}

}  // namespace

geometry::Shape shapeFromValues(ShapeValues values, MeshCache& meshes) {
  if (!values.file.empty()) readMesh(values, meshes);
  vtb_shape_def& def = values.def;
  vtb_geometry& geometry = def.geometry;
  geometry.points = values.points.data();
  geometry.point_count = static_cast<uint32_t>(values.points.size() / 3);
  geometry.planes = values.planes.data();
  geometry.plane_count = static_cast<uint32_t>(values.planes.size() / 4);
  geometry.triangles = values.triangles.data();
  geometry.triangle_count = static_cast<uint32_t>(values.triangles.size() / 3);
  geometry.heights = values.heights.data();
  const std::size_t samples = std::size_t(geometry.height_rows) * geometry.height_columns;
  if (def.type == VTB_SHAPE_TYPE_HEIGHTFIELD && values.heights.size() != samples)
    refuse(VTB_E_ARG, "there are " + std::to_string(values.heights.size()) + " heights, rows times columns is " + std::to_string(samples));
  return shapeFrom(def);
}

ShapeValues describeShape(const geometry::Shape& shape) {
  const geometry::Geometry& g = shape.geometry;
  ShapeValues values;
  vtb_shape_def& def = values.def;
  writePairs(ShapePairs::list, shape, def);
  if (g.hull)
    for (const Vec3& v : g.hull->vertices) append(values.points, v);
  if (g.mesh) {
    for (const Vec3& v : g.mesh->vertices) append(values.points, v);
    for (const auto& t : g.mesh->triangles)
      for (int k = 0; k < 3; k++) values.triangles.push_back(static_cast<uint32_t>(t[k]));
  }
  if (g.parts) {  // cut into as many again
    def.geometry.convex_parts = static_cast<uint32_t>(g.parts->part.size());
    def.geometry.convex_tolerance = 0;
  }
  if (g.grid) {
    def.geometry.height_rows = static_cast<uint32_t>(g.grid->rows);
    def.geometry.height_columns = static_cast<uint32_t>(g.grid->columns);
    values.heights = g.grid->height;
  }
  return values;
}

}  // namespace vertebra::capi::scene
