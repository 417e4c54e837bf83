// Forces in joints after a step, joints that break: see joint_forces.cpp.
#pragma once
#include "engine/state/slots.hpp"

namespace vertebra::inline state {
struct ContactWorld;
struct TreeWorld;
}  // namespace vertebra::inline state

namespace vertebra::constraints {

void clearJointForces(ContactWorld& w);

bool isScalar(const JointSlot& j, int axis);  // an axis whose coordinate and rate are one number each
void breakJoints(TreeWorld& w);               // marks those that were overloaded
void dropBroken(TreeWorld& w);                // invalidates the topology if it contains a broken joint
// Of the last physics step. beyond: scratch, as long as the tree.
void jointForces(const TreeWorld& w, int joint, std::vector<char>& beyond, JointForces& out);
// Unit, world: axis of rotation or direction of travel of each velocity, b against a.
void jointDirections(TreeWorld& w, int joint, Vec3* out);
void jointState(TreeWorld& w, int joint, double* q, double* v);  // coordinates and rates, in a tree or outside; either may be null

}  // namespace vertebra::constraints
