/* Bodies: good and bad arguments of every function; stale, foreign and zero handles. */
#include "tests/capi/every_function/check.h"

static const double identity[7] = {0, 0, 0, 0, 0, 0, 1}, nan7[7] = {0, NAN, 0, 0, 0, 0, 1}, unnormed[7] = {0, 0, 0, 0, 0, 0, 0.9};
static const double push[3] = {1, 2, 3}, nan3[3] = {0, 0, NAN}, still[6] = {0, 0, 0, 0, 0, 0}, nan6[6] = {0, 0, 0, 0, INFINITY, 0};

static void test_creation(vtb_world* world) {
  vtb_body_def def;
  vtb_body body = {0};
  OK(vtb_body_def_init(&def, sizeof def));
  CHECK(def.step == 0 && def.integrator == -1);
  CHECK(def.kind == VTB_BODY_KIND_DYNAMIC && def.mass == 1 && def.pose[6] == 1 && def.inertia[0] == 0.01 && def.gravity_scale == 1);
  FAILS(VTB_E_ARG, vtb_body_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_body_def_init(&def, 1));
  FAILS(VTB_E_ARG, vtb_body_create(NULL, &def, &body));
  FAILS(VTB_E_ARG, vtb_body_create(world, NULL, &body));
#define REFUSED(change)                    \
  OK(vtb_body_def_init(&def, sizeof def)); \
  change;                                  \
  FAILS(VTB_E_ARG, vtb_body_create(world, &def, &body))
  REFUSED(def.struct_size = 0);
  REFUSED(def.kind = 3);
  REFUSED(def.pose[0] = NAN);
  REFUSED(def.pose[6] = 0);
  REFUSED(def.twist[5] = INFINITY);
  REFUSED(def.mass = 0);
  REFUSED(def.mass = -1);
  REFUSED(def.mass = NAN);
  REFUSED(def.com[0] = NAN);
  REFUSED(def.inertia[0] = -1);
  REFUSED(def.inertia[1] = 1);
  REFUSED(def.gravity_scale = NAN);
  REFUSED(def.disabled = 2);
  REFUSED(def.disabled = -1);
  REFUSED(def.step = -1);
  REFUSED(def.step = INFINITY);
  REFUSED(def.integrator = VTB_INTEGRATOR_DORMAND_PRINCE + 1);
  REFUSED(def.integrator = (vtb_integrator)-2);
#undef REFUSED
  CHECK(body.bits == 0);
  OK(vtb_body_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_body_create(world, &def, NULL));
  def.kind = VTB_BODY_KIND_KINEMATIC;
  OK(vtb_body_create(world, &def, &body));
  OK(vtb_body_destroy(world, body));
}

static void test_integration(vtb_world* world, vtb_body body) {
  double step = -1;
  int32_t integrator = 7;
  vtb_world_def settings;
  OK(vtb_body_set_integration(world, body, 1e-3, -1));
  OK(vtb_body_get_integration(world, body, &step, &integrator));
  CHECK(step == 1e-3 && integrator == -1);
  OK(vtb_body_get_integration(world, body, NULL, NULL));
  FAILS(VTB_E_ARG, vtb_body_set_integration(world, body, -1e-3, -1));
  FAILS(VTB_E_ARG, vtb_body_set_integration(world, body, NAN, -1));
  FAILS(VTB_E_ARG, vtb_body_set_integration(world, body, 0, -2));
  FAILS(VTB_E_UNSUPPORTED, vtb_body_set_integration(world, body, 0, VTB_INTEGRATOR_RK4));
  FAILS(VTB_E_ARG, vtb_body_set_integration(NULL, body, 1e-3, -1));
  FAILS(VTB_E_ARG, vtb_body_get_integration(NULL, body, &step, &integrator));
  settings.struct_size = sizeof settings;
  OK(vtb_world_get_settings(world, &settings));
  settings.stepper = VTB_STEPPER_VARIATIONAL;
  FAILS(VTB_E_UNSUPPORTED, vtb_world_set_settings(world, &settings));
  OK(vtb_body_set_integration(world, body, 0, -1));
}

static void test_state(vtb_world* world, vtb_body body) {
  double pose[7] = {1, 2, 3, 0, 0, 0, 1.0004}, back[7], twist[6] = {1, 0, 0, 0, 0, 2}, residual[2] = {9, 9};
  OK(vtb_body_set_pose(world, body, pose, residual));
  CHECK(residual[0] == 0 && residual[1] < 1e-9);
  OK(vtb_body_get_pose(world, body, back));
  CHECK(back[0] == 1 && back[2] == 3 && back[6] == 1);
  OK(vtb_body_set_twist(world, body, twist, NULL));
  OK(vtb_body_get_twist(world, body, back));
  NEAR(back[0], 1);
  NEAR(back[5], 2);
  OK(vtb_world_step(world, 2));
  OK(vtb_body_get_acceleration(world, body, back));
  CHECK(fabs(back[2] + 9.81) < 1e-6);
  FAILS(VTB_E_ARG, vtb_body_get_pose(world, body, NULL));
  FAILS(VTB_E_ARG, vtb_body_set_pose(world, body, NULL, residual));
  FAILS(VTB_E_ARG, vtb_body_set_pose(world, body, nan7, residual));
  FAILS(VTB_E_ARG, vtb_body_set_pose(world, body, unnormed, residual));
  FAILS(VTB_E_ARG, vtb_body_get_twist(world, body, NULL));
  FAILS(VTB_E_ARG, vtb_body_set_twist(world, body, nan6, residual));
  FAILS(VTB_E_ARG, vtb_body_get_acceleration(world, body, NULL));
}

