// The types of joint and the parameters of one scalar axis, as descriptions and worlds both use them. SI units, radians.
#pragma once
#include <cstdint>

#include "engine/math/types.hpp"

namespace vertebra {

enum class JointType : std::uint8_t { Fixed, Revolute, Continuous, Prismatic, Universal, Spherical, Planar, Floating };
const char* jointTypeName(JointType t);  // URDF's words: "fixed", "revolute", ..., and "universal", "spherical"
int jointNq(JointType t);
int jointNv(JointType t);

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
