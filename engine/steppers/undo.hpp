// What a step changes is kept while it lasts, so that one that fails leaves no trace, to the last bit: forces and impulses that wait for
// it, warm starts and accelerations included. Trees that sleep are kept when they wake (trees::wakeTree).
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

void reserveUndo(WorldData& w);
void keepStart(WorldData& w);                         // of the step that begins
void keepContacts(WorldData& w);                      // before a search that is not the step's last, once a step
void undo(WorldData& w);                              // and ends the keeping
void keepNoMore(WorldData& w);                        // the step is made
bool wakeTogether(const WorldData& w, int a, int b);  // bodies of one tree
void wakeDriven(WorldData& w);                        // all that were noted
void wakeDriven(WorldData& w, int body);              // whose drives were set; of a step that is being made, the waking is undone with it

}  // namespace vertebra::steppers
