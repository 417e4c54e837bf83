// See joint_type.hpp.
#include "engine/dynamics/joint_type.hpp"

namespace vertebra {

const char* jointTypeName(JointType t) {
  switch (t) {
    case JointType::Fixed:
      return "fixed";
    case JointType::Revolute:
      return "revolute";
    case JointType::Continuous:
      return "continuous";
    case JointType::Prismatic:
      return "prismatic";
    case JointType::Universal:
      return "universal";
    case JointType::Spherical:
      return "spherical";
    case JointType::Planar:
      return "planar";
    case JointType::Floating:
      return "floating";
    case JointType::Cylindrical:
      return "cylindrical";
    case JointType::Screw:
      return "screw";
    case JointType::Wheel:
      return "wheel";
  }
  return "?";
}
int jointNv(JointType t) {
  switch (t) {
    case JointType::Fixed:
      return 0;
    case JointType::Revolute:
    case JointType::Continuous:
    case JointType::Prismatic:
    case JointType::Screw:
      return 1;
    case JointType::Universal:
    case JointType::Cylindrical:
      return 2;
    case JointType::Spherical:
    case JointType::Planar:
    case JointType::Wheel:
      return 3;
    case JointType::Floating:
      return 6;
  }
  return 0;
}
int jointNq(JointType t) { return t == JointType::Spherical ? 4 : t == JointType::Floating ? 7 : jointNv(t); }

}  // namespace vertebra
