// At which times `vertebra render` and `vertebra view --export` take pictures: --time and --fps. Seconds.
#pragma once
#include <string>
#include <vector>

#include "cli/render_source.hpp"

namespace vertebra::cli {

// --time: of one picture, or first and last.
struct Span {
  double from = 0, to = 0;
  bool given = false, both = false;

  explicit Span(const Arguments& arguments);  // UsageError for what is no time
};

// How many pictures: one, so many evenly over the time, or so many a second.
struct Sampling {
  bool one = false;
  int pictures = 1;
  double rate = 0;  // 1/s; 0: not by time
};

// The times, the first first; UsageError where the source does not have them. path: named in it.
std::vector<double> timesOf(const Span& span, const Sampling& sampling, const Source& source, const std::string& path);

}  // namespace vertebra::cli
