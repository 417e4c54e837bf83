// See render_times.hpp.
#include "cli/render_times.hpp"

#include <algorithm>
#include <cmath>

#include "cli/output.hpp"

namespace vertebra::cli {

namespace {
constexpr double kMostPictures = 1e6;
}

Span::Span(const Arguments& arguments) : given(arguments.has("time")) {
  if (!given) return;
  const std::string text = arguments.text("time");
  const auto parts = split(text, ':');
  both = parts.size() == 2;
  bool good = parts.size() <= 2 && parseNumber(parts[0], from);
  to = from;
  if (both) good = good && parseNumber(parts[1], to);
  if (!good || from < 0 || to < from || (both && to == from))
    throw UsageError("--time: '" + text + "' is not a time or A:B with 0 <= A < B, in s");
}

std::vector<double> timesOf(const Span& span, const Sampling& sampling, const Source& source, const std::string& path) {
  const bool one = sampling.one;
  if (!source.moves() && (span.given || !one))
    throw UsageError(path + " does not move: a time, a strip or a film needs a motion (BVH), --motion F.csv or a scene");
  if (one && span.both) throw UsageError("--time A:B is for strips and films; for one picture --time A");
  if (!one && span.given && !span.both) throw UsageError("--time of a strip or film is A:B");
  const double from = span.from, to = span.given || one ? span.to : source.end();
  if (!source.simulated() && to > source.end() + 1e-9)
    throw UsageError("--time: " + readable(to) + " s is beyond the end, " + readable(source.end()) + " s");
  std::vector<double> times = {from};
  if (sampling.rate > 0) {
    const double last = std::floor((to - from) * sampling.rate + 1e-6);
    if (last >= kMostPictures) throw UsageError("--time and --fps: more than a million pictures");
    for (int i = 1; i <= last; i++) times.push_back(std::min(to, from + i / sampling.rate));
  }
  for (int i = 1; i < sampling.pictures; i++) times.push_back(from + (to - from) * i / (sampling.pictures - 1));
  return times;
}

}  // namespace vertebra::cli
