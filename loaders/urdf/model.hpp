// The robot as urdfdom reads it: the content that our reader took from the file is written again as plain URDF and passed to
// urdf::parseURDF. Its tree (root, parents, children) is the one that we use; its numbers must equal ours to the last bit. This text is
// always well-formed, so a hostile file never reaches urdfdom's XML reader; urdfdom prints and throws nothing here.
#pragma once
#include "loaders/urdf/report.hpp"
#include "loaders/urdf/robot.hpp"

namespace vertebra {

// Takes the tree from urdfdom and compares the rest with it. A disagreement is an internal error and reported as such.
void takeModelFromUrdfdom(UrdfReport& report, UrdfRobot& robot);

}  // namespace vertebra
