// Trajectories as NumPy archives: a ZIP file whose members are stored as they are, one NPY file an array. Little endian.
// Sources: PKWARE APPNOTE 6.3.10 (ZIP), NumPy Enhancement Proposal 1 (NPY).
#pragma once
#include <string>

#include "engine/figure/trajectory.hpp"

namespace vertebra {

// Empty archive: it would have 4 GB or more, which this form of ZIP cannot hold.
std::string writeNpz(const figure::TrajectoryArrays& arrays);

}  // namespace vertebra
