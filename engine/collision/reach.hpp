// How near shapes must be for a contact to close within a step.
#pragma once
#include <algorithm>

#include "engine/state/settings.hpp"

namespace vertebra::collision {

// m: a gap that cannot close in a step [s], given how fast the bodies approach each other at its start [m/s]: twice the approach so far,
// gravity, and a millimetre for pushes.
inline double reachOfStep(const WorldSettings& s, double approach, double step) {
  constexpr double kNear = 1e-3;
  return kNear + 2 * step * std::max(0.0, approach) + 2 * step * step * s.gravity.norm();
}

}  // namespace vertebra::collision
