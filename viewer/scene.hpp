// The scene: triangles with one colour and a pose each, on a chequered ground with their shadows under one sun. Metres, z up; the ground is
// z = 0.
#pragma once
#include <cstdint>
#include <vector>

#include <osg/MatrixTransform>
#include <osg/ref_ptr>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

struct Colour {
  float r, g, b;
};

class Scene {
 public:
  Scene();

  // A part without triangles, at the origin. Parts are identified by number.
  int addPart();
  void addTriangles(int part, const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles, Colour colour);
  void setPose(int part, const double* pose);  // 7 doubles: position, quaternion x, y, z, w
  void setColour(int part, Colour colour);     // of all its triangles

  // One part per link, in order, with its visuals or, for figures without visuals, its collision shapes, in their own colours. Returns the
  // number of the first part, -1 if the skeleton cannot be read; vtb_last_error gives the reason.
  int addFigure(const vtb_skeleton* skeleton);
  int addShape(const vtb_world* world, vtb_shape shape, Colour colour);  // a part with the shape's triangles; -1 as above

  osg::Node* root() const { return root_; }
  static osg::Vec4 background() { return {0.80f, 0.86f, 0.92f, 1}; }

 private:
  osg::ref_ptr<osg::Group> root_;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> parts_;
};

}  // namespace vertebra::viewer
