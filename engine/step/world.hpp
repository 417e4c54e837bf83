// World: bodies, shapes, joints and couplings, moved by one stepper. Things are named by small integers (slots, reused after
// destruction; the C ABI guards them with generations). Body -1 is the world itself. SI units, world axes; poses and twists are of
// link frames (twist: velocity of the frame's origin, then angular velocity). Source of the stepper: docs/design.md, State and formulation.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics/joint_type.hpp"
#include "engine/geometry/shape.hpp"
#include "engine/math/ode.hpp"
#include "engine/math/types.hpp"
#include "engine/solve/lcp.hpp"

namespace vertebra {

struct RowProblem;  // engine/solve/rows.hpp

enum class Equality : std::uint8_t { Articulated, Sparse, Dense };
enum class Stepper : std::uint8_t { Impulse = 0, Variational = 1, Ode = 2, Spook = 3, Displacement = 4 };
// How friction is bounded: the true cone; a pyramid along two fixed tangents or along the sliding; a polygon in the cone (under Lemke, else
// the cone); limits from a solution without friction; limits from the last step's normal impulses (Lötstedt).
enum class ContactFriction : std::uint8_t { Cone, Pyramid, PyramidAlongSliding, Polyhedral, Estimated, Loetstedt };
// What keeps joints outside trees (of cycles; all of them with free poses) together: nothing, a velocity against their error, or
// Newton's method in the coordinates after each step.
enum class Stabilisation : std::uint8_t { Newton, Baumgarte, None };
enum class BodyKind : std::uint8_t { Static, Kinematic, Dynamic };
// Joint: one of JointType, in a tree where it can be. The others only ever stand between two bodies (pair_constraint.hpp).
enum class ConstraintType : std::uint8_t { Joint, Motor, AxisAngular, AxisLinear, Distance, PointOnLine, PointOnPlane, PointOnCurve };
enum class MotorMode : std::uint8_t { Off, Position, Velocity, Torque };

struct Failure {  // of a call; converts to true when something is wrong
  enum Kind { None, Argument, Unsupported, Diverged, Infeasible } kind = None;
  std::string text;
  int body = -1;  // that it is about, if it is one; the engine knows no names
  explicit operator bool() const { return kind != None; }
};

struct WorldSettings {
  Vec3 gravity = Vec3(0, 0, -9.81);
  double timeStep = 1.0 / 240;
  int substeps = 1;
  Equality equality = Equality::Articulated;
  Lcp lcp = Lcp::Pgs;
  int lcpIterations = 50;
  double lcpTolerance = 1e-5;      // m/s
  double contactMargin = 0.01;     // m
  double contactSlop = 0;          // m
  double contactCorrection = 0.2;  // share of penetration a step
  double contactSpeed = 1;         // m/s
  double restitutionSpeed = 0.05;  // m/s
  bool poisson = false;            // restitution by impulses, in two phases; otherwise by velocities
  double maxSpeed = 1000, maxSpin = 1000;
  double sleepSpeed = 0.01, sleepSpin = 0.02, sleepTime = 0.5;
  int maxHalvings = 4;
  // A physics step that diverges or drives a contact deeper by more than adaptiveDepth [m] is made again in two parts, these likewise, down
  // to an adaptiveSubsteps-th.
  int adaptiveSubsteps = 1;
  double adaptiveDepth = 1e-3;
  double timeBudget = 0;  // s of the clock for a call of step(); beyond it rows are solved with few sweeps; 0: none
  Stepper stepper = Stepper::Impulse;
  Stabilisation stabilisation = Stabilisation::Newton;
  double baumgarte = 50;  // 1/s: J v = -baumgarte C
  // SPOOK, for rows whose own softness is rigid: compliance [m/N, rad/(N m)], relaxation time [s], and of velocity rows [m/(N s), ...].
  double spookCompliance = 1e-9, spookRelaxation = 0.01, spookGamma = 1e-9;
  // Of the stepper `ode`, see ode_step.cpp.
  Integrator odeIntegrator = Integrator::RungeKutta4;
  StepControl odeControl = StepControl::Fixed;  // not Taylor: steps have no history beyond a contact
  double odeTolerance = 1e-6;                   // largest error of one integration step in any coordinate or velocity
  double odeSmallest = 1e-6;                    // s, shortest step of adaptive ones
  bool bilateralAccelerations = true;   // rows without bounds hold at acceleration level, otherwise after each integration step in velocity
  bool unilateralAccelerations = true;  // likewise contacts, limits and dry friction; otherwise at the end of a physics step
  double rollbackDepth = 1e-4;          // m or rad; new contacts and limits that pass it are taken back to where they began; 0: none are
  // Of the stepper `displacement`, which takes its sweeps' number, tolerance, order and relaxation from those of the solvers: joints' held
  // directions by blocks rather than along their error; inverse masses of the predicted poses rather than the newest; the gyroscopic part
  // of the inertia; what is added to a row's inverse mass, as a share of it; and the share of the last step's impulses to start from,
  // negative for kContactsStart where only contacts act and nothing elsewhere.
  bool displacementBlocks = false, displacementFrozen = false, displacementGyroscopic = false;
  double displacementRegularisation = 0, displacementWarmStart = -1;
  bool freePoses = false;  // every body a tree of its own, every joint rows
  bool planar = false;     // free bodies have x, z and an angle about y, from where they were created
  bool sleeping = true, energyCorrection = true, energyAccount = false, persistEvents = false, continuous = true;
  bool stageTimes = false;        // read the clock between the stages of a step
  bool contactPositions = false;  // penetration is removed by displacements, which give no speed (impulse, variational)
  // Options of the solvers, as in LcpSettings.
  double lcpRelaxation = 1;
  SweepOrder lcpOrder = SweepOrder::Forward;
  bool lcpWholeContacts = false, lcpAccelerate = true;
  ContactFriction frictionLaw = ContactFriction::Cone;
  int frictionDirections = 8;
};

// What a body asks for beside the world's: a longest step [s] (steppers impulse, SPOOK, ode; 0: none) and an integrator (ode; none: -1).
// What moves together takes the finest step and, of the integrators, the one of most say (`sayOf`); see groups.cpp and ode_step.cpp.
struct Integration {
  double step = 0;
  int integrator = -1;
  bool asks() const { return step > 0 || integrator >= 0; }
};

struct BodyDefinition {
  BodyKind kind = BodyKind::Dynamic;
  Pose pose;
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  double mass = 1;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = 0.01 * Mat3::Identity();  // about com, link axes
  double gravityScale = 1;
  int figure = -1;  // bodies of different figures are never in one tree; -1 = loose
  bool disabled = false;
  Integration integration;
};

// Of a constraint's own directions: force = -stiffness * error - damping * rate, implicit. Infinite stiffness: rigid.
struct Softness {
  double stiffness = kInf, damping = 0;
  bool rigid() const { return !(stiffness < kInf); }
};

struct JointDefinition : JointShape {
  JointDefinition() { type = JointType::Revolute; }
  ConstraintType constraint = ConstraintType::Joint;  // type counts only for Joint
  int a = -1, b = -1;                                 // bodies; a is the parent
  Pose frameA, frameB;                                // joint frame in the link frames
  double swing = kInf, twistLower = -kInf, twistUpper = kInf;
  bool asTheyStand = false;  // frameB from the present poses
  bool bodiesCollide = false;
  bool auxiliary = false;  // never a tree joint (a figure's loop)
  // A rotor: no bodies, one angle with the inertia that is its axis' armature. It becomes a continuous joint of the world with a body of
  // its own that has no mass and that users do not see.
  bool rotor = false;
  Softness linear, angular;                      // soft joints are never in trees
  double relaxation = 1, regularisation = 0;     // under the stepper `displacement`: a factor on and an addition to the world's
  double breakForce = kInf, breakTorque = kInf;  // N, N m through the joint; beyond them it lets go
  std::shared_ptr<const class Curve> curve;      // of PointOnCurve, in frame a
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

// A force that acts on bodies by where they are and how they move, evaluated at each step. On centres of mass; world axes.
//   Radial       -strength * m * r / |r|^3 towards the point, or the body `source`, which feels the opposite; strength = G M [m^3/s^2]
//   Pairwise     gravitation between all bodies; strength = G
//   Drag         -(linear + quadratic * |u|) u - angular * w, with u the velocity against the wind; quadratic = rho C A / 2
//   Magnus       strength * w x u
//   LennardJones 24 e (2 (s/r)^12 - (s/r)^6) / r between all pairs nearer than range; strength = e [J], length = s [m]
//   Attractor    strength * r^exponent towards the point, nearer than range; repels where strength is negative
//   User         what the callback gives
enum class FieldType : std::uint8_t { Radial, Pairwise, Drag, Magnus, LennardJones, Attractor, User };
struct FieldDefinition {
  FieldType type = FieldType::Radial;
  std::vector<int> bodies;  // whom it acts on; none, and no particles: all that moves
  int particles = -1;       // a system that it acts on
  int source = -1;
  Vec3 point = Vec3::Zero(), wind = Vec3::Zero();
  double strength = 0, exponent = 0, range = kInf, softening = 0, length = 0;
  double linear = 0, quadratic = 0, angular = 0;
  // Adds force and torque on a body; false: it gave no numbers, and the step fails. Must not change the world.
  bool (*evaluate)(void* user, int field, int body, double* force, double* torque) = nullptr;
  // A user's field taken implicitly where it is stiff (field_gradients.cpp). `gradient` adds how force and torque change with the body's
  // pose and with its twist, 6 x 6 each, row by row, linear part first; without one they are found by differences.
  bool implicit = false;
  bool (*gradient)(void* user, int field, int body, double* byPose, double* byTwist) = nullptr;
  void* user = nullptr;
};

// One row of a constraint written by the user. It acts on velocities: u = sum over bodies of block . (velocity of the link frame's origin,
// spin), world axes, plus the sum over joints of block . rates. Position rows keep error = 0, the error's rate being u + rate; velocity
// rows keep u = rate. The force along the row stays from lower to upper; with lower 0 it only pushes (error >= 0), with upper 0 it pulls.
struct UserRow {
  bool velocityLevel = false;
  double error = 0, rate = 0, lower = -kInf, upper = kInf;
  Softness softness;
  double* bodies = nullptr;  // 6 numbers a body, in the order of the definition
  double* joints = nullptr;  // one number an axis of each joint, in that order
};
// What a constraint of the engine's own over points of several bodies keeps: the length of the line through them, the volume of the
// tetrahedron between four (positive where the second to fourth go round counter-clockwise, seen from the first's far side).
enum class PointMeasure : std::uint8_t { None, Length, Volume };
struct UserConstraintDefinition {
  std::vector<int> bodies, joints;
  int rows = 0;  // at most
  // Writes rows for the present state and returns how many; -1: one is no good, and the step fails. Must not change the world.
  int (*evaluate)(void* user, int constraint, UserRow* rows) = nullptr;
  void* user = nullptr;
  // Or, in the place of a callback (`bodies` and `rows` are then filled in):
  PointMeasure measure = PointMeasure::None;
  std::vector<int> pointBodies;  // of each point; -1 = the world
  std::vector<Vec3> points;      // in the link frames
  double value = 0;              // m or m^3; 0 = the present one
  double scale = 1;              // of the error, filled in: a volume's is told in metres over the face of a cube of that size
  double lower = -kInf, upper = kInf;
  Softness softness;
};

struct MotorSettings {
  MotorMode mode = MotorMode::Off;
  double position = 0, velocity = 0, force = 0, stiffness = 0, damping = 0, maxForce = kInf;
};

struct MotorTarget {              // of the motor of a spherical joint (its orientation and spin) or of a joint of type Motor
  bool orientationMotor = false;  // the spherical joint has one
  Pose pose;                      // of b's joint frame in a's
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

struct Particle;  // engine/step/particles.hpp
struct ParticleDefinition;
struct ParticleCounts;
struct EmitterDefinition;
struct SinkDefinition;
struct DrivelineDefinition;  // engine/step/driveline.hpp
struct DrivelineInput;
struct DrivelineState;

struct JointForces {  // of the last physics step; see vtb_joint_forces
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double motor[6] = {}, spring[6] = {}, friction[6] = {}, limit[6] = {};
};

struct Contact {  // one point
  int bodyA = -1, bodyB = -1, shapeA = -1, shapeB = -1;
  Vec3 position = Vec3::Zero(), normal = Vec3::UnitZ();  // normal from a to b
  double gap = 0;
  std::uint32_t feature = 0;
  Vec3 force = Vec3::Zero();   // on b, mean over the step
  Vec3 torque = Vec3::Zero();  // likewise, by torsional and rolling friction
  int impact = -1;             // foreseen by continuous collision: index into WorldData::impacts
};
struct JointEvent {  // a joint that broke, and what it bore
  int joint = -1;
  double force = 0, torque = 0;
};
struct ContactEvent {
  enum Kind : std::uint8_t { Begin, End, Persist } kind = Begin;
  int shapeA = -1, shapeB = -1;
};
struct RayCastResult {        // also of a shape that is cast
  int body = -1, shape = -1;  // shape -1: nothing hit
  double distance = 0;
  Vec3 position = Vec3::Zero(), normal = Vec3::Zero();
};

struct ClosestResult {
  int body = -1, shape = -1;                // shape -1: nothing within the distance asked for
  double distance = 0;                      // negative: depth of penetration
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // closest (deepest) points: on the first or given shape, on the other
  Vec3 normal = Vec3::Zero();               // unit, from the first to the other
};

// Of a step, in this order. Move: coordinates, and what a stepper does besides the others; Factor: momenta, inertias, free velocities;
// Rows: of constraints; Finish: velocities and accelerations, accounts, events, sleep.
enum class Stage : std::uint8_t { Forces, Move, Collide, Factor, Rows, Solve, Finish, Particles };
inline constexpr int kStages = 8;

struct Statistics {
  int bodies = 0, joints = 0, islands = 0, sleepingBodies = 0, pairs = 0, contacts = 0, rows = 0, lcpIterations = 0, halvings = 0,
      infeasible = 0, firstOrder = 0, impacts = 0, rollbacks = 0, merges = 0, stops = 0, evaluations = 0, restarts = 0, hurried = 0,
      parts = 0;
  double lcpResidual = 0, complementarity = 0, maxPenetration = 0, maxJointError = 0, maxEnergyCorrection = 0;
  double seconds[kStages] = {};  // of the clock, by Stage; not part of the state
};
struct EnergyAccount {
  double kinetic = 0, potential = 0, workDrives = 0, workApplied = 0, lostDamping = 0, lostFriction = 0, lostImpact = 0, lostClamp = 0,
         corrected = 0, discretisation = 0;
};

struct WorldData;  // world_data.hpp

class World {
 public:
  explicit World(const WorldSettings& settings);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const WorldSettings& settings() const;
  Failure setSettings(const WorldSettings& s);
  // Called before each physics step, and for each new candidate pair of bodies; null = none. Must not change the world.
  void (*beforeStep)(void* user) = nullptr;
  bool (*filter)(void* user, int bodyA, int bodyB) = nullptr;
  void* callbackUser = nullptr;
  void (*seeRows)(void* user, const RowProblem& rows, const LcpSettings& settings) = nullptr;  // each island's, before they are solved

