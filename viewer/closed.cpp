// See closed.hpp.
#include "viewer/closed.hpp"

#include <algorithm>

#include <osg/Vec3d>

namespace vertebra::viewer {

bool isClosed(const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles) {
  const auto point = [&](std::uint32_t i) { return osg::Vec3d(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]); };
  const auto edge = [](std::uint64_t from, std::uint64_t to) { return from << 32 | to; };
  std::vector<std::uint64_t> edges;
  edges.reserve(triangles.size());
  double volume = 0;
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    for (std::size_t k = 0; k < 3; k++) edges.push_back(edge(triangles[t + k], triangles[t + (k + 1) % 3]));
    volume += point(triangles[t]) * (point(triangles[t + 1]) ^ point(triangles[t + 2]));
  }
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  return volume > 0 && std::all_of(edges.begin(), edges.end(), [&](std::uint64_t e) {
           return std::binary_search(edges.begin(), edges.end(), edge(e & 0xFFFFFFFFu, e >> 32));
         });
}

}  // namespace vertebra::viewer
