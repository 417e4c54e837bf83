// From slots to trees and back: see topology.cpp. Coordinates of joints from poses of their bodies: joint_coordinates.cpp. Placing bodies
// by their joints where they keep free poses: joint_placing.cpp.
#pragma once
#include "engine/state/world_data.hpp"
#include "engine/trees/body_poses.hpp"
#include "engine/trees/joint_coordinates.hpp"

namespace vertebra {

void invalidateTopology(WorldData& w);  // before an edit of things in trees: carries all state to the slots
// After a creation. If that connects nothing in the present trees, they stay valid.
void addBody(WorldData& w, int body);
void addJoint(WorldData& w, int joint);
void addCoupling(WorldData& w, int coupling);
void addConstraint(WorldData& w, int constraint);
Failure updateTopology(WorldData& w);            // makes the missing trees
void refreshTree(WorldData& w, TreeRuntime& t);  // after coordinates were written: computes poses and twists
void touchTree(WorldData& w, int tree);          // the same after a call from outside: also wakes it
void updateAxisForces(WorldData& w, int joint);  // after an edit of axes or motors
void updateAxisForces(WorldData& w);             // of all joints
// The next step of bodies whose contacts carried a load does not start as in free fall.
void holdByContacts(WorldData& w);

// With free poses: puts joints in trees, makes `change` there, and keeps the result in the bodies of these joints' trees.
Failure placeInTrees(WorldData& w, const std::vector<int>& joints, Failure (*change)(WorldData& w, const void* what), const void* what);

// Coordinates of a tree from its bodies' poses (joints that were not placed before) or from the joints' own coordinates; velocities alike.
void placeTree(WorldData& w, TreeRuntime& t);

// Poses and twists of bodies, from links or slots.
Pose poseOf(const WorldData& w, int body);
void twistOf(const WorldData& w, int body, Vec3& velocity, Vec3& omega);
inline const BodyPose* linkPoseOf(const WorldData& w, int body) {
  return body >= 0 && w.bodies[body].link >= 0 ? &w.state[w.bodies[body].link] : nullptr;
}

void wakeTree(WorldData& w, int tree);
void wakeBody(WorldData& w, int body);
void updateShapeFrames(WorldData& w, int body);  // after an edit of its mass or shapes

}  // namespace vertebra
