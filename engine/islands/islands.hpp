// Islands and sleep: see islands.cpp.
#pragma once
#include "engine/state/island_world.hpp"

namespace vertebra::islands {

void buildIslands(IslandWorld& w);
void sleepIslands(IslandWorld& w, double h);
int treeOf(const IslandWorld& w, const UserConstraintSlot& c);  // a tree on which it acts and that moves, or -1
void joinTrees(IslandWorld& w);  // connects trees by contacts, joints, couplings and constraints, in IslandWorld::treeParent
double stepOf(const IslandWorld& w, const CouplingSlot& c);  // s, the last step of the bodies that it couples
int leaderOf(IslandWorld& w, int tree);                      // the lowest tree of the connected ones; call after joinTrees

}  // namespace vertebra::islands
