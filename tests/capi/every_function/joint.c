/* Joints, motors, forces and couplings. */
#include "tests/capi/every_function/check.h"

static const double identity[7] = {0, 0, 0, 0, 0, 0, 1}, still[6] = {0, 0, 0, 0, 0, 0};

static void refuse_handle(vtb_status status, vtb_world* world, vtb_joint joint, vtb_joint good) {
  vtb_axis_def axis;
  vtb_motor_def motor;
  vtb_joint_forces forces;
  vtb_coupling_def coupling;
  vtb_coupling made = {7};
  double q[7] = {UNTOUCHED};
  OK(vtb_axis_def_init(&axis, sizeof axis));
  OK(vtb_motor_def_init(&motor, sizeof motor));
  OK(vtb_coupling_def_init(&coupling, sizeof coupling));
  forces.struct_size = sizeof forces;
  coupling.joint_a = joint;
  coupling.joint_b = good;
  FAILS(status, vtb_joint_destroy(world, joint));
  FAILS(status, vtb_joint_get_axis(world, joint, 0, &axis));
  FAILS(status, vtb_joint_set_axis(world, joint, 0, &axis));
  FAILS(status, vtb_joint_set_swing_twist(world, joint, 1, -1, 1));
  FAILS(status, vtb_joint_get_state(world, joint, q, NULL));
  FAILS(status, vtb_joint_set_state(world, joint, still, NULL));
  FAILS(status, vtb_joint_set_motor(world, joint, 0, &motor));
  FAILS(status, vtb_joint_get_motor(world, joint, 0, &motor));
  FAILS(status, vtb_joint_set_orientation_motor(world, joint, identity + 3, still, 1, 1, 1));
  FAILS(status, vtb_joint_set_target(world, joint, identity, NULL));
  FAILS(status, vtb_joint_get_target(world, joint, NULL, NULL));
  FAILS(status, vtb_joint_get_forces(world, joint, &forces));
  FAILS(status, vtb_coupling_create(world, &coupling, &made));
  CHECK(q[0] == UNTOUCHED && made.bits == 7);
}

static void test_creation(vtb_world* world, vtb_body a, vtb_body b, vtb_body gone) {
  vtb_joint_def def;
  vtb_joint joint = {0};
  OK(vtb_joint_def_init(&def, sizeof def));
  CHECK(def.type == VTB_JOINT_TYPE_REVOLUTE && def.axis[0] == 1 && def.frame_b[6] == 1 && isinf(def.limits.swing));
  FAILS(VTB_E_ARG, vtb_joint_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_joint_def_init(&def, 0));
  FAILS(VTB_E_ARG, vtb_joint_create(world, &def, &joint)); /* the world with itself */
#define REFUSED(status, change)             \
  OK(vtb_joint_def_init(&def, sizeof def)); \
  def.body_a = a;                           \
  def.body_b = b;                           \
  change;                                   \
  FAILS(status, vtb_joint_create(world, &def, &joint))
  REFUSED(VTB_E_ARG, def.struct_size = 2);
  REFUSED(VTB_E_ARG, def.type = 11);
  REFUSED(VTB_E_ARG, def.type = 15);
  REFUSED(VTB_E_ARG, def.type = 24);
  REFUSED(VTB_E_ARG, def.type = -1);
  REFUSED(VTB_E_ARG, def.body_b = a);
  REFUSED(VTB_E_STALE, def.body_b = gone);
  REFUSED(VTB_E_ARG, def.as_they_stand = 2);
  REFUSED(VTB_E_ARG, def.bodies_collide = -1);
  REFUSED(VTB_E_ARG, def.frame_a[0] = NAN);
  REFUSED(VTB_E_ARG, def.frame_b[6] = 3);
  REFUSED(VTB_E_ARG, def.axis[0] = 0);
  REFUSED(VTB_E_ARG, def.type = VTB_JOINT_TYPE_UNIVERSAL; def.axis2[0] = 1; def.axis2[1] = 0);
  REFUSED(VTB_E_ARG, def.limits.swing = -1);
  REFUSED(VTB_E_ARG, def.limits.twist_lower = 1; def.limits.twist_upper = 0);
#undef REFUSED
  FAILS(VTB_E_ARG, vtb_joint_create(world, NULL, &joint));
  FAILS(VTB_E_ARG, vtb_joint_create(world, &def, NULL));
  FAILS(VTB_E_ARG, vtb_joint_create(NULL, &def, &joint));
  CHECK(joint.bits == 0);
}

