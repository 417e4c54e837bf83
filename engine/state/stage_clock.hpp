// The clock in a step: time by stage (WorldSettings::stageTimes), and the deadline of a call.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra {

double clockSeconds();
bool pastDeadline(const WorldData& w);  // past the deadline
void countStage(WorldData& w);          // the time since the last look at the clock, to the present stage
inline Stage enterStage(WorldData& w, Stage next) {
  if (w.settings.stageTimes) countStage(w);
  const Stage before = w.stage;
  w.stage = next;
  return before;
}
struct StageScope {  // back to the stage before at its end
  StageScope(WorldData& world, Stage stage) : w(world), before(enterStage(world, stage)) {}
  ~StageScope() { enterStage(w, before); }
  WorldData& w;
  const Stage before;
};

}  // namespace vertebra
