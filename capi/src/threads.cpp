// Threads of steps, and many worlds stepped over the same threads.
#include <mutex>
#include <vector>

#include "capi/src/world_object.hpp"
#include "engine/tasks/task_pool.hpp"
#include "engine/world/worlds.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// The host's functions run outside our floating-point environment and may not change the world.
void* enqueueOnHost(void* world, void (*task)(void* context), void* context) {
  vtb_world& w = *static_cast<vtb_world*>(world);
  const CallbackScope scope(w);
  return w.threads.enqueue(w.threads.user, task, context);
}
void finishOnHost(void* world, void* enqueued) {
  vtb_world& w = *static_cast<vtb_world*>(world);
  const CallbackScope scope(w);
  w.threads.finish(w.threads.user, enqueued);
}

struct Listed {  // marks the worlds of a list, so that one that stands there twice is found
  Listed(vtb_world* const* worlds, std::size_t count) : worlds_(worlds) {
    for (; count_ < count; count_++) {
      vtb_world& w = *worlds[count_];
      if (w.listed) {
        drop();
        refuse(VTB_E_ARG, "worlds[" + std::to_string(count_) + "] is in the list twice; give each world once");
      }
      w.listed = true;
    }
  }
  ~Listed() { drop(); }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  void drop() {
    for (std::size_t k = 0; k < count_; k++) worlds_[k]->listed = false;
  }
  vtb_world* const* worlds_;
  std::size_t count_ = 0;
};

struct Steps {
  const char* function;
  vtb_world* const* worlds;
  std::uint32_t steps;
  vtb_status* statuses;
  struct Told {
    int world;
    vtb_status status;
    ErrorText text;
  };
  std::mutex mutex;
  std::vector<Told> failures;
};

// On any thread. The error text belongs to that thread: it is taken along.
void stepOne(void* context, int k) {
  Steps& all = *static_cast<Steps*>(context);
  vtb_world& w = *all.worlds[k];
  const vtb_status status = guarded(all.function, [&] { stepWorld(w, all.steps); });
  if (all.statuses) all.statuses[k] = status;
  if (status == VTB_OK) return;
  if (status == VTB_E_NOMEM || status == VTB_E_INTERNAL) w.broken = true;
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.failures.push_back({k, status, lastError()});
}

}  // namespace

vtb_status vtb_threads_def_init(vtb_threads_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_world_set_threads(vtb_world* world, const vtb_threads_def* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_threads_def def = readOptional(given);
    static_assert(tasks::TaskPool::kMostThreads == 256);  // as threads.h says
    const int count = def.count;
    if (!def.enqueue != !def.finish) refuse(VTB_E_ARG, "enqueue and finish must both be given or both be NULL");
    WorldSettings settings = w.engine.settings();
    settings.threads = 1;  // ends those that it had
    check(w.engine.setSettings(settings));
    w.threads = def;
    if (count == 1) return;
    if (def.enqueue) {
      w.engine.setTaskHost({count, &w, enqueueOnHost, finishOnHost});
    } else {
      settings.threads = count;
      check(w.engine.setSettings(settings));
    }
  });
}

vtb_status vtb_world_get_threads(const vtb_world* world, int32_t* count) {
  return reading(__func__, world, [&](const vtb_world& w) { required(count, "count") = w.engine.settings().threads; });
}

vtb_status vtb_worlds_step(vtb_world* const* worlds, size_t count, uint32_t steps, vtb_status* statuses) {
  return guarded(__func__, [&]() -> vtb_status {
    requiredArray(worlds, count, "worlds");
    if (count > 1000000) refuse(VTB_E_ARG, "count is above 1000000");
    for (std::size_t k = 0; k < count; k++) {
      const vtb_world& w = required(worlds[k], "a world of the list");
      if (w.inCallback) refuse(VTB_E_BUSY, "called from inside a callback of a world of the list");
      requireSound(w);
    }
    const Listed listed(worlds, count);
    std::vector<world::World*> engines(count);
    for (std::size_t k = 0; k < count; k++) engines[k] = &worlds[k]->engine;
    Steps all{"vtb_worlds_step", worlds, steps, statuses, {}, {}};
    world::overWorlds(engines.data(), static_cast<int>(count), stepOne, &all);
    if (all.failures.empty()) return VTB_OK;
    std::sort(all.failures.begin(), all.failures.end(), [](const Steps::Told& a, const Steps::Told& b) { return a.world < b.world; });
    for (const Steps::Told& told : all.failures) {
      lastError() = told.text;
      logFailure(*worlds[told.world], told.status);
    }
    lastError() = all.failures.front().text;
    return all.failures.front().status;
  });
}
