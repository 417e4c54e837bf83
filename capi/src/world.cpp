// Worlds: creation, settings, stepping, statistics and what concerns all bodies at once.
#include "capi/src/conversions_results.hpp"
#include "capi/src/play.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

WorldSettings settingsFrom(const vtb_world_def& def) {
  WorldSettings settings;
  readPairs(SettingsPairs::list, def, settings);
  if (settings.odeControl == StepControl::Embedded && settings.odeIntegrator != Integrator::DormandPrince)
    refuse(VTB_E_ARG, "ode.control is embedded, which only ode.integrator dormand_prince has; use control doubling, or that integrator");
  return settings;
}

void callBeforeStep(void* context) {
  auto& world = *static_cast<vtb_world*>(context);
  const CallbackScope scope(world);
  world.calls.before_step(world.calls.user, &world);
}

void callAfterStep(void* context) {
  auto& world = *static_cast<vtb_world*>(context);
  const CallbackScope scope(world);
  world.calls.after_step(world.calls.user, &world);
}

bool callFilter(void* context, int bodyA, int bodyB) {
  auto& world = *static_cast<vtb_world*>(context);
  const CallbackScope scope(world);
  return world.calls.filter(world.calls.user, &world, {world.bodies.handle(bodyA)}, {world.bodies.handle(bodyB)}) != 0;
}

void setCallbacks(vtb_world& world, const vtb_world_def& def) {
  world.calls = def.callbacks;
  world.engine.callbacks().beforeStep = def.callbacks.before_step ? callBeforeStep : nullptr;
  world.engine.callbacks().afterStep = def.callbacks.after_step ? callAfterStep : nullptr;
  world.engine.callbacks().filter = def.callbacks.filter ? callFilter : nullptr;
  world.engine.callbacks().user = &world;
}

// Calls visit(place, body) for each living body in the order of vtb_world_get_bodies, and returns their number.
template <class Visit>
std::size_t eachBody(const vtb_world& world, Visit&& visit) {
  std::size_t count = 0;
  const int capacity = world.engine.bodyCapacity();
  for (int body = 0; body < capacity; body++)
    if (world.engine.bodyAlive(body)) visit(count++, body);
  return count;
}

std::string nameOf(const vtb_world& world, int body) {  // as a text begins, or nothing for a body without a name
  if (const std::string* name = world.names[VTB_NAMED_BODY].nameOf(world.bodies.handle(body))) return "body '" + *name + "': ";
  for (const std::optional<figure::Figure>& figure : world.figureSlots) {
    if (!figure) continue;
    const std::vector<int>& bodies = figure->bodies();
    for (std::size_t link = 0; link < bodies.size(); link++)
      if (bodies[link] == body) return "link '" + figure->model().skeleton->links[link].name + "': ";
  }
  return {};
}

}  // namespace

vtb_status vtb_world_def_init(vtb_world_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_world_create(const vtb_world_def* given, vtb_world** out) {
  return guarded(__func__, [&] {
    required(out, "out");
    const vtb_world_def def = readOptional(given);
    auto world = std::make_unique<vtb_world>(settingsFrom(def), nextWorldTag());
    setCallbacks(*world, def);
    *out = world.release();
  });
}

vtb_status vtb_world_destroy(vtb_world* world) {
  return guarded(__func__, [&] {
    if (world && world->inCallback) refuse(VTB_E_BUSY, "called from inside a callback of this world");
    delete world;
  });
}

vtb_status vtb_world_get_settings(const vtb_world* world, vtb_world_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    vtb_world_def def = described<vtb_world_def>(SettingsPairs::list, w.engine.settings());
    def.callbacks = w.calls;
    writeStruct(out, def);
  });
}

vtb_status vtb_world_set_settings(vtb_world* world, const vtb_world_def* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_world_def def = readStruct(given);
    WorldSettings settings = settingsFrom(def);
    settings.threads = w.engine.settings().threads;  // vtb_world_set_threads
    check(w.engine.setSettings(settings));
    setCallbacks(w, def);
  });
}

