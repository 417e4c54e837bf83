// Forces in joints after a step, joints that break: see joint_forces.cpp.
#pragma once
#include "engine/state/slots.hpp"

namespace vertebra {

struct WorldData;

void clearJointForces(WorldData& w);
void keepRestingMemory(WorldData& w);

bool isScalar(const JointSlot& j, int axis);                        // an axis whose coordinate and rate are one number each
void breakJoints(WorldData& w);                                     // marks those that were overloaded
void dropBroken(WorldData& w);                                      // invalidates the topology if it contains a broken joint
void jointForces(const WorldData& w, int joint, JointForces& out);  // of the last physics step
// Unit, world: axis of rotation or direction of travel of each velocity, b against a.
void jointDirections(WorldData& w, int joint, Vec3* out);
void jointState(WorldData& w, int joint, double* q, double* v);  // coordinates and rates, in a tree or outside; either may be null

}  // namespace vertebra
