// Several worlds on the threads of one of them: see worlds.cpp.
#pragma once
#include "engine/world/world.hpp"

namespace vertebra {

// Calls step(context, k) once for each of the worlds, which must be distinct and share nothing that changes. Those in whose steps a
// function of the caller's acts come first, one after the other, on the thread that calls; the others side by side on the threads of the
// first world, each of them on one thread at a time. Results do not depend on the number of threads.
void overWorlds(World* const* worlds, int count, void (*step)(void* context, int world), void* context);

// A step of each. failures: as many as worlds.
void stepWorlds(World* const* worlds, int count, Failure* failures);

}  // namespace vertebra
