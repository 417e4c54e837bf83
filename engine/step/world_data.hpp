// What a world holds. Slots (bodies, shapes, joints, couplings) are what users name; links, trees and coordinate arrays are rebuilt from
// them when the topology was edited (topology.cpp). While the topology is current, poses and twists of jointed or free dynamic bodies
// live in links; after an edit they are carried over to the slots until the next rebuild.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/dynamics/discrete_interval.hpp"
#include "engine/dynamics/saddle.hpp"
#include "engine/dynamics/tree.hpp"
#include "engine/geometry/broad_phase.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/geometry/mesh_bvh.hpp"
#include "engine/solve/bilateral.hpp"
#include "engine/solve/rows.hpp"
#include "engine/step/displacement_data.hpp"
#include "engine/step/driveline.hpp"
#include "engine/step/particles.hpp"
#include "engine/step/world.hpp"

namespace vertebra {

struct BodySlot {
  bool alive = false, enabled = true, asleep = false;
  bool hidden = false;  // of a rotor
  BodyKind kind = BodyKind::Dynamic;
  int figure = -1;
  int tree = -1, link = -1;  // link: absolute index; -1 = not in a tree (static, kinematic, disabled, or topology not current)
  Pose pose;                 // link frame; current only while link < 0
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  // of the link frame's origin; current only while link < 0
  double mass = 1;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Identity();
  Vec3 moments = Vec3::Ones();
  Pose inertialInLink;  // principal frame
  Pose created;         // link frame when it was created: what a planar world measures its angle and height from
  double gravityScale = 1;
  Integration integration;
  // Applied, world axes, about the centre of mass. One-step forces live for one World::step.
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), persistentForce = Vec3::Zero(), persistentTorque = Vec3::Zero();
  Vec3 impulse = Vec3::Zero(), angularImpulse = Vec3::Zero();
  // Of force fields (fields.cpp): as this step applies them, and as they were evaluated for the last one.
  Vec3 fieldForce = Vec3::Zero(), fieldTorque = Vec3::Zero(), lastFieldForce = Vec3::Zero(), lastFieldTorque = Vec3::Zero();
  bool fieldKnown = false;  // the last evaluation is of the step before
  Vec3 appliedForce() const { return force + persistentForce + fieldForce; }
  Vec3 appliedTorque() const { return torque + persistentTorque + fieldTorque; }
  Pose moveTarget;        // kinematic bodies
  double moveTime = 0;    // s left; 0 = keep the twist
  bool launched = false;  // its motion was prescribed since the last step
  bool arrived = false;   // the target was reached in the last step: stand still from now on
  double idle = 0;        // s
  std::vector<int> shapes;
};

struct ShapeSlot {
  bool alive = false;
  int body = -1;
  Shape shape;
  Pose inBody;      // groups composed
  Pose inInertial;  // in the body's inertial frame (of a world shape: in the world)
  std::unique_ptr<MeshBvh> bvh;
  Aabb localBox;     // in its own frame
  double inner = 0;  // m, of a ball inside; infinite where there is no other side
  double reach = 0;  // m, from the body's centre of mass to the box's farthest corner at most
};

enum class Role : std::uint8_t { Inactive, Primary, Auxiliary };

struct JointSlot {
  bool alive = false, broken = false,
       flipped = false;  // flipped: the tree runs from body b to body a; coordinates are the joint's own either way
  bool placed = false;   // q below is this joint's own; otherwise it comes from the bodies' poses at the next rebuild
  Role role = Role::Inactive;
  JointDefinition def;
  int nv = 0, nq = 0;  // axes and coordinates; motor joints 6 and 7, powered axes 1 and 1
  int link = -1;       // absolute index of the link it carries, Role::Primary
  AxisParameters axes[6];
  MotorSettings motors[6];
  bool orientationMotor = false;
  Quat targetQuat = Quat::Identity();  // spherical motor, motor joint
  Vec3 targetPosition = Vec3::Zero(), targetVelocity = Vec3::Zero(), targetSpin = Vec3::Zero();
  // Of axes and limits, by updateRestraint: the orientation at rest; cosine of the swing limit; cosine and sine of half the twist limits
  // (of none: such that anything is inside).
  Quat restQuat = Quat::Identity();
  double cosSwing = -2, twistLow[2] = {0, -2}, twistHigh[2] = {0, 2};
  bool restraint = false;                          // any spring, damper, motor, friction, armature or finite limit: looked at each step
  double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {};  // current only while link < 0
  double a[6] = {};
  std::int8_t saturated[6] =
      {};  // -1, 0, 1: motor at its bound in the last step; between bodies: steps for which it yields (contradiction.cpp)
  double impulse[6][4] = {};  // warm start of rows by axis: friction, lower or only limit, upper limit, velocity limit
  double driveImpulse[6] = {}, springImpulse[6] = {}, holdImpulse[6] = {};  // the same between bodies: motors; springs with dampers;
                                                                            // soft directions of the joint itself
  double motorForce[6] = {}, springForce[6] = {}, frictionForce[6] = {}, limitForce[6] = {};
  Vec3 auxForce = Vec3::Zero(), auxTorque = Vec3::Zero();  // on b at its joint origin, of auxiliary rows
};

