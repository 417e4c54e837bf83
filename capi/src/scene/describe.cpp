// See describe.hpp.
#include "capi/src/scene/describe.hpp"

#include <algorithm>

#include "capi/src/conversions.hpp"
#include "capi/src/conversions_forces.hpp"
#include "capi/src/conversions_machines.hpp"
#include "capi/src/scene/shapes.hpp"
#include "engine/geometry/curve.hpp"

namespace vertebra::capi::scene {

namespace {}  // namespace

BodyValues describeBody(const world::World& world, int body) {
  BodyValues values;
  vtb_body_def& def = values.def;
  def.kind = static_cast<vtb_body_kind>(world.bodyKind(body));
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
  def.integrator = static_cast<vtb_integrator>(world.bodyIntegration(body).integrator);
  def.disabled = !world.bodyEnabled(body);
  return values;
}

ShapeValues describeShape(const world::World& world, int shape) { return describeShape(world.shape(shape)); }

JointValues describeJoint(const world::World& world, int id) {
  const JointDefinition& d = world.joint(id);
  JointValues values;
  vtb_joint_def& def = values.def;
  writePairs(JointPairs::list, d, def);
  def.as_they_stand = 0;  // its frames say where they stand
  if (d.curve) {
    for (const Vec3& point : d.curve->points()) append(values.points, point);
    def.curve.flags = (d.curve->spline() ? VTB_CURVE_FLAG_SPLINE : 0) | (d.curve->closed() ? VTB_CURVE_FLAG_CLOSED : 0);
  }
  return values;
}

AxisDescription describeAxis(const world::World& world, int joint, int axis) {
  AxisDescription result;
  result.axis.index = result.motor.axis = axis;
  writePairs(AxisPairs::list, world.axis(joint, axis), result.axis.def);
  writePairs(MotorPairs::list, world.motor(joint, axis), result.motor.def);
  return result;
}

CouplingValues describeCoupling(const world::World& world, int coupling) {
  CouplingValues values;
  writePairs(CouplingPairs::list, world.coupling(coupling), values.def);
  return values;
}

FieldValues describeField(const world::World& world, int field) {
  FieldValues values;
  writePairs(FieldPairs::list, world.field(field), values.def);
  return values;
}

DrivelineValues describeDriveline(const world::World& world, int constraint) {
  const driveline::DrivelineDefinition& d = world.driveline(constraint);
  DrivelineValues values;
  writePairs(DrivelinePairs::list, d, values.def);
  writePairs(DrivelineInputPairs::list, world.drivelineInput(constraint), values.input);
  values.speeds = d.speeds;
  values.throttles = d.throttles;
  values.torques = d.torques;
  values.ratios = d.ratios;
  values.torqueRatios = d.torqueRatios;
  values.capacities = d.capacities;
  return values;
}

PointsValues describePoints(const world::World& world, int constraint) {
  PointsValues values;
  writePairs(PointsPairs::list, world.constraint(constraint), values.def);
  return values;
}

ParticlesValues describeParticles(const world::World& world, int system) {
  ParticlesValues values;
  writePairs(ParticlesPairs::list, world.particleDefinition(system), values.def);
  return values;
}

EmitterValues describeEmitter(const particles::EmitterDefinition& e) {
  EmitterValues values;
  writePairs(EmitterPairs::list, e, values.def);
  return values;
}

SensorValues describeSensor(const world::World& world, int sensor) {
  SensorValues values;
  writePairs(SensorPairs::list, world.sensor(sensor), values.def);
  return values;
}

SinkValues describeSink(const particles::SinkDefinition& s) {
  SinkValues values;
  writePairs(SinkPairs::list, s, values.def);
  return values;
}

}  // namespace vertebra::capi::scene