static void test_kinds(vtb_world* world, vtb_body body) {
  double target[7] = {0, 0, 5, 0, 0, 0, 1}, back[7];
  int32_t value = -7;
  vtb_body_kind kind = VTB_BODY_KIND_STATIC;
  OK(vtb_body_get_kind(world, body, &kind));
  CHECK(kind == VTB_BODY_KIND_DYNAMIC);
  FAILS(VTB_E_UNSUPPORTED, vtb_body_move_to(world, body, target, 0.1));
  OK(vtb_body_set_kind(world, body, VTB_BODY_KIND_KINEMATIC));
  OK(vtb_body_move_to(world, body, target, 0.1));
  OK(vtb_world_step(world, 30));
  OK(vtb_body_get_pose(world, body, back));
  NEAR(back[2], 5);
  FAILS(VTB_E_ARG, vtb_body_move_to(world, body, target, 0));
  FAILS(VTB_E_ARG, vtb_body_move_to(world, body, target, NAN));
  FAILS(VTB_E_ARG, vtb_body_move_to(world, body, nan7, 1));
  OK(vtb_body_set_kind(world, body, VTB_BODY_KIND_DYNAMIC));
  FAILS(VTB_E_ARG, vtb_body_set_kind(world, body, 3));
  FAILS(VTB_E_ARG, vtb_body_get_kind(world, body, NULL));
  OK(vtb_body_set_enabled(world, body, 0));
  OK(vtb_body_get_enabled(world, body, &value));
  CHECK(value == 0);
  OK(vtb_world_step(world, 10));
  OK(vtb_body_get_pose(world, body, back));
  NEAR(back[2], 5);
  OK(vtb_body_set_enabled(world, body, 1));
  FAILS(VTB_E_ARG, vtb_body_set_enabled(world, body, 7));
  FAILS(VTB_E_ARG, vtb_body_get_enabled(world, body, NULL));
  OK(vtb_body_get_awake(world, body, &value));
  CHECK(value == 1);
  FAILS(VTB_E_ARG, vtb_body_get_awake(world, body, NULL));
  OK(vtb_body_wake(world, body));
}

static void test_mass(vtb_world* world, vtb_body body) {
  double mass = 0, com[3], inertia[6];
  const double c[3] = {0, 0, 0.1}, good[6] = {1, 0, 0, 1, 0, 1}, bad[6] = {1, 2, 0, 1, 0, 1};
  OK(vtb_body_set_mass(world, body, 2, c, good));
  OK(vtb_body_get_mass(world, body, &mass, com, inertia));
  CHECK(mass == 2 && com[2] == 0.1 && inertia[0] == 1);
  FAILS(VTB_E_ARG, vtb_body_set_mass(world, body, 0, c, good));
  FAILS(VTB_E_ARG, vtb_body_set_mass(world, body, NAN, c, good));
  FAILS(VTB_E_ARG, vtb_body_set_mass(world, body, 1, nan3, good));
  FAILS(VTB_E_ARG, vtb_body_set_mass(world, body, 1, c, bad));
  FAILS(VTB_E_ARG, vtb_body_set_mass(world, body, 1, NULL, good));
  FAILS(VTB_E_ARG, vtb_body_get_mass(world, body, &mass, com, NULL));
  OK(vtb_body_set_mass_from_shapes(world, body, 1000, 0));
  OK(vtb_body_get_mass(world, body, &mass, com, inertia));
  CHECK(fabs(mass - 4.18879) < 1e-4);
  OK(vtb_body_set_mass_from_shapes(world, body, 0, 3));
  OK(vtb_body_get_mass(world, body, &mass, com, inertia));
  NEAR(mass, 3);
  NEAR(inertia[0], 0.4 * 3 * 0.01);
  FAILS(VTB_E_ARG, vtb_body_set_mass_from_shapes(world, body, 0, 0));
  FAILS(VTB_E_ARG, vtb_body_set_mass_from_shapes(world, body, -1, 0));
  FAILS(VTB_E_ARG, vtb_body_set_mass_from_shapes(world, body, 0, NAN));
}

