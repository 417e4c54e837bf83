// Names of parts of figures: FIGURE/LINK and FIGURE/JOINT, or only LINK and JOINT of a figure without a name. Figures of scenes have them
// in the world's tables of names; those of others follow from the skeleton.
#pragma once
#include <cstdint>
#include <string>

#include "capi/src/world_object.hpp"

namespace vertebra::capi {

std::string partName(const vtb_world& world, vtb_named kind, std::uint64_t bits);         // "" for what is no body or joint of a figure
std::uint64_t findPart(const vtb_world& world, vtb_named kind, const std::string& name);  // 0: none; only of figures that have a name

}  // namespace vertebra::capi
