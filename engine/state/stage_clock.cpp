// See stage_clock.hpp.
#include "engine/state/stage_clock.hpp"

#include <chrono>

namespace vertebra::inline state {

double clockSeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
void countStage(TreeWorld& w) {
  const double now = clockSeconds();
  w.statistics.seconds[static_cast<int>(w.stage)] += now - w.stageSince;
  w.stageSince = now;
}
bool pastDeadline(const SteppingState& s) { return s.deadline > 0 && clockSeconds() > s.deadline; }

}  // namespace vertebra::inline state
