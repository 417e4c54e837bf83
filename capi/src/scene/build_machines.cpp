// Drivelines, measures over points, particle systems; see builder.hpp.
#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/values.hpp"

namespace vertebra::capi::scene {

void SceneBuilder::driveline(const Element& e) {
  DrivelineValues values = e.as<DrivelineValues>();
  vtb_driveline_def& def = values.def;
  std::vector<vtb_coupling_term> axes;
  if (!terms(e, axes)) return;
  const auto sameCount = [](const std::vector<double>& numbers, std::size_t count, const char* name) {
    if (numbers.size() != count)
      refuse(VTB_E_ARG, std::string(name) + " has " + std::to_string(numbers.size()) + " numbers, there must be " + std::to_string(count));
  };
  if (def.type == VTB_DRIVELINE_TYPE_ENGINE) sameCount(values.torques, values.speeds.size() * values.throttles.size(), "torques");
  if (def.type == VTB_DRIVELINE_TYPE_CONVERTER) {
    sameCount(values.torqueRatios, values.ratios.size(), "torque_ratios");
    sameCount(values.capacities, values.ratios.size(), "capacities");
  }
  def.axes = axes.data();
  def.axis_count = static_cast<uint32_t>(axes.size());
  def.speeds = values.speeds.data();
  def.throttles = values.throttles.data();
  def.torques = values.torques.data();
  def.speed_count = static_cast<uint32_t>(values.speeds.size());
  def.throttle_count = static_cast<uint32_t>(values.throttles.size());
  def.ratios = values.ratios.data();
  def.torque_ratios = values.torqueRatios.data();
  def.capacities = values.capacities.data();
  def.ratio_count = static_cast<uint32_t>(values.ratios.size());
  vtb_constraint made;
  call(vtb_driveline_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_CONSTRAINT, made.bits});
  named(VTB_NAMED_CONSTRAINT, values.name, made.bits);
  DrivelineValues present;
  call(vtb_driveline_get_input(&world_, made, &present.input));
  for (const char* attribute : {"gear", "throttle", "speed", "clutch", "lock", "stroke"})
    if (e.has(attribute)) copyValue(*kDriveline.attribute(attribute), &values, &present);
  call(vtb_driveline_set_input(&world_, made, &present.input));
}

void SceneBuilder::points(const Element& e) {
  PointsValues values = e.as<PointsValues>();
  vtb_points_def& def = values.def;
  std::vector<vtb_body> bodies;
  std::vector<double> points;
  bool all = true;
  for (const Element& child : e.children) {
    const PointValues& point = child.as<PointValues>();
    vtb_body body{0};
    all = find(VTB_NAMED_BODY, point.body, child, body.bits) && all;
    bodies.push_back(body);
    Vec3 at(point.position[0], point.position[1], point.position[2]);
    if (body.bits == 0) at = placementOf(child) * at;
    points.insert(points.end(), at.data(), at.data() + 3);
  }
  if (!all) return;
  def.bodies = bodies.data();
  def.points = points.data();
  def.point_count = static_cast<uint32_t>(bodies.size());
  vtb_constraint made;
  call(vtb_constraint_create_points(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_CONSTRAINT, made.bits});
  named(VTB_NAMED_CONSTRAINT, values.name, made.bits);
}

vtb_particle SceneBuilder::placedParticle(const Element& e, vtb_particle particle) const {
  const Pose placement = placementOf(e);
  write(Vec3(placement * Vec3(particle.position[0], particle.position[1], particle.position[2])), particle.position);
  write(Vec3(placement.q * Vec3(particle.velocity[0], particle.velocity[1], particle.velocity[2])), particle.velocity);
  return particle;
}

void SceneBuilder::particles(const Element& e) {
  const ParticlesValues& values = e.as<ParticlesValues>();
  vtb_particles made;
  call(vtb_particles_create(&world_, &values.def, &made));
  made_.push_back({&e, VTB_NAMED_PARTICLES, made.bits});
  named(VTB_NAMED_PARTICLES, values.name, made.bits);
  std::vector<vtb_particle> particles;
  std::vector<vtb_emitter_def> emitters;
  std::vector<vtb_sink_def> sinks;
  for (const Element& child : e.children) {
    if (child.rule == &kParticle) {
      particles.push_back(placedParticle(child, child.as<ParticleValues>().particle));
    } else if (child.rule == &kEmitter) {
      vtb_emitter_def def = child.as<EmitterValues>().def;
      const Pose placement = placementOf(child);
      write(Vec3(placement * Vec3(def.position[0], def.position[1], def.position[2])), def.position);
      write(Vec3(placement.q * Vec3(def.direction[0], def.direction[1], def.direction[2])), def.direction);
      emitters.push_back(def);
    } else {
      vtb_sink_def sink = child.as<SinkValues>().def;
      write(placed(child, sink.pose), sink.pose);
      sinks.push_back(sink);
    }
  }
  call(vtb_particles_set(&world_, made, 0, particles.data(), particles.size(), 0));
  call(vtb_particles_set_emitters(&world_, made, emitters.data(), emitters.size(), 0));
  call(vtb_particles_set_sinks(&world_, made, sinks.data(), sinks.size(), 0));
}

}  // namespace vertebra::capi::scene
