// Whether triangles close a body, seen from outside.
#pragma once
#include <cstdint>
#include <vector>

namespace vertebra::viewer {

// True where each edge has two triangles, one each way, and the volume is positive: then a triangle that turns away from the eye is always
// hidden by one that does not, unless the eye is inside. Vertices: 3 numbers each; triangles: 3 indices each.
bool isClosed(const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles);

}  // namespace vertebra::viewer
