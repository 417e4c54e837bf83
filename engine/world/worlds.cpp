// See worlds.hpp. A world that is a piece of the loop uses no threads of its own: those of the loop are all in use.
#include "engine/world/worlds.hpp"

#include <algorithm>

#include "engine/state/world_data.hpp"

namespace vertebra::world {

bool World::callsBack() const {
  const WorldData& w = *data_;
  if (w.callbacks.beforeStep || w.callbacks.afterStep || w.callbacks.filter || w.callbacks.seeRows) return true;
  return std::any_of(w.fields.begin(), w.fields.end(), [](const FieldSlot& f) { return f.alive && f.def.type == FieldType::User; }) ||
         std::any_of(w.constraints.begin(), w.constraints.end(),
                     [](const UserConstraintSlot& c) { return c.alive && vertebra::callsBack(c); });
}

TaskState& World::tasks() { return *data_; }

void overWorlds(World* const* worlds, int count, void (*step)(void* context, int world), void* context) {
  if (count == 0) return;
  for (int k = 0; k < count; k++)
    if (worlds[k]->callsBack()) step(context, k);
  const std::shared_ptr<tasks::TaskPool> pool = worlds[0]->tasks().pool;
  const auto quiet = [&](int, int first, int last) {
    for (int k = first; k < last; k++)
      if (!worlds[k]->callsBack()) step(context, k);
  };
  if (count == 1 || !pool) return quiet(0, 0, count);
  for (int k = 0; k < count; k++) worlds[k]->tasks().alone = true;
  pool->parallelFor(count, 1, quiet);
  for (int k = 0; k < count; k++) worlds[k]->tasks().alone = false;
}

void stepWorlds(World* const* worlds, int count, Failure* failures) {
  struct Steps {
    World* const* worlds;
    Failure* failures;
  } steps{worlds, failures};
  overWorlds(
      worlds, count,
      [](void* context, int k) {
        const Steps& all = *static_cast<const Steps*>(context);
        all.failures[k] = all.worlds[k]->step();
      },
      &steps);
}

}  // namespace vertebra::world
