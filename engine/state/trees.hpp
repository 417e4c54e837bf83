// Trees and their links: what is rebuilt from the slots when the topology was edited (topology/topology.hpp). A link's state and model
// are in dynamics (Tree, LinkModel, LinkState); here is what a step keeps beside them.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/dynamics/discrete_interval.hpp"
#include "engine/dynamics/saddle.hpp"
#include "engine/dynamics/tree.hpp"
#include "engine/math/types.hpp"

namespace vertebra {

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
  bool hasAxisForces = false;  // its joint has restraint
  bool light = false;          // no mass or a principal moment of zero: there the reactions hold forces and torques, not accelerations
  bool looped = false;         // on a cycle or coupled: its limits cannot clamp it by itself
};

// Angular acceleration of a body left to itself, inertial axes: I^-1 ((I w) x w).
inline Vec3 torqueFreeAcceleration(const LinkRuntime& r, const Vec3& w) {
  return {r.gyration[0] * (w[1] * w[2]), r.gyration[1] * (w[2] * w[0]), r.gyration[2] * (w[0] * w[1])};
}

struct TreeRuntime {
  Tree tree;
  int first = 0, qFirst = 0, nq = 0, vFirst = 0, nv = 0;
  int baseBody = -1;
  bool floating = false;  // its root is free, in a planar world within its plane
  bool freeRoot = false, hasAxisForces = false, armature = false, springs = false;
  bool smooth = false;        // the last step ended with reactions known and nothing stiff or unilateral acting
  bool fresh = true;          // coordinates were written since the last step
  bool asPlaced = false;      // nothing moved it since it was placed from the slots
  bool held = false;          // stands still while others make parts of the step (groups.cpp)
  bool startShifted = false;  // `shifted` at saveTree
  int parts = 1;              // of the present step, of which it makes each by itself; 0: slept when it began
  double step = 0;            // s, of the last of them
  bool ahead = false;         // velocities hold half of the coming step's forces already (stepper variational)
  bool shifted = false;       // `shift` holds a displacement for the next move
  bool asleep = false;
  bool pulled = false;                                         // some link feels an implicit field in this step
  bool movingBase = false;                                     // hangs from a body with prescribed motion
  Vec3 baseVelocity = Vec3::Zero(), baseOmega = Vec3::Zero();  // of that body in the last step, at its origin
  bool immobile = false;                                       // no velocities at all: a weld to the world
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

// The topology as trees, with the coordinates of their joints.
struct TreeState {
  bool current = false;  // the trees hold all that is in the slots
  bool grown = false;    // or they stand, but these were made since, which get trees of their own beside them:
  std::vector<int> addedBodies, addedJoints, addedCouplings, addedConstraints;
  std::uint64_t linksMade = 0;  // since the world was made: the work that edits cost
  bool jointsInTrees = false;   // though bodies keep free poses: while they are placed (joint_placing.cpp)
  std::vector<LinkModel> model;
  std::vector<LinkState> state;
  std::vector<double> columns;  // of these
  std::vector<LinkRuntime> links;
  std::vector<TreeRuntime> trees;
  std::vector<double> q, v, a;                    // of joints as users know them; of a free root its inertial pose and twist about O
  std::vector<int> auxiliaryJoints;               // bilateral, motor and powered-axis joints, by id
  std::vector<std::pair<int, int>> jointedPairs;  // bodies that a joint keeps from touching, sorted

  bool standing() const { return current || grown; }  // links hold the poses of what is in trees
};

// What a step keeps of trees beside their state: by velocity, coordinate or link.
struct TreeScratch {
  std::vector<double> z, extra, extraFull, generalized, shift;
  std::vector<double> q0, v0;                // at the start of the step or of its half
  std::vector<double> fromRest, fromTarget;  // of the axes, at the poses that measureAxes last saw
  std::vector<IntervalLink> interval;        // by link, for the stepper variational
  std::vector<double> increment;             // and what the joints moved in its last interval
  std::vector<double> leftOver;              // impulses along the joints that its equations still lack
  std::vector<Vec6> baseTwist;               // by link: twist about O that a prescribed base alone gives
  // What the energy account takes the impulses of a step to start from, all motion carried over to the present poses: x, and joint
  // velocities. After a smooth step the motion with gravity (what falls free has its full energy at the end of the step), otherwise
  // without any force (gravity and the drives then enter by the same mean).
  std::vector<double> reference, referenceRate;
  std::vector<double> baseRate;  // and the joint rates that go with it under `articulated`
};

}  // namespace vertebra
