// Limits and dry friction of the joints of one tree, solved at once within sweeps. They share the coordinates of the links below them, so
// that row by row they converge slowly. A group is a dense problem with bounds: velocities A lambda + c, A as large as the group. Units as
// in rows.hpp.
// Source: Judice and Pires 1994 (dantzig_block.cpp), on the few rows of a group.
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra::solve {

// Finds the groups among the blocks: neighbours of one tree, at most JointGroup::kMost; room for their matrices.
void findJointGroups(RowProblem& p);

// Solves the group for the present velocities and changes x and its impulses, each by `relaxation` of its step. Returns the largest change
// of a row's velocity that its own projection would have made before.
double visitJointGroup(RowProblem& p, JointGroup& group, double relaxation);

}  // namespace vertebra::solve
