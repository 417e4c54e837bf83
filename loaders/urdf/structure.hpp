// Names, tree and couplings of a UrdfRobot: duplicates renamed, links found, one tree from one root made of what the file gives
// (a second parent or a cycle becomes a loop joint, several roots hang under a link 'world'), mimic chains put right.
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"

namespace vertebra {

// Afterwards, if the report has not failed: every joint left has parent and child, dropped ones are gone, root is set.
void resolveStructure(UrdfReport& report, UrdfRobot& robot);

// Links with no freedom between them, through fixed joints: cluster number of each link.
std::vector<int> rigidClusters(const UrdfRobot& robot);

}  // namespace vertebra
