// Shapes of links made in the engine. An ellipsoid is a convex polyhedron; a mesh on a link that moves is cut into convex parts, or is its
// convex hull where it is not closed. m; frames in the link.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/ignition/records.hpp"

namespace ignition::common {
class Mesh;
}

namespace ignition::physics::vertebra {

// Triangles of a mesh, scaled.
struct Triangles {
  std::vector<double> points;
  std::vector<std::uint32_t> indices;
};
Triangles trianglesOf(const common::Mesh& mesh, const Vector& scale);

// Friction of a pair is the smaller of its two, restitution their product, as in DART.
vtb_surface defaultSurface();

// The engine's shape for a record that says link, type, size and frame, and the record in its link. False: told, nothing made.
bool addShape(const std::shared_ptr<Shape>& shape, const vtb_surface& surface, const Triangles* mesh = nullptr);
// Two shapes that have masks collide if these share a bit; a shape without a mask collides with all.
bool setMask(Shape& shape, std::optional<std::uint16_t> mask);

}  // namespace ignition::physics::vertebra
