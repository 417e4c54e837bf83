// See describe.hpp.
#include "capi/src/scene/describe.hpp"

#include "engine/driveline/driveline.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/curve.hpp"
#include "engine/particles/particles.hpp"

namespace vertebra::capi::scene {

namespace {

void append(std::vector<double>& numbers, const Vec3& v) { numbers.insert(numbers.end(), v.data(), v.data() + 3); }

}  // namespace

BodyValues describeBody(const World& world, int body) {
  BodyValues values;
  vtb_body_def& def = values.def;
  def.kind = static_cast<int32_t>(world.bodyKind(body));
  write(world.bodyPose(body), def.pose);
  Vec3 velocity, omega, com;
  Mat3 inertia;
  world.bodyTwist(body, velocity, omega);
  write(velocity, def.twist);
  write(omega, def.twist + 3);
  world.bodyMass(body, def.mass, com, inertia);
  write(com, def.com);
  writeInertia(inertia, def.inertia);
  def.gravity_scale = world.bodyGravityScale(body);
  def.step = world.bodyIntegration(body).step;
  def.integrator = world.bodyIntegration(body).integrator;
  def.disabled = !world.bodyEnabled(body);
  return values;
}

ShapeValues describeShape(const World& world, int id) {
  const Shape& shape = world.shape(id);
  const Geometry& g = shape.geometry;
  ShapeValues values;
  vtb_shape_def& def = values.def;
  def.type = static_cast<int32_t>(g.type);
  write(g.size, def.size);
  write(shape.local, def.pose);
  const vtb_surface_def surface = surfaceDef(shape.surface);
  def.friction = surface.friction;
  def.restitution = surface.restitution;
  def.static_friction = surface.static_friction;
  def.rolling_friction = surface.rolling_friction;
  def.torsional_friction = surface.torsional_friction;
  def.friction_combine = surface.friction_combine;
  def.restitution_combine = surface.restitution_combine;
  def.surface_flags = surface.flags;
  def.contact_stiffness = surface.contact_stiffness;
  def.contact_damping = surface.contact_damping;
  def.category = shape.category;
  def.mask = shape.mask;
  std::copy_n(shape.rgba, 4, def.rgba);
  if (g.hull)
    for (const Vec3& v : g.hull->vertices) append(values.points, v);
  if (g.mesh) {
    for (const Vec3& v : g.mesh->vertices) append(values.points, v);
    for (const auto& t : g.mesh->triangles)
      for (int k = 0; k < 3; k++) values.triangles.push_back(static_cast<uint32_t>(t[k]));
  }
  if (g.parts) {  // cut into as many again
    def.convex_parts = static_cast<uint32_t>(g.parts->part.size());
    def.convex_tolerance = 0;
  }
  if (g.grid) {
    def.height_rows = static_cast<uint32_t>(g.grid->rows);
    def.height_columns = static_cast<uint32_t>(g.grid->columns);
    values.heights = g.grid->height;
  }
  return values;
}

JointValues describeJoint(const World& world, int id) {
  const JointDefinition& d = world.joint(id);
  JointValues values;
  vtb_joint_def& def = values.def;
  if (d.rotor)
    def.type = VTB_JOINT_ROTOR;
  else if (d.constraint != ConstraintType::Joint)
    def.type = static_cast<int32_t>(d.constraint) - static_cast<int32_t>(ConstraintType::Motor) + VTB_JOINT_MOTOR;
  else
    def.type = static_cast<int32_t>(d.type);
  write(d.frameA, def.frame_a);
  write(d.frameB, def.frame_b);
  write(d.axis, def.axis);
  write(d.axis2, def.axis2);
  def.swing = d.swing;
  def.twist_lower = d.twistLower;
  def.twist_upper = d.twistUpper;
  def.pitch = d.pitch * (2 * kPi);
  def.stiffness = d.linear.stiffness;
  def.damping = d.linear.damping;
  def.angular_stiffness = d.angular.stiffness;
  def.angular_damping = d.angular.damping;
  def.break_force = d.breakForce;
  def.break_torque = d.breakTorque;
  def.relaxation = d.relaxation;
  def.regularisation = d.regularisation;
  def.flags = d.bodiesCollide ? VTB_JOINT_BODIES_COLLIDE : 0;
  if (d.curve) {
    for (const Vec3& point : d.curve->points()) append(values.points, point);
    def.curve_flags = (d.curve->spline() ? VTB_CURVE_SPLINE : 0) | (d.curve->closed() ? VTB_CURVE_CLOSED : 0);
  }
  return values;
}

AxisDescription describeAxis(const World& world, int joint, int axis) {
  AxisDescription result;
  result.axis.index = result.motor.axis = axis;
  result.axis.def = axisDef(world.axis(joint, axis));
  const MotorSettings& m = world.motor(joint, axis);
  vtb_motor_def& def = result.motor.def;
  def.mode = static_cast<int32_t>(m.mode);
  def.position = m.position;
  def.velocity = m.velocity;
  def.force = m.force;
  def.stiffness = m.stiffness;
  def.damping = m.damping;
  def.max_force = m.maxForce;
  return result;
}

CouplingValues describeCoupling(const World& world, int coupling) {
  const CouplingDefinition& d = world.coupling(coupling);
  CouplingValues values;
  values.def.offset = d.target;
  values.def.level = d.velocityLevel ? VTB_ROW_VELOCITY : VTB_ROW_POSITION;
  values.def.stiffness = d.softness.stiffness;
  values.def.damping = d.softness.damping;
  values.def.max_force = d.maxForce;
  return values;
}

FieldValues describeField(const World& world, int field) {
  const FieldDefinition& d = world.field(field);
  FieldValues values;
  vtb_field_def& def = values.def;
  def.type = static_cast<int32_t>(d.type);
  write(d.point, def.point);
  write(d.wind, def.wind);
  def.strength = d.strength;
  def.exponent = d.exponent;
  def.range = d.range;
  def.softening = d.softening;
  def.length = d.length;
  def.linear = d.linear;
  def.quadratic = d.quadratic;
  def.angular = d.angular;
  return values;
}

DrivelineValues describeDriveline(const World& world, int constraint) {
  const DrivelineDefinition& d = world.driveline(constraint);
  const DrivelineInput& in = world.drivelineInput(constraint);
  DrivelineValues values;
  vtb_driveline_def& def = values.def;
  def.type = static_cast<int32_t>(d.type);
  values.speeds = d.speeds;
  values.throttles = d.throttles;
  values.torques = d.torques;
  values.ratios = d.ratios;
  values.torqueRatios = d.torqueRatios;
  values.capacities = d.capacities;
  std::copy_n(d.friction, 3, def.friction);
  def.governor_gain = d.governorGain;
  def.governor_rate = d.governorRate;
  def.fuel = d.fuel;
  def.ratio = d.ratio;
  def.split = d.split;
  def.max_torque = d.maxTorque;
  def.shift_time = d.shiftTime;
  def.preload = d.preload;
  def.bias = d.bias;
  def.efficiency = d.efficiency;
  def.drag = d.drag;
  def.pressure = d.pressure;
  def.leak = d.leak;
  def.flow = d.flow;
  def.area_ratio = d.areaRatio;
  values.input = {sizeof values.input, in.gear, in.throttle, in.speed, in.clutch, in.lock, in.stroke};
  return values;
}

PointsValues describePoints(const World& world, int constraint) {
  const UserConstraintDefinition& d = world.constraint(constraint);
  PointsValues values;
  values.def.measure = d.measure == PointMeasure::Volume ? VTB_POINTS_VOLUME : VTB_POINTS_LENGTH;
  values.def.value = d.value;
  values.def.lower = d.lower;
  values.def.upper = d.upper;
  values.def.stiffness = d.softness.stiffness;
  values.def.damping = d.softness.damping;
  return values;
}

ParticlesValues describeParticles(const World& world, int system) {
  const ParticleDefinition& d = world.particleDefinition(system);
  const vtb_surface_def surface = surfaceDef(d.surface);
  ParticlesValues values;
  vtb_particles_def& def = values.def;
  def.max_count = static_cast<uint32_t>(d.maxCount);
  def.iterations = d.iterations;
  def.flags = (d.touchEachOther ? 0 : VTB_PARTICLES_NO_PAIRS) | (d.touchShapes ? 0 : VTB_PARTICLES_NO_SHAPES);
  def.category = d.category;
  def.mask = d.mask;
  def.friction = surface.friction;
  def.restitution = surface.restitution;
  def.friction_combine = surface.friction_combine;
  def.restitution_combine = surface.restitution_combine;
  def.gravity_scale = d.gravityScale;
  return values;
}

EmitterValues describeEmitter(const EmitterDefinition& e) {
  EmitterValues values;
  vtb_emitter_def& def = values.def;
  write(e.position, def.position);
  write(e.direction, def.direction);
  def.disc_radius = e.discRadius;
  def.cone_angle = e.coneAngle;
  def.speed = e.speed;
  def.speed_spread = e.speedSpread;
  def.rate = e.rate;
  def.mass = e.mass;
  def.radius = e.radius;
  def.life = e.life;
  values.seed = static_cast<uint32_t>(e.seed);
  return values;
}

SinkValues describeSink(const SinkDefinition& s) {
  SinkValues values;
  values.def.type = static_cast<int32_t>(s.type);
  write(s.pose, values.def.pose);
  write(s.size, values.def.size);
  return values;
}

}  // namespace vertebra::capi::scene
