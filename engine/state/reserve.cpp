// Memory of the states before a world steps: room for as many contacts as are expected, with all that hangs on them.
#include <algorithm>

#include "engine/state/world_data.hpp"

namespace vertebra::inline state {

void CollisionState::reserve(const Sizes& n) {
  for (std::vector<Contact>* list : {&contactsBefore, &startContacts, &memory, &memoryAtStart}) list->reserve(n.contacts);
  if (n.twisted)
    for (std::vector<Vec3>* list : {&torquesBefore, &torquesAtStart, &memoryTorques, &memoryTorquesAtStart}) list->reserve(n.contacts);
  for (std::vector<std::pair<int, int>>* list : {&touching, &touchingNext}) list->reserve(n.contacts);
  events.reserve(2 * n.contacts);
  speculative.reserve(n.contacts);
  boxes.reserve(n.shapes);
  sweptBoxes.reserve(n.shapes);
  passive.reserve(n.shapes);
  shapePose.reserve(n.shapes);
  allowed.reserve(2 * n.contacts);
  found.resize(std::max(found.size(), n.workers));
  for (FoundContacts& list : found) {
    list.contacts.reserve(n.contacts);
    if (n.twisted) list.torques.reserve(n.contacts);
    list.speculative.reserve(n.contacts);
  }
  pieces.reserve(n.contacts / 16 + 1);
  broad.reserve(static_cast<int>(n.shapes), static_cast<int>(n.contacts));
}

void IslandState::reserve(const Sizes& n) {
  if (islands.size() < n.trees) islands.resize(n.trees);
  for (std::vector<int>* list : {&treeParent, &treeIsland, &rateParts, &members.trees}) list->reserve(n.trees);
  treeParts.reserve(n.trees);
  contactTrees.reserve(n.contacts);
  idleContacts.reserve(n.contacts);
  members.contacts.reserve(n.contacts);
  members.joints.reserve(n.auxiliaryJoints);
  members.couplings.reserve(n.couplings);
  members.constraints.reserve(n.constraints);
}

void SteppingState::reserve(const Sizes& n) {
  contacts.reserve(n.contacts);
  if (n.twisted) torques.reserve(n.contacts);
  stepPrescribed.reserve(n.bodies);
  for (std::vector<TwistedContact>* list : {&told, &gone}) list->reserve(n.contacts);
  divided.start.reserve(n.links);
  divided.shift.reserve(n.velocities);
  divided.shifts.reserve(n.trees);
}

void DisplacementData::reserve(const Sizes& n) {
  items.reserve(n.contacts + n.joints + n.couplings + n.constraints);
  joints.reserve(n.joints);
  contacts.reserve(n.contacts);
  parts.reserve(n.parts);
}

}  // namespace vertebra::inline state
