// Collision: boxes, the broad phase, contacts and their impulses. SI units, world axes.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/geometry/broad_phase.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/state/results.hpp"

namespace vertebra::inline state {

struct ContactMemory {  // of the last step, sorted by shapes, then feature
  int shapeA, shapeB;
  std::uint32_t feature;
  double impulse[6];  // normal, two tangents, torsion, rolling about the tangents
};

// A speculative contact on its two bodies: their points that will meet, the normal in each body's present frame, and the approach that the
// next step allows so that they just touch.
struct SpeculativeContact {
  Vec3 point[2], normal[2];
  double allowed = 0;  // m
};

// Two shapes whose boxes overlap, and where their contacts are kept until they are put in order.
struct CandidatePair {
  int a = -1, b = -1;        // indices into CollisionState::boxShape
  int worker = 0;            // that found the contacts
  int first = 0, count = 0;  // in its list; the last `predicted` of them are speculative contacts of their own
  int predicted = 0;
  int speculativeFirst = 0, speculativeCount = 0;
  int to = 0, speculativeTo = 0;  // places in SteppingState::contacts and in ::speculative
  bool near = false;              // they may touch
  bool swept = false;             // only the boxes of their motion over the step overlap
};

struct FoundContacts {
  std::vector<Contact> contacts;
  std::vector<SpeculativeContact> speculative;  // of these
};

struct CollisionState {
  geometry::BroadPhase broad;
  std::vector<geometry::Aabb> boxes, sweptBoxes;  // sweptBoxes: over the next step, of fast bodies larger
  std::vector<std::uint8_t> passive;
  std::vector<int> boxShape;                                // shapes with geometry, ascending
  std::vector<Pose> shapePose;                              // by shape, world
  std::vector<CandidatePair> candidates;                    // of the present search
  std::vector<FoundContacts> found;                         // by worker, of the present search, where there are several
  std::vector<std::pair<int, int>> kept;                    // contacts of the last search that are still valid: index before, index now
  std::vector<Contact> contactsBefore;                      // of the search before the last
  std::vector<Contact> startContacts;                       // of a step that searches for them more than once
  std::vector<SpeculativeContact> speculative;              // of the present contacts
  std::vector<ContactMemory> memory, memoryNext;            // warm starts of the rows: of this step, for the next; while
                                                            // islands are solved the latter is indexed by contact, with shapeA -1 where
                                                            // there is none
  std::vector<std::pair<int, int>> touching, touchingNext;  // shapes with a contact of gap <= 0
  std::vector<ContactEvent> events;

  void reserve(std::size_t shapes, std::size_t contactCount);
};

}  // namespace vertebra::inline state
