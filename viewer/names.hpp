// Names of a world's things, as text.
#pragma once
#include <string>

#include "capi/client/owned.hpp"

namespace vertebra::viewer {

using client::nameOf;

// The last so many characters of what is longer, which tell names of one figure's links apart.
inline std::string shortened(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : "…" + name.substr(name.size() - most + 1);
}

}  // namespace vertebra::viewer