struct CouplingSlot {
  bool alive = false;
  CouplingDefinition def;
  double impulse = 0;  // of the last step
};

struct FieldBody {  // what fields see of a body that moves by physics
  int body;
  Vec3 p, v, w;  // centre of mass, its velocity, angular velocity; world axes
  double mass;
  Vec3 force, torque;
  int gradient = -1;  // into WorldData::fieldGradients
};
struct FieldGradient {  // of the implicit fields on one body, see field_gradients.cpp
  int body;
  bool acts;                // implicitly in this step
  Mat6 stiffness, damping;  // what resists; angular part first, about the centre of mass, world axes
  Pose start;               // inertial frame, when it was evaluated
};
struct FieldSlot {
  bool alive = false;
  FieldDefinition def;
};

struct UserConstraintSlot {
  bool alive = false;
  UserConstraintDefinition def;
  std::vector<UserRow> rows;  // room for as many as there may be; their blocks lie in `blocks`
  std::vector<double> blocks;
  int bodyNumbers = 0, jointNumbers = 0;     // of a row
  int count = 0;                             // rows of the last evaluation
  std::vector<double> impulse, force;        // of the last step, by row
  std::unique_ptr<DrivelinePart> driveline;  // where it is a part of one: what its callback reads
};

struct LinkRuntime {
  int body = -1, joint = -1;
  Vec3 gyration = Vec3::Zero();                       // (I_y - I_z) / I_x and so on round; 0 where there is no moment
  Vec3 reactionLinear = Vec3::Zero();                 // acceleration by reactions at the end of the last smooth step: linear in world axes,
  Vec3 reactionAngular = Vec3::Zero();                // angular in inertial axes
  Vec3 startV = Vec3::Zero(), startW = Vec3::Zero();  // centre of mass and inertial axes, at the start of the step or of its half
  Vec3 startC = Vec3::Zero();
  Vec3 stepV = Vec3::Zero(), stepW = Vec3::Zero();  // the same at the start of the whole step
  double turning = 0;                               // kg m^2, of it and what is fixed to it. Of slender trees (tension.cpp) also:
  Vec3 pull = Vec3::Zero();                         // N, through its own joint
  Mat3 stiffening = Mat3::Zero();                   // kg m^2, inertia against what pulls at its joints
  double gravityScale = 1;
  bool restrained = false;  // its joint has restraint
  bool light = false;       // no mass or a principal moment of zero: there the reactions hold forces and torques, not accelerations
  bool looped = false;      // on a cycle or coupled: its limits cannot clamp it by itself
};

// Angular acceleration of a body left to itself, inertial axes: I^-1 ((I w) x w).
inline Vec3 freeSpinning(const LinkRuntime& r, const Vec3& w) {
  return {r.gyration[0] * (w[1] * w[2]), r.gyration[1] * (w[2] * w[0]), r.gyration[2] * (w[0] * w[1])};
}

