// Free groups: bodies that joints connect to each other and nothing connects to the world. The engine moves a tree by the pose of its root
// and keeps joint coordinates; these functions find that root, so that a group moves as one whichever of its links a host names.
// World axes; SI units.
#pragma once

#include <vector>

#include "plugins/ignition/records.hpp"

namespace ignition::physics::vertebra {

struct Group {
  std::vector<vtb_body> bodies;
  vtb_body root{};        // of the engine's tree
  bool anchored = false;  // a joint ties it to the world, or to what does not move by physics
};

// What joints connect to a body, itself included.
Group groupOf(vtb_world* world, vtb_body body);
// The groups of several links, each once.
std::vector<Group> groupsOf(vtb_world* world, const std::vector<std::shared_ptr<Link>>& links);
// Moves all by a displacement in the world, new = displacement * old; joint coordinates stay.
bool moveGroup(vtb_world* world, const Group& group, const Frame& displacement);
// Adds a rigid motion to all: a velocity at a point of the world and a turning about it; joint velocities stay.
bool pushGroup(vtb_world* world, const Group& group, const Vector& velocity, const Vector& turning, const Vector& point);

}  // namespace ignition::physics::vertebra
