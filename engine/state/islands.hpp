// Islands: trees that contacts, joints, couplings and constraints connect.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/state/results.hpp"
#include "engine/state/sizes.hpp"

namespace vertebra::inline state {

// Members, of all islands one after the other.
struct IslandLists {
  std::vector<int> trees;     // ascending within an island
  std::vector<int> contacts;  // indices into WorldData::contacts
  std::vector<int> joints;    // auxiliary joints
  std::vector<int> couplings;
  std::vector<int> constraints;  // of the user
  std::array<std::vector<int>*, 5> all() { return {&trees, &contacts, &joints, &couplings, &constraints}; }
};

struct IslandEnds {  // of its parts of the lists, which begin where those of the island before end
  int trees = 0, contacts = 0, joints = 0, couplings = 0, constraints = 0;
};

struct Island {  // its parts of the lists
  std::span<const int> trees;
  std::span<int> contacts;
  std::span<const int> joints, couplings, constraints;
  StepTally* tally = nullptr;  // takes its solution's part of statistics and account (steppers/loops.hpp)

  bool unbound() const { return contacts.empty() && joints.empty() && couplings.empty() && constraints.empty(); }
};

// What a tree is to the islands of a step. Absent: it cannot move; held: it waits while others make their parts of the step.
enum class TreePart : std::uint8_t { Absent, Held, Asleep, Awake };

struct IslandState {
  std::vector<int> treeParent;  // union-find
  std::vector<int> treeIsland;  // -1: none; only the leader's until all islands are known
  std::vector<TreePart> treeParts;
  std::vector<std::pair<int, int>> contactTrees;  // of bodies a and b, -1 for one in no tree
  std::vector<int> rateParts;                     // parts of the step of each multirate group, by its lowest tree
  std::vector<IslandEnds> islands;                // the first islandCount are in use
  int islandCount = 0;
  StepTally islandTally;                 // of the island that one thread solves alone; empty between islands
  std::vector<StepTally> islandTallies;  // of those that several solve: by island where energies are accounted, otherwise by run
  IslandLists members;
  std::vector<int> idleContacts;                  // of no island
  std::vector<int> callingIslands, quietIslands;  // those whose solution calls a function of the caller, and the others
  std::vector<int> islandCosts;                   // of the latter
  std::vector<std::pair<int, int>> islandRuns;    // first and last of quietIslands, which one thread solves in sequence

  void reserve(const Sizes& n);

  Island island(int k) {
    const IslandEnds from = k > 0 ? islands[k - 1] : IslandEnds(), to = islands[k];
    const auto part = [](std::vector<int>& list, int first, int last) { return std::span<int>(list.data() + first, list.data() + last); };
    return {part(members.trees, from.trees, to.trees), part(members.contacts, from.contacts, to.contacts),
            part(members.joints, from.joints, to.joints), part(members.couplings, from.couplings, to.couplings),
            part(members.constraints, from.constraints, to.constraints)};
  }
};

}  // namespace vertebra::inline state
