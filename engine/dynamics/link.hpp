// A link of a kinematic tree: constants between edits (LinkModel) and the quantities of a step (LinkState).
// Inside the engine a body's frame is its inertial frame: origin at the centre of mass, axes along the principal axes of inertia.
// Six-vectors are taken about the tree's origin O, in world axes, angular part first: twist (omega; velocity of the point at O), momentum
// (angular momentum about O; linear momentum). Sources: Featherstone 2008; Jain 2010 (spatial operators, here with one origin for the whole
// tree).
#pragma once
#include <memory>
#include <vector>

#include "engine/dynamics/joint_type.hpp"
#include "engine/math/types.hpp"

namespace vertebra::dynamics {

// Where a joint is on the two bodies. Only what a hinge needs is here: memory bandwidth bounds the speed of long trees.
struct JointPlace {
  Vec3 inParent = Vec3::Zero(), inChild = Vec3::Zero();         // the joint's origin in the inertial frames of parent and child
  Quat rest = Quat::Identity(), restTimesK = Quat::Identity();  // turnParent * turnChild^-1, turnParent * k * turnChild^-1
  Vec3 axis = Vec3::Zero();  // child's inertial frame: hinge or slide axis; universal, wheel: the axis fixed in it
};

// Orientations of the joint's frames in the inertial frames of parent and child, turned so that the joint's own axis is z (revolute,
// prismatic, planar, cylindrical, screw) or kept (others), and what follows from them. Of a link whose type needs them (JointTraits).
struct JointFrames : JointPlace {
  Quat turnParent = Quat::Identity(), turnChild = Quat::Identity();
  // Parent's inertial frame: universal, wheel: the axis fixed in it; both negated if reversed.
  Vec3 axisParent = Vec3::Zero();
  Vec3 axisInJoint = Vec3::UnitZ(), axis2InJoint = Vec3::UnitY();  // universal, wheel, spherical (twist axis)
  double pitch = 0;                                                // screw: m a radian
};
using JointFrameList = std::vector<std::unique_ptr<const JointFrames>>;  // models refer to them: they stay where they are

struct LinkModel {
  int parent = -1;  // link of the same array; -1 = the tree's base
  JointType type = JointType::Fixed;
  bool velocityIsTwist = false;  // JointTraits::velocityIsTwist: a free root
  bool lone = false;             // a free root without children: about its own centre of mass, rotation and translation are uncoupled
  bool tight = false;            // there is room for the factor of a lone root alone
  bool reversed = false;         // the tree runs against the joint: the link is the joint's parent; q and v stay the joint's own
  int nv = 0;
  int qOffset = 0;  // into the coordinate array
  int vOffset = 0;  // into velocity, acceleration and whitened arrays
  double mass = 0;
  Vec3 inertia = Vec3::Zero();          // principal moments
  Vec3 gyration = Vec3::Zero();         // (I_y - I_z) / I_x and cyclic; 0 where there is no moment
  const JointPlace* joint = nullptr;    // none of a free root
  const JointFrames* frames = nullptr;  // where they are needed
};

void setInertia(LinkModel& m, double mass, const Vec3& moments);
inline Vec3 inverseInertia(const LinkModel& m) {  // 0 where the moment is 0
  Vec3 inverse;
  for (int k = 0; k < 3; k++) inverse[k] = m.inertia[k] > 0 ? 1 / m.inertia[k] : 0;
  return inverse;
}
// Angular acceleration without torques, inertial axes: I^-1 ((I w) x w).
inline Vec3 torqueFreeAcceleration(const LinkModel& m, const Vec3& w) {
  return {m.gyration[0] * (w[1] * w[2]), m.gyration[1] * (w[2] * w[0]), m.gyration[2] * (w[0] * w[1])};
}

struct BodyPose {
  Vec3 c = Vec3::Zero();  // centre of mass
  Quat q = Quat::Identity();
  Mat3 R = Mat3::Identity();
};

// A pair of numbers never crosses two cache lines.
struct alignas(16) LinkState : BodyPose {
  Vec3 anchor = Vec3::Zero();  // the joint's origin on the child, world
  Vec3 v = Vec3::Zero();       // velocity of the centre of mass, world axes
  Vec3 w = Vec3::Zero();       // angular velocity, inertial axes
  Vec6* S = nullptr;           // motion subspace, by axis of the joint; attachColumns sets the places of this, W and G
  alignas(16) Vec6 t;          // twist
  Vec6 t2;                     // acceleration twist about O: of the last solve, or of the bias after updateBias
  Vec3 biasAngular = Vec3::Zero(), biasLinear = Vec3::Zero();  // acceleration with joint accelerations zero; linear: of the centre of mass
  Vec6* W = nullptr;                                           // whitened articulated columns A S G^-T; a free root has none
  // Lower factor of the joint block D = G G^T; its diagonal holds reciprocals. Of a lone root: of its rotation, and beside the first row
  // the reciprocals of translation.
  double (*G)[6] = nullptr;
};

// Room for S, W and G of links by the axes of their joints, most of which have one. All free roots share the unit vectors as S.
std::size_t columnNumbers(const LinkModel& m);
void attachColumns(const LinkModel* models, LinkState* states, std::size_t count, double* numbers);

struct JointColumns {  // room for a single link
  Vec6 S[6], W[6];
  double G[6][6];
  explicit JointColumns(LinkState& s) {
    s.S = S;
    s.W = W;
    s.G = G;
  }
};

// Prepares a link's joint constants from frames given in the inertial frames of the link's parent and of the link (parent < 0: world
// frame). With `reversed` the link is the joint's parent; axes are the joint's own. A reversed joint along or about one axis differs only
// in the sign of that axis. The place and the frames are returned; the model refers to none.
JointFrames setJoint(LinkModel& m, const JointShape& shape, const Pose& jointInParent, const Pose& jointInChild, bool reversed = false);
// Adds them to the list and lets the model refer to them.
void keepFrames(LinkModel& m, const JointFrames& frames, JointFrameList& list);
inline Vec3 inChildOf(const LinkModel& m) { return m.joint ? m.joint->inChild : Vec3(Vec3::Zero()); }

// Principal moments and axes of a symmetric matrix: inertia = axes * diag(moments) * axes^T. A diagonal matrix keeps its axes. A moment at
// the level of round-off (of a line or a point) becomes 0.
void principalAxes(const Mat3& inertia, Vec3& moments, Quat& axes);

}  // namespace vertebra::dynamics
