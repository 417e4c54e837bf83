// Smoothing of clips without a shift in time. Rotations are filtered as unit quaternions (continuous in sign), component by component, and
// made of unit length again: the chordal mean, which commutes with every constant rotation before or behind, knows no angles that wrap, and
// leaves a turn at constant rate as it is. Joints without three rotation channels are filtered by their angles, unwrapped.
// Beyond both ends the clip is continued by its reflection in the end's value (for rotations q0 q^-1 q0).
// Gain at frequency f, with F = 1/frameTime and c the cutoff, where it is 1/sqrt(2):
//   LowPass  1 / (1 + (sqrt(2) - 1) (tan(pi f/F) / tan(pi c/F))^4): Butterworth of second order, forwards and backwards. Source: D. Winter,
//            "Biomechanics and Motor Control of Human Movement", 2009, section 2.2.4.4.
//   Spline   r / (r + L s) with t = 2 pi f/F, s = (2 - 2 cos t)^2, r = (2 + cos t)/3: cubic smoothing spline. Source: C. Reinsch,
//            "Smoothing by spline functions", Numer. Math. 10, 1967.
#pragma once
#include <string>

#include "engine/figure/motion.hpp"

namespace vertebra::figure {

enum class FilterKind { LowPass, Spline };

// cutoff: Hz, between 0 and half the frame rate. Empty, or why not: a joint that turns so fast that the filter would leave nothing of it.
std::string motionFiltered(const Motion& m, FilterKind kind, double cutoff, Motion& out);

}  // namespace vertebra::figure
