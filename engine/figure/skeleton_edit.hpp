// Skeletons made of skeletons: other sizes, joint types, fewer links, the mirror image. Frames: a link keeps its frame, joints and shapes
// move in it. Bodies keep their density: masses and inertias are those of the solid that is stretched with its shapes. Torques, damping,
// springs and armature of axes stay. SI units.
#pragma once
#include "engine/figure/skeleton.hpp"

namespace vertebra::figure {

// Each returns an empty string, or why it cannot be done; then `s` is as it was.

// All lengths times `factor`: places of joints and sites, shapes, travel and speed along axes that slide.
std::string scaleSkeleton(Skeleton& s, double factor);

// A link's bone (from its joint to the middle of the next ones, of its sites at a tip, else through its centre of mass): length along it,
// thickness across it. Joints and sites move along the bone, not across it. A sphere keeps its shape, with the volume it then has.
std::string scaleLink(Skeleton& s, int link, double length, double thickness);
// The same of all links; of those without a bone the shapes alone, by the thickness.
std::string scaleLinks(Skeleton& s, double length, double thickness);

// Another type of joint about (or along) the axis, which is unit; limits and losses stay where the number of axes does.
std::string setJointType(Skeleton& s, int joint, dynamics::JointType type, const Vec3& axis);

// The child becomes part of its parent, at joint coordinate 0, with its mass, shapes, sites, roles and joints.
std::string mergeJoint(Skeleton& s, int joint);
// The joint goes, with all that hangs on it.
std::string dropJoint(Skeleton& s, int joint);

// The mirror image, of every link in its own frame: coordinate `axis` (0 to 2) changes sign. Coordinates of hinges and screws stay the
// same, so that a motion and its mirror image have the same angles up to the sides; left and right change places in names.
std::string mirrorSkeleton(Skeleton& s, int axis);

}  // namespace vertebra::figure
