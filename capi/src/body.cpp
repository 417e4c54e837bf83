// Bodies: poses, twists, mass, forces.
#include "capi/src/conversions.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

bool persistent(const vtb_duration& duration) { return oneOf(duration, "duration") == VTB_DURATION_UNTIL_CLEARED; }

// A world point, or nothing for the centre of mass.
std::optional<Vec3> pointOf(const double* point) { return point ? std::optional<Vec3>(vector(point, "point")) : std::nullopt; }

void writeResidual(const double* residual, double* out) {
  if (out) std::copy_n(residual, 2, out);
}

}  // namespace

vtb_status vtb_body_def_init(vtb_body_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_body_create(vtb_world* world, const vtb_body_def* given, vtb_body* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_body_def def = readStruct(given);
    required(out, "out");
    BodyDefinition d;
    readPairs(BodyPairs::list, def, d);
    checkInertia(d.inertia);
    checkCentre(d.com);
    if (d.kind == BodyKind::Static && !(d.velocity.isZero(0) && d.omega.isZero(0)))
      refuse(VTB_E_ARG, "twist is not 0; a static body does not move");
    if (d.kind == BodyKind::Dynamic && !(d.mass > 0)) refuse(VTB_E_ARG, "mass is 0; a dynamic body needs one above 0");
    check(w.engine.checkIntegration(d.integration));
    const int body = w.engine.createBody(d);
    w.bodies.adopt(body);
    out->bits = w.bodies.handle(body);
  });
}

vtb_status vtb_body_destroy(vtb_world* world, vtb_body body) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    if (w.bodies.owner(id) >= 0) refuse(VTB_E_ARG, "the body is part of a figure; destroy the figure");
    w.engine.destroyBody(id);
    dropDestroyed(w);
  });
}

vtb_status vtb_body_get_pose(const vtb_world* world, vtb_body body, double* pose) {
  return reading(__func__, world, [&](const vtb_world& w) { write(w.engine.bodyPose(bodyOf(w, body)), &required(pose, "pose")); });
}

vtb_status vtb_body_set_pose(vtb_world* world, vtb_body body, const double* pose, double* residual) {
  return changing(__func__, world, [&](vtb_world& w) {
    double left[2] = {0, 0};
    check(w.engine.setBodyPose(bodyOf(w, body), capi::pose(pose, "pose"), left));
    writeResidual(left, residual);
  });
}

vtb_status vtb_body_get_twist(const vtb_world* world, vtb_body body, double* twist) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(twist, "twist");
    Vec3 velocity, omega;
    w.engine.bodyTwist(id, velocity, omega);
    write(velocity, twist);
    write(omega, twist + 3);
  });
}

vtb_status vtb_body_set_twist(vtb_world* world, vtb_body body, const double* twist, double* residual) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    const Twist wanted = capi::twist(twist, "twist");
    double left[2] = {0, 0};
    check(w.engine.setBodyTwist(id, wanted.linear, wanted.angular, left));
    writeResidual(left, residual);
  });
}

vtb_status vtb_body_get_acceleration(const vtb_world* world, vtb_body body, double* acceleration) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(acceleration, "acceleration");
    Vec3 linear, angular;
    w.engine.bodyAcceleration(id, linear, angular);
    write(linear, acceleration);
    write(angular, acceleration + 3);
  });
}

vtb_status vtb_body_move_to(vtb_world* world, vtb_body body, const double* pose, double seconds) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    const Pose target = capi::pose(pose, "pose");
    check(w.engine.moveBodyTo(id, target, positive(seconds, "seconds")));
  });
}

vtb_status vtb_body_get_kind(const vtb_world* world, vtb_body body, vtb_body_kind* kind) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(kind, "kind") = static_cast<vtb_body_kind>(w.engine.bodyKind(id));
  });
}

vtb_status vtb_body_set_kind(vtb_world* world, vtb_body body, vtb_body_kind kind) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    const auto wanted = static_cast<BodyKind>(oneOf(kind, "kind"));
    double mass;
    Vec3 com;
    Mat3 inertia;
    w.engine.bodyMass(id, mass, com, inertia);
    if (wanted == BodyKind::Dynamic && !(mass > 0) && w.bodies.owner(id) < 0)
      refuse(VTB_E_ARG, "the body has no mass, which a dynamic body needs; set one with vtb_body_set_mass first");
    check(w.engine.setBodyKind(id, wanted));
  });
}

vtb_status vtb_body_get_enabled(const vtb_world* world, vtb_body body, int32_t* enabled) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(enabled, "enabled") = w.engine.bodyEnabled(id);
  });
}

