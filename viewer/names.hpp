// Names of a world's things, as text.
#pragma once
#include <string>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

// What the world calls it; "" where it has no name.
inline std::string nameOf(const vtb_world* world, vtb_named kind, std::uint64_t bits) {
  std::size_t needed = 0;
  if (vtb_world_get_name_of(world, kind, bits, nullptr, 0, &needed) != VTB_OK || needed < 2) return "";
  std::string text(needed, '\0');
  if (vtb_world_get_name_of(world, kind, bits, text.data(), text.size(), &needed) != VTB_OK) return "";
  text.resize(needed - 1);
  return text;
}

// The last so many characters of what is longer, which tell names of one figure's links apart.
inline std::string shortened(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : "…" + name.substr(name.size() - most + 1);
}

}  // namespace vertebra::viewer
