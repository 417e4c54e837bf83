// Islands: trees that contacts, joints, couplings and constraints connect.
#pragma once
#include <utility>
#include <vector>

#include "engine/state/results.hpp"

namespace vertebra::inline state {

struct Island {
  std::vector<int> trees;     // ascending
  std::vector<int> contacts;  // indices into WorldData::contacts
  std::vector<int> joints;    // auxiliary joints
  std::vector<int> couplings;
  std::vector<int> constraints;  // of the user
  StepTally tally;               // of its solution
};

struct IslandState {
  std::vector<int> treeParent;  // union-find
  std::vector<int> rateParts;   // parts of the step of each multirate group, by its lowest tree
  std::vector<Island> islands;  // the first islandCount are in use
  int islandCount = 0;
  std::vector<int> idleContacts;                  // of no island
  std::vector<int> callingIslands, quietIslands;  // those whose solution calls a function of the caller, and the others
  std::vector<int> islandCosts;                   // of the latter
  std::vector<std::pair<int, int>> islandRuns;    // first and last of quietIslands, which one thread solves in sequence

  void reserve(std::size_t trees);
};

}  // namespace vertebra::inline state
