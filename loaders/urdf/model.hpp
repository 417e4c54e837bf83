// The robot as urdfdom sees it: what our reader took from the file is written once more as plain URDF and given to
// urdf::parseURDF, whose tree (root, parents, children) is the one we use and whose numbers must be ours to the last bit.
// The text it gets is always well-formed, so a hostile file never reaches its XML reader; it prints nothing and throws nothing here.
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"

namespace vertebra {

// Takes the tree from urdfdom and checks the rest against it. A disagreement is an error of ours and reported as such.
void takeModelFromUrdfdom(UrdfReport& report, UrdfRobot& robot);

}  // namespace vertebra