  Failure reserve(int contacts);
  Failure step();  // settings().substeps physics steps; Diverged: the call's last good physics step stands
  double time() const;
  void wakeAll();
  std::uint64_t hash() const;
  const Statistics& statistics() const;  // since resetStatistics: maxima and sums; counts of the last physics step
  void resetStatistics();                // the C ABI calls it at the start of vtb_world_step
  EnergyAccount energy() const;
  void momentum(Vec3& linear, Vec3& angularAboutOrigin) const;

  // Bodies
  int newFigureMark();  // for BodyDefinition::figure
  int createBody(const BodyDefinition& d);
  void destroyBody(int body);  // with its shapes and joints; ids freed are listed in lastDestroyed()
  int bodyCapacity() const;    // slots; not all alive
  bool bodyAlive(int body) const;
  Pose bodyPose(int body) const;
  Failure setBodyPose(int body, const Pose& pose, double residual[2]);
  void bodyTwist(int body, Vec3& velocity, Vec3& spin) const;
  Failure setBodyTwist(int body, const Vec3& velocity, const Vec3& spin, double residual[2]);
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
  Failure checkIntegration(const Integration& of) const;  // whether the world's stepper can give it
  Pose bodyCreated(int body) const;                       // its link frame when it was created, from which a planar world measures

