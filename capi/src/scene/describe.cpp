// See describe.hpp.
#include "capi/src/scene/describe.hpp"

#include "engine/geometry/convex_parts.hpp"

namespace vertebra::capi::scene {

namespace {

void append(std::vector<double>& numbers, const Vec3& v) { numbers.insert(numbers.end(), v.data(), v.data() + 3); }

}  // namespace

BodyValues describeBody(const World& world, int body) {
  BodyValues values;
  vtb_body_def& def = values.def;
  def.kind = static_cast<int32_t>(world.bodyKind(body));
  write(world.bodyPose(body), def.pose);
  Vec3 velocity, spin, com;
  Mat3 inertia;
  world.bodyTwist(body, velocity, spin);
  write(velocity, def.twist);
  write(spin, def.twist + 3);
  world.bodyMass(body, def.mass, com, inertia);
  write(com, def.com);
  writeInertia(inertia, def.inertia);
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
  def.group = shape.group;
  def.mask = shape.mask;
  if (g.hull)
    for (const Vec3& v : g.hull->vertices) append(values.points, v);
  if (g.mesh) {
    for (const Vec3& v : g.mesh->vertices) append(values.points, v);
    for (const auto& t : g.mesh->triangles)
      for (int k = 0; k < 3; k++) values.triangles.push_back(static_cast<uint32_t>(t[k]));
  }
  if (g.parts) def.convex_parts = static_cast<uint32_t>(g.parts->part.size());
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

}  // namespace vertebra::capi::scene
