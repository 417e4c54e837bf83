// Mesh files (STL, OBJ, DAE, glTF, PLY) -> triangles with colours, through assimp.
// Coordinates are the file's own, in metres: node transforms are applied, DAE's <unit> is applied, and no axis is turned - neither
// DAE's <up_axis> nor glTF's Y-up - which is what rviz does with a robot's meshes: a link's mesh is meant in the link's axes.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/geometry/shape.hpp"

namespace vertebra {

inline constexpr std::size_t kLargestMeshFile = std::size_t(256) << 20;  // bytes

struct MeshPart {  // the triangles of one material
  std::string name;
  std::shared_ptr<const TriangleMesh> mesh;
  bool hasColour = false;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};
};

// Empty string, or what is wrong with the file; then parts is empty. Never prints.
std::string loadMesh(const std::string& path, std::vector<MeshPart>& parts);

// Reads each path once.
class MeshCache {
 public:
  struct Entry {
    std::string problem;
    std::vector<MeshPart> parts;
  };
  const Entry& get(const std::string& path);

 private:
  std::map<std::string, Entry> entries_;
};

// Scaled copy; an odd number of negative factors mirrors the mesh, so its triangles are wound the other way round. A scale of
// one shares the original.
std::shared_ptr<const TriangleMesh> scaledMesh(const std::shared_ptr<const TriangleMesh>& mesh, const Vec3& scale);

}  // namespace vertebra
