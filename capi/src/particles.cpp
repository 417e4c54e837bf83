// Particle systems with their emitters and sinks.
#include "capi/src/conversions_machines.hpp"
#include "capi/src/conversions_results.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// Calls f with each element of a caller's array.
template <class T, class F>
void eachOf(const T* values, std::size_t count, std::size_t stride, const char* name, F&& f) {
  requiredArray(values, count, name);
  const std::size_t step = stride ? stride : sizeof(T);
  const auto* bytes = reinterpret_cast<const unsigned char*>(values);
  for (std::size_t i = 0; i < count; i++) f(reinterpret_cast<const T*>(bytes + i * step));
}

}  // namespace

vtb_status vtb_particles_def_init(vtb_particles_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }
vtb_status vtb_emitter_def_init(vtb_emitter_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }
vtb_status vtb_sink_def_init(vtb_sink_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_particles_create(vtb_world* world, const vtb_particles_def* given, vtb_particles* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_particles_def def = readStruct(given);
    required(out, "out");
    particles::ParticleDefinition d;
    readPairs(ParticlesPairs::list, def, d);
    d.maxCount = static_cast<int>(std::min<uint32_t>(def.max_count, 1u << 30));
    int id = -1;
    check(w.engine.createParticles(d, id));
    w.particles.adopt(id);
    out->bits = w.particles.handle(id);
  });
}

vtb_status vtb_particles_destroy(vtb_world* world, vtb_particles particles) {
  return changing(__func__, world, [&](vtb_world& w) {
    w.engine.destroyParticles(particlesOf(w, particles));
    dropDestroyed(w);
  });
}

vtb_status vtb_particles_get_def(const vtb_world* world, vtb_particles particles, vtb_particles_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    writeStruct(out, described<vtb_particles_def>(ParticlesPairs::list, w.engine.particleDefinition(particlesOf(w, particles))));
  });
}

vtb_status vtb_particles_get(const vtb_world* world, vtb_particles particles, vtb_particle* out, size_t capacity, size_t stride_bytes,
                             size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = particlesOf(w, particles);
    ArrayOut<vtb_particle> array(out, 1, capacity, stride_bytes, total, "out");
    const std::size_t count = static_cast<std::size_t>(w.engine.particleCount(id));
    for (std::size_t i = 0; i < std::min(count, capacity); i++) {
      const particles::Particle p = w.engine.particle(id, static_cast<int>(i));
      const vtb_particle row = described<vtb_particle>(ParticlePairs::list, p);
      array.put(i, &row);
    }
    array.setTotal(count);
  });
}

vtb_status vtb_particles_set(vtb_world* world, vtb_particles particles, size_t first, const vtb_particle* values, size_t count,
                             size_t stride_bytes) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = particlesOf(w, particles);
    std::vector<particles::Particle> list;
    list.reserve(count);
    eachOf(values, count, stride_bytes, "values", [&](const vtb_particle* row) {
      particles::Particle p;
      withinReach(row->position, 3, "position");
      withinReach(row->velocity, 3, "velocity");
      readPairs(ParticlePairs::list, *row, p);
      list.push_back(p);
    });
    check(w.engine.setParticles(id, static_cast<int>(std::min<size_t>(first, 1u << 30)), list));
  });
}

vtb_status vtb_particles_get_state(const vtb_world* world, vtb_particles particles, vtb_particles_state* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = particlesOf(w, particles);
    vtb_particles_state state = described<vtb_particles_state>(ParticleCountsPairs::list, w.engine.particleCounts(id));
    state.count = static_cast<uint64_t>(w.engine.particleCount(id));
    state.emitters = static_cast<uint32_t>(w.engine.emitters(id).size());
    state.sinks = static_cast<uint32_t>(w.engine.sinks(id).size());
    writeStruct(out, state);
  });
}

vtb_status vtb_particles_set_emitters(vtb_world* world, vtb_particles particles, const vtb_emitter_def* emitters, size_t count,
                                      size_t stride_bytes) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = particlesOf(w, particles);
    std::vector<particles::EmitterDefinition> list;
    eachOf(emitters, count, stride_bytes, "emitters", [&](const vtb_emitter_def* given) {
      particles::EmitterDefinition e;
      readPairs(EmitterPairs::list, readStruct(given, defaults<vtb_emitter_def>(), "emitters"), e);
      list.push_back(e);
    });
    check(w.engine.setEmitters(id, list));
  });
}

vtb_status vtb_particles_set_sinks(vtb_world* world, vtb_particles particles, const vtb_sink_def* sinks, size_t count,
                                   size_t stride_bytes) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = particlesOf(w, particles);
    std::vector<particles::SinkDefinition> list;
    eachOf(sinks, count, stride_bytes, "sinks", [&](const vtb_sink_def* given) {
      particles::SinkDefinition s;
      readPairs(SinkPairs::list, readStruct(given, defaults<vtb_sink_def>(), "sinks"), s);
      list.push_back(s);
    });
    check(w.engine.setSinks(id, list));
  });
}

vtb_status vtb_particles_get_emitter(const vtb_world* world, vtb_particles particles, int32_t emitter, vtb_emitter_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& all = w.engine.emitters(particlesOf(w, particles));
    writeStruct(out,
                described<vtb_emitter_def>(EmitterPairs::list, all[static_cast<std::size_t>(inRange(emitter, all.size(), "emitter"))]));
  });
}

vtb_status vtb_particles_get_sink(const vtb_world* world, vtb_particles particles, int32_t sink, vtb_sink_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& all = w.engine.sinks(particlesOf(w, particles));
    writeStruct(out, described<vtb_sink_def>(SinkPairs::list, all[static_cast<std::size_t>(inRange(sink, all.size(), "sink"))]));
  });
}