struct TreeRuntime {
  Tree tree;
  int first = 0, qFirst = 0, nq = 0, vFirst = 0, nv = 0;
  int baseBody = -1;
  bool floating = false;  // its root is free, in a planar world within its plane
  bool freeRoot = false, restrained = false, armature = false, springs = false;
  bool smooth = false;        // the last step ended with reactions known and nothing stiff or unilateral acting
  bool fresh = true;          // coordinates were written since the last step
  bool held = false;          // stands still while others make parts of the step (groups.cpp)
  bool startShifted = false;  // `shifted` at saveTree
  int parts = 1;              // of the present step, of which it makes each by itself; 0: slept when it began
  double step = 0;            // s, of the last of them
  bool ahead = false;         // velocities hold half of the coming step's forces already (stepper variational)
  bool shifted = false;       // `shift` holds a displacement for the next move
  bool asleep = false;
  bool pulled = false;                                        // some link feels an implicit field in this step
  bool movingBase = false;                                    // hangs from a body with prescribed motion
  Vec3 baseVelocity = Vec3::Zero(), baseSpin = Vec3::Zero();  // of that body in the last step, at its origin
  bool immobile = false;                                      // no velocities at all: a weld to the world
  int island = -1;
  bool settled = false;  // immobile: poses are those of the base
  double idle = 0;
  double mass = 0;
  bool slender = false;                // in this step some link may swing too fast
  double slenderness = 0;              // 1/m, largest mass of the tree x length of a link / its moment
  double swing = 0;                    // 1/s^2, fastestSwing at the start of the step (stepper variational)
  double clampWork = 0;                // J, taken by the clamps of the last move
  double carried = 0;                  // J, see carryEnergy
  double interval = 0;                 // s, the last one of the stepper variational
  Vec3 intervalOrigin = Vec3::Zero();  // about which its momenta are
  double defect = 0, worstHalf = 0;    // of energy, relative: of the last try, and the largest of a halved step's parts
  bool expectHalving = false;          // the last step's halves say that a whole step would fail
  double startKinetic = 0;             // 2 T at saveTree, J
  std::uint64_t leaderAwake = 0;       // step number for which its island is awake
  std::unique_ptr<SaddleOperator> saddle;
};

// A bounded drive of a tree joint's axis while it is found on which side of its bounds it acts: impulse clamp(g - E v) over the step.
struct DrivePoint {
  std::int8_t* side;  // JointSlot::saturated
  double E, g, bound;
  double v, impulse;  // of the velocities found, and what the drive gave in finding them
  double wanted(double at) const { return g - E * at; }
  std::int8_t sideAt(double at) const { return wanted(at) > bound * (1 + 1e-9) ? 1 : wanted(at) < -bound * (1 + 1e-9) ? -1 : 0; }
};

struct Island {
  std::vector<int> trees;     // ascending
  std::vector<int> contacts;  // indices into WorldData::contacts
  std::vector<int> joints;    // auxiliary joints
  std::vector<int> couplings;
  std::vector<int> constraints;  // of the user
};

struct ContactMemory {  // of the last step, sorted by shapes, then feature
  int shapeA, shapeB;
  std::uint32_t feature;
  double impulse[6];  // normal, two tangents, torsion, rolling about the tangents
};

struct RowMeta {  // what a row of the island stands for
  enum Kind : std::uint8_t { Normal, Tangent, Limit, Friction, Drive, Spring, Hold, Coupling, User } kind = Normal;
  bool bounces = false;
  std::int8_t axis = 0, slot = 0;
  int index = -1;                 // contact, joint, coupling or user constraint
  int part = 0;                   // row of a user constraint
  int shares = -1;                // into loopShares
  double shift = 0;               // m, displacement wanted in the next move
  double gap = 0;                 // m or rad, of a row that may bounce,
  double restitution = 0;         // its restitution,
  double rebound = 0;             // and what it adds to the velocity that is just no approach, m/s
  double before = 0;              // velocity that the energy account starts from: of WorldData::reference
  double base = 0;                // velocity that x does not show: prescribed motion, share of the loops
  Vec3 direction = Vec3::Zero();  // limits: parts along the three axes of which `axis` is one; contacts: of the row
};

// Where a contact that continuous collision foresees acts on its two bodies: their points that will meet, the direction as each body
// sees it now, and the approach allowed in the next step so that they just meet.
struct Impact {
  Vec3 point[2], normal[2];
  double allowed = 0;  // m
};

