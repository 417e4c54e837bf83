// From slots to trees and back: see topology.cpp. Coordinates of joints from poses of their bodies: joint_coordinates.cpp. Placing bodies
// by their joints where they keep free poses: joint_placing.cpp.
#pragma once
#include "engine/state/tree_world.hpp"
#include "engine/trees/archive.hpp"
#include "engine/trees/body_poses.hpp"
#include "engine/trees/joint_coordinates.hpp"

namespace vertebra::trees {

void invalidateTopology(TreeWorld& w);  // before an edit of things in trees: carries all state to the slots
// After a creation. If that connects nothing in the present trees, they stay valid.
void addBody(TreeWorld& w, int body);
void addJoint(TreeWorld& w, int joint);
void addCoupling(TreeWorld& w, int coupling);
void addConstraint(TreeWorld& w, int constraint);
Failure updateTopology(TreeWorld& w);            // makes the missing trees
void widenRoots(TreeWorld& w);                   // before a field becomes implicit: room for factors that couple
void refreshTree(TreeWorld& w, TreeRuntime& t);  // after coordinates were written: computes poses and twists
void touchTree(TreeWorld& w, int tree);          // the same after a call from outside: also wakes it
// The next step of bodies whose contacts carried a load does not start as in free fall.
void holdByContacts(TreeWorld& w);

// With free poses: puts joints in trees, makes `change` there, and keeps the result in the bodies of these joints' trees.
Failure placeInTrees(TreeWorld& w, const std::vector<int>& joints, Failure (*change)(TreeWorld& w, const void* what), const void* what);

// Coordinates of a tree from its bodies' poses (joints that were not placed before) or from the joints' own coordinates; velocities alike.
void placeTree(TreeWorld& w, TreeRuntime& t);

// Sets the joint of a link's model as its slot defines it, or as a planar world gives it to a root.
dynamics::JointFrames setJointOf(const TreeWorld& w, const LinkRuntime& link, dynamics::LinkModel& m);
dynamics::JointFrames framesOf(const TreeWorld& w, int link);  // also where its model refers to none

// Poses and twists of bodies, from links or slots.
Pose poseOf(const TreeWorld& w, int body);
void twistOf(const TreeWorld& w, int body, Vec3& velocity, Vec3& omega);
// Of the link frame's origin, and angular: the mean over the last step; 0 of what does not move by physics, and of what sleeps.
void accelerationOf(const TreeWorld& w, int body, Vec3& linear, Vec3& angular);
inline const dynamics::BodyPose* linkPoseOf(const TreeWorld& w, int body) {
  return body >= 0 && w.bodies[body].link >= 0 ? &w.state[w.bodies[body].link] : nullptr;
}

// Of the state before a step (steppers/undo.hpp): the motion of a tree, which any thread may keep, and what few trees have, in sequence;
// restoreRich restores the next that was kept.
void keepLinks(TreeWorld& w, const TreeRuntime& t);
// What few trees have: a base that may move, axes with forces, a last step in parts, a displacement for the next move.
inline bool isRich(const TreeRuntime& t) { return t.onBase || t.hasAxisForces || t.divided || t.shifted; }
void keepRich(TreeWorld& w, int tree);                             // what few trees have, behind what is kept,
std::size_t mostOfRich(const TreeRuntime& t);                      // the most bytes that it may take,
std::size_t sizeOfRich(TreeWorld& w, int tree);                    // its bytes,
std::size_t keepRichAt(TreeWorld& w, int tree, std::uint8_t* to);  // and to a place for them; returns the bytes
void keepTree(TreeWorld& w, int tree);                             // both of a tree that stood, if a step is being made
void noteSaving(TreeWorld& w, TreeRuntime& t);  // before saveTree: what it saved first in the present step is the start of the step
void noteChange(TreeWorld& w, TreeRuntime& t);  // before coordinates or velocities change without it
void restoreMotion(TreeWorld& w, int tree);
void restoreRich(TreeWorld& w, Archive<Reader>& v);
void standAgain(TreeWorld& w, TreeRuntime& t);  // poses, where coordinates, velocities and twists of its bodies were put back

void wakeTree(TreeWorld& w, int tree);
void wakeBody(TreeWorld& w, int body);
void updateShapeFrames(TreeWorld& w, int body);  // after an edit of its mass or shapes
void reserve(TreeWorld& w);                      // what steps would take besides
void reserveReference(TreeWorld& w);             // TreeScratch::reference and its rates, where energies are accounted

}  // namespace vertebra::trees
