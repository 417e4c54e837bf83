// Slots: what users have handles of (bodies, shapes, joints, couplings, fields, constraints). While the topology is current, poses and
// twists of jointed or free dynamic bodies are in links (state/trees.hpp); an edit carries them over to the slots, where they stay until
// the next rebuild.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/driveline/driveline.hpp"
#include "engine/geometry/mesh_bvh.hpp"
#include "engine/state/body_pairs.hpp"
#include "engine/state/definitions.hpp"
#include "engine/state/joint_axes.hpp"
#include "engine/state/rare.hpp"
#include "engine/state/results.hpp"
#include "engine/state/shared.hpp"

namespace vertebra::inline state {

// Forces on a body, world axes, about the centre of mass. One-step forces last for one World::step.
struct AppliedForces {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), persistentForce = Vec3::Zero(), persistentTorque = Vec3::Zero();
  Vec3 impulse = Vec3::Zero(), angularImpulse = Vec3::Zero();
  // By force fields (forces/fields.cpp): as applied in this step, and as evaluated for the last one.
  Vec3 fieldForce = Vec3::Zero(), fieldTorque = Vec3::Zero(), lastFieldForce = Vec3::Zero(), lastFieldTorque = Vec3::Zero();
  bool fieldKnown = false;  // the last evaluation is from the step before
  // The part of fieldForce, ... that fields with a potential have.
  Vec3 potentialForce = Vec3::Zero(), potentialTorque = Vec3::Zero(), lastPotentialForce = Vec3::Zero(), lastPotentialTorque = Vec3::Zero();
  // By mild springs between bodies (forces/pair_springs.hpp): as applied in this step, and at its end.
  Vec3 springForce = Vec3::Zero(), springTorque = Vec3::Zero(), springForceAtEnd = Vec3::Zero(), springTorqueAtEnd = Vec3::Zero();
  double springRate = 0;                                     // 1, their h^2 k + h c by the inertia that the body has against them
  Vec3 stepForce = Vec3::Zero(), stepTorque = Vec3::Zero();  // all that acted in the last physics step, impulses too: mean
  bool any() const {
    for (const Vec3* x : {&force, &torque, &persistentForce, &persistentTorque, &impulse, &angularImpulse, &fieldForce, &fieldTorque,
                          &lastFieldForce, &lastFieldTorque, &stepForce, &stepTorque})
      if (x->x() != 0 || x->y() != 0 || x->z() != 0) return true;
    return fieldKnown;
  }
};

struct PrescribedTarget {
  Pose pose;
  double time = 0;  // s left; 0 = keep the twist
};

// What a body is apart from its motion.
struct BodyConstants {
  double mass = 1;
  Mat3 inertia = Mat3::Identity();  // about the centre of mass, link axes
  // Made from these and the centre of mass:
  Vec3 moments = Vec3::Ones();
  Pose inertialInLink;  // principal frame; its origin is the centre of mass
  bool operator==(const BodyConstants& o) const { return mass == o.mass && inertia == o.inertia && inertialInLink == o.inertialInLink; }
  std::uint64_t hash() const { return Hash()(mass)(inertia)(inertialInLink).value(); }
};

struct BodyRare {      // what few bodies have
  Rare<Pose> created;  // of a planar world: link frame at creation, from which angle and height are measured
  Rare<Integration> integration;
  Rare<PrescribedTarget> target;  // of kinematic bodies
};

struct BodySlot {
  bool alive = false, enabled = true, asleep = false;
  bool hidden = false;  // of a rotor
  bool added = false;   // since the present trees were made
  BodyKind kind = BodyKind::Dynamic;
  bool launched = false;  // its motion was prescribed since the last step
  bool arrived = false;   // the target was reached in the last step: at rest from now on
  int firstShape = -1;    // the others follow by ShapeSlot::nextShape, in the order of their creation
  int firstJoint = -1;    // the others follow by JointSlot::nextJoint
  int figure = -1;
  int tree = -1, link = -1;  // link: absolute index; -1 = not in a tree (static, kinematic, disabled, or topology not current)
  Pose pose;                 // link frame; current only while link < 0
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();  // of the link frame's origin; current only while link < 0
  Shared<BodyConstants> def;
  double mass() const { return def->mass; }
  const Pose& inertialInLink() const { return def->inertialInLink; }
  double gravityScale = 1;
  Rare<BodyRare> rare;
  void dropTarget() {
    if (rare) rare.make().target.reset();
  }
  Rare<AppliedForces> applied;
  Vec3 appliedForce() const { return applied->force + applied->persistentForce + applied->fieldForce + applied->springForce; }
  Vec3 appliedTorque() const { return applied->torque + applied->persistentTorque + applied->fieldTorque + applied->springTorque; }
  Vec3 forceAtEnd() const { return appliedForce() - applied->springForce + applied->springForceAtEnd; }
  Vec3 torqueAtEnd() const { return appliedTorque() - applied->springTorque + applied->springTorqueAtEnd; }
};

