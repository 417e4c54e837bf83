// Shapes as elements of files hold them, to the engine's and back.
#pragma once
#include "capi/src/scene/values.hpp"
#include "engine/geometry/shape.hpp"
#include "loaders/mesh/mesh.hpp"

namespace vertebra::capi::scene {

// Reads its mesh file, if it names one. Throws a Refusal.
geometry::Shape shapeFromValues(ShapeValues values, MeshCache& meshes);
ShapeValues describeShape(const geometry::Shape& shape);  // parents are the caller's

}  // namespace vertebra::capi::scene
