// The clock in a step: time by stage (WorldSettings::stageTimes), of the thread that called it, and the deadline of a call.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

double clockSeconds();
bool pastDeadline(const WorldData& w);  // past the deadline
void countStage(WorldData& w);          // the time since the last look at the clock, to the present stage
// `counted` false: another thread is at work, and the clock is none of its business.
inline Stage enterStage(WorldData& w, Stage next, bool counted = true) {
  if (!counted) return next;
  if (w.settings.stageTimes) countStage(w);
  const Stage before = w.stage;
  w.stage = next;
  return before;
}
struct StageScope {  // back to the stage before at its end
  StageScope(WorldData& world, Stage stage, bool counted = true) : w(world), counts(counted), before(enterStage(world, stage, counted)) {}
  ~StageScope() { enterStage(w, before, counts); }
  WorldData& w;
  const bool counts;
  const Stage before;
};

}  // namespace vertebra
