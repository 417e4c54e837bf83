// The steppers behind one interface: each moves all trees that are awake by h and leaves coordinates, velocities and forces of the new
// state in WorldData. What they share is in physics_step.cpp: prescribed bodies have moved before; contacts are remembered, islands put
// to sleep and everything undone on failure after. A new stepper is one file, its declaration here and its row in steppers.cpp.
#pragma once
#include "engine/constraints/island_rows.hpp"
#include "engine/state/stepper_traits.hpp"

namespace vertebra {

Failure stepImpulse(WorldData& w, double h);
Failure stepVariational(WorldData& w, double h);
Failure stepOde(WorldData& w, double h);
void reserveOde(WorldData& w, std::size_t contacts);  // its room, as World::reserve says
void resizeVariational(WorldData& w);
Failure stepDisplacement(WorldData& w, double h);
void resizeDisplacement(WorldData& w);

// Momenta, factor and free velocities of a tree at the end of its move, as a stepper has them.
using Projection = Failure (*)(WorldData& w, TreeRuntime& t, double h);
// Projects an island's trees, closes what is bilateral, builds and solves the rows, again while motors cross their bounds; velocities.
Failure solveIsland(WorldData& w, RowWorkspace& work, Island& island, IslandRows& rows, double h, Projection project);
void storeRows(WorldData& w, RowWorkspace& work, Island& island, IslandRows& rows);  // their impulses, and the error of loops
Failure predictLaunched(WorldData& w, double h);                                     // before prescribed bodies move
// Of the stepper impulse, for multirate.cpp: trees that are not held over their own steps, and one back to where it was before.
Failure moveTrees(WorldData& w);
void unmoveTree(WorldData& w, TreeRuntime& t);

// Failures that several report: of a step, field or constraint that gave no numbers, and of a tree without a factor at a link.
Failure diverged(const WorldData& w);
Failure badField(const WorldData& w);
Failure badConstraint(int constraint);
Failure noFactor(const WorldData& w, const TreeRuntime& t, int link);

}  // namespace vertebra