vtb_status vtb_world_reserve(vtb_world* world, int32_t contacts) {
  return changing(__func__, world, [&](vtb_world& w) { check(w.engine.reserve(between(contacts, 0, 10000000, "contacts"))); });
}

void vertebra::capi::stepWorld(vtb_world& w, uint32_t steps) {
  w.engine.resetStatistics();
  Failure standing;  // of a step that stands nevertheless: the first, a contradiction before what is unsolved
  for (uint32_t i = 0; i < steps; i++) {
    std::optional<PlayedMotions> motions;
    if (!w.players.empty() || !w.controlled.empty()) motions.emplace(w);
    Failure failure = w.engine.step();
    const bool stands = !failure || failure.kind() == Failure::Infeasible || failure.kind() == Failure::Unsolved;
    if (stands && motions) motions->keep();
    if (stands && failure) {
      if (!standing || (standing.kind() == Failure::Unsolved && failure.kind() == Failure::Infeasible)) standing = std::move(failure);
    } else {
      if (failure.body() >= 0) failure.within(nameOf(w, failure.body()));
      check(failure);
    }
  }
  logRemainder(w);
  check(standing);
}

vtb_status vtb_world_step(vtb_world* world, uint32_t steps) {
  return changing(__func__, world, [&](vtb_world& w) { stepWorld(w, steps); });
}

vtb_status vtb_world_get_time(const vtb_world* world, double* seconds) {
  return reading(__func__, world, [&](const vtb_world& w) { required(seconds, "seconds") = w.engine.time(); });
}

vtb_status vtb_world_wake_all(vtb_world* world) {
  return changing(__func__, world, [&](vtb_world& w) { w.engine.wakeAll(); });
}

vtb_status vtb_world_get_hash(const vtb_world* world, uint64_t* hash) {
  return reading(__func__, world, [&](const vtb_world& w) { required(hash, "hash") = w.engine.hash(); });
}

vtb_status vtb_world_get_stats(const vtb_world* world, vtb_world_stats* out) {
  return reading(__func__, world,
                 [&](const vtb_world& w) { writeStruct(out, described<vtb_world_stats>(StatsPairs::list, w.engine.statistics())); });
}

vtb_status vtb_world_get_energy(const vtb_world* world, vtb_energy* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const EnergyAccount energy = w.engine.energy();
    requirePotential(energy.potential);
    writeStruct(out, described<vtb_energy>(EnergyPairs::list, energy));
  });
}

vtb_status vtb_world_get_momentum(const vtb_world* world, double* linear, double* angular) {
  return reading(__func__, world, [&](const vtb_world& w) {
    required(linear, "linear");
    required(angular, "angular");
    Vec3 p, l;
    w.engine.momentum(p, l);
    write(p, linear);
    write(l, angular);
  });
}

vtb_status vtb_world_get_bodies(const vtb_world* world, vtb_body* handles, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_body> out(handles, 1, capacity, 0, total, "handles");
    out.setTotal(eachBody(w, [&](std::size_t i, int body) {
      const vtb_body handle{w.bodies.handle(body)};
      out.put(i, &handle);
    }));
  });
}

vtb_status vtb_world_get_poses(const vtb_world* world, double* poses, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<double> out(poses, 7, capacity, stride_bytes, total, "poses");
    out.setTotal(eachBody(w, [&](std::size_t i, int body) {
      if (i >= out.capacity()) return;
      double row[7];
      write(w.engine.bodyPose(body), row);
      out.put(i, row);
    }));
  });
}

vtb_status vtb_world_get_twists(const vtb_world* world, double* twists, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<double> out(twists, 6, capacity, stride_bytes, total, "twists");
    out.setTotal(eachBody(w, [&](std::size_t i, int body) {
      if (i >= out.capacity()) return;
      Vec3 velocity, omega;
      w.engine.bodyTwist(body, velocity, omega);
      double row[6];
      write(velocity, row);
      write(omega, row + 3);
      out.put(i, row);
    }));
  });
}
