// Definitions from which bodies, joints, couplings, force fields and constraints are created. Each is identified by a small integer (slot,
// reused after destruction; the C ABI guards them with generations). Body -1 is the world itself. SI units, world axes; poses and twists
// are of link frames (twist: velocity of the frame's origin, then angular velocity).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics/joint_type.hpp"
#include "engine/geometry/shape.hpp"
#include "engine/math/types.hpp"
#include "engine/state/settings.hpp"
#include "engine/state/shared.hpp"

namespace vertebra::geometry {
class Curve;
}

namespace vertebra::inline state {

enum class BodyKind : std::uint8_t { Static, Kinematic, Dynamic };
// Joint: one of JointType, in a tree where it can be. The other types always stay between two bodies (constraints/pair_constraint.hpp).
enum class ConstraintType : std::uint8_t { Joint, Motor, AxisAngular, AxisLinear, Distance, PointOnLine, PointOnPlane, PointOnCurve };
enum class MotorMode : std::uint8_t { Off, Position, Velocity, Torque };

struct BodyDefinition {
  BodyKind kind = BodyKind::Dynamic;
  Pose pose;
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();
  double mass = 1;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = 0.01 * Mat3::Identity();  // about com, link axes
  double gravityScale = 1;
  int figure = -1;  // bodies of different figures are never in one tree; -1 = loose
  bool disabled = false;
  Integration integration;
};

// In the directions that the constraint holds: force = -stiffness * error - damping * rate, implicit. Infinite stiffness: rigid.
struct Softness {
  double stiffness = kInf, damping = 0;
  bool rigid() const { return !(stiffness < kInf); }
  bool operator==(const Softness&) const = default;
};

// What a joint is apart from the bodies that it connects; a world keeps it once for equal joints.
struct JointConstants : dynamics::JointShape {
  ConstraintType constraint = ConstraintType::Joint;  // type is used for Joint only
  bool asTheyStand = false;                           // computes frameB from the present poses
  bool bodiesCollide = false;
  bool auxiliary = false;  // never a tree joint (a figure's loop)
  // A rotor: no bodies, one angle whose inertia is the armature of its axis. It becomes a continuous joint to the world with a body of its
  // own that has no mass and that users do not see.
  bool rotor = false;
  Pose frameA, frameB;                                         // joint frame in the link frames
  double swing = kInf, twistLower = -kInf, twistUpper = kInf;  // limits of a spherical joint
  Softness linear, angular;                                    // soft joints are never in trees
  double relaxation = 1, regularisation = 0;     // under the stepper `displacement`: the factor multiplies the world's relaxation, the
                                                 // regularisation is added to the world's
  double breakForce = kInf, breakTorque = kInf;  // N, N m through the joint; beyond them it breaks
  std::shared_ptr<const geometry::Curve> curve;  // of PointOnCurve, in frame a