// What a shape is apart from its place.
struct ShapeConstants {
  geometry::Geometry geometry;
  geometry::Surface surface;
  std::uint32_t category = 1, mask = 0xffffffffu;        // see geometry::CollisionShape
  std::array<float, 4> rgba = {0.7f, 0.7f, 0.7f, 1.0f};  // for display only
  // Made from the geometry:
  std::shared_ptr<const geometry::MeshBvh> bvh;
  geometry::Aabb localBox;  // in its own frame
  double inner = 0;         // m, radius of a ball inside; infinite for a solid without another side
  bool operator==(const ShapeConstants& o) const {
    return geometry == o.geometry && surface == o.surface && category == o.category && mask == o.mask && rgba == o.rgba;
  }
  std::uint64_t hash() const {
    return Hash()(geometry.size)(geometry.hull.get())(geometry.mesh.get())(geometry.grid.get())(surface.friction)(category)(rgba[0])
        .value();
  }
};

// Where a shape is on its body.
struct ShapePlace {
  Pose local;  // in the parent's frame, or the body's link frame
  // Of a body's shape, made from these, the shape and the body:
  Pose inInertial;   // in the body's inertial frame
  double reach = 0;  // m, upper bound of the distance from the body's centre of mass to the box's corners
  bool operator==(const ShapePlace& o) const { return local == o.local && inInertial == o.inInertial && reach == o.reach; }
  std::uint64_t hash() const { return Hash()(local)(inInertial)(reach).value(); }
};

struct ShapeSlot {
  bool alive = false;
  int body = -1;
  int parent = -1;  // a compound shape of the same body
  int nextShape = -1;
  Shared<ShapeConstants> def;
  Shared<ShapePlace> place;
};

// Of a joint. Combined: it has a link together with others between the same two bodies (trees/combined_joints.hpp).
enum class Role : std::uint8_t { Inactive, Primary, Auxiliary, Combined };

// For joints with an orientation: the motor's target, of a spherical joint or a motor joint, and values that updateAxisForces derives from
// a spherical joint's axes and limits: the orientation at rest; cosine of the swing limit; cosine and sine of half the twist limits
// (without limits: values that include every orientation).
struct JointOrientation {
  Quat targetQuat = Quat::Identity();
  Vec3 targetPosition = Vec3::Zero(), targetVelocity = Vec3::Zero(), targetOmega = Vec3::Zero();
  Quat restQuat = Quat::Identity();
  double cosSwing = -2, twistLow[2] = {0, -2}, twistHigh[2] = {0, 2};
};

// Of a joint that is rows between two bodies.
struct JointBetween {
  double hold[6] = {}, drive[6] = {},
         spring[6] = {};                             // warm starts: directions that the joint holds; by axis: motors; springs with dampers
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // on b at its joint origin
  // The same at the end of a step of second order: momenta of the next one contain half a step of it (constraints/held_accelerations.hpp).
  Vec3 endForce = Vec3::Zero(), endTorque = Vec3::Zero();
  // Of a mild spring at the start of the step: force on b, torques about the centres of mass of a and b, length [m] and its rate.
  Vec3 startForce = Vec3::Zero(), startTorque[2] = {Vec3::Zero(), Vec3::Zero()};
  double startLength = 0, startRate = 0;
};

