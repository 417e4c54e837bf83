// Binary STL files: triangles whose equal corners are one vertex. Coordinates as in the file.
#pragma once
#include <optional>
#include <string>

#include "engine/geometry/shape.hpp"

namespace vertebra {

// Nothing where the file is no binary STL (text, no triangles, a length that does not fit its count); otherwise its triangles, vertices in
// the order in which they first occur. Colours of its header and of single triangles are not read.
std::optional<geometry::TriangleMesh> readBinaryStl(const std::string& path);

}  // namespace vertebra