static vtb_joint join(vtb_world* world, int32_t type, vtb_body a, vtb_body b) {
  vtb_joint joint = {0};
  vtb_joint_def def;
  OK(vtb_joint_def_init(&def, sizeof def));
  def.type = type;
  def.body_a = a;
  def.body_b = b;
  def.as_they_stand = 1;
  OK(vtb_joint_create(world, &def, &joint));
  return joint;
}

static void test_hinge(vtb_world* world, vtb_joint hinge) {
  vtb_axis_def axis;
  vtb_motor_def motor;
  vtb_joint_forces forces;
  double q[7] = {9}, v[6] = {9}, bad[1] = {NAN};
  axis.struct_size = sizeof axis;
  motor.struct_size = sizeof motor;
  forces.struct_size = sizeof forces;
  OK(vtb_joint_get_axis(world, hinge, 0, &axis));
  axis.lower = -1;
  axis.upper = 1;
  axis.damping = 0.1;
  OK(vtb_joint_set_axis(world, hinge, 0, &axis));
  FAILS(VTB_E_ARG, vtb_joint_get_axis(world, hinge, 1, &axis));
  FAILS(VTB_E_ARG, vtb_joint_get_axis(world, hinge, 0, NULL));
  FAILS(VTB_E_ARG, vtb_joint_set_axis(world, hinge, -1, &axis));
  axis.upper = NAN;
  FAILS(VTB_E_ARG, vtb_joint_set_axis(world, hinge, 0, &axis));
  FAILS(VTB_E_ARG, vtb_joint_set_axis(world, hinge, 0, NULL));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_set_swing_twist(world, hinge, 1, -1, 1));
  FAILS(VTB_E_ARG, vtb_joint_set_swing_twist(world, hinge, NAN, -1, 1));

  OK(vtb_joint_get_state(world, hinge, q, v));
  NEAR(q[0], 0); /* as they stood */
  q[0] = 0.5;
  v[0] = 0.25;
  OK(vtb_joint_set_state(world, hinge, q, v));
  OK(vtb_joint_get_state(world, hinge, q, NULL));
  OK(vtb_joint_get_state(world, hinge, NULL, v));
  OK(vtb_joint_get_state(world, hinge, NULL, NULL));
  NEAR(q[0], 0.5);
  NEAR(v[0], 0.25);
  FAILS(VTB_E_ARG, vtb_joint_set_state(world, hinge, bad, NULL));
  FAILS(VTB_E_ARG, vtb_joint_set_state(world, hinge, NULL, bad));

  OK(vtb_motor_def_init(&motor, sizeof motor));
  FAILS(VTB_E_ARG, vtb_motor_def_init(NULL, sizeof motor));
  FAILS(VTB_E_ARG, vtb_motor_def_init(&motor, 5));
  motor.mode = VTB_MOTOR_MODE_POSITION;
  motor.position = 0.75;
  motor.stiffness = 10;
  motor.damping = 1;
  OK(vtb_joint_set_motor(world, hinge, 0, &motor));
  OK(vtb_joint_get_motor(world, hinge, 0, &motor));
  CHECK(motor.position == 0.75 && motor.mode == VTB_MOTOR_MODE_POSITION && isinf(motor.max_force));
  FAILS(VTB_E_ARG, vtb_joint_set_motor(world, hinge, 1, &motor));
  FAILS(VTB_E_ARG, vtb_joint_set_motor(world, hinge, 0, NULL));
  motor.mode = 4;
  FAILS(VTB_E_ARG, vtb_joint_set_motor(world, hinge, 0, &motor));
  motor.mode = VTB_MOTOR_MODE_POSITION;
  motor.damping = INFINITY;
  FAILS(VTB_E_ARG, vtb_joint_set_motor(world, hinge, 0, &motor));
  motor.mode = VTB_MOTOR_MODE_VELOCITY;
  OK(vtb_joint_set_motor(world, hinge, 0, &motor));
  motor.max_force = -1;
  FAILS(VTB_E_ARG, vtb_joint_set_motor(world, hinge, 0, &motor));
  FAILS(VTB_E_ARG, vtb_joint_get_motor(world, hinge, 0, NULL));
  FAILS(VTB_E_ARG, vtb_joint_get_motor(world, hinge, 3, &motor));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_set_orientation_motor(world, hinge, identity + 3, still, 1, 1, 1));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_set_target(world, hinge, identity, NULL));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_get_target(world, hinge, NULL, NULL));

  OK(vtb_world_step(world, 5));
  OK(vtb_joint_get_forces(world, hinge, &forces));
  CHECK(forces.axes == 1 && isfinite(forces.force[2]) && isfinite(forces.motor[0]));
  FAILS(VTB_E_ARG, vtb_joint_get_forces(world, hinge, NULL));
  forces.struct_size = 4;
  FAILS(VTB_E_ARG, vtb_joint_get_forces(world, hinge, &forces));
}

