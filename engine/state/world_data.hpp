// The state of a world: the sum of the states of its rooms. A function that needs one of them takes that one.
#pragma once
#include <vector>

#include "engine/particles/particles.hpp"
#include "engine/state/collision.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/fields.hpp"
#include "engine/state/islands.hpp"
#include "engine/state/ode.hpp"
#include "engine/state/row_workspace.hpp"
#include "engine/state/settings.hpp"
#include "engine/state/slots.hpp"
#include "engine/state/stepping.hpp"
#include "engine/state/tasks.hpp"
#include "engine/state/trees.hpp"

namespace vertebra {

struct WorldData : Slots, TreeState, TreeScratch, CollisionState, IslandState, FieldState, SteppingState, TaskState {
  WorldSettings settings;
  Callbacks callbacks;
  std::vector<RowWorkspace> workspaces = std::vector<RowWorkspace>(1);  // for runs of islands; the first serves what one thread does alone
  std::vector<ParticleSystem> particles;
  std::vector<ParticleBody> particleBodies;  // by body, scratch of the particles' step
  OdeWork ode;
  DisplacementData displacement;
};

}  // namespace vertebra
