// Joints of a clip hung on other parents or taken out; every joint that stays keeps its poses in all frames. Raw values keep the file's
// axes, units and channel order.
#pragma once
#include <string>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// The clip with `joint` hung on `parent` (-1: it becomes a root). A joint that moves lacks nothing for its new motion: it gets three
// rotation channels where it has fewer, and position channels where it does not stay in one place of its parent. Rows are those of the
// order in which a file lists the joints. Empty, or why not.
std::string motionReparented(const Motion& m, int joint, int parent, Motion& out);

// The clip without `joint`; its children hang on its parent. Where nothing else follows there, the parent keeps the joint's place as an end
// of its bone. Empty, or why not.
std::string motionDropped(const Motion& m, int joint, Motion& out);

}  // namespace vertebra::figure