// Trees that the stepper `ode` moves together, from contact to contact.
struct OdeGroup {
  Island island;                       // its contacts are indices into `contacts`
  std::vector<Contact> contacts;       // where it stands
  std::vector<double> start, y, next;  // coordinates of all its trees, then velocities: at the start of the window, where it stands, and
                                       // at the end of the window if nothing hinders
  Integration own;                     // what its members ask for
  double time = 0;                     // where it stands, s since the step began
  int rollbacks = 0;
  bool flown = false;    // next is there
  bool stopped = false;  // by a contact that it could not leave
};
struct OdeWork {  // scratch of ode_step.cpp
  OdeSolver solver{OdeSettings()};
  std::vector<OdeGroup> groups;
  int groupCount = 0;
  std::vector<int> groupOf;  // by tree
  std::vector<double> rates, targets, drift, sample;
  std::vector<ContactMemory> held;  // what contacts bear at acceleration level, N and N m for its impulses
};

struct WorldData {
  explicit WorldData(World& w) : owner(w) {}
  World& owner;
  WorldSettings settings;
  double time = 0;
  std::uint64_t steps = 0;
  int figureMarks = 0;
  double lastStep = 0;    // s, length of the last physics step
  bool ownSteps = false;  // some body asks for an integration of its own
  bool inParts = false;   // and the present step is made in parts therefore
  bool partial = false;   // some are held while others make theirs

  std::vector<BodySlot> bodies;
  std::vector<ShapeSlot> shapes;
  std::vector<JointSlot> joints;
  std::vector<CouplingSlot> couplings;
  std::vector<UserConstraintSlot> constraints;
  std::vector<FieldSlot> fields;
  std::vector<ParticleSystem> particles;
  std::vector<ParticleBody> particleBodies;  // by body, scratch of their step
  std::vector<FieldBody> fieldBodies;        // scratch of fields.cpp
  std::vector<FieldGradient> fieldGradients;
  std::vector<std::pair<std::int64_t, int>> fieldCells;
  std::vector<std::pair<int, int>> ignoredPairs;  // bodies, sorted, a < b
  std::vector<std::pair<int, int>> jointedPairs;  // bodies that a joint keeps from touching, sorted; rebuilt with the topology
  World::Destroyed destroyed;
  std::size_t firstFreeBody = 0, firstFreeShape = 0, firstFreeJoint = 0;  // no free slot below

  // Rebuilt with the topology.
  bool current = false;
  bool jointsInTrees = false;  // though bodies keep free poses: while they are placed (joint_placing.cpp)
  std::vector<LinkModel> model;
  std::vector<LinkState> state;
  std::vector<LinkRuntime> links;
  std::vector<TreeRuntime> trees;
  std::vector<double> q, v, a;  // of joints as users know them; of a free root its inertial pose and twist about O
  std::vector<double> z, extra, extraFull, generalized, shift;
  std::vector<double> fromRest, fromTarget;  // of the axes, at the poses that measureAxes last saw
  std::vector<IntervalLink> interval;        // by link, for the stepper variational
  std::vector<double> increment;             // and what the joints moved in its last interval
  std::vector<double> leftOver;              // impulses along the joints that its equations still lack
  std::vector<double> q0, v0;                // at the start of the step or of its half
  std::vector<double> stepQ, stepV;          // at the start of the whole step, for undoing it
  struct Prescribed {
    int body;
    Pose pose, end;  // at the start of the step, at its end
    Vec3 velocity, spin;
    double moveTime;
    bool arrived;
  };
  std::vector<Prescribed> stepPrescribed;  // kinematic bodies, likewise
  std::vector<Contact> startContacts;      // of a step that looks for them more than once
  EnergyAccount stepAccount;
  std::vector<std::vector<std::uint8_t>> stepStates;  // before each part of a step that may be made again
  double deadline = 0;                                // of the clock, s; 0: none
  Stage stage = Stage::Forces;                        // of the step,
  double stageSince = 0;                              // of the clock, s: counted so far
  bool collided = false;                              // contacts of this step are there; contactsBefore holds those of the last
  std::vector<int> auxiliaryJoints;                   // bilateral, motor and powered-axis joints, by id
  std::uint64_t topologyHash = 0;
  bool anyForce = false;  // some body carries an applied force or impulse

