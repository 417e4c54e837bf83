// What each frame of a result should reach: the source's directions laid on the target's lengths, and feet that stand where the source's
// do. World axes, Z up, metres.
#pragma once
#include <vector>

#include "engine/retarget/source.hpp"
#include "engine/retarget/target.hpp"

namespace vertebra::retarget {

struct FrameGoal {
  Vec3 root = Vec3::Zero();  // middle of the hips, world
  ByRole<bool> wanted;       // whether source and target have the role
  ByRole<Vec3> p;            // from the root, of wanted roles
  ByRole<Mat3> R;            // of the bodies that end limbs (Target::endBody)
  ByRole<bool> turned;       // whether R is wanted
  Vec3 up = Vec3::Zero();    // along the trunk, from the root; zero where nothing above the hips is known
  Vec3 foot[2];              // world, of the ankles
  double hold[2] = {0, 0};   // 1 in contact, between contacts less
};

// Source -> target for a constant offset of orientation: target = source * offset.
struct Alignment {
  Mat3 offset = Mat3::Identity();
  bool known = false;
};

struct Goals {
  double scale = 1;            // lengths of the path
  std::vector<Vec3> aside[2];  // of each contact of a foot: where it stands besides, so that the legs have room
  std::vector<FrameGoal> frames;
};

// Roles whose places are goals: motion and figure have them and all of the limb above. Toes and pelvis are none.
ByRole<bool> wantedRoles(const Source& source, const Target& target);
struct Bone {
  Role from, to;
};
// Of the left side, in order from the root; a hip hangs from the root, a shoulder from the chest.
inline constexpr Bone kBones[] = {{Role::LeftHip, Role::LeftKnee},
                                  {Role::LeftKnee, Role::LeftFoot},
                                  {Role::LeftShoulder, Role::LeftElbow},
                                  {Role::LeftElbow, Role::LeftHand}};
// The directions between a motion's points, turned by W, on a figure's bones: goals from the middle of the hips. A lone arm hangs from the
// hip of its side.
void layOut(const ByRole<Vec3>& points, const ByRole<bool>& wanted, const Bones& bones, const Mat3& W, ByRole<Vec3>& goal);

FrameGoal goalOf(const Source& source, const Target& target, int frame, double scale);
void orient(const SourceFrame& frame, Role role, const Alignment& alignment, FrameGoal& goal);
Goals makeGoals(const Source& source, const Target& target);
// Orientation of feet: flat where the source's stand flat, along the source's feet.
Alignment alignFoot(const Source& source, const Target& target, int side);
void setOrientations(const Source& source, Role role, const Alignment& alignment, Goals& goals);
// Feet stand still where the source's are in contact, or roll over the points of their soles that are lowest, with orientations R (by side
// and frame); between contacts they pass smoothly from one place to the next, and the root goes along.
void placeFeet(const Source& source, const Target& target, const std::vector<Mat3> (&R)[2], Goals& goals);

// Weighted mean about frame i, a Gaussian; deviation in frames. Beyond the ends: the values there.
Vec3 smoothedAt(const std::vector<Vec3>& x, int i, double deviation);
// How the root goes along with what the feet's places are moved by, more with the foot that is held.
Vec3 rootShift(const Vec3 (&offset)[2], const double (&hold)[2]);

Mat3 meanRotation(const Mat3& sum);  // the rotation nearest to a sum of rotations

}  // namespace vertebra::retarget
