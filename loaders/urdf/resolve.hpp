// Finds the mesh files of a URDF: URIs and paths -> files. Searched in this order: the caller's function; the caller's roots; folders above
// the URDF (a package.xml or the folder's name identifies the package); ROS_PACKAGE_PATH and AMENT_PREFIX_PATH; a folder with the name of
// one inside the path.
#pragma once
#include <string>
#include <vector>

#include "loaders/urdf/urdf.hpp"

namespace vertebra {

struct ResolvedMesh {
  std::string path;                  // empty = not found
  bool guessed = false;              // found by the end of its path only
  std::vector<std::string> tried;    // every path that was tried, in order,
  std::vector<std::string> folders;  // and the folders under which they lie
};

ResolvedMesh resolveMeshPath(const std::string& uri, const std::string& urdfPath, const UrdfOptions& options);

}  // namespace vertebra