struct JointSlot : JointAxes {
  bool alive = false, broken = false,
       reversed = false;  // the tree runs from body b to body a; coordinates are the joint's own either way
  bool placed = false;    // q below is given; otherwise it follows from the bodies' poses at the next rebuild
  bool added = false;     // since the present trees were made
  bool orientationMotor = false;
  bool mild = false;           // a spring between bodies that acts as a force in this step (forces/pair_springs.hpp)
  bool hasAxisForces = false;  // any spring, damper, motor, friction, armature or finite limit: to be evaluated each step
  Role role = Role::Inactive;
  int link = -1;                // absolute index of the link it carries, Role::Primary
  int combinedLink = -1;        // of the link that it carries with others, Role::Combined,
  int nextCombined = -1;        // the next of which is this
  int nextJoint[2] = {-1, -1};  // the next joints of its bodies a and b
  int named = 0;                // number of couplings and constraints that refer to it
  Rare<JointBetween> between;   // made when it first is auxiliary
  Rare<JointOrientation> orientation;
  int a = -1, b = -1;  // bodies; a is the parent
  Shared<JointConstants> def;
};

struct CouplingSlot {
  bool alive = false;
  CouplingDefinition def;
  double impulse = 0;   // of the last step
  double endForce = 0;  // at the end of a step of second order, see JointBetween
};

struct FieldSlot {
  bool alive = false;
  FieldDefinition def;
};

struct SensorSlot {
  bool alive = false;
  SensorDefinition def;
  bool sampled = false;                                // by a step
  double values[7] = {};                               // of the last physics step
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();  // of its body at that sample, at the link frame's origin
};

struct UserConstraintSlot {
  bool alive = false;
  UserConstraintDefinition def;
  std::vector<UserRow> rows;  // room for the largest number; their blocks lie in `blocks`
  std::vector<double> blocks;
  int bodyNumbers = 0, jointNumbers = 0;                // per row
  int count = 0;                                        // rows of the last evaluation
  std::vector<double> impulse, force;                   // of the last step, by row
  std::unique_ptr<driveline::DrivelinePart> driveline;  // of a driveline part: read by its callback
};

// Its rows come from a function of the caller, which only the thread that called the step may call.
inline bool callsBack(const UserConstraintSlot& c) { return c.def.measure == PointMeasure::None && !c.driveline; }

struct Slots {
  std::vector<BodySlot> bodies;
  std::vector<ShapeSlot> shapes;
  std::vector<JointSlot> joints;
  std::vector<CouplingSlot> couplings;
  std::vector<UserConstraintSlot> constraints;
  std::vector<FieldSlot> fields;
  std::vector<SensorSlot> sensors;
  SharedValues<BodyConstants> bodyConstants;
  SharedValues<JointConstants> jointConstants;
  SharedValues<ShapeConstants> shapeConstants;
  SharedValues<ShapePlace> shapePlaces;
  SharedValues<AxisConstants> axisConstants;
  BodyPairs ignoredPairs;  // that do not collide because the caller said so
  bool deadPairs = false;  // some of them are of destroyed bodies
  std::vector<JointEvent> jointEvents;
  Destroyed destroyed;
  std::size_t firstFreeBody = 0, firstFreeShape = 0, firstFreeJoint = 0, firstFreeCoupling = 0, firstFreeConstraint = 0,
              firstFreeSensor = 0;  // none free below
  int figureMarks = 0;
  bool anyBreakable = false;  // some joint may break, or is broken
  bool anyAsleep = false;     // some body may be asleep
  bool anyTwist = false;      // some surface had torsional or rolling friction: contacts may have torques
};

// A shape's pose in the link frame of its body or in the world, compounds composed.
inline Pose poseInBody(const Slots& w, const ShapeSlot& s) {
  Pose pose = s.place->local;
  for (int p = s.parent; p >= 0; p = w.shapes[p].parent) pose = w.shapes[p].place->local * pose;
  return pose;
}

// The shapes of a body, in the order of their creation: for (int shape : ShapesOf(w, body)).
struct ShapesOf {
  struct Iterator {
    const Slots* w;
    int id;
    int operator*() const { return id; }
    void operator++() { id = w->shapes[id].nextShape; }
    bool operator!=(const Iterator& o) const { return id != o.id; }
  };
  ShapesOf(const Slots& slots, int of) : w(slots), body(of) {}
  Iterator begin() const { return {&w, w.bodies[body].firstShape}; }
  Iterator end() const { return {&w, -1}; }
  const Slots& w;
  int body;
};

}  // namespace vertebra::inline state
