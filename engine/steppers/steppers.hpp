// The steppers behind one interface: each moves all awake trees by h and leaves coordinates, velocities and forces of the new state in
// WorldData. What they share is in physics_step.cpp: before, prescribed bodies have moved; after, contacts are stored, islands put to
// sleep, and everything is undone on failure. A new stepper is one file, its declaration here and its row in steppers.cpp.
#pragma once
#include <cstdint>
#include <optional>

#include "engine/collision/foresight.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

Failure stepImpulse(WorldData& w, double h);
Failure stepVariational(WorldData& w, double h);
Failure stepOde(WorldData& w, double h);
void reserveOde(WorldData& w, std::size_t contacts);  // its room, see World::reserve
void reserveDisplacement(WorldData& w, std::size_t contacts);
void resizeVariational(TreeWorld& w);
Failure stepDisplacement(WorldData& w, double h);

// Momenta, factor and free velocities of a tree at the end of its move, in the form of a stepper.
using Projection = Failure (*)(WorldData& w, TreeRuntime& t, double h);
inline constexpr int kMostPasses = 24;  // until motors are on their right sides; usually one or two, ten where many motors are in an impact
// Projects an island's trees, closes bilateral rows, builds and solves the rows, again while motors cross their bounds; velocities.
// `solved` holds them if it succeeds.
Failure solveIsland(WorldData& w, RowWorkspace& work, Island& island, constraints::IslandRows& rows, double h, Projection project,
                    std::optional<constraints::SolvedRows>& solved);
void storeRows(WorldData& w, RowWorkspace& work, Island& island,
               constraints::SolvedRows& solved);  // their impulses, and the error of loops
bool acts(const RowWorkspace& work);              // some row of the island that was solved last
// What may hold the island that was solved last: nothing but dry friction of axes that slip, friction of some axis that sticks, or rows of
// another kind, whether they act or not: those that reach their bound in every other step would leave half of a turn out.
enum class Hold : std::uint8_t { Nothing, Stuck, Rows };
Hold holdOf(const RowWorkspace& work);
// Whether joints that have a compliance by their stepper opened in this step's move by more than it explains: more than `adaptive.depth`,
// as contacts that go too deep.
bool softRowsGiveWay(WorldData& w, RowWorkspace& work, Island& island);
// Whether rows may act on the island, or its motors may cross their bounds. If not, its trees are free, and no rows are built.
bool mayHaveRows(const WorldData& w, const Island& island);
// By joints outside trees, couplings or users' rows, which act from the first step on.
bool isHeld(const WorldData& w, const TreeRuntime& t);
Failure solveFree(WorldData& w, RowWorkspace& work, Island& island, double h, Projection project);
// Continuous collision before anything moves, prescribed bodies included. Of steppers that predict impacts at the end of a step for the
// next: bodies that were set in motion in between have a prediction of their own; only impacts of the coming move act, on the velocities as
// they are. Of the stepper displacement: impacts of the coming move are found, for its sweeps.
Failure strikeLaunched(WorldData& w, double h);
Failure foreseeDisplacement(WorldData& w, double h);
bool anyFast(WorldData& w, const collision::Foresight& foresight);  // some body moves farther than the contact margin
// Of the stepper impulse, for multirate.cpp: moves trees that are not held over their own steps; restores one to its state before.
Failure moveTrees(WorldData& w);
void unmoveTree(WorldData& w, TreeRuntime& t);

// Failures that several report: a step, field or constraint whose result is not finite, and a tree without a factor at a link.
Failure diverged(const WorldData& w);
Failure badField(const WorldData& w);
Failure badConstraint(int constraint);
Failure noFactor(const WorldData& w, const TreeRuntime& t, int link);

}  // namespace vertebra::steppers
