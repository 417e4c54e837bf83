// What is written and drawn over the picture: rectangles, lines and texts in pixels from the upper left corner, made anew for each picture.
#pragma once
#include <string>
#include <vector>

#include <osg/Camera>
#include <osg/Geode>
#include <osgText/Text>

#include "viewer/scene.hpp"

namespace vertebra::viewer {

class Hud {
 public:
  Hud();
  osg::Node* root() const { return camera_; }

  void begin(int width, int height);
  void rectangle(double x, double y, double width, double height, Colour colour);
  void line(double x0, double y0, double x1, double y1, Colour colour);
  // Its upper left corner at x, y; several lines by \n.
  void text(double x, double y, double size, const std::string& words, Colour colour);
  void end();

 private:
  osg::ref_ptr<osg::Camera> camera_;
  osg::ref_ptr<osg::Geode> shapes_, words_;
  osg::ref_ptr<osg::Geometry> triangles_, lines_;
  std::vector<osg::ref_ptr<osgText::Text>> texts_;  // used again
  std::size_t used_ = 0;
  int height_ = 1;
};

}  // namespace vertebra::viewer
