// Mesh files (STL, OBJ, DAE, glTF, PLY) -> triangles with colours, through assimp.
// Coordinates are the file's own, in metres: node transforms and DAE's <unit> are applied, but no axis is rotated, neither by DAE's
// <up_axis> nor for glTF's Y-up; rviz and Gazebo do the same with a robot's meshes. Some robots are made with readers that obey <up_axis>,
// so the caller can ask for it: then the mesh is rotated such that this axis points along z.
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
  std::shared_ptr<const geometry::TriangleMesh> mesh;
  bool hasColour = false;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};
};

// Returns an empty string, or what is wrong with the file; then parts is empty. Never prints.
std::string loadMesh(const std::string& path, std::vector<MeshPart>& parts);

// DAE's <up_axis>: 'X', 'Y' or 'Z'; 0 for other files and for those without it.
char colladaUpAxis(const std::string& path);
Mat3 turnToZUp(char upAxis);  // file axes -> Z up; identity for 'Z' and 0

// Reads each path once.
class MeshCache {
 public:
  struct Entry {
    std::string problem;
    std::vector<MeshPart> parts;
    char upAxis = 0;
  };
  const Entry& get(const std::string& path, bool turned = false);

 private:
  std::map<std::pair<std::string, bool>, Entry> entries_;
};

// Scaled copy; an odd number of negative factors mirrors the mesh, so the winding of its triangles is reversed. A scale of one shares the
// original.
std::shared_ptr<const geometry::TriangleMesh> scaledMesh(const std::shared_ptr<const geometry::TriangleMesh>& mesh, const Vec3& scale);

}  // namespace vertebra
