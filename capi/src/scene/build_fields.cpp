// Force fields, sensors, lasting forces and pairs that do not collide; see builder.hpp.
#include "capi/src/scene/builder.hpp"

namespace vertebra::capi::scene {

void SceneBuilder::field(const Element& e) {
  FieldValues values = e.as<FieldValues>();
  vtb_field_def& def = values.def;
  bool all = find(VTB_NAMED_BODY, values.source, e, def.radial.source.bits);
  all = find(VTB_NAMED_PARTICLES, values.particles, e, def.particles.bits) && all;
  std::vector<vtb_body> bodies;
  for (const std::string& name : values.bodies) {
    vtb_body body{0};
    all = find(VTB_NAMED_BODY, name, e, body.bits) && all;
    bodies.push_back(body);
  }
  if (!all) return;
  def.bodies = bodies.data();
  def.body_count = static_cast<uint32_t>(bodies.size());
  const Pose placement = placementOf(e);
  for (double* point : {def.radial.point, def.attractor.point}) write(Vec3(placement * Vec3(point[0], point[1], point[2])), point);
  for (double* wind : {def.drag.wind, def.magnus.wind}) write(Vec3(placement.q * Vec3(wind[0], wind[1], wind[2])), wind);
  vtb_field made;
  call(vtb_field_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_FIELD, made.bits});
  named(VTB_NAMED_FIELD, values.name, made.bits);
}

void SceneBuilder::sensor(const Element& e) {
  SensorValues values = e.as<SensorValues>();
  vtb_sensor_def& def = values.def;
  const bool both = find(VTB_NAMED_BODY, values.body, e, def.body.bits) & find(VTB_NAMED_JOINT, values.joint, e, def.joint.bits);
  if (!both) return;
  if (def.body.bits == 0 && def.joint.bits == 0) write(placed(e, def.pose), def.pose);
  vtb_sensor made;
  call(vtb_sensor_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_SENSOR, made.bits});
  named(VTB_NAMED_SENSOR, values.name, made.bits);
}

void SceneBuilder::force(const Element& e) {
  const ForceValues& values = e.as<ForceValues>();
  vtb_body body{0};
  if (!find(VTB_NAMED_BODY, values.body, e, body.bits)) return;
  if (body.bits == 0) refuse(VTB_E_ARG, "no force moves the world; name a body");
  const Pose placement = placementOf(e);
  double force[3], torque[3], point[3];
  write(Vec3(placement.q * Vec3(values.force[0], values.force[1], values.force[2])), force);
  write(Vec3(placement.q * Vec3(values.torque[0], values.torque[1], values.torque[2])), torque);
  write(Vec3(placement * Vec3(values.point[0], values.point[1], values.point[2])), point);
  call(vtb_body_add_force(&world_, body, force, e.has("point") ? point : nullptr, VTB_DURATION_UNTIL_CLEARED));
  call(vtb_body_add_torque(&world_, body, torque, VTB_DURATION_UNTIL_CLEARED));
}

void SceneBuilder::noCollision(const Element& e) {
  const PairValues& values = e.as<PairValues>();
  vtb_body a{0}, b{0};
  const bool both = find(VTB_NAMED_BODY, values.a, e, a.bits) & find(VTB_NAMED_BODY, values.b, e, b.bits);
  if (!both) return;
  call(vtb_world_set_pair_collides(&world_, a, b, 0));
  pairs_.emplace_back(a, b);
}

}  // namespace vertebra::capi::scene
