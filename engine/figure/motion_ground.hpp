// Where a clip is on the ground, and how it is moved there. World axes, Z up, metres; rows keep the file's axes, units and channel order.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// What carries a clip over the ground: each root; where that stays in one place and has one child with all channels, that child, and so on
// (files of some studios have a root at the origin, and hips that walk below it).
struct Carrier {
  int joint = 0;
  Pose above;  // of its parent, the same in all frames; file axes and units
};
std::vector<Carrier> carriersOf(const Motion& m);

// Why the carriers cannot be moved over the ground; empty if they can.
std::string lackOf(const Motion& m, const std::vector<Carrier>& carriers);

// Its pose in a frame, world axes; written into a row, which has on entry angles that the new ones are to be near to.
Pose carrierPose(const Motion& m, const Carrier& carrier, const double* frame);
void setCarrierPose(const Motion& m, const Carrier& carrier, const Pose& world, double* row);
// All carriers of a frame, moved.
void moveCarriers(const Motion& m, const std::vector<Carrier>& carriers, const double* frame, const Pose& move, double* row);

// x and y, m, and heading, rad: the turn about the vertical that is nearest to the carrier's turn from the rest pose.
using GroundPlace = std::array<double, 3>;
GroundPlace placeOnGround(const Motion& m, const Carrier& carrier, const double* frame);
Pose groundPose(const GroundPlace& place);

}  // namespace vertebra::figure