  // Shapes. geometry is kept by the world; parent = a Group shape of the same body or -1.
  Failure createShape(int body, const Shape& shape, int parent, int& id);
  void destroyShape(int shape);
  bool shapeAlive(int shape) const;
  int shapeBody(int shape) const;
  const Shape& shape(int shape) const;  // local pose relative to its parent; parent = shape id
  Pose shapeInBody(int shape) const;    // groups composed
  Failure setShapePose(int shape, const Pose& pose);
  void setShapeSurface(int shape, const Surface& surface);
  void setShapeFilter(int shape, std::uint32_t group, std::uint32_t mask);
  void setPairCollides(int bodyA, int bodyB, bool collides);
  const std::vector<std::pair<int, int>>& ignoredPairs() const;  // bodies that must not touch, the smaller first, in ascending order

  // Joints and couplings
  Failure createJoint(const JointDefinition& d, int& id);
  void destroyJoint(int joint);
  bool jointAlive(int joint) const;
  const JointDefinition& joint(int joint) const;
  int jointAxes(int joint) const;  // velocities; motor joint 6, powered axis 1
  const AxisParameters& axis(int joint, int axis) const;
  Failure setAxis(int joint, int axis, const AxisParameters& p);
  Failure setSwingTwist(int joint, double swing, double twistLower, double twistUpper);
  void jointState(int joint, double* q, double* v) const;  // null allowed
  Failure setJointState(int joint, const double* q, const double* v);
  Failure placeByJoints(const std::vector<int>& joints);  // where bodies keep free poses: theirs as in trees, where nothing stands open
  const MotorSettings& motor(int joint, int axis) const;
  Failure setMotor(int joint, int axis, const MotorSettings& m);
  Failure setOrientationMotor(int joint, const Quat& target, const Vec3& velocity, double stiffness, double damping, double maxForce);
  Failure setMotorTarget(int joint, const Pose& pose, const Vec3& linear, const Vec3& angular);
  MotorTarget motorTarget(int joint) const;  // as last set by the two above
  void jointForces(int joint, JointForces& out) const;
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
  Failure createDriveline(const DrivelineDefinition& d, int& id);
  bool isDriveline(int constraint) const;
  const DrivelineDefinition& driveline(int constraint) const;
  const DrivelineInput& drivelineInput(int constraint) const;
  Failure setDrivelineInput(int constraint, const DrivelineInput& in);
  const DrivelineState& drivelineState(int constraint) const;

