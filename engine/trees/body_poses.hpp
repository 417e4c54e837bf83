// Poses of bodies, from links or slots. World axes.
#pragma once
#include <vector>

#include "engine/state/slots.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::trees {

inline Pose poseOf(const std::vector<BodySlot>& bodies, const TreeState& topology, int body) {  // of its link frame
  const BodySlot& b = bodies[body];
  if (b.link < 0) return b.pose;
  const dynamics::LinkState& s = topology.state[b.link];
  return Pose{s.c, s.q} * b.inertialInLink().inverse();
}

}  // namespace vertebra::trees
