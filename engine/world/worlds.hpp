// Several worlds on the threads of one of them: see worlds.cpp.
#pragma once
#include "engine/world/world.hpp"

namespace vertebra::world {

// Calls step(context, k) once for each of the worlds, which must be distinct and share nothing that changes. Worlds whose steps call a
// function of the caller come first, in sequence, on the calling thread; the others in parallel on the threads of the first world, each of
// them on one thread at a time. Results do not depend on the number of threads.
void overWorlds(World* const* worlds, int count, void (*step)(void* context, int world), void* context);

// A step of each. failures: as many as worlds.
void stepWorlds(World* const* worlds, int count, Failure* failures);

}  // namespace vertebra::world