static void test_others(vtb_world* world) {
  const vtb_body none = {0};
  const vtb_body ball = add_ball(world, 5), carried = add_ball(world, 7), turned = add_ball(world, 9);
  const vtb_joint socket = join(world, VTB_JOINT_TYPE_SPHERICAL, none, ball);
  const vtb_joint drive = join(world, VTB_JOINT_TYPE_MOTOR, ball, carried);
  const vtb_joint axis = join(world, VTB_JOINT_TYPE_AXIS_ANGULAR, carried, turned);
  const vtb_joint rail = join(world, VTB_JOINT_TYPE_AXIS_LINEAR, none, turned);
  const double no_quat[4] = {0, 0, 0, 0}, nan_rate[3] = {NAN, 0, 0}, nan_pose[7] = {NAN, 0, 0, 0, 0, 0, 1};
  const double bad_q[4] = {0, 0, 0, 2}, moved[4] = {0, 0, 0.6, 0.8};
  const double rate[3] = {1, -2, 3}, there[7] = {0.1, -0.2, 0.3, 0, 0, 0.6, 0.8}, towards[6] = {1, 2, 3, 4, 5, 6};
  double q[7], v[6], pose[7], twist[6];
  vtb_motor_def motor;
  vtb_axis_def limits;
  int32_t k;
  OK(vtb_joint_set_swing_twist(world, socket, 0.5, -1, 1));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_get_target(world, socket, pose, NULL)); /* no drive yet */
  OK(vtb_joint_set_orientation_motor(world, socket, moved, rate, 10, 1, 50));
  OK(vtb_joint_get_target(world, socket, pose, twist));
  CHECK(pose[0] == 0 && pose[2] == 0 && fabs(pose[5] - 0.6) < 1e-15 && fabs(pose[6] - 0.8) < 1e-15);
  CHECK(twist[0] == 0 && twist[3] == 1 && twist[4] == -2 && twist[5] == 3);
  OK(vtb_joint_set_orientation_motor(world, socket, identity + 3, still, 10, 1, 50));
  FAILS(VTB_E_ARG, vtb_joint_set_orientation_motor(world, socket, no_quat, still, 10, 1, 50));
  FAILS(VTB_E_ARG, vtb_joint_set_orientation_motor(world, socket, identity + 3, nan_rate, 10, 1, 50));
  FAILS(VTB_E_ARG, vtb_joint_set_orientation_motor(world, socket, identity + 3, NULL, 10, 1, 50));
  FAILS(VTB_E_ARG, vtb_joint_set_orientation_motor(world, socket, identity + 3, still, -1, 1, 50));
  FAILS(VTB_E_ARG, vtb_joint_set_state(world, socket, bad_q, NULL));
  OK(vtb_joint_set_state(world, socket, moved, still));
  OK(vtb_joint_get_state(world, socket, q, v));
  NEAR(q[2], 0.6);

  OK(vtb_motor_def_init(&motor, sizeof motor));
  motor.mode = VTB_MOTOR_MODE_POSITION;
  motor.stiffness = 100;
  motor.damping = 10;
  motor.max_force = 20;
  for (k = 0; k < 6; k++) OK(vtb_joint_set_motor(world, drive, k, &motor));
  FAILS(VTB_E_ARG, vtb_joint_set_motor(world, drive, 6, &motor));
  OK(vtb_joint_set_target(world, drive, there, towards));
  OK(vtb_joint_get_target(world, drive, pose, NULL));
  OK(vtb_joint_get_target(world, drive, NULL, twist));
  for (k = 0; k < 7; k++) CHECK(fabs(pose[k] - there[k]) < 1e-15);
  for (k = 0; k < 6; k++) CHECK(twist[k] == towards[k]);
  OK(vtb_joint_set_target(world, drive, identity, still));
  OK(vtb_joint_set_target(world, drive, identity, NULL));
  FAILS(VTB_E_ARG, vtb_joint_set_target(world, drive, NULL, still));
  FAILS(VTB_E_ARG, vtb_joint_set_target(world, drive, nan_pose, still));
  OK(vtb_joint_get_state(world, drive, q, v));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_set_state(world, drive, identity, NULL));
  FAILS(VTB_E_UNSUPPORTED, vtb_joint_set_state(world, axis, still, NULL));
  OK(vtb_joint_set_motor(world, axis, 0, &motor));
  OK(vtb_axis_def_init(&limits, sizeof limits));
  limits.lower = -0.5;
  limits.upper = 0.5;
  OK(vtb_joint_set_axis(world, rail, 0, &limits));
  OK(vtb_joint_get_state(world, rail, q, v));
  OK(vtb_world_step(world, 20));
  OK(vtb_joint_destroy(world, rail));
  OK(vtb_world_step(world, 1));
}

