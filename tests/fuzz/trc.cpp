// Fuzzes the reader of markers: any text either loads into a valid record or is rejected; what loads is written and read again.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "loaders/markers/markers.hpp"

using namespace vertebra;

namespace {
void require(bool holds) {
  if (!holds) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  figure::MarkerRecord r, again;
  Diagnostics diagnostics;
  if (!loadTrcText({reinterpret_cast<const char*>(data), size}, "fuzz.trc", false, r, diagnostics)) {
    require(diagnostics.hasErrors());
    return 0;
  }
  require(!diagnostics.hasErrors() && r.frameTime > 0 && std::isfinite(r.frameTime));
  require(!r.names.empty() && r.frames() > 0 && r.positions.size() % r.names.size() == 0);
  for (const Vec3& p : r.positions) require(p.allFinite() || (std::isnan(p.x()) && std::isnan(p.y()) && std::isnan(p.z())));
  require(loadTrcText(writeTrcText(r), "again.trc", false, again, diagnostics));
  require(again.names == r.names && again.positions.size() == r.positions.size());
  return 0;
}
