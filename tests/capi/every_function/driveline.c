/* Parts of drivelines: an engine turns a shaft through a gearbox. */
#include "tests/capi/every_function/check.h"

static vtb_joint shaft(vtb_world* world, double inertia) {
  vtb_joint_def def;
  vtb_axis_def axis;
  vtb_joint made = {0};
  OK(vtb_joint_def_init(&def, sizeof def));
  def.type = VTB_JOINT_TYPE_ROTOR;
  OK(vtb_joint_create(world, &def, &made));
  OK(vtb_axis_def_init(&axis, sizeof axis));
  axis.armature = inertia;
  OK(vtb_joint_set_axis(world, made, 0, &axis));
  return made;
}

static void test_engine(vtb_world* world, vtb_world* other) {
  const double speeds[2] = {0, 100}, throttles[2] = {0, 1}, torques[4] = {0, 0, 50, 50};
  vtb_joint crank = shaft(world, 2);
  vtb_coupling_term axis = {{0}, 0, 0, 1};
  vtb_driveline_def def;
  vtb_driveline_input input = {sizeof input, 0, UNTOUCHED, 0, 0, 0, 0};
  vtb_driveline_state state = {0};
  vtb_constraint made = {7}, zero = {0};
  double v;
  axis.joint = crank;
  state.struct_size = sizeof state;
  OK(vtb_driveline_def_init(&def, sizeof def));
  CHECK(def.type == VTB_DRIVELINE_TYPE_ENGINE && def.efficiency == 1 && isinf(def.max_torque) && isinf(def.pressure) && def.split == 0.5);
  FAILS(VTB_E_ARG, vtb_driveline_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, &made)); /* no axis */
  def.axis_count = 1;
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, &made)); /* axes is NULL */
  def.axes = &axis;
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, &made)); /* no map */
  def.speed_count = def.throttle_count = 2;
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, &made)); /* speeds is NULL */
  def.speeds = speeds;
  def.throttles = throttles;
  def.torques = torques;
  def.fuel = 1e-7;
  FAILS(VTB_E_STALE, vtb_driveline_create(other, &def, &made));
  FAILS(VTB_E_ARG, vtb_driveline_create(NULL, &def, &made));
  FAILS(VTB_E_ARG, vtb_driveline_create(world, NULL, &made));
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, NULL));
  def.type = 6;
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, &made));
  def.type = VTB_DRIVELINE_TYPE_ENGINE;
  def.efficiency = 1.1;
  FAILS(VTB_E_ARG, vtb_driveline_create(world, &def, &made));
  def.efficiency = 1;
  CHECK(made.bits == 7);
  OK(vtb_driveline_create(world, &def, &made));
  OK(vtb_driveline_get_input(world, made, &input));
  CHECK(input.throttle == 0 && input.clutch == 1);
  input.throttle = 1;
  OK(vtb_driveline_set_input(world, made, &input));
  OK(vtb_world_step(world, 240));
  OK(vtb_joint_get_state(world, crank, NULL, &v));
  CHECK(fabs(v - 25) < 1e-3);
  OK(vtb_driveline_get_state(world, made, &state));
  CHECK(fabs(state.torque[0] - 50) < 1e-3 && state.throttle == 1 && fabs(state.fuel - 1e-7 * v * v) < 1e-9);
  input.throttle = 2;
  FAILS(VTB_E_ARG, vtb_driveline_set_input(world, made, &input));
  FAILS(VTB_E_ARG, vtb_driveline_set_input(world, made, NULL));
  FAILS(VTB_E_STALE, vtb_driveline_set_input(other, made, &input));
  FAILS(VTB_E_ARG, vtb_driveline_get_input(world, made, NULL));
  FAILS(VTB_E_ARG, vtb_driveline_get_input(world, zero, &input));
  state.struct_size = 0;
  FAILS(VTB_E_ARG, vtb_driveline_get_state(world, made, &state));
  FAILS(VTB_E_STALE, vtb_driveline_get_state(other, made, &state));
  OK(vtb_joint_destroy(world, crank)); /* and the engine with it */
  FAILS(VTB_E_STALE, vtb_driveline_get_input(world, made, &input));
}

static void test_gearbox(vtb_world* world) {
  const double ratios[3] = {-3, 0, 2};
  vtb_joint in = shaft(world, 1), out = shaft(world, 1);
  vtb_coupling_term axes[2] = {{{0}, 0, 0, 1}, {{0}, 0, 0, 1}};
  vtb_driveline_def def;
  vtb_driveline_input input = {0};
  vtb_driveline_state state = {0};
  vtb_motor_def motor;
  vtb_constraint made = {0};
  double forces[3], v, w;
  size_t total = 0;
  axes[0].joint = in;
  axes[1].joint = out;
  input.struct_size = sizeof input;
  state.struct_size = sizeof state;
  OK(vtb_driveline_def_init(&def, sizeof def));
  def.type = VTB_DRIVELINE_TYPE_GEARBOX;
  def.axes = axes;
  def.axis_count = 2;
  def.ratios = ratios;
  def.ratio_count = 3;
  OK(vtb_driveline_create(world, &def, &made));
  OK(vtb_driveline_get_input(world, made, &input));
  CHECK(input.gear == 1);
  OK(vtb_motor_def_init(&motor, sizeof motor));
  motor.mode = VTB_MOTOR_MODE_TORQUE;
  motor.force = 6;
  OK(vtb_joint_set_motor(world, in, 0, &motor));
  input.gear = 0;
  OK(vtb_driveline_set_input(world, made, &input));
  OK(vtb_world_step(world, 24));
  OK(vtb_joint_get_state(world, in, NULL, &v));
  OK(vtb_joint_get_state(world, out, NULL, &w));
  NEAR(v, -3 * w);
  OK(vtb_driveline_get_state(world, made, &state));
  CHECK(state.ratio == -3 && fabs(state.torque[1] + 1.8) < 1e-6); /* 6 N m on 1 + 1/9 kg m^2 */
  OK(vtb_constraint_get_forces(world, made, forces, 3, &total));
  CHECK(total == 3);
  input.gear = 3;
  FAILS(VTB_E_ARG, vtb_driveline_set_input(world, made, &input));
  OK(vtb_constraint_destroy(world, made));
}

static int32_t none(void* user, const vtb_world* world, vtb_constraint self, int32_t index, vtb_row* row) {
  (void)user, (void)world, (void)self, (void)index, (void)row;
  return 0;
}

void test_driveline(void) {
  vtb_world *world = NULL, *other = NULL;
  vtb_constraint_def def;
  vtb_constraint plain = {0};
  vtb_body body;
  vtb_driveline_input input = {0};
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  test_engine(world, other);
  test_gearbox(world);
  body = add_ball(world, 1);
  OK(vtb_constraint_def_init(&def, sizeof def));
  def.bodies = &body;
  def.body_count = 1;
  def.evaluate = none;
  OK(vtb_constraint_create(world, &def, &plain));
  input.struct_size = sizeof input;
  FAILS(VTB_E_ARG, vtb_driveline_get_input(world, plain, &input)); /* no part of a driveline */
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
