// World: bodies, shapes, joints and couplings, moved by one stepper. Each is identified by a small integer (slot, reused after destruction;
// the C ABI guards them with generations). Body -1 is the world itself. SI units, world axes; poses and twists are of link frames (twist:
// velocity of the frame's origin, then angular velocity). Equations of the steppers: docs/computation.md.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/state/definitions.hpp"
#include "engine/state/results.hpp"

namespace vertebra::particles {
struct Particle;
struct ParticleDefinition;
struct ParticleCounts;
struct EmitterDefinition;
struct SinkDefinition;
}  // namespace vertebra::particles
namespace vertebra::driveline {
struct DrivelineDefinition;
struct DrivelineInput;
struct DrivelineState;
}  // namespace vertebra::driveline
namespace vertebra::inline state {
struct WorldData;
struct TaskState;
}  // namespace vertebra::inline state
namespace vertebra::tasks {
struct TaskHost;
}

namespace vertebra::world {

struct JointDrive {  // of a joint: motors of its axes, and target
  MotorSettings motor[6];
  MotorTarget target;
  bool oriented = false;  // the target is its own, not the default
};

class World {
 public:
  explicit World(const WorldSettings& settings);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const WorldSettings& settings() const;
  Failure setSettings(const WorldSettings& s);
  Callbacks& callbacks();
  // A step's loops run on the threads of a host, whose number becomes the setting `threads`; setting another number ends that.
  void setTaskHost(const tasks::TaskHost& host);
  TaskState& tasks();
  bool callsBack() const;  // its steps call a function of the caller

  Failure reserve(int contacts);
  Failure step();  // settings().substeps physics steps; Diverged: the state after the last good physics step of the call remains
  double time() const;
  void wakeAll();
  std::uint64_t hash() const;
  std::uint64_t linksMade() const;       // by all rebuilds of trees: a measure of the work of edits
  const Statistics& statistics() const;  // since resetStatistics: maxima and sums; counts of the last physics step
  void resetStatistics();                // the C ABI calls it at the start of vtb_world_step
  EnergyAccount energy() const;
  void momentum(Vec3& linear, Vec3& angularAboutOrigin) const;
  // Of bodies that move by physics, without what joints hold; of others 0.
  void bodyEnergy(int body, double& kinetic, double& potential) const;
  void bodyMomentum(int body, const Vec3& about, Vec3& linear, Vec3& angular) const;
  Vec3 bodyCentre(int body) const;  // of mass, world
  // Armature and spring of a joint in a tree; of others 0.
  void jointEnergy(int joint, double& kinetic, double& potential) const;

  // Bodies
  int newFigureMark();  // for BodyDefinition::figure
  int createBody(const BodyDefinition& d);
  void destroyBody(int body);  // with its shapes and joints; destroyed ids are in lastDestroyed()
  void destroyBodies(const std::vector<int>& bodies);
  int bodyCapacity() const;  // slots, alive or free
  bool bodyAlive(int body) const;
  Pose bodyPose(int body) const;
  Failure setBodyPose(int body, const Pose& pose, double residual[2]);
  void bodyTwist(int body, Vec3& velocity, Vec3& omega) const;
  Failure setBodyTwist(int body, const Vec3& velocity, const Vec3& omega, double residual[2]);
  void bodyAcceleration(int body, Vec3& linear, Vec3& angular) const;
  Failure moveBodyTo(int body, const Pose& pose, double seconds);
  BodyKind bodyKind(int body) const;
  Failure setBodyKind(int body, BodyKind kind);
  bool bodyEnabled(int body) const;
  Failure setBodyEnabled(int body, bool enabled);
  bool bodyAwake(int body) const;
  void wakeBody(int body);
  void bodyMass(int body, double& mass, Vec3& com, Mat3& inertia) const;
  Failure setBodyMass(int body, double mass, const Vec3& com, const Mat3& inertia);
  Failure setBodyMassFromShapes(int body, double density, double mass);
  void addForce(int body, const Vec3& force, const Vec3* point, bool persistent);
  void addTorque(int body, const Vec3& torque, bool persistent);
  void addImpulse(int body, const Vec3& impulse, const Vec3* point);
  void clearForces(int body);
  void forces(int body, Vec3& force, Vec3& torqueAboutCom) const;
  void lastingForces(int body, Vec3& force, Vec3& torqueAboutCom) const;  // the persistent ones among them
  double bodyGravityScale(int body) const;
  const Integration& bodyIntegration(int body) const;
  Failure setBodyIntegration(int body, const Integration& of);
  Failure checkIntegration(const Integration& of) const;  // whether the world's stepper offers it
  Pose bodyCreated(int body) const;                       // its link frame at creation, from which a planar world measures

