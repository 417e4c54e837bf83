// The clock of a step: time by stage (WorldSettings::stageTimes), of the thread that called it.
#pragma once
#include "engine/state/tree_world.hpp"

namespace vertebra::inline state {

double clockSeconds();
void countStage(TreeWorld& w);  // adds the time since the last reading to the present stage
// `counted` false: another thread calls, whose time is not counted.
inline Stage enterStage(TreeWorld& w, Stage next, bool counted = true) {
  if (!counted) return next;
  if (w.settings.stageTimes) countStage(w);
  const Stage before = w.stage;
  w.stage = next;
  return before;
}
struct StageScope {  // restores the stage before at its end
  StageScope(TreeWorld& world, Stage stage, bool counted = true) : w(world), counts(counted), before(enterStage(world, stage, counted)) {}
  ~StageScope() { enterStage(w, before, counts); }
  TreeWorld& w;
  const bool counts;
  const Stage before;
};

}  // namespace vertebra::inline state
