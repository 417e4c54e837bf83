// Joint types and the parameters of one scalar axis, for descriptions and worlds alike. SI units, radians.
#pragma once
#include <array>
#include <cstdint>

#include "engine/math/types.hpp"

namespace vertebra::dynamics {

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
  Wheel,
  FreeRoot  // of a tree's root; users do not name it
};
inline constexpr int kJointTypes = static_cast<int>(JointType::FreeRoot);  // that users name

// Which channels of a recorded motion (figure/motion.hpp) give a joint's coordinates.
enum class MotionChannels : std::uint8_t { None, Angles, Length, Orientation, Pose };

// What a joint type says about itself; stated once, beside its kinematics (joints/).
struct JointTraits {
  const char* name = "";  // URDF's word where URDF has the type
  int nq = 0, nv = 0;
  const char* qSuffix[7] = {};  // names of coordinates and velocities: the joint's name with these
  const char* vSuffix[6] = {};
  int quaternion = -1;           // coordinate at which a quaternion x, y, z, w begins; its velocities are angular velocities; -1 = none
  bool fixesPoint = false;       // the origins of its two frames coincide
  bool axisIsZ = false;          // its frames are turned so that `axis` is z
  bool symmetric = false;        // seen from the other body it is the same joint about the opposite axis
  bool needsFrames = true;       // pose or motion subspace use JointFrames; constraints and fit always do
  bool velocityIsTwist = false;  // the link's own, about O: S is the identity, and no parent's motion adds to it
  bool inUrdf = false;           // URDF has the type, or readers of URDF know it
  bool twoAxes = false;          // axis2 is used
  MotionChannels motion = MotionChannels::None;
};
extern const std::array<JointTraits, kJointTypes + 1> kJointTraits;  // by JointType
inline const JointTraits& traitsOf(JointType type) { return kJointTraits[static_cast<std::size_t>(type)]; }

inline const char* jointTypeName(JointType t) { return traitsOf(t).name; }
inline int jointNq(JointType t) { return traitsOf(t).nq; }
inline int jointNv(JointType t) { return traitsOf(t).nv; }
inline bool fixesPoint(JointType t) { return traitsOf(t).fixesPoint; }
inline bool hasTwoAxes(JointType t) { return traitsOf(t).twoAxes; }

// How a joint lets its child move, in joint frames.
struct JointShape {
  JointType type = JointType::Fixed;
  // Unit. axis: of hinge, slide, cylinder or screw, normal of planar, twist axis of spherical, parent's axis of universal, steering axis
  // and direction of travel of wheel. axis2: the child's axis of universal, the axle of wheel, in the child's joint frame.
  Vec3 axis = Vec3::UnitX(), axis2 = Vec3::UnitY();
  double pitch = 0;  // screw: m a radian
  bool operator==(const JointShape&) const = default;
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
  bool operator==(const AxisParameters&) const = default;
};

}  // namespace vertebra::dynamics
