// Markers of a clip, with the faults of optical records. World axes, Z up, metres, seconds. The same seed gives the same record.
#pragma once
#include <cstdint>

#include "engine/figure/markers.hpp"
#include "engine/figure/motion.hpp"

namespace vertebra::figure {

struct MarkerFaults {
  double noise = 0;    // m: standard deviation of each coordinate
  double dropout = 0;  // share of frames without a marker, in gaps (a chain of two states) of 0.1 s on average; below 1
  int swaps = 0;       // a marker and its nearest exchange their names, from a frame on
  std::uint64_t seed = 0;
};

// Each place's joint is one of the motion's.
MarkerRecord synthesiseMarkers(const Motion& m, const std::vector<MarkerPlace>& places, const MarkerFaults& faults);

}  // namespace vertebra::figure