vtb_status vtb_body_set_enabled(vtb_world* world, vtb_body body, int32_t enabled) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    check(w.engine.setBodyEnabled(id, boolean(enabled, "enabled")));
  });
}

vtb_status vtb_body_get_awake(const vtb_world* world, vtb_body body, int32_t* awake) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(awake, "awake") = w.engine.bodyAwake(id);
  });
}

vtb_status vtb_body_wake(vtb_world* world, vtb_body body) {
  return changing(__func__, world, [&](vtb_world& w) { w.engine.wakeBody(bodyOf(w, body)); });
}

vtb_status vtb_body_get_mass(const vtb_world* world, vtb_body body, double* mass, double* com, double* inertia) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(mass, "mass");
    required(com, "com");
    required(inertia, "inertia");
    Vec3 c;
    Mat3 i;
    w.engine.bodyMass(id, *mass, c, i);
    write(c, com);
    writeInertia(i, inertia);
  });
}

vtb_status vtb_body_set_mass(vtb_world* world, vtb_body body, double mass, const double* com, const double* inertia) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    checkedMass(mass);
    if (w.engine.bodyKind(id) == BodyKind::Dynamic && w.bodies.owner(id) < 0 && !(mass > 0))
      refuse(VTB_E_ARG, "mass is 0; a dynamic body needs one above 0");
    const Vec3 c = vector(com, "com");
    checkCentre(c);
    finiteArray(inertia, 6, "inertia");
    const Mat3 i = capi::inertia(inertia);
    checkInertia(i);
    check(w.engine.setBodyMass(id, mass, c, i));
  });
}

vtb_status vtb_body_set_mass_from_shapes(vtb_world* world, vtb_body body, double density, double mass) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    finiteNotNegative(density, "density");
    checkedMass(mass);
    if (density == 0 && mass == 0) refuse(VTB_E_ARG, "density and mass are both 0; give one of them");
    check(w.engine.setBodyMassFromShapes(id, density, mass));
  });
}

vtb_status vtb_body_set_integration(vtb_world* world, vtb_body body, double step, vtb_integrator integrator) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    check(w.engine.setBodyIntegration(id, {finiteNotNegative(step, "step"), oneOf(integrator, "integrator")}));
  });
}

vtb_status vtb_body_get_integration(const vtb_world* world, vtb_body body, double* step, vtb_integrator* integrator) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const Integration& own = w.engine.bodyIntegration(bodyOf(w, body));
    if (step) *step = own.step;
    if (integrator) *integrator = static_cast<vtb_integrator>(own.integrator);
  });
}

vtb_status vtb_body_add_force(vtb_world* world, vtb_body body, const double* force, const double* point, vtb_duration duration) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    const Vec3 f = vector(force, "force");
    const std::optional<Vec3> at = pointOf(point);
    w.engine.addForce(id, f, at ? &*at : nullptr, persistent(duration));
  });
}

vtb_status vtb_body_add_torque(vtb_world* world, vtb_body body, const double* torque, vtb_duration duration) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    const Vec3 t = vector(torque, "torque");
    w.engine.addTorque(id, t, persistent(duration));
  });
}

vtb_status vtb_body_add_impulse(vtb_world* world, vtb_body body, const double* impulse, const double* point) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = bodyOf(w, body);
    const Vec3 j = vector(impulse, "impulse");
    const std::optional<Vec3> at = pointOf(point);
    w.engine.addImpulse(id, j, at ? &*at : nullptr);
  });
}

vtb_status vtb_body_clear_forces(vtb_world* world, vtb_body body) {
  return changing(__func__, world, [&](vtb_world& w) { w.engine.clearForces(bodyOf(w, body)); });
}

vtb_status vtb_body_get_forces(const vtb_world* world, vtb_body body, double* force, double* torque) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    required(force, "force");
    required(torque, "torque");
    Vec3 f, t;
    w.engine.forces(id, f, t);
    write(f, force);
    write(t, torque);
  });
}

vtb_status vtb_body_get_energy(const vtb_world* world, vtb_body body, double* kinetic, double* potential) {
  return reading(__func__, world, [&](const vtb_world& w) {
    double t, u;
    w.engine.bodyEnergy(bodyOf(w, body), t, u);
    requirePotential(u);
    if (kinetic) *kinetic = t;
    if (potential) *potential = u;
  });
}

vtb_status vtb_body_get_momentum(const vtb_world* world, vtb_body body, const double* point, double* linear, double* angular) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = bodyOf(w, body);
    const Vec3 about = point ? vector(point, "point") : w.engine.bodyCentre(id);
    Vec3 p, l;
    w.engine.bodyMomentum(id, about, p, l);
    if (linear) write(p, linear);
    if (angular) write(l, angular);
  });
}
