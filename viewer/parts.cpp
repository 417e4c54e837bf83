// The functions of vertebra_view.h that tell what a view shows, for those who draw it by other means. Metres; meshes in the frame of what
// carries them.
#include <algorithm>
#include <cmath>
#include <vector>

#include <osg/Geometry>
#include <osg/TriangleIndexFunctor>

#include "viewer/guard.hpp"
#include "viewer/view.hpp"

using namespace vertebra::viewer;

namespace {

constexpr int kPieceBits = 24;  // of a part's number: which geometry of its part of the scene it is

struct Triangles {
  std::vector<std::uint32_t> indices;
  void operator()(unsigned a, unsigned b, unsigned c) { indices.insert(indices.end(), {a, b, c}); }
};

std::uint32_t trianglesOf(const osg::Geometry& geometry) {
  std::uint32_t count = 0;
  for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); i++) count += geometry.getPrimitiveSet(i)->getNumPrimitives();
  return count;
}

std::vector<std::uint32_t> indicesOf(const osg::Geometry& geometry) {
  osg::TriangleIndexFunctor<Triangles> functor;
  geometry.accept(functor);
  return functor.indices;
}

const osg::Geode& geodeOf(const osg::MatrixTransform& node) { return *node.getChild(0)->asGeode(); }

const osg::Vec3Array& vectors(const osg::Array* array) { return static_cast<const osg::Vec3Array&>(*array); }

void copy(const osg::Vec3Array& from, float* to) {
  for (const osg::Vec3& v : from) to = std::copy_n(v.ptr(), 3, to);
}

}  // namespace

vtb_status vtb_view_get_parts(const vtb_view* view, vtb_view_part* parts, size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    required(view, "view");
    if (capacity > 0 && required(parts, "parts").struct_size != sizeof *parts)
      throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_view_part");
    std::size_t count = 0;
    for (const WorldView::Drawn& drawn : view->world.drawn()) {
      const osg::MatrixTransform& node = view->scene.node(drawn.scene);
      const ShownBody* body = drawn.body < 0 ? nullptr : &view->world.bodies()[static_cast<std::size_t>(drawn.body)];
      for (unsigned piece = 0; piece < geodeOf(node).getNumDrawables(); piece++, count++) {
        if (count >= capacity) continue;
        const osg::Geometry& geometry = *geodeOf(node).getDrawable(piece)->asGeometry();
        const osg::Vec4& colour = static_cast<const osg::Vec4Array&>(*geometry.getColorArray())[0];
        vtb_view_part& part = parts[count];
        part = {};
        part.struct_size = sizeof part;
        part.shown = node.getNodeMask() != 0 || drawn.underSkin;  // a skin changes with each push: it is no part
        part.part = view->scene.serial(drawn.scene) << kPieceBits | piece;
        part.pose[6] = 1;
        if (body) part.body = body->handle, std::copy_n(body->pose, 7, part.pose);
        std::copy_n(colour.ptr(), 4, part.rgba);
        part.vertices = geometry.getVertexArray()->getNumElements();
        part.triangles = trianglesOf(geometry);
      }
    }
    if (total) *total = count;
  });
}

vtb_status vtb_view_get_part_mesh(const vtb_view* view, uint64_t part, float* vertices, float* normals, uint32_t* triangles) {
  return guarded(__func__, [&] {
    required(view, "view");
    for (const WorldView::Drawn& drawn : view->world.drawn()) {
      const osg::Geode& geode = geodeOf(view->scene.node(drawn.scene));
      const std::uint64_t piece = part & ((1u << kPieceBits) - 1);
      if (view->scene.serial(drawn.scene) != part >> kPieceBits || piece >= geode.getNumDrawables()) continue;
      const osg::Geometry& geometry = *geode.getDrawable(static_cast<unsigned>(piece))->asGeometry();
      if (vertices) copy(vectors(geometry.getVertexArray()), vertices);
      if (normals) copy(vectors(geometry.getNormalArray()), normals);
      if (triangles) {
        const std::vector<std::uint32_t> indices = indicesOf(geometry);
        std::copy(indices.begin(), indices.end(), triangles);
      }
      return;
    }
    throw Refused(VTB_E_STALE, "the view has no part " + std::to_string(part));
  });
}

vtb_status vtb_view_get_marks(const vtb_view* view, float* points, uint8_t* colours, size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    const osg::Geode& geode = required(view, "view").scene.marksNode();
    if (total) *total = 0;
    if (geode.getNumDrawables() == 0) return;
    const osg::Geometry& geometry = *geode.getDrawable(0)->asGeometry();
    const osg::Vec3Array& at = vectors(geometry.getVertexArray());
    const osg::Vec4Array& colour = static_cast<const osg::Vec4Array&>(*geometry.getColorArray());
    if (capacity > 0) required(points, "points"), required(colours, "colours");
    for (std::size_t i = 0; i < std::min(capacity, at.size()); i++)
      for (unsigned k = 0; k < 4; k++) {
        if (k < 3) points[3 * i + k] = at[i][k];
        colours[4 * i + k] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(colour[i][k], 0.0f, 1.0f)));
      }
    if (total) *total = at.size();
  });
}

vtb_status vtb_view_get_ground(const vtb_view* view, int32_t* shown, double* height) {
  return guarded(__func__, [&] {
    required(shown, "shown");
    required(height, "height");
    *shown = required(view, "view").scene.groundShown();
    *height = view->scene.groundHeight();
  });
}
