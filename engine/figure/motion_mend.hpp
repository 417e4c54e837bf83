// Frames of a clip that do not fit their neighbours (motion_analysis.hpp), taken out or replaced; and records of markers as clips.
#pragma once
#include "engine/figure/markers.hpp"
#include "engine/figure/motion.hpp"
#include "engine/figure/motion_analysis.hpp"

namespace vertebra::figure {

enum class Mend { Cut, Interpolate };

// First, last and single frames that jump. Cut: they are taken out, and what follows moves up. Interpolate: between the nearest frames that
// stay, positions linear, rotations by slerp; at the ends as the nearest one. Jumps that last are left. mended: those frames, ascending.
Motion motionMended(const Motion& m, Mend how, const std::vector<Outlier>& outliers, std::vector<int>& mended);

// A joint without parent and rotations for each marker; metres, Z up. Where a marker is missing it moves on a straight line between the
// frames around, at the ends it stays. missing: frames without a position, by marker; a marker without any stays at the origin.
Motion motionFromMarkers(const MarkerRecord& record, std::vector<int>& missing);

}  // namespace vertebra::figure
