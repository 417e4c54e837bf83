// Where a view is drawn: memory (offscreen.hpp) or a window (window.hpp).
#pragma once
#include <osg/Image>
#include <osg/Matrixd>
#include <osg/Node>
#include <osg/Vec4>

namespace vertebra::viewer {

constexpr int kSamples = 4;  // of a pixel, where nobody says otherwise and the driver has it

class Stage {
 public:
  virtual ~Stage() = default;
  virtual void setScene(osg::Node* scene, const osg::Vec4& background) = 0;
  virtual void draw(const osg::Matrixd& projection, const osg::Matrixd& view) = 0;
  // What was drawn: RGB, 8 bits, first row at the bottom, rows packed. Until the next call.
  virtual osg::ref_ptr<osg::Image> image() = 0;
  virtual int samples() const = 0;  // of a pixel; 0: one
};

}  // namespace vertebra::viewer
