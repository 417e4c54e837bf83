// What the axes of a tree's joints ask for, in its links and itself: see axis_summary.cpp.
#pragma once
#include "engine/state/tree_world.hpp"

namespace vertebra::trees {

void collectAxisForces(TreeWorld& w, TreeRuntime& t);  // of a tree that was made
void updateAxisForces(TreeWorld& w, int joint);        // after an edit of axes or motors
void updateAxisForces(TreeWorld& w);                   // of all joints

}  // namespace vertebra::trees
