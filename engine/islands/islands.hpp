// Islands and sleep: see islands.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

void buildIslands(WorldData& w);
void sleepIslands(WorldData& w, double h);
int treeOf(const WorldData& w, const UserConstraintSlot& c);  // one that it acts on and that moves, or -1
void joinTrees(WorldData& w);  // what contacts, joints, couplings and constraints tie together, to WorldData::treeParent
double stepOf(const WorldData& w, const CouplingSlot& c);  // s, the last one of what it couples
int leaderOf(WorldData& w, int tree);                      // the lowest tree of those, after it

}  // namespace vertebra
