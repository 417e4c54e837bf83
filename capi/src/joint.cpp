// Joints, motors, the forces in them, and couplings between them.
#include "capi/src/conversions_forces.hpp"
#include "capi/src/conversions_results.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/world_object.hpp"
#include "engine/geometry/curve.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

MotorSettings motorFrom(const vtb_motor_def& def) {
  MotorSettings motor;
  readPairs(MotorPairs::list, def, motor);
  if (std::isinf(motor.damping) && motor.mode != MotorMode::Velocity) refuse(VTB_E_ARG, "damping may be infinite in velocity mode only");
  return motor;
}

CouplingDefinition couplingFrom(const vtb_world& w, const vtb_coupling_def& def) {
  CouplingDefinition c;
  if (def.term_count > 0) {
    if (def.joint_a.bits || def.joint_b.bits) refuse(VTB_E_ARG, "give either joint_a and joint_b or terms");
    for (uint32_t i = 0; i < def.term_count; i++) c.terms.push_back(termFrom(w, def.terms[i], "terms"));
  } else {
    const int a = jointOf(w, def.joint_a, "joint_a"), b = jointOf(w, def.joint_b, "joint_b");
    if (a == b) refuse(VTB_E_ARG, "joint_a and joint_b are the same");
    for (int joint : {a, b})
      if (w.engine.jointAxes(joint) != 1)
        refuse(VTB_E_UNSUPPORTED, "joint_a and joint_b need one axis each; of joints with more, give each axis as a term");
    c = ratioCoupling(a, b, def.ratio, def.offset);
  }
  readPairs(CouplingPairs::list, def, c);
  if (!c.softness.rigid() && !(c.softness.damping > 0) && (c.velocityLevel || c.softness.stiffness == 0))
    refuse(VTB_E_ARG, "a soft coupling needs damping, or stiffness at position level: nothing would hold it");
  return c;
}

std::shared_ptr<const geometry::Curve> curveFrom(const vtb_curve& def) {
  std::vector<Vec3> points(def.point_count);
  for (uint32_t i = 0; i < def.point_count; i++) points[i] = vector(def.points + 3 * i, "curve.points");
  const uint32_t flags = def.flags;
  const bool closed = flags & VTB_CURVE_FLAG_CLOSED;
  if (const char* wrong = geometry::Curve::check(points, closed); *wrong) refuse(VTB_E_ARG, wrong);
  return std::make_shared<const geometry::Curve>(points, (flags & VTB_CURVE_FLAG_SPLINE) != 0, closed);
}

JointDefinition jointFrom(const vtb_world& w, const vtb_joint_def& def) {
  JointDefinition d;
  readPairs(JointPairs::list, def, d);
  d.a = bodyOrWorld(w, def.body_a, "body_a");
  d.b = bodyOrWorld(w, def.body_b, "body_b");
  if (d.a == d.b && !d.rotor) refuse(VTB_E_ARG, "body_a and body_b are the same; a joint needs two bodies, or one and the world");
  if (d.constraint == ConstraintType::Joint) checkAxes(d.type, d.axis, d.axis2);
  checkSwingTwist(def.limits.swing, def.limits.twist_lower, def.limits.twist_upper);
  for (const Softness& s : {d.linear, d.angular})
    if (s.stiffness == 0 && s.damping == 0) refuse(VTB_E_ARG, "stiffness and damping are both 0: nothing would hold the joint");
  if (d.constraint == ConstraintType::PointOnCurve) d.curve = curveFrom(def.curve);
  return d;
}

int axisOf(const vtb_world& w, int joint, int32_t axis) {
  return inRange(axis, static_cast<std::size_t>(w.engine.jointAxes(joint)), "axis");
}

// Coordinates of a joint as a caller gives them: bounded, quaternions of unit length.
void checkCoordinates(const JointDefinition& d, const double* q) {
  withinReach(q, static_cast<std::size_t>(dynamics::jointNq(d.type)), "q");
  if (const int at = dynamics::traitsOf(d.type).quaternion; at >= 0) quaternion(q + at, "q");
}

}  // namespace

vtb_status vtb_joint_def_init(vtb_joint_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_axis_def_init(vtb_axis_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_joint_create(vtb_world* world, const vtb_joint_def* given, vtb_joint* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_joint_def def = readStruct(given);
    required(out, "out");
    int id = -1;
    check(w.engine.createJoint(jointFrom(w, def), id));
    w.joints.adopt(id);
    out->bits = w.joints.handle(id);
  });
}

vtb_status vtb_joint_destroy(vtb_world* world, vtb_joint joint) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    if (w.joints.owner(id) >= 0) refuse(VTB_E_ARG, "the joint is part of a figure; destroy the figure");
    w.engine.destroyJoint(id);
    dropDestroyed(w);
  });
}

vtb_status vtb_joint_get_broken(const vtb_world* world, vtb_joint joint, int32_t* broken) {
  return reading(__func__, world, [&](const vtb_world& w) { required(broken, "broken") = w.engine.jointBroken(jointOf(w, joint)); });
}

vtb_status vtb_world_get_joint_events(const vtb_world* world, vtb_joint_event* out, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_joint_event> array(out, 1, capacity, stride_bytes, total, "out");
    const std::vector<JointEvent>& events = w.engine.jointEvents();
    for (std::size_t i = 0; i < std::min(events.size(), capacity); i++) {
      vtb_joint_event row = described<vtb_joint_event>(JointEventPairs::list, events[i]);
      row.joint.bits = w.joints.handle(events[i].joint);
      array.put(i, &row);
    }
    array.setTotal(events.size());
  });
}

