// Velocities and accelerations of the joints of a clip, by differences of frames. World axes, Z up, SI.
// With d(i) the difference of frames i and i + 1 (positions; for rotations the rotation vector of q(i+1) q(i)^-1, world axes) and h the
// frame time: v(i) = (d(i-1) + d(i)) / 2h, a(i) = (d(i) - d(i-1)) / h^2, exact for constant rates and constant acceleration along a line,
// else of second order. At the ends v(0) = (3 d(0) - d(1)) / 2h and a(0) = 2 a(1) - a(2), with fewer frames what they allow.
#pragma once
#include "engine/figure/motion.hpp"

namespace vertebra::figure {

// Rows of joints.size() twists: linear velocity of the joint's origin, then angular velocity; accelerations likewise. Either may be null.
void motionDerivatives(const Motion& m, int frame, Vec6* velocities, Vec6* accelerations);

}  // namespace vertebra::figure
