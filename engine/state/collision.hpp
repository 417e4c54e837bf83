// Collision: boxes, the broad phase, contacts and their impulses. SI units, world axes.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/geometry/broad_phase.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/state/results.hpp"
#include "engine/state/sizes.hpp"

namespace vertebra::inline state {

// Where the forces are from which the next solution starts: those of the last step or part of one, before a search for contacts and after
// it, or a list of their own, where contacts are searched again or tell of more than that part.
enum class StartsAt : std::uint8_t { Contacts, Before, Memory };

// A speculative contact on its two bodies: where the points that will meet act on the bodies at their present poses, their arms from the
// centres of mass when they meet (of a body without link, the points), and the approach that the next step allows so that they just touch.
struct SpeculativeContact {
  Vec3 point[2], arm[2];
  double allowed = 0;  // m
  double time = 0;     // s from now until they meet
  double rate = 0;     // m/s, of their approach along the normal then
  bool inner = false;  // of the ball inside a shape: it neither rubs nor bounces, it only keeps a body that begins to spin from passing
};

struct FoundContacts {
  std::vector<Contact> contacts;
  std::vector<Vec3> torques;                    // of these
  std::vector<SpeculativeContact> speculative;  // likewise
};

// Neighbouring pairs of the broad phase that one thread searches for contacts, which lie in its list until all are put in order.
struct PieceOfPairs {
  int worker = 0;                                                        // that found the contacts
  int first = 0, count = 0, speculativeFirst = 0, speculativeCount = 0;  // in its lists
  int to = 0, speculativeTo = 0;  // places in SteppingState::contacts and CollisionState::speculative
  int pairs = 0, predicted = 0;   // for the statistics
};

struct CollisionState {
  geometry::BroadPhase broad;                       // its pairs are of bodies that may touch
  std::uint64_t pairedTrees = 0;                    // TreeState::treesMade at its search: which bodies may touch follows from the trees
  std::vector<geometry::Aabb> boxes, sweptBoxes;    // by shape; sweptBoxes: over the next step, of fast bodies larger
  std::vector<std::uint8_t> passive, allowed;       // passive: by shape; allowed by the caller's filter: by pair
  std::vector<Pose> shapePose;                      // by shape, world
  std::vector<FoundContacts> found;                 // by worker, of the present search, where there are several
  std::vector<PieceOfPairs> pieces;                 // of the present search
  std::vector<Contact> contactsBefore;              // of the search before the last
  std::vector<Contact> startContacts;               // of a step that searches for them more than once
  std::vector<Vec3> torquesBefore, torquesAtStart;  // of these
  std::vector<SpeculativeContact> speculative;      // of the present contacts
  StartsAt startsAt = StartsAt::Contacts;
  StartsAt startsAtStart = StartsAt::Contacts;              // when the step began
  std::vector<Contact> memory, memoryAtStart;               // contacts that pressed, where the starts are there; in the order of shapes
  std::vector<Vec3> memoryTorques, memoryTorquesAtStart;    // of these
  std::vector<std::pair<int, int>> touching, touchingNext;  // shapes with a contact of gap <= 0
  std::vector<ContactEvent> events;

  void reserve(const Sizes& n);

  // After a search: contacts with the forces from which a solution starts, and their torques.
  const std::vector<Contact>& starts() const { return startsAt == StartsAt::Memory ? memory : contactsBefore; }
  const std::vector<Vec3>& startTorques() const { return startsAt == StartsAt::Memory ? memoryTorques : torquesBefore; }
  Vec3 startTorque(std::size_t k) const { return torqueAt(startTorques(), k); }
  bool pressed(std::size_t k) const { return starts()[k].force != Vec3::Zero() || startTorque(k) != Vec3::Zero(); }
};

}  // namespace vertebra::inline state
