// See poses.hpp.
#include "viewer/poses.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <osg/Quat>

namespace vertebra::viewer {

void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

osg::Vec3d applied(const double* pose, const osg::Vec3d& point) {
  return osg::Quat(pose[3], pose[4], pose[5], pose[6]) * point + osg::Vec3d(pose[0], pose[1], pose[2]);
}

void Box::add(const osg::Vec3d& point) {
  for (int k = 0; k < 3; k++) {
    lower[k] = std::min(lower[k], point[k]);
    upper[k] = std::max(upper[k], point[k]);
  }
}

osg::Vec3d Box::corner(int i) const {
  return {i & 1 ? upper.x() : lower.x(), i & 2 ? upper.y() : lower.y(), i & 4 ? upper.z() : lower.z()};
}

}  // namespace vertebra::viewer
