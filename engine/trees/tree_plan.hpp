// The parents of bodies in trees: the graph of bodies and joints cut into spanning trees, before any link is made. See tree_plan.cpp.
#pragma once
#include <vector>

#include "engine/state/tree_world.hpp"

namespace vertebra::trees {

struct PlannedLink {
  int body, joint;    // joint -1: a free root, or several joints together
  int parent;         // in the tree; -1 = its base
  bool reversed;      // the tree runs from the joint's body b to its body a
  int combined = -1;  // the first of several joints together
};
struct PlannedTree {
  int first, count;  // among the links
  int baseBody;
};
struct TreePlan {
  std::vector<PlannedLink> links;  // of each tree parents first
  std::vector<PlannedTree> trees;  // by the slots of their root bodies, so that later ones follow
  std::vector<int> auxiliary;      // remaining joints, ascending
};

bool movesByPhysics(const TreeWorld& w, int body);

// `bodies` and `joints`, ascending: all that are alive, or those that were added since the last topology and connect nothing that moved in
// it. Sets the roles of the joints, and BodySlot::tree to 0 or more where a body has a place.
TreePlan planTrees(TreeWorld& w, const std::vector<int>& bodies, const std::vector<int>& joints);

}  // namespace vertebra::trees
