// Shapes as elements of files hold them, to the engine's and back.
#pragma once
#include "capi/src/scene/values.hpp"
#include "engine/geometry/shape.hpp"
#include "loaders/mesh/mesh.hpp"

namespace vertebra::capi::scene {

// Reads its mesh file, if it names one. Throws a Refusal.
geometry::Shape shapeFromValues(ShapeValues values, MeshCache& meshes);
ShapeValues describeShape(const geometry::Shape& shape);  // parents are the caller's

inline void append(std::vector<double>& numbers, const Vec3& v) { numbers.insert(numbers.end(), v.data(), v.data() + 3); }

}  // namespace vertebra::capi::scene
