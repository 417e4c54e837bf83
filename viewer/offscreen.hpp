// Drawing into an image without display or window system: an EGL context on Mesa's surfaceless platform with a pbuffer of fixed size,
// into which an OpenSceneGraph viewer draws on the calling thread.
#pragma once
#include <memory>
#include <string>

#include <osg/Image>
#include <osg/Matrixd>
#include <osg/Node>
#include <osg/Vec4>

namespace vertebra::viewer {

class Offscreen {
 public:
  // Null, with the reason in error, where no context can be created. One Offscreen at a time is current on a thread.
  static std::unique_ptr<Offscreen> create(int width, int height, std::string& error);
  virtual ~Offscreen() = default;

  virtual void setScene(osg::Node* scene, const osg::Vec4& background) = 0;
  // RGB, 8 bits, first row at the bottom, rows packed.
  virtual osg::ref_ptr<osg::Image> draw(const osg::Matrixd& projection, const osg::Matrixd& view) = 0;
};

}  // namespace vertebra::viewer
