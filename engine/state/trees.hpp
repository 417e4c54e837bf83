// Trees and their links: rebuilt from the slots after an edit of the topology (trees/topology.hpp). A link's state and model are in
// dynamics (Tree, LinkModel, LinkState); this header has what a step keeps besides.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/dynamics/discrete_interval.hpp"
#include "engine/dynamics/saddle.hpp"
#include "engine/dynamics/tree.hpp"
#include "engine/math/types.hpp"
#include "engine/state/body_pairs.hpp"
#include "engine/state/rare.hpp"
#include "engine/state/results.hpp"

namespace vertebra::inline state {

struct LinkMotion {                     // what a step writes
  Vec3 reactionLinear = Vec3::Zero();   // acceleration by reactions at the end of the last smooth or coasting step: linear in world axes,
  Vec3 reactionAngular = Vec3::Zero();  // angular in inertial axes
  Vec3 startV = Vec3::Zero(), startW = Vec3::Zero();  // centre of mass and inertial axes, at the start of the step or of its half
  Vec3 startC = Vec3::Zero();
};
struct LinkRuntime : LinkMotion {
  int body = -1, joint = -1;       // joint -1: a free root, or
  int combined = -1;               // the first of the joints that it has together
  bool hasAxisForces : 1 = false;  // its joint has axis forces; among them:
  bool driven : 1 = false;         // springs, dampers, armature, motors: what enters the elimination
  bool limited : 1 = false;        // limits of position
  bool rubs : 1 = false;           // dry friction
  bool bounded : 1 = false;        // anything that may become a row: limits of position or velocity, dry friction
  bool light : 1 = false;          // no mass or a principal moment of zero: its reactions are forces and torques, not accelerations
  bool looped : 1 = false;         // on a cycle or coupled: its limits cannot be clamped separately
  double gravityScale = 1;
};

struct SlenderLink {               // in the solution of an island (trees/geometric_stiffness.cpp)
  Vec3 pull = Vec3::Zero();        // N, through its own joint
  Mat3 stiffening = Mat3::Zero();  // kg m^2, inertia added against the loads through its joints
  double turning = 0;              // kg m^2, of it and the links fixed to it
};

struct TreeBase {  // the body that a tree is on, which physics does not move
  dynamics::Base base;
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();  // of the body in the last step, at its origin
};

struct TreeMotion {            // what a step writes
  double step = 0;             // s, of the last of its parts
  double idle = 0;             // s, for which it has been slow
  double interval = 0;         // s, the last one of the stepper variational
  bool asPlaced = false;       // it has not moved since it was placed from the slots
  bool smooth = false;         // the last step ended with known reactions and without stiff or unilateral forces
  bool expectHalving = false;  // the halves of the last step indicate that a whole step would fail
  bool fresh = true;           // coordinates were written since the last step
  bool ahead = false;          // velocities already hold half of the next step's forces (stepper variational)
  bool shifted = false;        // `shift` holds a displacement for the next move
  bool falls = false;          // of first order, in the last step moved as a whole by gravity alone
  bool coasting = false;       // of first order; a and reactions are those of its velocities alone, without forces
  bool sprung = false;         // a mild spring between bodies acts on it
  bool unheld = false;         // coasting, and no row held it: its next move is by these accelerations, too
  bool asleep = false;
  bool settled = false;     // immobile: poses are those of the base
  bool movingBase = false;  // its base is a body with prescribed motion
  bool divided = false;     // the step was made in parts, whose starts LinkRuntime holds; the whole step's: TreeRare
};
struct TreeRare {                        // what few trees have
  std::vector<StartVelocity> stepStart;  // by link, of the whole step where it was divided
  std::vector<double> undone;            // q, v and the links' velocities at the start of the present step, see KeptTree
  Vec3 intervalOrigin = Vec3::Zero();    // point about which the momenta of an interval are taken (stepper variational)
  double pull = 1;                       // at its links by itself and by the joints that close its cycles, over its own
  double swing = 0;                      // 1/s^2, fastestSwing at the start of the step (stepper variational)
  double clampWork = 0;                  // J, removed by the clamps of the last move, where energies are accounted
  double carried = 0;                    // J, see carryEnergy
  double dropped = 0, dropScale = 1;     // J, taken from it before rows because it was made of nothing, and the scale that took it
};
struct TreeRuntime : TreeMotion {
  dynamics::Tree tree;
  std::unique_ptr<TreeBase> onBase;  // where baseBody >= 0; `tree` refers to it
  int first = 0, qFirst = 0, nq = 0, vFirst = 0, nv = 0;
  int baseBody = -1;
  bool floating = false;  // its root is free; in a planar world within its plane
  bool freeRoot = false, armature = false, springs = false;
  bool hasAxisForces = false, driven = false, limited = false, bounded = false;  // some link has
  bool held = false;          // waits while others make their parts of the step (steppers/multirate.cpp)
  bool startShifted = false;  // `shifted` at saveTree
  int parts = 1;              // number of parts of the present step that it makes by itself; 0: it slept when the step began
  bool pulled = false;        // an implicit field acts on some link in this step
  bool immobile = false;      // no velocities at all: a weld to the world
  int firstTwist = 0;         // in KeptStart::twists
  double mass = 0;
  double slenderness = 0;   // 1/m, largest mass of the tree x length of a link / its moment
  float gain = 0;           // of energy, of nothing, before the rows of this step; share of the kinetic energy
  bool slender = false;     // in this step some link may swing too fast
  double startKinetic = 0;  // 2 T at saveTree, J
  Rare<TreeRare> rare;
  std::unique_ptr<dynamics::SaddleOperator> saddle;
};

// Velocities of a tree's link at the start of its last whole step. The forces on one that sleeps are those of rest.
inline StartVelocity startOfStep(const TreeRuntime& t, const LinkRuntime& link, int i) {
  if (t.asleep) return {Vec3::Zero(), Vec3::Zero()};
  return t.divided ? t.rare->stepStart[i] : StartVelocity{link.startV, link.startW};
}

// The topology as trees, with the coordinates of their joints.
struct TreeState {
  bool current = false;  // the trees contain everything in the slots
  bool grown = false;    // or they are valid, but these were added since, and get trees of their own:
  std::vector<int> addedBodies, addedJoints, addedCouplings, addedConstraints;
  std::uint64_t linksMade = 0;  // since the world was created: a measure of the work of edits
  std::uint64_t treesMade = 0;  // how often trees were made since then
  bool jointsInTrees = false;   // joints are in trees although bodies keep free poses: while joints are placed (trees/joint_placing.cpp)
  int longestTree = 0;          // links
  double slenderness = 0;       // the largest of the trees'
  int keptTwists = 0;           // links of trees other than free bodies
  std::vector<dynamics::LinkModel> model;
  dynamics::JointFrameList frames;           // of the links that need them
  std::vector<dynamics::JointPlace> places;  // of the other links on joints
  std::vector<dynamics::LinkState> state;
  std::vector<double> columns;  // of these
  std::vector<LinkRuntime> links;
  std::vector<TreeRuntime> trees;
  std::vector<double> q, v, a;                   // in the conventions of the API; of a free root its inertial pose and twist about O
  std::vector<int> auxiliaryJoints;              // bilateral, motor and powered-axis joints, by id
  std::vector<std::pair<int, int>> mildSprings;  // in this step: a tree that each acts on, and the joint
  std::vector<int> prescribed;                   // kinematic bodies that are enabled, by id
  BodyPairs jointedPairs;                        // that do not collide because of a joint