static void test_couplings(vtb_world* world, vtb_world* other) {
  const vtb_body none = {0};
  const vtb_joint a = join(world, VTB_JOINT_TYPE_REVOLUTE, none, add_ball(world, 20));
  const vtb_joint b = join(world, VTB_JOINT_TYPE_REVOLUTE, none, add_ball(world, 22));
  const vtb_joint socket = join(world, VTB_JOINT_TYPE_SPHERICAL, none, add_ball(world, 24));
  vtb_coupling_def def;
  vtb_coupling coupling = {0}, zero = {0};
  double q[1] = {0.25};
  OK(vtb_coupling_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_coupling_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_coupling_def_init(&def, 0));
  CHECK(def.ratio == 1 && def.offset == 0);
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &coupling));
  def.joint_a = a;
  def.joint_b = b;
  def.ratio = NAN;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &coupling));
  def.ratio = -2;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, NULL));
  FAILS(VTB_E_ARG, vtb_coupling_create(NULL, &def, &coupling));
  FAILS(VTB_E_ARG, vtb_coupling_create(world, NULL, &coupling));
  FAILS(VTB_E_STALE, vtb_coupling_create(other, &def, &coupling));
  def.joint_b = socket;
  FAILS(VTB_E_UNSUPPORTED, vtb_coupling_create(world, &def, &coupling));
  def.joint_b = a;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &coupling));
  CHECK(coupling.bits == 0);
  def.joint_b = b;
  OK(vtb_joint_set_state(world, b, q, NULL));
  OK(vtb_coupling_create(world, &def, &coupling));
  OK(vtb_world_step(world, 3));
  FAILS(VTB_E_STALE, vtb_coupling_destroy(other, coupling));
  FAILS(VTB_E_ARG, vtb_coupling_destroy(world, zero));
  FAILS(VTB_E_ARG, vtb_coupling_destroy(NULL, coupling));
  OK(vtb_coupling_destroy(world, coupling));
  FAILS(VTB_E_STALE, vtb_coupling_destroy(world, coupling));
  OK(vtb_coupling_create(world, &def, &coupling));
  OK(vtb_joint_destroy(world, a)); /* and the coupling with it */
  FAILS(VTB_E_STALE, vtb_coupling_destroy(world, coupling));
}

void test_joint(void) {
  vtb_world *world = NULL, *other = NULL;
  vtb_body a, b, gone, none = {0};
  vtb_joint hinge, foreign, destroyed, zero = {0};
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  a = add_ball(world, 1);
  b = add_ball(world, 2);
  gone = add_ball(world, 3);
  OK(vtb_body_destroy(world, gone));
  test_creation(world, a, b, gone);
  hinge = join(world, VTB_JOINT_TYPE_REVOLUTE, a, b);
  test_hinge(world, hinge);
  test_others(world);
  test_couplings(world, other);

  foreign = join(other, VTB_JOINT_TYPE_FIXED, none, add_ball(other, 1));
  destroyed = join(world, VTB_JOINT_TYPE_REVOLUTE, none, a);
  OK(vtb_joint_destroy(world, destroyed));
  refuse_handle(VTB_E_STALE, world, destroyed, hinge);
  refuse_handle(VTB_E_STALE, world, foreign, hinge);
  refuse_handle(VTB_E_ARG, world, zero, hinge);
  refuse_handle(VTB_E_ARG, NULL, hinge, hinge);
  OK(vtb_body_destroy(world, b)); /* and the hinge with it */
  refuse_handle(VTB_E_STALE, world, hinge, hinge);
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
