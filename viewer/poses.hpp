// Poses of the C ABI as points and boxes, and its statuses as exceptions. Metres.
#pragma once
#include <osg/Vec3d>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

struct Box {
  osg::Vec3d lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};

  bool valid() const { return lower.x() <= upper.x(); }
  void add(const osg::Vec3d& point);
  osg::Vec3d corner(int index) const;  // 0 to 7
};

void check(vtb_status status);  // an exception with the ABI's text unless VTB_OK

// A point of a pose's frame in the world.
osg::Vec3d applied(const double* pose, const osg::Vec3d& point);

}  // namespace vertebra::viewer