  // Particle systems.
  Failure createParticles(const ParticleDefinition& d, int& id);
  void destroyParticles(int system);
  bool particlesAlive(int system) const;
  int particleCount(int system) const;
  Particle particle(int system, int index) const;
  const ParticleCounts& particleCounts(int system) const;
  const ParticleDefinition& particleDefinition(int system) const;
  const std::vector<EmitterDefinition>& emitters(int system) const;
  const std::vector<SinkDefinition>& sinks(int system) const;
  // Those from `first` on become these; an id of 0 asks for a new one.
  Failure setParticles(int system, int first, const std::vector<Particle>& particles);
  Failure setEmitters(int system, const std::vector<EmitterDefinition>& emitters);
  Failure setSinks(int system, const std::vector<SinkDefinition>& sinks);

  // Ids destroyed along with the last destroyBody, destroyShape or destroyJoint call (the named one included).
  struct Destroyed {
    std::vector<int> bodies, shapes, joints, couplings, constraints, fields, particles;
  };
  const Destroyed& lastDestroyed() const;

  // Results and queries
  const std::vector<Contact>& contacts() const;        // of the last physics step, by shapes; sleepers keep theirs
  const std::vector<ContactEvent>& events() const;     // since resetStatistics
  const std::vector<JointEvent>& jointEvents() const;  // since resetStatistics
  RayCastResult rayCast(const Vec3& origin, const Vec3& direction, double maxDistance, std::uint32_t mask) const;
  // All shapes along the ray, each where it is entered, by distance, then shape.
  void rayCastAll(const Vec3& origin, const Vec3& direction, double maxDistance, std::uint32_t mask, std::vector<RayCastResult>& out) const;
  // A solid at a pose: moved along `path` without turning until it meets a shape (distance along the path; 0 where it overlaps at the
  // start); the shapes it overlaps; the shape closest to it. Unsupported for planes, groups, heightfields and meshes without parts.
  Failure shapeCast(const Geometry& g, const Pose& pose, const Vec3& path, std::uint32_t mask, RayCastResult& out) const;
  Failure overlap(const Geometry& g, const Pose& pose, std::uint32_t mask, std::vector<int>& shapes) const;
  void overlapBox(const Vec3& lower, const Vec3& upper, std::uint32_t mask, std::vector<int>& shapes) const;  // bounding boxes only
  Failure closest(const Geometry& g, const Pose& pose, double maxDistance, std::uint32_t mask, ClosestResult& out) const;
  Failure closest(int shapeA, int shapeB, double maxDistance, ClosestResult& out) const;  // out.shape = shapeB

  // The whole changing state. restore refuses other topologies (Failure::Argument) and changes nothing then.
  void save(std::vector<std::uint8_t>& out) const;
  Failure restore(const std::uint8_t* data, std::size_t size);

 private:
  std::unique_ptr<WorldData> data_;
};

}  // namespace vertebra
