// A body held by the mouse: a joint of type motor from the world to the grabbed point, three axes of force and three of torque, each soft
// and bounded, so that a figure follows by its own joints and nothing is torn. Forces in N, world axes.
#pragma once
#include <optional>

#include <osg/Quat>
#include <osg/Vec3d>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

// What the hold is made of; enough to make it again.
struct Hold {
  vtb_body body{};
  double local[7] = {0, 0, 0, 0, 0, 0, 1};  // of the joint's frame in the body
  double mass = 0, size = 0;                // of what hangs on it, kg and m: a figure, or the body alone
  bool turning = false;                     // torques too
};

class Grab {
 public:
  explicit Grab(vtb_world* world) : world_(world) {}

  void begin(const Hold& hold);
  void end();
  bool active() const { return hold_.has_value(); }
  const std::optional<Hold>& hold() const { return hold_; }
  // Where the grabbed point, with the axes that it had along the world's, is wanted.
  void aim(const osg::Vec3d& point, const osg::Quat& turn);
  double force() const;      // of the last step
  osg::Vec3d point() const;  // where it is

 private:
  vtb_world* world_;
  std::optional<Hold> hold_;
  vtb_joint joint_{};
};

// At a point of the world.
Hold holdAt(const vtb_world* world, vtb_body body, const osg::Vec3d& point, double mass, double size, bool turning);

}  // namespace vertebra::viewer