vtb_status vtb_joint_get_axis(const vtb_world* world, vtb_joint joint, int32_t axis, vtb_axis_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = jointOf(w, joint);
    writeStruct(out, described<vtb_axis_def>(AxisPairs::list, w.engine.axis(id, axisOf(w, id, axis))));
  });
}

vtb_status vtb_joint_set_axis(vtb_world* world, vtb_joint joint, int32_t axis, const vtb_axis_def* def) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    axisOf(w, id, axis);
    check(w.engine.setAxis(id, axis, axisParameters(readStruct(def))));
  });
}

vtb_status vtb_joint_set_swing_twist(vtb_world* world, vtb_joint joint, double swing, double twist_lower, double twist_upper) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    checkSwingTwist(swing, twist_lower, twist_upper);
    check(w.engine.setSwingTwist(id, swing, twist_lower, twist_upper));
  });
}

vtb_status vtb_joint_get_state(const vtb_world* world, vtb_joint joint, double* q, double* v) {
  return reading(__func__, world, [&](const vtb_world& w) { w.engine.jointState(jointOf(w, joint), q, v); });
}

vtb_status vtb_joint_set_state(vtb_world* world, vtb_joint joint, const double* q, const double* v) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    const JointDefinition& d = w.engine.joint(id);
    if (d.constraint != ConstraintType::Joint)
      refuse(VTB_E_UNSUPPORTED, "this type of joint has no coordinates of its own; types below VTB_JOINT_TYPE_MOTOR have");
    if (q) checkCoordinates(d, q);
    if (v) withinReach(v, static_cast<std::size_t>(dynamics::jointNv(d.type)), "v");
    check(w.engine.setJointState(id, q, v));
  });
}

vtb_status vtb_motor_def_init(vtb_motor_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_joint_set_motor(vtb_world* world, vtb_joint joint, int32_t axis, const vtb_motor_def* def) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    axisOf(w, id, axis);
    check(w.engine.setMotor(id, axis, motorFrom(readStruct(def))));
  });
}

vtb_status vtb_joint_get_motor(const vtb_world* world, vtb_joint joint, int32_t axis, vtb_motor_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = jointOf(w, joint);
    writeStruct(out, described<vtb_motor_def>(MotorPairs::list, w.engine.motor(id, axisOf(w, id, axis))));
  });
}

vtb_status vtb_joint_set_orientation_motor(vtb_world* world, vtb_joint joint, const double* quaternion, const double* velocity,
                                           double stiffness, double damping, double max_force) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    const Quat target = capi::quaternion(quaternion, "quaternion");
    const Vec3 rate = vector(velocity, "velocity");
    finiteNotNegative(stiffness, "stiffness");
    finiteNotNegative(damping, "damping");
    notNegative(max_force, "max_force");
    check(w.engine.setOrientationMotor(id, target, rate, stiffness, damping, max_force));
  });
}

vtb_status vtb_joint_set_target(vtb_world* world, vtb_joint joint, const double* pose, const double* twist) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = jointOf(w, joint);
    const Pose target = capi::pose(pose, "pose");
    const Twist rates = twist ? capi::twist(twist, "twist") : Twist();
    check(w.engine.setMotorTarget(id, target, rates.linear, rates.angular));
  });
}

vtb_status vtb_joint_get_target(const vtb_world* world, vtb_joint joint, double* pose, double* twist) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = jointOf(w, joint);
    const MotorTarget target = w.engine.motorTarget(id);
    if (w.engine.joint(id).constraint != ConstraintType::Motor && !target.orientationMotor)
      refuse(VTB_E_UNSUPPORTED,
             "the joint has no target: it is neither a motor joint (VTB_JOINT_TYPE_MOTOR) nor a spherical joint with a "
             "drive (vtb_joint_set_orientation_motor)");
    if (pose) write(target.pose, pose);
    if (twist) write(target.velocity, twist), write(target.omega, twist + 3);
  });
}

vtb_status vtb_joint_get_forces(const vtb_world* world, vtb_joint joint, vtb_joint_forces* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = jointOf(w, joint);
    JointForces forces;
    w.engine.jointForces(id, forces);
    vtb_joint_forces result = described<vtb_joint_forces>(JointForcesPairs::list, forces);
    result.axes = w.engine.jointAxes(id);
    writeStruct(out, result);
  });
}

vtb_status vtb_coupling_def_init(vtb_coupling_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_coupling_create(vtb_world* world, const vtb_coupling_def* given, vtb_coupling* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_coupling_def def = readStruct(given);
    required(out, "out");
    int id = -1;
    check(w.engine.createCoupling(couplingFrom(w, def), id));
    w.couplings.adopt(id);
    out->bits = w.couplings.handle(id);
  });
}

vtb_status vtb_coupling_set(vtb_world* world, vtb_coupling coupling, const vtb_coupling_def* def) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = couplingOf(w, coupling);
    check(w.engine.setCoupling(id, couplingFrom(w, readStruct(def))));
  });
}

vtb_status vtb_coupling_get_force(const vtb_world* world, vtb_coupling coupling, double* force) {
  return reading(__func__, world, [&](const vtb_world& w) { required(force, "force") = w.engine.couplingForce(couplingOf(w, coupling)); });
}

vtb_status vtb_coupling_destroy(vtb_world* world, vtb_coupling coupling) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = couplingOf(w, coupling);
    w.engine.destroyCoupling(id);
    w.couplings.drop(id);
  });
}
