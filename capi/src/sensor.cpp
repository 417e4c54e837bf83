// Sensors.
#include "capi/src/conversions_machines.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {
std::size_t countOf(const vtb_world& w, int id) {
  return static_cast<std::size_t>(kSensorValues[static_cast<int>(w.engine.sensor(id).type)]);
}
}  // namespace

vtb_status vtb_sensor_def_init(vtb_sensor_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_sensor_create(vtb_world* world, const vtb_sensor_def* given, vtb_sensor* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_sensor_def def = readStruct(given);
    required(out, "out");
    SensorDefinition d;
    readPairs(SensorPairs::list, def, d);
    d.body = bodyOrWorld(w, def.body, "body");
    d.joint = def.joint.bits == 0 ? -1 : jointOf(w, def.joint);
    int id = -1;
    check(w.engine.createSensor(d, id));
    w.sensors.adopt(id);
    out->bits = w.sensors.handle(id);
  });
}

vtb_status vtb_sensor_destroy(vtb_world* world, vtb_sensor sensor) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = sensorOf(w, sensor);
    w.engine.destroySensor(id);
    w.sensors.drop(id);
  });
}

vtb_status vtb_sensor_get_values(const vtb_world* world, vtb_sensor sensor, double* values, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = sensorOf(w, sensor);
    ArrayOut<double> out(values, 1, capacity, 0, total, "values");
    const double* read = w.engine.sensorValues(id);
    const std::size_t count = countOf(w, id);
    for (std::size_t k = 0; k < count; k++) out.put(k, read + k);
    out.setTotal(count);
  });
}

vtb_status vtb_world_get_sensor_values(const vtb_world* world, double* values, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<double> out(values, 1, capacity, 0, total, "values");
    std::size_t count = 0;
    for (int id = 0; id < w.sensors.size(); id++) {
      if (!w.sensors.alive(id)) continue;
      const double* read = w.engine.sensorValues(id);
      for (std::size_t k = 0; k < countOf(w, id); k++) out.put(count++, read + k);
    }
    out.setTotal(count);
  });
}

vtb_status vtb_sensor_get_def(const vtb_world* world, vtb_sensor sensor, vtb_sensor_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const SensorDefinition& d = w.engine.sensor(sensorOf(w, sensor));
    vtb_sensor_def def = described<vtb_sensor_def>(SensorPairs::list, d);
    def.body.bits = w.bodies.handle(d.body);
    def.joint.bits = w.joints.handle(d.joint);
    writeStruct(out, def);
  });
}
