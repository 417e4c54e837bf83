// Islands and sleep: see islands.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

void buildIslands(WorldData& w);
void sleepIslands(WorldData& w, double h);
int treeOf(const WorldData& w, const UserConstraintSlot& c);  // a tree on which it acts and that moves, or -1
void joinTrees(WorldData& w);  // connects trees by contacts, joints, couplings and constraints, in WorldData::treeParent
double stepOf(const WorldData& w, const CouplingSlot& c);  // s, the last step of the bodies that it couples
int leaderOf(WorldData& w, int tree);                      // the lowest tree of the connected ones; call after joinTrees

}  // namespace vertebra
