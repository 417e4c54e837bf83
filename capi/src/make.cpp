// The usual things of a world, each in one call: made through the same functions that callers have, whole or not at all. See make.h.
#include "capi/src/world_object.hpp"
#include "engine/math/rotation.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// A refusal of one of the calls below, as a refusal of this one.
void done(vtb_status status) {
  if (status == VTB_OK) return;
  const std::string text = vtb_last_error();
  const std::size_t after = text.find(": ");  // the inner function's name
  refuse(status, after == std::string::npos ? text : text.substr(after + 2));
}

vtb_shape_def shapeOfType(vtb_shape_type type, const double size[3]) {
  vtb_shape_def def;
  done(vtb_shape_def_init(&def, sizeof def));
  def.type = type;
  std::copy_n(size, 3, def.size);
  return def;
}

vtb_status makeBody(const char* function, vtb_world* world, const double pose[7], vtb_shape_type type, const double size[3], double mass,
                    vtb_body* out) {
  return guarded(function, [&] {
    required(out, "body");
    positive(mass, "mass");
    vtb_body_def def;
    done(vtb_body_def_init(&def, sizeof def));
    write(capi::pose(pose, "pose"), def.pose);
    const vtb_shape_def shape = shapeOfType(type, size);
    vtb_body body;
    vtb_shape made;
    done(vtb_body_create(world, &def, &body));
    vtb_status status = vtb_shape_create(world, body, &shape, &made);
    if (status == VTB_OK) status = vtb_body_set_mass_from_shapes(world, body, 0, mass);
    if (status != VTB_OK) {
      const std::string why = vtb_last_error();
      (void)vtb_body_destroy(world, body);
      setLastError(function, why.c_str());
      done(status);
    }
    *out = body;
  });
}

// The pose of a world frame in a body's frame.
Pose inBody(const vtb_world& world, vtb_body body, const char* name, const Pose& frame) {
  const int id = bodyOrWorld(world, body, name);
  return id < 0 ? frame : world.engine.bodyPose(id).inverse() * frame;
}

vtb_status makeJoint(const char* function, vtb_world* world, vtb_body a, vtb_body b, vtb_joint_type type, const double* point,
                     const double* axis, vtb_joint* out) {
  return guarded(function, [&] {
    required(out, "joint");
    requireSound(required(world, "world"));
    vtb_joint_def def;
    done(vtb_joint_def_init(&def, sizeof def));
    def.type = type;
    def.body_a = a;
    def.body_b = b;
    Pose frame;
    if (point) frame.p = vector(point, "point");
    if (axis) {
      const Vec3 along = vector(axis, "axis");
      if (!(along.stableNorm() > 0)) refuse(VTB_E_ARG, "axis has length 0, which gives no direction");
      frame.q = quatBetween(Vec3::UnitX(), along / along.stableNorm());
    }
    write(inBody(*world, a, "body_a", frame), def.frame_a);
    write(inBody(*world, b, "body_b", frame), def.frame_b);
    done(vtb_joint_create(world, &def, out));
  });
}

}  // namespace

vtb_status vtb_make_ground(vtb_world* world, double friction, vtb_shape* shape) {
  return guarded(__func__, [&] {
    const double none[3] = {0, 0, 0};
    vtb_shape_def def = shapeOfType(VTB_SHAPE_TYPE_PLANE, none);
    def.surface.friction = finiteNotNegative(friction, "friction");
    vtb_shape made;
    done(vtb_shape_create(world, vtb_body{0}, &def, &made));
    if (shape) *shape = made;
  });
}

vtb_status vtb_make_box(vtb_world* world, const double pose[7], const double half_extents[3], double mass, vtb_body* body) {
  const double none[3] = {0, 0, 0};  // refused as a size
  return makeBody(__func__, world, pose, VTB_SHAPE_TYPE_BOX, half_extents ? half_extents : none, mass, body);
}
vtb_status vtb_make_sphere(vtb_world* world, const double pose[7], double radius, double mass, vtb_body* body) {
  const double size[3] = {radius, 0, 0};
  return makeBody(__func__, world, pose, VTB_SHAPE_TYPE_SPHERE, size, mass, body);
}
vtb_status vtb_make_capsule(vtb_world* world, const double pose[7], double radius, double half_length, double mass, vtb_body* body) {
  const double size[3] = {radius, 0, half_length};
  return makeBody(__func__, world, pose, VTB_SHAPE_TYPE_CAPSULE, size, mass, body);
}
vtb_status vtb_make_cylinder(vtb_world* world, const double pose[7], double radius, double half_length, double mass, vtb_body* body) {
  const double size[3] = {radius, 0, half_length};
  return makeBody(__func__, world, pose, VTB_SHAPE_TYPE_CYLINDER, size, mass, body);
}

vtb_status vtb_make_hinge(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], const double axis[3],
                          vtb_joint* joint) {
  if (!point || !axis) return guarded(__func__, [&] { required(point, "point"), required(axis, "axis"); });
  return makeJoint(__func__, world, body_a, body_b, VTB_JOINT_TYPE_CONTINUOUS, point, axis, joint);
}
vtb_status vtb_make_slider(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], const double axis[3],
                           vtb_joint* joint) {
  if (!point || !axis) return guarded(__func__, [&] { required(point, "point"), required(axis, "axis"); });
  return makeJoint(__func__, world, body_a, body_b, VTB_JOINT_TYPE_PRISMATIC, point, axis, joint);
}
vtb_status vtb_make_ball(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], vtb_joint* joint) {
  if (!point) return guarded(__func__, [&] { required(point, "point"); });
  return makeJoint(__func__, world, body_a, body_b, VTB_JOINT_TYPE_SPHERICAL, point, nullptr, joint);
}
vtb_status vtb_make_weld(vtb_world* world, vtb_body body_a, vtb_body body_b, vtb_joint* joint) {
  return makeJoint(__func__, world, body_a, body_b, VTB_JOINT_TYPE_FIXED, nullptr, nullptr, joint);
}

vtb_status vtb_make_spring(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point_a[3], const double point_b[3],
                           double stiffness, double damping, vtb_joint* joint) {
  return guarded(__func__, [&] {
    required(joint, "joint");
    requireSound(required(world, "world"));
    finiteNotNegative(stiffness, "stiffness");
    finiteNotNegative(damping, "damping");
    const Vec3 a = vector(point_a, "point_a"), b = vector(point_b, "point_b");
    vtb_joint_def def;
    done(vtb_joint_def_init(&def, sizeof def));
    def.type = VTB_JOINT_TYPE_DISTANCE;
    def.body_a = body_a;
    def.body_b = body_b;
    write(inBody(*world, body_a, "body_a", Pose{a, Quat::Identity()}), def.frame_a);
    write(inBody(*world, body_b, "body_b", Pose{b, Quat::Identity()}), def.frame_b);
    vtb_joint made;
    done(vtb_joint_create(world, &def, &made));
    vtb_axis_def axis;
    done(vtb_axis_def_init(&axis, sizeof axis));
    axis.stiffness = stiffness;
    axis.damping = damping;
    axis.rest = (b - a).norm();
    done(vtb_joint_set_axis(world, made, 0, &axis));
    *joint = made;
  });
}
