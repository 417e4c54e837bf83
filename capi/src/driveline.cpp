// Parts of drivelines: engines, converters, gearboxes, differentials, pumps and cylinders.
#include "engine/driveline/driveline.hpp"

#include "capi/src/convert.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

vtb_driveline_def drivelineDefaults() {
  const DrivelineDefinition d;
  vtb_driveline_def def{};
  def.ratio = d.ratio;
  def.split = d.split;
  def.max_torque = d.maxTorque;
  def.efficiency = d.efficiency;
  def.pressure = d.pressure;
  def.area_ratio = d.areaRatio;
  return def;
}

std::vector<double> numbers(const double* values, std::size_t count, const char* name) {
  finiteArray(values, count, name);
  return count > 0 ? std::vector<double>(values, values + count) : std::vector<double>();
}

double share(double x, const char* name) {
  if (!(x >= 0 && x <= 1)) refuse(VTB_E_ARG, std::string(name) + " is from 0 to 1");
  return x;
}

DrivelineDefinition definitionFrom(const vtb_world& w, const vtb_driveline_def& def) {
  reserved(def.reserved);
  reserved(def.reserved2);
  DrivelineDefinition d;
  d.type = static_cast<DrivelineType>(choice(def.type, VTB_DRIVELINE_ENGINE, VTB_DRIVELINE_CYLINDER, "type"));
  requiredArray(def.axes, def.axis_count, "axes");
  for (uint32_t i = 0; i < def.axis_count; i++) d.axes.push_back(termFrom(w, def.axes[i], "axes"));
  if (d.type == DrivelineType::Engine) {
    d.speeds = numbers(def.speeds, def.speed_count, "speeds");
    d.throttles = numbers(def.throttles, def.throttle_count, "throttles");
    d.torques = numbers(def.torques, static_cast<std::size_t>(def.speed_count) * def.throttle_count, "torques");
  }
  if (d.type == DrivelineType::Converter || d.type == DrivelineType::Gearbox) d.ratios = numbers(def.ratios, def.ratio_count, "ratios");
  if (d.type == DrivelineType::Converter) {
    d.torqueRatios = numbers(def.torque_ratios, def.ratio_count, "torque_ratios");
    d.capacities = numbers(def.capacities, def.ratio_count, "capacities");
  }
  for (int k = 0; k < 3; k++) d.friction[k] = finiteNotNegative(def.friction[k], "friction");
  d.governorGain = finiteNotNegative(def.governor_gain, "governor_gain");
  d.governorRate = finiteNotNegative(def.governor_rate, "governor_rate");
  d.fuel = finiteNotNegative(def.fuel, "fuel");
  d.ratio = finite(def.ratio, "ratio");
  d.split = share(def.split, "split");
  d.maxTorque = notNegative(def.max_torque, "max_torque");
  d.shiftTime = finiteNotNegative(def.shift_time, "shift_time");
  d.preload = finiteNotNegative(def.preload, "preload");
  d.bias = finiteNotNegative(def.bias, "bias");
  d.efficiency = share(def.efficiency, "efficiency");
  d.drag = finiteNotNegative(def.drag, "drag");
  d.pressure = notNegative(def.pressure, "pressure");
  d.leak = finiteNotNegative(def.leak, "leak");
  d.flow = finiteNotNegative(def.flow, "flow");
  d.areaRatio = positive(def.area_ratio, "area_ratio");
  return d;
}

int partOf(const vtb_world& w, vtb_constraint constraint) {
  const int id = constraintOf(w, constraint);
  if (!w.engine.isDriveline(id)) refuse(VTB_E_ARG, "the constraint is no part of a driveline");
  return id;
}

vtb_driveline_input inputOf(const DrivelineInput& in) {
  vtb_driveline_input input{};
  input.gear = in.gear;
  input.throttle = in.throttle;
  input.speed = in.speed;
  input.clutch = in.clutch;
  input.lock = in.lock;
  input.stroke = in.stroke;
  return input;
}

}  // namespace

vtb_status vtb_driveline_def_init(vtb_driveline_def* def, uint32_t struct_size) {
  return guarded(__func__, [&] { initStruct(def, struct_size, drivelineDefaults()); });
}

vtb_status vtb_driveline_create(vtb_world* world, const vtb_driveline_def* given, vtb_constraint* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const DrivelineDefinition d = definitionFrom(w, readStruct(given, drivelineDefaults(), "def"));
    required(out, "out");
    int id = -1;
    check(w.engine.createDriveline(d, id));
    w.constraints.adopt(id);
    out->bits = w.constraints.handle(id);
  });
}

vtb_status vtb_driveline_get_input(const vtb_world* world, vtb_constraint constraint, vtb_driveline_input* out) {
  return reading(__func__, world, [&](const vtb_world& w) { writeStruct(out, inputOf(w.engine.drivelineInput(partOf(w, constraint)))); });
}

vtb_status vtb_driveline_set_input(vtb_world* world, vtb_constraint constraint, const vtb_driveline_input* input) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = partOf(w, constraint);
    const vtb_driveline_input i = readStruct(input, inputOf(w.engine.drivelineInput(id)), "input");
    DrivelineInput in;
    in.gear = i.gear;
    in.throttle = i.throttle;
    in.speed = i.speed;
    in.clutch = i.clutch;
    in.lock = i.lock;
    in.stroke = i.stroke;
    check(w.engine.setDrivelineInput(id, in));
  });
}

vtb_status vtb_driveline_get_state(const vtb_world* world, vtb_constraint constraint, vtb_driveline_state* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const DrivelineState& s = w.engine.drivelineState(partOf(w, constraint));
    vtb_driveline_state state{};
    std::copy_n(s.torque, 4, state.torque);
    state.power_in = s.powerIn;
    state.power_out = s.powerOut;
    state.work_in = s.workIn;
    state.work_out = s.workOut;
    state.throttle = s.throttle;
    state.fuel_rate = s.fuelRate;
    state.fuel = s.fuel;
    state.ratio = s.ratio;
    state.pressure = s.pressure;
    writeStruct(out, state);
  });
}
