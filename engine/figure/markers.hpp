// Markers: positions of optical markers over time, and where they sit on a figure. World axes, Z up, metres, seconds.
#pragma once
#include <string>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::figure {

struct MarkerRecord {
  std::vector<std::string> names;
  double frameTime = 0.01;      // s
  std::vector<Vec3> positions;  // frames x markers, row after row; not a number: none

  int frames() const { return names.empty() ? 0 : static_cast<int>(positions.size() / names.size()); }
  const Vec3* frame(int i) const { return positions.data() + static_cast<std::size_t>(i) * names.size(); }
};

struct MarkerPlace {
  std::string name, joint;
  Vec3 offset = Vec3::Zero();  // m, joint frame
};

}  // namespace vertebra::figure
