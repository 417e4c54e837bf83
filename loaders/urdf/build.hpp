// UrdfRobot -> Skeleton: joints, shapes, visuals, meshes, pairs that never collide.
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/urdf.hpp"

namespace vertebra {

// Links with shapes and visuals but without mass, joints, root. Relative mesh paths start at urdfPath.
void buildSkeleton(const UrdfRobot& robot, const UrdfOptions& options, const std::string& urdfPath, UrdfReport& report,
                   figure::Skeleton& out);

// Pairs that never collide: links connected by a joint, links fixed together, and links on either side of a joint, whichever link of a
// rigid cluster holds it.
void addNeighbourPairs(const UrdfRobot& robot, UrdfReport& report, figure::Skeleton& out);

// Links that overlap with all joints at zero never collide either; each pair is reported.
void separateOverlaps(const UrdfRobot& robot, UrdfReport& report, figure::Skeleton& out);

// Collision shapes for links of the skeleton that have none: from visuals, otherwise from bones. Needs masses.
void deriveCollisionShapes(const UrdfRobot& robot, UrdfReport& report, figure::Skeleton& out);

// Bones of a link: origins of the moving joints further out that are not at its own, in its frame; and the capsule from the frame's origin
// to one, as thick as its mass [kg] says, or a tenth of its length where that is 0.
std::vector<Vec3> jointsFurtherOut(const figure::Skeleton& skeleton, std::size_t link);
geometry::Shape bone(const Vec3& end, double mass, const geometry::Surface& surface);

}  // namespace vertebra
