// Ball joints that tie the same two bodies at several points, taken together: points on a line make a hinge, others a weld. A tree then has
// one link with that joint, which holds exactly what the ball joints hold together; none of them is rows, and none is redundant. Such a
// joint has the role Combined: it has no coordinates of its own, and its force is a share of what the link transmits.
#pragma once
#include <vector>

#include "engine/trees/tree_plan.hpp"

namespace vertebra::trees {

// Frames in the link frames of the parent's body (or the world's) and of the link's.
struct CombinedJoint {
  dynamics::JointShape shape;
  Pose inParent, inChild;
};

// Replaces the joints of planned links by what all ball joints between their two bodies make together, where they are rigid, nothing acts
// along their axes and the points agree on both bodies.
void combineJoints(TreeWorld& w, TreePlan& plan);
// The joint of a link that holds `body` by the joints from `first` on (JointSlot::nextCombined).
CombinedJoint combinedJoint(const TreeWorld& w, int first, int body);
// The body at the other end.
inline int parentBody(const JointSlot& j, int body) { return j.b == body ? j.a : j.b; }
// Whether an edit of a joint's axes lets it be combined, or no longer: the trees then have to be made again.
bool changesCombination(const TreeWorld& w, const JointSlot& j, bool hadAxisForces);

// Where `body` stands by a ball joint's coordinates, where the link frame of the other end is at `from`; and its angular velocity relative
// to that end by their rates, where the link frame of the joint's body b is turned by `ofB`.
Pose poseByJoint(const JointSlot& j, int body, const Pose& from);
Vec3 omegaByJoint(const JointSlot& j, int body, const Quat& ofB, const double* rates);

// The forces at points that together make a force and a torque about their middle, of the least sum of squares.
class WrenchShares {
 public:
  void add(const Vec3& point) {
    if (count_++ == 0) origin_ = point;
    const Vec3 d = point - origin_;
    first_ += d;
    second_ += d * d.transpose();
  }
  Vec3 middle() const { return origin_ + first_ / count_; }
  Vec3 at(const Vec3& point, const Vec3& force, const Vec3& torque) const;

 private:
  int count_ = 0;
  Vec3 origin_ = Vec3::Zero(), first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

}  // namespace vertebra::trees
