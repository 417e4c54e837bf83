// What is shot from the camera: a ball, a box or a figure. Metres, kg, s.
//
// A snapshot fits only a world with the same things in the same slots (vtb_world_restore). So that a shot can be taken back by destroying
// it, the cannon makes and destroys at its start as many things as it may ever have in the world at once: from then on the world has these
// slots.
#pragma once
#include <vector>

#include <osg/Vec3d>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

enum class Ammunition { kBall, kBox, kFigure };

class Cannon {
 public:
  explicit Cannon(vtb_world* world);  // reserves, the slot of the hold's joint (grab.hpp) among them
  ~Cannon();
  Cannon(const Cannon&) = delete;
  Cannon& operator=(const Cannon&) = delete;

  // size: of what is shot at; sets the shot's size, mass and speed. False if there is no room for one more.
  bool fire(Ammunition what, const osg::Vec3d& from, const osg::Vec3d& direction, double size);
  std::size_t count() const { return shots_.size(); }
  void keep(std::size_t count);  // the first so many; the others are destroyed
  bool owns(vtb_body body) const;

 private:
  struct Shot {
    vtb_body body{};
    vtb_figure figure{};
    int bodies = 1;
  };

  vtb_body fireBody(Ammunition what, const double pose[7], double size);
  vtb_figure fireFigure(const double pose[7], double size);
  void destroy(const Shot& shot);
  int bodies() const;

  vtb_world* world_;
  vtb_skeleton* figure_ = nullptr;
  double figureSize_ = 0;
  std::vector<Shot> shots_;
};

}  // namespace vertebra::viewer
