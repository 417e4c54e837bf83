// The camera of somebody who walks about a thing: a target, a direction and a distance, turned, moved and brought nearer by the mouse.
// Metres, radians, z up.
#pragma once
#include <vector>

#include <osg/Vec3d>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

struct Ray {
  osg::Vec3d origin, direction;  // of length 1
};

class Rig {
 public:
  void setSize(int width, int height) { width_ = width, height_ = height; }
  void setFront(double front) { front_ = front; }
  void orbit(double dx, double dy);  // by so many pixels
  void pan(double dx, double dy);
  void zoom(double notches);
  void show(int view);                              // named views: 0 corner, 1 front, 2 back, 3 left, 4 right, 5 above
  void fit(const std::vector<osg::Vec3d>& points);  // all of them in the picture
  void shift(const osg::Vec3d& by) { target_ += by; }
  void aim(const osg::Vec3d& target) { target_ = target; }
  void set(const vtb_camera& camera);
  vtb_camera camera() const;

  Ray ray(double x, double y) const;          // through a pixel
  double metresPerPixel(double depth) const;  // across, at a distance along the line of sight
  osg::Vec3d forward() const { return -back(); }
  osg::Vec3d right() const;
  osg::Vec3d up() const;

 private:
  osg::Vec3d back() const;  // from target to eye

  osg::Vec3d target_{0, 0, 0.8};
  double azimuth_ = -0.61, elevation_ = 0.33, distance_ = 6, fov_ = 0.6, front_ = 0;
  int width_ = 1280, height_ = 720;
};

}  // namespace vertebra::viewer
