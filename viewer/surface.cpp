// See surface.hpp. A vertex gets one normal for each group of its triangles that are nearly parallel: the sum of their area vectors.
#include "viewer/surface.hpp"

#include <cmath>

namespace vertebra::viewer {

namespace {

const double kCrease = std::cos(0.7);  // edges between planes with a larger angle, rad, stay sharp

// A group of triangles at a vertex: parallel to the first of them within the crease. It is a vertex of the surface.
struct Group {
  osg::Vec3d first, sum;
  std::uint32_t vertex;
  int next;  // group of the same vertex, or -1
};

class Grouping {
 public:
  Grouping(const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles)
      : vertices_(vertices), indices_(new osg::DrawElementsUInt(GL_TRIANGLES)), heads_(vertices.size() / 3, -1) {
    groups_.reserve(heads_.size());
    indices_->reserve(triangles.size());
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
      const osg::Vec3d a = point(triangles[t]), area = (point(triangles[t + 1]) - a) ^ (point(triangles[t + 2]) - a);
      for (std::size_t k = 0; k < 3; k++) indices_->push_back(group(triangles[t + k], area));
    }
  }

  osg::ref_ptr<osg::Geometry> geometry() const {
    osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array, normals = new osg::Vec3Array;
    points->reserve(groups_.size());
    normals->reserve(groups_.size());
    for (const Group& group : groups_) {
      osg::Vec3d normal = group.sum;
      if (normal.normalize() == 0) normal.set(0, 0, 1);  // of triangles without an area, which are not seen
      points->push_back(osg::Vec3(point(group.vertex)));
      normals->push_back(osg::Vec3(normal));
    }
    osg::ref_ptr<osg::Geometry> made = new osg::Geometry;
    made->setVertexArray(points);
    made->setNormalArray(normals, osg::Array::BIND_PER_VERTEX);
    made->addPrimitiveSet(indices_);
    made->setUseDisplayList(false);  // which repeats a vertex for each of its triangles
    made->setUseVertexBufferObjects(true);
    return made;
  }

 private:
  osg::Vec3d point(std::uint32_t i) const { return {vertices_[3 * i], vertices_[3 * i + 1], vertices_[3 * i + 2]}; }

  std::uint32_t group(std::uint32_t vertex, const osg::Vec3d& area) {
    const double size = area.length();
    int* at = &heads_[vertex];
    for (; *at >= 0; at = &groups_[static_cast<std::size_t>(*at)].next) {
      Group& group = groups_[static_cast<std::size_t>(*at)];
      if (size > 0 && group.first * area < kCrease * size * group.first.length()) continue;
      if (group.first.length2() == 0) group.first = area;
      group.sum += area;
      return static_cast<std::uint32_t>(*at);
    }
    *at = static_cast<int>(groups_.size());  // before the list grows and moves what `at` points to
    groups_.push_back({area, area, vertex, -1});
    return static_cast<std::uint32_t>(groups_.size() - 1);
  }

  const std::vector<double>& vertices_;
  osg::ref_ptr<osg::DrawElementsUInt> indices_;
  std::vector<Group> groups_;
  std::vector<int> heads_;  // by vertex: its first group, or -1
};

}  // namespace

osg::ref_ptr<osg::Geometry> surface(const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles, Colour colour) {
  osg::ref_ptr<osg::Geometry> geometry = Grouping(vertices, triangles).geometry();
  geometry->setColorArray(new osg::Vec4Array(1), osg::Array::BIND_OVERALL);
  paint(*geometry, colour);
  return geometry;
}

void paint(osg::Geometry& surface, Colour colour) {
  const osg::Vec4 rgba(colour.r, colour.g, colour.b, colour.a);
  osg::Vec4Array& colours = static_cast<osg::Vec4Array&>(*surface.getColorArray());
  if (colours[0] != rgba) {
    colours[0] = rgba;
    colours.dirty();
    surface.dirtyGLObjects();
  }
  osg::StateSet* state = surface.getOrCreateStateSet();
  state->setMode(GL_BLEND, colour.a < 1 ? osg::StateAttribute::ON : osg::StateAttribute::OFF);
  state->setRenderingHint(colour.a < 1 ? osg::StateSet::TRANSPARENT_BIN : osg::StateSet::DEFAULT_BIN);
}

}  // namespace vertebra::viewer
