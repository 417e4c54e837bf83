// What a world has come to, as the element <state>: numbers by name for people, and the snapshot for the last bit.
#pragma once
#include <tinyxml2.h>

#include "capi/src/world_object.hpp"

namespace vertebra::capi::scene {

// Fills an empty <state>. `names`: by kind.
void writeState(const vtb_world& world, const NameTable* names, tinyxml2::XMLElement& xml);

std::string toBase64(const std::vector<std::uint8_t>& bytes);
bool fromBase64(std::string_view text, std::vector<std::uint8_t>& bytes);

}  // namespace vertebra::capi::scene