static void test_forces(vtb_world* world, vtb_body body) {
  double force[3], torque[3];
  OK(vtb_body_clear_forces(world, body));
  OK(vtb_body_add_force(world, body, push, NULL, VTB_DURATION_UNTIL_CLEARED));
  OK(vtb_body_add_force(world, body, push, push, VTB_DURATION_ONE_STEP));
  OK(vtb_body_add_torque(world, body, push, VTB_DURATION_UNTIL_CLEARED));
  OK(vtb_body_get_forces(world, body, force, torque));
  NEAR(force[1], 4);
  OK(vtb_world_step(world, 1));
  OK(vtb_body_get_forces(world, body, force, torque));
  NEAR(force[1], 2);
  NEAR(torque[1], 2);
  OK(vtb_body_add_impulse(world, body, push, push));
  OK(vtb_body_add_impulse(world, body, push, NULL));
  OK(vtb_body_clear_forces(world, body));
  OK(vtb_body_get_forces(world, body, force, torque));
  CHECK(force[1] == 0 && torque[1] == 0);
  FAILS(VTB_E_ARG, vtb_body_add_force(world, body, NULL, NULL, 0));
  FAILS(VTB_E_ARG, vtb_body_add_force(world, body, push, nan3, 0));
  FAILS(VTB_E_ARG, vtb_body_add_force(world, body, push, NULL, 2));
  FAILS(VTB_E_ARG, vtb_body_add_torque(world, body, nan3, 0));
  FAILS(VTB_E_ARG, vtb_body_add_torque(world, body, push, -1));
  FAILS(VTB_E_ARG, vtb_body_add_impulse(world, body, nan3, NULL));
  FAILS(VTB_E_ARG, vtb_body_get_forces(world, body, NULL, torque));
  OK(vtb_body_get_energy(world, body, &force[0], &force[1]));
  CHECK(force[0] > 0);
  OK(vtb_body_get_energy(world, body, NULL, NULL));
  OK(vtb_body_get_momentum(world, body, push, force, torque));
  CHECK(force[2] < 0);
  FAILS(VTB_E_ARG, vtb_body_get_momentum(world, body, nan3, force, NULL));
}

/* No function may take this handle; each answers the status. */
static void refuse_handle(vtb_status status, vtb_world* world, vtb_body body) {
  double numbers[7] = {UNTOUCHED, 0, 0, 0, 0, 0, 1}, com[3], inertia[6];
  int32_t value;
  vtb_body_kind kind;
  FAILS(status, vtb_body_destroy(world, body));
  FAILS(status, vtb_body_get_pose(world, body, numbers));
  FAILS(status, vtb_body_set_pose(world, body, identity, NULL));
  FAILS(status, vtb_body_get_twist(world, body, numbers));
  FAILS(status, vtb_body_set_twist(world, body, still, NULL));
  FAILS(status, vtb_body_get_acceleration(world, body, numbers));
  FAILS(status, vtb_body_move_to(world, body, identity, 1));
  FAILS(status, vtb_body_get_kind(world, body, &kind));
  FAILS(status, vtb_body_set_kind(world, body, VTB_BODY_KIND_STATIC));
  FAILS(status, vtb_body_get_enabled(world, body, &value));
  FAILS(status, vtb_body_set_enabled(world, body, 1));
  FAILS(status, vtb_body_get_awake(world, body, &value));
  FAILS(status, vtb_body_wake(world, body));
  FAILS(status, vtb_body_get_mass(world, body, numbers, com, inertia));
  FAILS(status, vtb_body_set_mass(world, body, 1, push, numbers));
  FAILS(status, vtb_body_set_mass_from_shapes(world, body, 1, 0));
  FAILS(status, vtb_body_set_integration(world, body, 1e-3, -1));
  FAILS(status, vtb_body_get_integration(world, body, com, &value));
  FAILS(status, vtb_body_add_force(world, body, push, NULL, 0));
  FAILS(status, vtb_body_add_torque(world, body, push, 0));
  FAILS(status, vtb_body_add_impulse(world, body, push, NULL));
  FAILS(status, vtb_body_clear_forces(world, body));
  FAILS(status, vtb_body_get_forces(world, body, numbers, com));
  FAILS(status, vtb_body_get_energy(world, body, numbers, com));
  FAILS(status, vtb_body_get_momentum(world, body, NULL, numbers, com));
  CHECK(numbers[0] == UNTOUCHED);
}

void test_body(void) {
  vtb_world *world = NULL, *other = NULL;
  vtb_body body, gone, foreign, forged, none = {0};
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  test_creation(world);
  body = add_ball(world, 1);
  test_integration(world, body);
  test_state(world, body);
  test_kinds(world, body);
  test_mass(world, body);
  test_forces(world, body);

  gone = add_ball(world, 1);
  OK(vtb_body_destroy(world, gone));
  foreign = add_ball(other, 1);
  forged.bits = body.bits + 1000;
  refuse_handle(VTB_E_STALE, world, gone);
  refuse_handle(VTB_E_STALE, world, foreign);
  refuse_handle(VTB_E_STALE, world, forged);
  refuse_handle(VTB_E_ARG, world, none);
  refuse_handle(VTB_E_ARG, NULL, body);
  add_ball(world, 1); /* the slot lives again, the old handle does not */
  refuse_handle(VTB_E_STALE, world, gone);
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
