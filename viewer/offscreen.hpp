// Drawing into an image without display or window system: an EGL context on Mesa's surfaceless platform with a pbuffer of fixed size,
// into which an OpenSceneGraph viewer draws on the calling thread.
#pragma once
#include <memory>
#include <string>

#include <osg/Image>
#include <osg/Node>
#include <osg/Vec3d>
#include <osg/Vec4>

namespace vertebra::viewer {

struct Camera {
  osg::Vec3d eye, target;     // m, world; up is +z
  double verticalAngle = 30;  // degrees of the field of view
};

class Offscreen {
 public:
  // Null, with the reason in error, where no context can be created. One Offscreen at a time is current on a thread.
  static std::unique_ptr<Offscreen> create(int width, int height, std::string& error);
  virtual ~Offscreen() = default;

  virtual void setScene(osg::Node* scene, const osg::Vec4& background) = 0;
  // RGB, 8 bits, first row at the bottom.
  virtual osg::ref_ptr<osg::Image> draw(const Camera& camera) = 0;
  virtual osg::ref_ptr<osg::Image> drawFlat() = 0;  // the plane z = 0, one unit a pixel, origin in the lower left corner
};

}  // namespace vertebra::viewer
