// How much a world holds, from which each of its states reserves its memory.
#pragma once
#include <cstddef>

namespace vertebra::inline state {

struct Sizes {
  std::size_t bodies = 0, shapes = 0, joints = 0, couplings = 0, constraints = 0;  // slots
  std::size_t trees = 0, links = 0, coordinates = 0, velocities = 0;
  std::size_t longestTree = 0;       // links
  std::size_t longestPath = 0;       // velocities
  std::size_t auxiliaryJoints = 0;   // between trees
  std::size_t parts = 0;             // bodies of the largest coupling or user constraint
  std::size_t rows = 0, limits = 0;  // of all islands together
  std::size_t bilateral = 0;         // rows, at most
  std::size_t contacts = 0;          // as many as are expected
  std::size_t workers = 1;           // threads
  bool twisted = false;              // some contact may carry a torque
};

}  // namespace vertebra::inline state
