// Fuzzes the reader of trajectories: any text either loads into a valid trajectory or is rejected; what loads is written and read again.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "loaders/trajectory/csv.hpp"

using namespace vertebra;

namespace {
void require(bool holds) {
  if (!holds) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  figure::Trajectory t, again;
  Diagnostics diagnostics;
  if (!loadTrajectoryText({reinterpret_cast<const char*>(data), size}, "fuzz.csv", t, diagnostics)) {
    require(diagnostics.hasErrors());
    return 0;
  }
  require(!diagnostics.hasErrors() && t.frameTime > 0 && std::isfinite(t.frameTime));
  require(t.nq() >= 7 && t.frames() > 0 && t.q.size() % t.names.size() == 0);
  for (double x : t.q) require(std::isfinite(x));
  require(loadTrajectoryText(writeTrajectoryText(t), "again.csv", again, diagnostics));
  require(again.q == t.q && again.names == t.names);
  return 0;
}
