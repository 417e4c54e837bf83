// Reading and writing BVH, every dialect: raw values of the file are kept; unit and up axis are determined besides (Motion::unit,
// Motion::turn) and reported in the diagnostics. The format: M. Meredith, S. Maddock, "Motion Capture File Formats Explained", 2001.
// Lenient mode repairs what it can and reports it (warning); strict mode rejects everything that lenient mode would warn about.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "engine/figure/motion.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

struct BvhOptions {
  double unit = 0;  // metres per file unit; 0 = estimated from the figure's height, and reported
  bool strict = false;
  int upAxis = -1;  // the file's axis that points up: 0, 1, 2; -1 = y, unless the figure's extents and floor indicate z
};

// false when there is an error; `out` is then unspecified. `name` is the file name in diagnostics.
bool loadBvhFile(const std::string& path, const BvhOptions& options, figure::Motion& out, Diagnostics& diagnostics);
bool loadBvhText(std::string_view text, const std::string& name, const BvhOptions& options, figure::Motion& out, Diagnostics& diagnostics);

// Streams a file of any length in bounded memory: `header` gets everything but the values, then `take` is called with each frame
// (header.channelCount values); it returns false to stop. Unit and turn are known before the first call, from the first frame alone: where
// the up axis needs more of the motion to be told (a floor), that of a file that is loaded may be another, and should be given.
using BvhFrameFunction = std::function<bool(const double* frame)>;
bool readBvhFrames(const std::string& path, const BvhOptions& options, figure::Motion& header, const BvhFrameFunction& take,
                   Diagnostics& diagnostics);

// Shortest text that reads back to the same values. Line ends LF; joints in depth-first order, columns with them.
std::string writeBvhText(const figure::Motion& motion);
bool writeBvhFile(const figure::Motion& motion, const std::string& path, Diagnostics& diagnostics);

}  // namespace vertebra