  bool rigid() const { return linear.rigid() && angular.rigid(); }
  bool limitsOrientation() const { return swing < kInf || twistLower > -kInf || twistUpper < kInf; }
  bool breakable() const { return breakForce < kInf || breakTorque < kInf; }
  bool operator==(const JointConstants&) const = default;
  std::uint64_t hash() const { return Hash()(frameA)(frameB)(axis)(axis2)(breakForce)(linear.stiffness).value(); }
};
struct JointDefinition : JointConstants {
  JointDefinition() { type = dynamics::JointType::Revolute; }
  int a = -1, b = -1;  // bodies; a is the parent
};

// sum of coefficient * coordinate = target (position), or of coefficient * rate = target (velocity), over axes with one coordinate each.
struct CouplingTerm {
  int joint = -1, axis = 0;
  double coefficient = 1;
};
struct CouplingDefinition {
  std::vector<CouplingTerm> terms;
  double target = 0;
  bool velocityLevel = false;
  Softness softness;
  double maxForce = kInf;  // on a coefficient of one
};
// q_b = ratio * q_a + offset: gears, racks, mimics.
inline CouplingDefinition ratioCoupling(int a, int b, double ratio, double offset) {
  CouplingDefinition c;
  c.terms = {{a, 0, -ratio}, {b, 0, 1}};
  c.target = offset;
  return c;
}

// A force on bodies that depends on position and velocity, evaluated at each step. On centres of mass; world axes.
//   Radial       -strength * m * r / |r|^3 towards the point, or the body `source`, which feels the opposite; strength = G M [m^3/s^2]
//   Pairwise     gravitation between all bodies; strength = G
// Drag         -(linear + quadratic * |u|) u - angular * w, with u the velocity relative to the wind; quadratic = rho C A / 2
//   Magnus       strength * w x u
//   LennardJones 24 e (2 (s/r)^12 - (s/r)^6) / r between all pairs nearer than range; strength = e [J], length = s [m]
//   Attractor    strength * r^exponent towards the point, nearer than range; repels where strength is negative
// User         a callback computes it
enum class FieldType : std::uint8_t { Radial, Pairwise, Drag, Magnus, LennardJones, Attractor, User };
struct FieldDefinition {
  FieldType type = FieldType::Radial;
  std::vector<int> bodies;  // bodies on which it acts; without these and particles: everything that moves
  int particles = -1;       // a system on which it acts
  int source = -1;
  Vec3 point = Vec3::Zero(), wind = Vec3::Zero();
  double strength = 0, exponent = 0, range = kInf, softening = 0, length = 0;
  double linear = 0, quadratic = 0, angular = 0;
  // Adds force and torque on a body; false: the result is not finite, and the step fails. Must not change the world.
  bool (*evaluate)(void* user, int field, int body, double* force, double* torque) = nullptr;
  // A user's field that is implicit where it is stiff (trees/implicit_fields.cpp). `gradient` adds the derivatives of force and torque by
  // the body's pose and by its twist, 6 x 6 each, row by row, linear part first; without a callback they come from finite differences.
  bool implicit = false;
  bool (*gradient)(void* user, int field, int body, double* byPose, double* byTwist) = nullptr;
  double (*potential)(void* user, int field, int body) = nullptr;  // J, of a body at its present pose; the force is its gradient, downwards
  void* user = nullptr;
};

// What a sensor reads at its site, a frame in the link frame of its body (of ForceTorque: in the joint's frame on body b). See
// vtb_sensor_type.
enum class SensorType : std::uint8_t { Pose, Velocity, Acceleration, Imu, ForceTorque, Touch };
inline constexpr int kSensorValues[] = {7, 6, 6, 6, 6, 1};    // how many numbers each type reads
enum class SensorRegion : std::uint8_t { All, Sphere, Box };  // about the site, for Touch
struct SensorDefinition {
  SensorType type = SensorType::Pose;
  int body = -1, joint = -1;
  Pose site;
  bool worldAxes = false;
  SensorRegion region = SensorRegion::All;
  Vec3 size = Vec3::Zero();  // half extents; of a sphere the first is its radius
};

// One row of a user constraint. It acts on velocities: u = sum over bodies of block . (velocity of the link frame's origin, angular
// velocity), world axes, plus the sum over joints of block . rates. Position rows keep error = 0, the error's rate being u + rate; velocity
// rows keep u = rate. The force along the row stays between lower and upper; with lower 0 it only pushes (error >= 0), with upper 0 it only
// pulls.
struct UserRow {
  bool velocityLevel = false;
  double error = 0, rate = 0, lower = -kInf, upper = kInf;
  Softness softness;
  double* bodies = nullptr;  // 6 numbers a body, in the order of the definition
  double* joints = nullptr;  // one number per axis of each joint, in the order of the definition
};
// What a constraint over points of several bodies keeps constant: the length of the line through them, or the volume of the tetrahedron of
// four (positive where the second to fourth run counter-clockwise, seen from the side away from the first).
enum class PointMeasure : std::uint8_t { None, Length, Volume };
struct UserConstraintDefinition {
  std::vector<int> bodies, joints;
  int rows = 0;  // at most
  // Writes rows for the present state and returns their number; -1: an error, and the step fails. Must not change the world.
  int (*evaluate)(void* user, int constraint, UserRow* rows) = nullptr;
  void* user = nullptr;
  // Or, instead of a callback (`bodies` and `rows` are then filled in):
  PointMeasure measure = PointMeasure::None;
  std::vector<int> pointBodies;  // of each point; -1 = the world
  std::vector<Vec3> points;      // in the link frames
  double value = 0;              // m or m^3; 0 = the present one
  double scale = 1;              // of the error, filled in: a volume's error is in metres over the face of a cube of that volume
  double lower = -kInf, upper = kInf;
  Softness softness;
};

struct MotorSettings {
  MotorMode mode = MotorMode::Off;
  double position = 0, velocity = 0, force = 0, stiffness = 0, damping = 0, maxForce = kInf;
};

struct MotorTarget {              // of the motor of a spherical joint (its orientation and angular velocity) or of a joint of type Motor
  bool orientationMotor = false;  // the spherical joint has an orientation motor
  Pose pose;                      // of b's joint frame in a's
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();
};

}  // namespace vertebra::inline state
