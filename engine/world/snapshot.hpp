// The whole changing state as bytes: see snapshot.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::world {

void saveState(WorldData& w, std::vector<std::uint8_t>& out);
Failure restoreState(WorldData& w, const std::uint8_t* data, std::size_t size);  // rejects other topologies and then changes nothing

}  // namespace vertebra::world
