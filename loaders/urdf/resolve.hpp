// Where the meshes of a URDF are: its URIs and paths -> files. The chain, first hit wins: the caller's function; the caller's
// roots; folders above the URDF (a package.xml or a folder's name tells the package); ROS_PACKAGE_PATH and AMENT_PREFIX_PATH; a
// folder of the same name as one inside the path.
#pragma once
#include <string>
#include <vector>

#include "loaders/urdf/urdf.hpp"

namespace vertebra {

struct ResolvedMesh {
  std::string path;                // empty = not found
  bool guessed = false;            // found by the tail of its path only
  std::vector<std::string> tried;  // every path looked at, in order
};

ResolvedMesh resolveMeshPath(const std::string& uri, const std::string& urdfPath, const UrdfOptions& options);

}  // namespace vertebra
