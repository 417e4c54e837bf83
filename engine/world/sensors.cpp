// World: sensors. What they read in a step: sensors/sensors.cpp.
#include "engine/sensors/sensors.hpp"

#include "engine/world/edits.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

Failure checkSensor(const WorldData& w, const SensorDefinition& d) {
  const bool ofJoint = d.type == SensorType::ForceTorque;
  if (ofJoint != (d.joint >= 0)) {
    if (ofJoint) return {Failure::Argument, "a sensor of type force_torque needs a joint"};
    return {Failure::Argument, "a joint is given, which only a sensor of type force_torque reads; give its body"};
  }
  if (ofJoint && d.body >= 0) return {Failure::Argument, "a sensor of type force_torque is on its joint; give no body"};
  if (ofJoint && w.joints[d.joint].def->rotor)
    return {Failure::Unsupported, "a rotor has no position in the world, and transmits no force"};
  if (d.type != SensorType::Touch && d.region != SensorRegion::All)
    return {Failure::Argument, "a region is given, which only a sensor of type touch has"};
  const bool sized = d.region == SensorRegion::Box ? (d.size.array() > 0).all() : d.region == SensorRegion::All || d.size.x() > 0;
  if (!sized) return {Failure::Argument, "the region of a sensor needs a positive size"};
  return {};
}

}  // namespace

Failure World::createSensor(const SensorDefinition& d, int& id) {
  WorldData& w = *data_;
  if (Failure f = checkSensor(w, d)) return f;
  NewSlot slot(w.sensors, w.firstFreeSensor);
  *slot = SensorSlot();
  (*slot).alive = true;
  (*slot).def = d;
  (*slot).def.site.q = unit(d.site.q);
  id = slot.keep();
  return {};
}

void World::destroySensor(int sensor) {
  data_->sensors[sensor] = SensorSlot();
  data_->firstFreeSensor = std::min<std::size_t>(data_->firstFreeSensor, sensor);
}

bool World::sensorAlive(int sensor) const {
  return sensor >= 0 && sensor < static_cast<int>(data_->sensors.size()) && data_->sensors[sensor].alive;
}
const SensorDefinition& World::sensor(int sensor) const { return data_->sensors[sensor].def; }

const double* World::sensorValues(int sensor) const {
  SensorSlot& s = data_->sensors[sensor];
  if (!s.sampled) vertebra::sensors::readAtPresent(*data_, s);
  return s.values;
}

}  // namespace vertebra::world
