// Floors that lean. The floor of a record of motion capture may lean by a degree or two (its calibration), so that a walk climbs or sinks
// by centimetres: feet that stand would float above a level floor, or sink into it. World axes, Z up, metres.
#pragma once
#include "engine/retarget/source.hpp"

namespace vertebra::retarget {

// How much the floor rises along x and y, m/m: a plane through where toes and ankles rest, by robust least squares with a height of its
// own for each of them. Zero where they rest level, spread too little, or not on a plane (stairs).
Eigen::Vector2d floorSlope(const Source& source);

// The frame as it would be on a level floor: all of it lower by how much the floor has risen under the hips.
void level(const Eigen::Vector2d& slope, SourceFrame& frame);

}  // namespace vertebra::retarget
