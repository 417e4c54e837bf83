// Limbs of a tree of joints without names: pairs of branches of equal lengths, the lower of them legs, the upper arms.
// Lengths in any one unit; positions of one pose.
#pragma once
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::retarget {

struct Node {
  int parent = -1;  // before its children
  Vec3 p = Vec3::Zero();
};

struct Branch {
  std::vector<int> chain;      // from below the fork to where it forks again or ends
  std::vector<double> length;  // from the node before, the fork first
  double total = 0;
};

struct Pair {
  int fork = -1, count = 2;  // how many branches of these lengths the fork has
  Branch side[2];
  double total() const { return side[0].total; }
};

// Pairs of branches that fork from one node and are of equal lengths; below a pair none is sought.
std::vector<Pair> mirroredPairs(const std::vector<Node>& nodes);

// Of a branch: the nodes at both ends of its two longest neighbouring lengths and between them; false if it has no two. Its first `held`
// lengths do not count.
struct Bend {
  int top = -1, middle = -1, end = -1;
};
bool bendOf(const Pair& pair, int side, Bend& out, int held = 0);

}  // namespace vertebra::retarget