  // Shapes. geometry is kept by the world; parent = a Compound shape of the same body or -1.
  Failure createShape(int body, const geometry::Shape& shape, int parent, int& id);
  void destroyShape(int shape);
  bool shapeAlive(int shape) const;
  int shapeBody(int shape) const;
  geometry::Shape shape(int shape) const;  // local pose relative to its parent; parent = shape id
  Pose shapeInBody(int shape) const;       // compounds composed
  Failure setShapePose(int shape, const Pose& pose);
  void setShapeSurface(int shape, const geometry::Surface& surface);
  void setShapeFilter(int shape, std::uint32_t category, std::uint32_t mask);
  void setPairCollides(int bodyA, int bodyB, bool collides);
  const std::vector<std::pair<int, int>>& ignoredPairs() const;  // bodies that do not collide, the smaller first, in ascending order

  // Joints and couplings
  Failure createJoint(const JointDefinition& d, int& id);
  void destroyJoint(int joint);
  bool jointAlive(int joint) const;
  JointDefinition joint(int joint) const;
  int jointAxes(int joint) const;  // velocities; motor joint 6, powered axis 1
  dynamics::AxisParameters axis(int joint, int axis) const;
  Failure setAxis(int joint, int axis, const dynamics::AxisParameters& p);
  Failure setSwingTwist(int joint, double swing, double twistLower, double twistUpper);
  void jointState(int joint, double* q, double* v) const;  // either may be null
  // Unit, world: axis of rotation or direction of travel of each velocity, b against a.
  void jointDirections(int joint, Vec3* out) const;
  Failure setJointState(int joint, const double* q, const double* v);
  // What set() does to the states of a body and of joints stands as a whole, or not at all where it fails.
  Failure setTogether(int body, const std::vector<int>& joints, const std::function<Failure()>& set);
  void startJoint(int joint, const double* q);            // at rest at q; call before the tree of a new joint is made
  Failure placeByJoints(const std::vector<int>& joints);  // with free poses: places bodies as in trees, with closed joints
  const MotorSettings& motor(int joint, int axis) const;
  Failure setMotor(int joint, int axis, const MotorSettings& m);
  Failure setOrientationMotor(int joint, const Quat& target, const Vec3& velocity, double stiffness, double damping, double maxForce);
  Failure setMotorTarget(int joint, const Pose& pose, const Vec3& linear, const Vec3& angular);
  MotorTarget motorTarget(int joint) const;  // as last set by the two above
  // From true to false, drives and forces are set for the next step alone: it wakes what they move, and one that fails wakes nothing.
  void drivesOfStep(bool wait);
  JointDrive jointDrive(int joint) const;  // all that these setters change
  void takeBackDrive(int joint, const JointDrive& drive);
  void takeBackForces();  // given for a step that failed: to the last bit, which adding their opposites would not
  void jointForces(int joint, JointForces& out) const;
  void motorForces(int joint, double* out) const;  // by axis: of these, those that need no look at what lies beyond the joint
  bool jointBroken(int joint) const;
  Failure createCoupling(const CouplingDefinition& d, int& id);
  Failure setCoupling(int coupling, const CouplingDefinition& d);  // of the same joints
  const CouplingDefinition& coupling(int coupling) const;
  double couplingForce(int coupling) const;  // of the last physics step, on a coefficient of one
  void destroyCoupling(int coupling);
  bool couplingAlive(int coupling) const;
  Failure createField(const FieldDefinition& d, int& id);
  Failure setField(int field, const FieldDefinition& d);
  const FieldDefinition& field(int field) const;
  void destroyField(int field);
  bool fieldAlive(int field) const;
  Failure createConstraint(const UserConstraintDefinition& d, int& id);
  void destroyConstraint(int constraint);
  bool constraintAlive(int constraint) const;
  const UserConstraintDefinition& constraint(int constraint) const;
  const std::vector<double>& constraintForces(int constraint) const;  // by row, of the last physics step

