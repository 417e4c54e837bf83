// Names, tree and couplings of a UrdfRobot: renames duplicates, finds links, makes one tree with one root (a second parent or a cycle
// becomes a loop joint; several roots become children of a link 'world'; a link that floats in a root
// without anything else is the root itself), repairs mimic chains.
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"

namespace vertebra {

// Afterwards, unless the report has failed: every remaining joint has parent and child, dropped ones are removed, root is set.
void resolveStructure(UrdfReport& report, UrdfRobot& robot);

// Cluster number of each link; a cluster is links without relative freedom, connected by fixed joints.
std::vector<int> rigidClusters(const UrdfRobot& robot);

}  // namespace vertebra