  bool standing() const { return current || grown; }  // links hold the poses of the bodies in trees
};

// Data of trees beside their state: by velocity, coordinate or link.
struct TreeScratch {
  std::vector<double> z, extra, extraFull, generalized, shift;
  std::vector<double> q0, v0;                    // at the start of the step or of its half
  std::vector<double> fromRest, fromTarget;      // of the axes, at the poses of the last measureAxes
  std::vector<SlenderLink> slender;              // by link, where some tree is slender
  std::vector<dynamics::IntervalLink> interval;  // by link, for the stepper variational, as are:
  std::vector<double> increment;                 // increments of the joints in the last interval
  std::vector<double> leftOver;                  // impulses along the joints by which its equations are still off
  std::vector<Vec6> baseTwist;                   // by link: twist about O due to a prescribed base alone
  // Velocities from which the energy account takes the work of a step's impulses, at the present poses: x, and joint velocities. After a
  // smooth step they include gravity (a body in free fall then has its full energy at the end of the step), otherwise no force (gravity and
  // the drives then act with the same mean velocity).
  std::vector<double> reference, referenceRate;
  std::vector<char> beyond;      // by link of one tree: it hangs on a joint
  std::vector<double> baseRate;  // and the matching joint rates under `articulated`
};

}  // namespace vertebra::inline state