  // Parts of drivelines are constraints, destroyed as such.
  Failure createDriveline(const driveline::DrivelineDefinition& d, int& id);
  bool isDriveline(int constraint) const;
  const driveline::DrivelineDefinition& driveline(int constraint) const;
  const driveline::DrivelineInput& drivelineInput(int constraint) const;
  Failure setDrivelineInput(int constraint, const driveline::DrivelineInput& in);
  const driveline::DrivelineState& drivelineState(int constraint) const;

  // Particle systems.
  Failure createParticles(const particles::ParticleDefinition& d, int& id);
  void destroyParticles(int system);
  bool particlesAlive(int system) const;
  int particleCount(int system) const;
  particles::Particle particle(int system, int index) const;
  const particles::ParticleCounts& particleCounts(int system) const;
  const particles::ParticleDefinition& particleDefinition(int system) const;
  const std::vector<particles::EmitterDefinition>& emitters(int system) const;
  const std::vector<particles::SinkDefinition>& sinks(int system) const;
  // Replaces those from `first` on; an id of 0 asks for a new one.
  Failure setParticles(int system, int first, const std::vector<particles::Particle>& particles);
  Failure setEmitters(int system, const std::vector<particles::EmitterDefinition>& emitters);
  Failure setSinks(int system, const std::vector<particles::SinkDefinition>& sinks);

  // Sensors.
  Failure createSensor(const SensorDefinition& d, int& id);
  void destroySensor(int sensor);
  bool sensorAlive(int sensor) const;
  const SensorDefinition& sensor(int sensor) const;
  const double* sensorValues(int sensor) const;  // kSensorValues numbers, of the last physics step

  // Ids destroyed along with the last destroyBody, destroyShape or destroyJoint call (the named one included).
  const Destroyed& lastDestroyed() const;

  // Results and queries
  const std::vector<Contact>& contacts() const;        // of the last physics step, by shapes; sleeping bodies keep theirs
  Vec3 contactTorque(std::size_t contact) const;       // of one of these: on b, by torsional and rolling friction
  Vec3 contactSlip(const Contact& c) const;            // velocity of b's point against a's along the surfaces, now
  const std::vector<ContactEvent>& events() const;     // since resetStatistics
  const std::vector<JointEvent>& jointEvents() const;  // since resetStatistics
  RayCastResult rayCast(const Vec3& origin, const Vec3& direction, double maxDistance, std::uint32_t mask) const;
  // All shapes along the ray, each where the ray enters, by distance, then shape.
  void rayCastAll(const Vec3& origin, const Vec3& direction, double maxDistance, std::uint32_t mask, std::vector<RayCastResult>& out) const;
  // A solid at a pose: moved along `path` without rotation until it meets a shape (distance along the path; 0 where it overlaps at the
  // start); the shapes it overlaps; the shape closest to it. Unsupported for planes, compounds, heightfields and meshes without parts.
  Failure shapeCast(const geometry::Geometry& g, const Pose& pose, const Vec3& path, std::uint32_t mask, RayCastResult& out) const;
  Failure overlap(const geometry::Geometry& g, const Pose& pose, std::uint32_t mask, std::vector<int>& shapes) const;
  void overlapBox(const Vec3& lower, const Vec3& upper, std::uint32_t mask, std::vector<int>& shapes) const;  // bounding boxes only
  Failure closest(const geometry::Geometry& g, const Pose& pose, double maxDistance, std::uint32_t mask, ClosestResult& out) const;
  Failure closest(int shapeA, int shapeB, double maxDistance, ClosestResult& out) const;  // out.shape = shapeB

  // The whole changing state. restore rejects other topologies (Failure::Argument) and then changes nothing.
  void save(std::vector<std::uint8_t>& out) const;
  Failure restore(const std::uint8_t* data, std::size_t size);

 private:
  std::unique_ptr<WorldData> data_;
};

}  // namespace vertebra::world