  // Collision.
  BroadPhase broad;
  std::vector<Aabb> boxes, sweptBoxes;  // sweptBoxes: over the next step, of fast bodies larger
  std::vector<std::uint8_t> passive;
  std::vector<int> boxShape;    // shapes with geometry, ascending
  std::vector<Pose> shapePose;  // by shape, world
  std::vector<Contact> contacts, contactsBefore;
  std::vector<Impact> impacts;  // of the present contacts
  std::vector<ContactMemory> memory, memoryNext;
  std::vector<ContactEvent> events;
  std::vector<JointEvent> jointEvents;
  int badField = -1;                                        // likewise a field
  int badConstraint = -1;                                   // of the user, that gave a row which is none
  bool anyBreakable = false;                                // some joint may break, or has
  std::vector<std::pair<int, int>> touching, touchingNext;  // shapes with a contact of gap <= 0
  std::vector<int> treeParent;                              // union-find
  std::vector<int> groupParts;                              // by the lowest tree of a group: parts of the step
  std::vector<Island> islands;
  int islandCount = 0;

  OdeWork ode;
  RowProblem rows;
  DisplacementData displacement;  // of that stepper
  BilateralRows bilateral;
  std::vector<RowMeta> rowMeta;    // beside rows.rows
  std::vector<Row> statedRows;     // what they were before a contradiction changed them
  std::vector<double> loopShares;  // of foreign rows in the bilateral ones
  std::vector<Piece> pieceScratch;
  std::vector<int> treeStart;
  std::vector<double> fullScratch, errorScratch, lambdaScratch, impactScratch;
  std::vector<double> blowForces, blowImpulses, blowRates;  // of the stage of blows (impact_rows.cpp), and the rows before it
  std::vector<Row> blowRows;
  std::vector<Vec6> baseTwist;  // by link: twist about O that a prescribed base alone gives
  // What the energy account takes the impulses of a step to start from, all motion carried over to the present poses: x, and joint
  // velocities. After a smooth step the motion with gravity (what falls free has its full energy at the end of the step), otherwise
  // without any force (gravity and the drives then enter by the same mean).
  std::vector<double> reference, referenceRate;
  std::vector<double> baseRate;  // and the joint rates that go with it under `articulated`
  std::vector<DrivePoint> drivePoints, drivePointsBefore;
  Statistics statistics;
  EnergyAccount account;
};

// topology.cpp
void dissolve(WorldData& w);                     // carries state to the slots before an edit
void refreshTree(WorldData& w, TreeRuntime& t);  // after coordinates were written: derives poses and twists
void touchTree(WorldData& w, int tree);          // the same from outside: wakes it too
void updateRestraint(WorldData& w, int joint);   // after an edit of axes or motors
Failure ensure(WorldData& w);                    // rebuilds if needed
// What contacts carried in the last step is not started as if it fell freely.
void holdByContacts(WorldData& w);

// joint_placing.cpp
// With free poses: joints in trees, `change` there, and what of it the bodies in the trees of these joints keep.
Failure placeInTrees(WorldData& w, const std::vector<int>& joints, Failure (*change)(WorldData& w, const void* what), const void* what);

// joint_coordinates.cpp
// Nearest coordinates for the poses of a link and its parent, in the frames that m was set with (inertial ones, or both link frames); q
// holds a guess (turns, previous angle) and receives the result.
void fitCoordinates(const LinkModel& m, const Pose& parent, const Pose& link, double* q);

// Joint velocities whose twist comes nearest to a relative twist about O.
void fitVelocity(const LinkModel& m, const LinkState& s, const Vec3& O, const Vec6& relative, double* v);

// Poses and twists of bodies, wherever they live.
Pose poseOf(const WorldData& w, int body);
void twistOf(const WorldData& w, int body, Vec3& velocity, Vec3& spin);
inline const BodyPose* linkPoseOf(const WorldData& w, int body) {
  return body >= 0 && w.bodies[body].link >= 0 ? &w.state[w.bodies[body].link] : nullptr;
}

// collide.cpp
// foresee: time [s] after the present over which impacts of fast bodies are looked for; 0 = not at all. step: length of the step whose
// rows are built next, in which contacts that nothing can close are left out; 0 = none are.
void collideAll(WorldData& w, double foresee = 0, double step = 0);
// m: a gap that nothing can close in a step, given how fast the bodies approach each other at its start.
double reachOfStep(const WorldData& w, double approach, double step);
Pose shapeWorldPose(const WorldData& w, const ShapeSlot& s);
void updateTouching(WorldData& w);  // contact events, once forces are known
void updateShapeFrames(WorldData& w, int body);

