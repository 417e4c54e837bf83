// UrdfRobot -> Skeleton: joints, shapes, visuals, meshes, pairs that never touch.
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/urdf.hpp"

namespace vertebra {

// Links with shapes and visuals but without mass, joints, root. urdfPath anchors mesh paths.
void buildSkeleton(const UrdfRobot& robot, const UrdfOptions& options, const std::string& urdfPath, UrdfReport& report, Skeleton& out);

// Joined links, links fixed together, and links either side of a joint whichever link of a rigid cluster it hangs on.
void addNeighbourPairs(const UrdfRobot& robot, UrdfReport& report, Skeleton& out);

// Links that lie inside each other with all joints at zero never touch either; each pair is told.
void separateOverlaps(const UrdfRobot& robot, UrdfReport& report, Skeleton& out);

// Collision shapes for links of the skeleton that have none: from visuals, else from bones. Needs masses.
void deriveCollisionShapes(const UrdfRobot& robot, UrdfReport& report, Skeleton& out);

}  // namespace vertebra
