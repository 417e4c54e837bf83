// Islands: trees that contacts, joints, couplings and constraints tie together.
#pragma once
#include <vector>

namespace vertebra {

struct Island {
  std::vector<int> trees;     // ascending
  std::vector<int> contacts;  // indices into WorldData::contacts
  std::vector<int> joints;    // auxiliary joints
  std::vector<int> couplings;
  std::vector<int> constraints;  // of the user
};

struct IslandState {
  std::vector<int> treeParent;  // union-find
  std::vector<int> rateParts;   // by the lowest tree of a group that steps together: parts of the step
  std::vector<Island> islands;  // the first islandCount are in use
  int islandCount = 0;

  void reserve(std::size_t trees);
};

}  // namespace vertebra
