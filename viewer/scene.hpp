// The scene: parts of triangles with a pose each, on a chequered ground with their shadows under one sun, and marks (overlays) that are
// replaced as a whole. Metres, z up, world.
#pragma once
#include <cstdint>
#include <vector>

#include <osg/Geode>
#include <osg/LightSource>
#include <osg/MatrixTransform>
#include <osg/Uniform>
#include <osg/ref_ptr>

#include "viewer/skin.hpp"
#include "viewer/surface.hpp"

namespace vertebra::viewer {

// Triangles with a normal and a colour at each corner.
struct Soup {
  std::vector<osg::Vec3> points, normals;
  std::vector<osg::Vec4> colours;

  void triangle(const osg::Vec3d (&corners)[3], const osg::Vec3d (&normals)[3], Colour colour);
  void rod(const osg::Vec3d& from, const osg::Vec3d& to, double radiusFrom, double radiusTo, Colour colour);  // with its ends closed
  void arrow(const osg::Vec3d& from, const osg::Vec3d& to, double radius, Colour colour);
  void ball(const osg::Vec3d& centre, double radius, Colour colour);
};

class Scene {
 public:
  explicit Scene(bool shadows);

  // A part without triangles, at the origin. Parts are identified by number; that of a removed one is used again.
  int addPart();
  void removePart(int part);
  void addTriangles(int part, const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles, Colour colour);
  // A part that is a skin, with the links at these poses.
  void setSkin(int part, const Skin& skin, const std::vector<double>& poses, Colour colour);
  void setPose(int part, const double* pose);      // 7 doubles: position, quaternion x, y, z, w
  void setColour(int part, const Colour* colour);  // of all its triangles; null: their own
  void setShown(int part, bool shown);
  // Distance at which a ray [m, world; direction of length 1] meets the part's triangles; infinite where it does not, or where the part is
  // hidden and hidden ones do not count.
  double meet(int part, const osg::Vec3d& origin, const osg::Vec3d& direction, bool hidden = false) const;
  // For those who read what is drawn: its triangles, a geometry for each call of addTriangles, all in the part's frame.
  const osg::MatrixTransform& node(int part) const { return *parts_[static_cast<std::size_t>(part)].node; }
  std::uint64_t serial(int part) const { return parts_[static_cast<std::size_t>(part)].serial; }  // no other part has or had it
  const osg::Geode& marksNode() const { return *marks_; }
  bool groundShown() const { return ground_->getNodeMask() != 0; }
  double groundHeight() const { return height_; }

  void setGround(bool shown, double height);
  void setShadows(bool shadows);
  void setShadowSize(int pixels);       // edge of the picture that the sun sees [1024]
  void setParticles(const Soup& soup);  // lit, and casting shadows
  void setMarks(const Soup& soup);      // unlit, seen through everything
  // The sun stands behind the eye's left shoulder; the ground's tiles and haze go with the distance that is looked at.
  void setEye(const osg::Vec3d& eye, const osg::Vec3d& target, const osg::Vec3d& up);

  osg::Node* root() const { return root_; }
  static osg::Vec4 background() { return {0.86f, 0.90f, 0.94f, 1}; }

 private:
  struct Part {
    osg::ref_ptr<osg::MatrixTransform> node;
    std::vector<Colour> colours;  // of its drawables
    std::uint64_t serial = 0;
  };

  osg::ref_ptr<osg::Group> root_, content_;
  osg::ref_ptr<osg::LightSource> sun_;
  osg::ref_ptr<osg::MatrixTransform> ground_;
  osg::ref_ptr<osg::Geode> particles_, marks_;
  osg::ref_ptr<osg::Uniform> sunDirection_, sunInEye_, upInEye_, texel_, tile_, reach_;
  std::vector<Part> parts_;
  std::vector<int> free_;
  std::uint64_t serials_ = 0;
  bool shadows_;
  int shadowSize_ = 1024;
  double height_ = 0;
};

}  // namespace vertebra::viewer
