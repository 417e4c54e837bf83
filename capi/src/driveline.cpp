// Parts of drivelines: engines, converters, gearboxes, differentials, pumps and cylinders.
#include "capi/src/conversions_machines.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

std::vector<double> numbers(const double* values, std::size_t count, const char* name) {
  requiredArray(values, count, name);
  return count > 0 ? std::vector<double>(values, values + count) : std::vector<double>();
}

driveline::DrivelineDefinition definitionFrom(const vtb_world& w, const vtb_driveline_def& def) {
  driveline::DrivelineDefinition d;
  readPairs(DrivelinePairs::list, def, d);
  for (uint32_t i = 0; i < def.axis_count; i++) d.axes.push_back(termFrom(w, def.axes[i], "axes"));
  if (d.type == driveline::DrivelineType::Engine) {
    d.speeds = numbers(def.speeds, def.speed_count, "speeds");
    d.throttles = numbers(def.throttles, def.throttle_count, "throttles");
    d.torques = numbers(def.torques, static_cast<std::size_t>(def.speed_count) * def.throttle_count, "torques");
  }
  if (d.type == driveline::DrivelineType::Converter || d.type == driveline::DrivelineType::Gearbox)
    d.ratios = numbers(def.ratios, def.ratio_count, "ratios");
  if (d.type == driveline::DrivelineType::Converter) {
    d.torqueRatios = numbers(def.torque_ratios, def.ratio_count, "torque_ratios");
    d.capacities = numbers(def.capacities, def.ratio_count, "capacities");
  }
  return d;
}

int partOf(const vtb_world& w, vtb_constraint constraint) {
  const int id = constraintOf(w, constraint);
  if (!w.engine.isDriveline(id)) refuse(VTB_E_ARG, "the constraint is not part of a driveline");
  return id;
}

vtb_driveline_input inputOf(const driveline::DrivelineInput& in) { return described<vtb_driveline_input>(DrivelineInputPairs::list, in); }

}  // namespace

vtb_status vtb_driveline_def_init(vtb_driveline_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_driveline_create(vtb_world* world, const vtb_driveline_def* given, vtb_constraint* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const driveline::DrivelineDefinition d = definitionFrom(w, readStruct(given));
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
    driveline::DrivelineInput in;
    readPairs(DrivelineInputPairs::list, readStruct(input, inputOf(w.engine.drivelineInput(id)), "input"), in);
    check(w.engine.setDrivelineInput(id, in));
  });
}

vtb_status vtb_driveline_get_state(const vtb_world* world, vtb_constraint constraint, vtb_driveline_state* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    writeStruct(out, described<vtb_driveline_state>(DrivelineStatePairs::list, w.engine.drivelineState(partOf(w, constraint))));
  });
}
