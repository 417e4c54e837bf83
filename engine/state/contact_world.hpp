// The state that collision works on: that of the trees, with boxes and contacts, and the threads that share the work.
#pragma once
#include "engine/state/collision.hpp"
#include "engine/state/tasks.hpp"
#include "engine/state/tree_world.hpp"

namespace vertebra::inline state {

struct ContactWorld : TreeWorld, CollisionState, TaskState {};

}  // namespace vertebra::inline state
