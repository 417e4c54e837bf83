// Lengths of a figure's bones by a record of markers: the figure is fitted to it (marker_fit.hpp), then all bones are lengthened so that
// the squares of the distances become least while the coordinates of each frame go along (variable projection: Golub and Pereyra 1973, one
// step of Gauss and Newton a round). A length that no marker tells stays. SI units.
#pragma once
#include "engine/retarget/marker_fit.hpp"

namespace vertebra::retarget {

struct BoneLengths {
  std::vector<double> factors;   // by link: its bone over what it was
  double before = 0, after = 0;  // m: root mean square distances of the markers, with the bones given and found
};

// Changes `s`; empty, or what is wrong, and then `s` is as it was. positions: in the order of the places, frames x markers.
std::string calibrateBones(figure::Skeleton& s, const std::vector<figure::MarkerPlace>& places, const MarkerFitSettings& settings,
                           const std::vector<Vec3>& positions, BoneLengths& out);

}  // namespace vertebra::retarget