// impacts.cpp
double innerRadius(const Geometry& g);
bool isFast(const WorldData& w, int body, double h);  // moves farther in a step than contacts are seen ahead
bool sweepBoxes(WorldData& w, double h);              // fills sweptBoxes; true if any is larger than its box
// Contacts of two shapes within the next step, beside those they have: WorldData::contacts from firstContact on.
void addImpacts(WorldData& w, int shapeA, int shapeB, const Aabb& boxA, const Aabb& boxB, double h, std::size_t firstContact);

// islands.cpp
void buildIslands(WorldData& w);
void sleepIslands(WorldData& w, double h);
void wakeTree(WorldData& w, int tree);
int treeOf(const WorldData& w, const UserConstraintSlot& c);  // one that it acts on and that moves, or -1
void joinTrees(WorldData& w);  // what contacts, joints, couplings and constraints tie together, to WorldData::treeParent
double stepOf(const WorldData& w, const CouplingSlot& c);  // s, the last one of what it couples
int leaderOf(WorldData& w, int tree);                      // the lowest tree of those, after it

// groups.cpp
Failure checkIntegration(const Integration& of, Stepper stepper);  // whether it can give it
void planParts(WorldData& w, double h);                            // of the step that begins
Failure makeFirstParts(WorldData& w, double h);                    // all but the last of those
// After the last: where groups of different steps meet, the coarser ones make it again in finer parts. Looks for contacts again then.
Failure makeMeetingParts(WorldData& w, double h);

// joint_forces.cpp
double axisCoordinate(const WorldData& w, const JointSlot& j, double near);  // of a powered axis
void clearJointForces(WorldData& w);
void keepRestingMemory(WorldData& w);

// fields.cpp
void applyFields(WorldData& w);  // evaluates all force fields for the step, of what is not held, that begins
bool takesImplicitFields(const WorldSettings& s);
bool fieldsHere(WorldData& w);  // and at the present state, for that alone; false: one gave no numbers

// field_gradients.cpp
bool addGradient(WorldData& w, int field, const FieldDefinition& d, FieldBody& b);  // false: no numbers
void settleGradients(WorldData& w);                                                 // what of them resists, and whether it acts implicitly
const FieldGradient* actingGradient(const WorldData& w, int body);                  // of the implicit fields on it, or null
void pullByFields(WorldData& w, TreeRuntime& t, double h);                          // to A and P of links, before the factor
void holdFields(WorldData& w, TreeRuntime& t, double h);                            // likewise, so that they neither brake nor drive
// The forces as they came out, to the bodies; h: of the move by the velocities found that is still to come.
void concludeFields(WorldData& w, TreeRuntime& t, double h);

// driveline.cpp
void prepareDrivelines(WorldData& w, double h);   // their rows for the step that begins
void concludeDrivelines(WorldData& w, double h);  // after it: readings and sums

// world_constraints.cpp
bool isScalar(const JointSlot& j, int axis);  // an axis whose coordinate and rate are one number each
void breakJoints(WorldData& w);               // marks those that bore too much
void dropBroken(WorldData& w);                // dissolves the topology if it holds a broken joint

// point_rows.cpp
double measurePoints(const WorldData& w, const UserConstraintDefinition& d);  // m, m^3
void pointRow(const WorldData& w, const UserConstraintDefinition& d, UserRow& row);

// physics_step.cpp
Failure physicsStep(WorldData& w, double h);
// What is not held: fields and drivelines for its step, and that step itself; h: the longest of them.
void prepareForces(WorldData& w, double h);
Failure advance(WorldData& w, double h);
void placePrescribed(WorldData& w, double after);        // prescribed bodies so long before the step's end
Failure stepInParts(WorldData& w, double h, int depth);  // and again in halves where it went wrong
double clockSeconds();
bool late(const WorldData& w);  // past the deadline
void countStage(WorldData& w);  // the time since the last look at the clock, to the present stage
inline Stage enterStage(WorldData& w, Stage next) {
  if (w.settings.stageTimes) countStage(w);
  const Stage before = w.stage;
  w.stage = next;
  return before;
}
struct StageScope {  // back to the stage before at its end
  StageScope(WorldData& world, Stage stage) : w(world), before(enterStage(world, stage)) {}
  ~StageScope() { enterStage(w, before); }
  WorldData& w;
  const Stage before;
};

}  // namespace vertebra
