// The types of joint and the parameters of one scalar axis, as descriptions and worlds both use them. SI units, radians.
#pragma once
#include <cstdint>

#include "engine/math/types.hpp"

namespace vertebra {

enum class JointType : std::uint8_t {
  Fixed,
  Revolute,
  Continuous,
  Prismatic,
  Universal,
  Spherical,
  Planar,
  Floating,
  Cylindrical,
  Screw,
  Wheel
};
const char* jointTypeName(
    JointType t);  // URDF's words: "fixed", "revolute", ..., and "universal", "spherical", "cylindrical", "screw", "wheel"
int jointNq(JointType t);
int jointNv(JointType t);
inline bool fixesPoint(JointType t) {  // the origins of its two frames coincide
  return t == JointType::Fixed || t == JointType::Revolute || t == JointType::Continuous || t == JointType::Universal ||
         t == JointType::Spherical;
}
inline bool hasTwoAxes(JointType t) { return t == JointType::Universal || t == JointType::Wheel; }

// How a joint lets its child move, in joint frames.
struct JointShape {
  JointType type = JointType::Fixed;
  // Unit. axis: of hinge, slide, cylinder or screw, normal of planar, twist axis of spherical, parent's axis of universal, steering axis
  // and direction of travel of wheel. axis2: the child's axis of universal, the axle of wheel, in the child's joint frame.
  Vec3 axis = Vec3::UnitX(), axis2 = Vec3::UnitY();
  double pitch = 0;  // screw: m a radian
};

// One scalar axis of a joint. Infinity means "no such limit". Units: rad or m, and N m or N.
struct AxisParameters {
  double lower = -kInf, upper = kInf;
  double velocity = kInf;  // largest |rate|
  double effort = kInf;    // largest |motor torque or force|
  double damping = 0;      // viscous
  double friction = 0;     // dry, a torque or force
  double stiffness = 0;    // spring towards rest
  double rest = 0;
  double armature = 0;     // inertia of the rotor, seen at the joint
  double restitution = 0;  // of the position limits
};

}  // namespace vertebra
