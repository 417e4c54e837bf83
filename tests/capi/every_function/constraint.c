/* User constraints, joints that break, rotors, couplings of many axes. */
#include "tests/capi/every_function/check.h"

typedef struct {
  vtb_body body;
  int32_t calls, spoil;
  vtb_status inside; /* of a call that must be refused there */
} Shelf;

/* Keeps a body at the height 1: a bilateral row on its z. */
static int32_t shelf(void* user, const vtb_world* world, vtb_constraint self, int32_t index, vtb_row* row) {
  Shelf* s = user;
  double pose[7];
  (void)self;
  s->calls++;
  if (index > 0) return 0;
  if (vtb_body_get_pose(world, s->body, pose) != VTB_OK) return 0;
  s->inside = vtb_world_step((vtb_world*)world, 1);
  row->error = pose[2] - 1;
  row->bodies[2] = s->spoil == 1 ? NAN : 1;
  if (s->spoil == 2) row->stiffness = 0; /* and no damping */
  return 1;
}

static void test_written(vtb_world* world, vtb_world* other) {
  vtb_constraint_def def;
  vtb_constraint made = {7}, zero = {0};
  Shelf s = {{0}, 0, 0, VTB_OK};
  double force[2] = {UNTOUCHED, UNTOUCHED}, pose[7];
  size_t total = 0;
  vtb_body bodies[1], stale;
  s.body = bodies[0] = add_ball(world, 1);
  OK(vtb_constraint_def_init(&def, sizeof def));
  CHECK(def.rows == 1 && def.body_count == 0 && !def.evaluate);
  FAILS(VTB_E_ARG, vtb_constraint_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_constraint_def_init(&def, 0));
  def.user = &s;
  FAILS(VTB_E_ARG, vtb_constraint_create(world, &def, &made)); /* no callback */
  def.evaluate = shelf;
  FAILS(VTB_E_ARG, vtb_constraint_create(world, &def, &made)); /* nothing to act on */
  def.body_count = 1;
  FAILS(VTB_E_ARG, vtb_constraint_create(world, &def, &made)); /* bodies is NULL */
  def.bodies = bodies;
  def.rows = 0;
  FAILS(VTB_E_ARG, vtb_constraint_create(world, &def, &made));
  def.rows = 2;
  FAILS(VTB_E_STALE, vtb_constraint_create(other, &def, &made));
  FAILS(VTB_E_ARG, vtb_constraint_create(world, &def, NULL));
  FAILS(VTB_E_ARG, vtb_constraint_create(NULL, &def, &made));
  FAILS(VTB_E_ARG, vtb_constraint_create(world, NULL, &made));
  CHECK(made.bits == 7);
  OK(vtb_constraint_create(world, &def, &made));
  OK(vtb_world_step(world, 10));
  CHECK(s.calls > 0 && s.inside == VTB_E_BUSY);
  OK(vtb_body_get_pose(world, s.body, pose));
  NEAR(pose[2], 1);
  OK(vtb_constraint_get_forces(world, made, force, 2, &total));
  CHECK(total == 2 && force[1] == 0);
  NEAR(force[0], 9.81);
  FAILS(VTB_E_STALE, vtb_constraint_get_forces(other, made, force, 2, &total));
  FAILS(VTB_E_ARG, vtb_constraint_get_forces(world, zero, force, 2, &total));
  FAILS(VTB_E_ARG, vtb_constraint_get_forces(world, made, NULL, 2, &total));
  FAILS(VTB_E_ARG, vtb_constraint_get_forces(world, made, force, 2, NULL));
  s.spoil = 1;
  FAILS(VTB_E_ARG, vtb_world_step(world, 1)); /* and is undone */
  s.spoil = 2;
  FAILS(VTB_E_ARG, vtb_world_step(world, 1));
  s.spoil = 0;
  OK(vtb_world_step(world, 1));
  FAILS(VTB_E_ARG, vtb_constraint_destroy(world, zero));
  FAILS(VTB_E_ARG, vtb_constraint_destroy(NULL, made));
  FAILS(VTB_E_STALE, vtb_constraint_destroy(other, made));
  OK(vtb_constraint_destroy(world, made));
  FAILS(VTB_E_STALE, vtb_constraint_destroy(world, made));
  OK(vtb_constraint_create(world, &def, &made));
  stale = s.body;
  OK(vtb_body_destroy(world, stale)); /* and the constraint with it */
  FAILS(VTB_E_STALE, vtb_constraint_destroy(world, made));
}

static void test_points(vtb_world* world, vtb_world* other) {
  vtb_points_def def;
  vtb_constraint made = {7};
  vtb_body bodies[4] = {{0}, {0}, {0}, {0}};
  const double corners[12] = {0, 0, 7, 0, 0, 0, 1, 0, 7, 0, 1, 7};
  double pose[7], force = UNTOUCHED;
  size_t total;
  bodies[1] = add_ball(world, 5);
  OK(vtb_points_def_init(&def, sizeof def));
  CHECK(def.measure == VTB_POINTS_MEASURE_LENGTH && isinf(def.upper) && isinf(def.stiffness));
  FAILS(VTB_E_ARG, vtb_points_def_init(NULL, sizeof def));
  def.point_count = 2;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made)); /* bodies is NULL */
  def.bodies = bodies;
  def.points = corners;
  def.measure = 2;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made));
  def.measure = VTB_POINTS_MEASURE_VOLUME;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made)); /* takes four */
  def.measure = VTB_POINTS_MEASURE_LENGTH;
  def.lower = 1;
  def.upper = 0;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made));
  def.lower = -INFINITY;
  def.upper = INFINITY;
  def.value = -1;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made));
  def.value = 0;
  def.stiffness = 0;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made)); /* nothing would hold */
  def.stiffness = INFINITY;
  FAILS(VTB_E_STALE, vtb_constraint_create_points(other, &def, &made));
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, NULL, &made));
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, NULL));
  CHECK(made.bits == 7);
  OK(vtb_constraint_create_points(world, &def, &made)); /* a rope to (0, 0, 7), pulled straight by the weight */
  OK(vtb_world_step(world, 10));
  OK(vtb_body_get_pose(world, bodies[1], pose));
  NEAR(pose[2], 5);
  OK(vtb_constraint_get_forces(world, made, &force, 1, &total));
  NEAR(force, -9.81);
  def.measure = VTB_POINTS_MEASURE_VOLUME;
  def.point_count = 4;
  OK(vtb_constraint_create_points(world, &def, &made));
  OK(vtb_world_step(world, 10));
  bodies[1].bits = 0;
  FAILS(VTB_E_ARG, vtb_constraint_create_points(world, &def, &made)); /* nothing could move */
}

static vtb_joint rotor(vtb_world* world, double inertia) {
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

static void test_rotors(vtb_world* world, vtb_world* other) {
  vtb_joint in = rotor(world, 0.1), left = rotor(world, 1), right = rotor(world, 3);
  vtb_coupling_term terms[3] = {{in, 0, 0, -1}, {left, 0, 0, 0.5}, {right, 0, 0, 0.5}};
  vtb_coupling_def def;
  vtb_coupling made = {7}, zero = {0};
  vtb_motor_def motor;
  double v, w, force = UNTOUCHED;
  size_t bodies = 99;
  OK(vtb_world_get_bodies(world, NULL, 0, &bodies));
  CHECK(bodies == 0); /* the body that carries a rotor is not listed */
  OK(vtb_coupling_def_init(&def, sizeof def));
  CHECK(isinf(def.stiffness) && isinf(def.max_force));
  def.term_count = 3;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &made)); /* terms is NULL */
  def.terms = terms;
  def.joint_a = in;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &made)); /* both forms */
  def.joint_a.bits = 0;
  terms[1].axis = 1;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &made));
  terms[1].axis = 0;
  def.level = 2;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &made));
  def.level = VTB_ROW_LEVEL_VELOCITY;
  def.stiffness = 5;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &made)); /* of a rate only damping can hold anything */
  def.level = VTB_ROW_LEVEL_POSITION;
  def.stiffness = 0;
  FAILS(VTB_E_ARG, vtb_coupling_create(world, &def, &made));
  def.level = VTB_ROW_LEVEL_VELOCITY;
  def.stiffness = INFINITY;
  OK(vtb_coupling_create(world, &def, &made));
  OK(vtb_motor_def_init(&motor, sizeof motor));
  motor.mode = VTB_MOTOR_MODE_TORQUE;
  motor.force = 2;
  OK(vtb_joint_set_motor(world, in, 0, &motor));
  OK(vtb_world_step(world, 100));
  OK(vtb_joint_get_state(world, left, NULL, &v));
  OK(vtb_joint_get_state(world, right, NULL, &w));
  NEAR(v, 3 * w); /* the same torque on both */
  OK(vtb_coupling_get_force(world, made, &force));
  CHECK(force > 0);
  FAILS(VTB_E_ARG, vtb_coupling_get_force(world, made, NULL));
  FAILS(VTB_E_ARG, vtb_coupling_get_force(world, zero, &force));
  FAILS(VTB_E_STALE, vtb_coupling_get_force(other, made, &force));
  terms[1].coefficient = 0.25;
  OK(vtb_coupling_set(world, made, &def));
  OK(vtb_world_step(world, 1));
  def.term_count = 2;
  FAILS(VTB_E_ARG, vtb_coupling_set(world, made, &def)); /* other joints */
  FAILS(VTB_E_ARG, vtb_coupling_set(world, made, NULL));
  FAILS(VTB_E_ARG, vtb_coupling_set(world, zero, &def));
}

static void test_breaking(vtb_world* world, vtb_world* other) {
  vtb_joint_def def;
  vtb_joint weak = {0}, zero = {0};
  vtb_joint_event event;
  vtb_body body = add_ball(world, 1), none = {0};
  int32_t broken = 9;
  size_t total = 9;
  double down[3] = {0, 0, -100};
  OK(vtb_joint_def_init(&def, sizeof def));
  CHECK(isinf(def.breaking.force) && isinf(def.soft.stiffness));
  def.type = VTB_JOINT_TYPE_FIXED;
  def.body_a = none;
  def.body_b = body;
  def.as_they_stand = 1;
  def.breaking.force = -1;
  FAILS(VTB_E_ARG, vtb_joint_create(world, &def, &weak));
  def.breaking.force = 50;
  def.soft.stiffness = def.soft.angular_stiffness = 0;
  FAILS(VTB_E_ARG, vtb_joint_create(world, &def, &weak)); /* nothing would hold it */
  def.soft.stiffness = def.soft.angular_stiffness = INFINITY;
  OK(vtb_joint_create(world, &def, &weak));
  OK(vtb_world_step(world, 2));
  OK(vtb_joint_get_broken(world, weak, &broken));
  CHECK(broken == 0);
  OK(vtb_world_get_joint_events(world, NULL, 0, 0, &total));
  CHECK(total == 0);
  OK(vtb_body_add_force(world, body, down, NULL, VTB_DURATION_UNTIL_CLEARED));
  OK(vtb_world_step(world, 1));
  OK(vtb_joint_get_broken(world, weak, &broken));
  CHECK(broken == 1);
  OK(vtb_world_get_joint_events(world, &event, 1, 0, &total));
  CHECK(total == 1 && event.joint.bits == weak.bits && event.force > 50);
  FAILS(VTB_E_ARG, vtb_world_get_joint_events(world, NULL, 1, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_get_joint_events(NULL, &event, 1, 0, &total));
  FAILS(VTB_E_ARG, vtb_joint_get_broken(world, weak, NULL));
  FAILS(VTB_E_ARG, vtb_joint_get_broken(world, zero, &broken));
  FAILS(VTB_E_STALE, vtb_joint_get_broken(other, weak, &broken));
}

static void test_kinds(vtb_world* world) {
  const int32_t kinds[] = {VTB_JOINT_TYPE_DISTANCE,       VTB_JOINT_TYPE_POINT_ON_LINE, VTB_JOINT_TYPE_POINT_ON_PLANE,
                           VTB_JOINT_TYPE_POINT_ON_CURVE, VTB_JOINT_TYPE_CYLINDRICAL,   VTB_JOINT_TYPE_SCREW,
                           VTB_JOINT_TYPE_WHEEL};
  const double points[] = {0, 0, 0, 1, 0, 0, 2, 1, 0};
  double q[7];
  size_t i;
  for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    vtb_joint_def def;
    vtb_joint made = {0};
    OK(vtb_joint_def_init(&def, sizeof def));
    def.type = kinds[i];
    def.body_b = add_ball(world, 2);
    def.pitch = 0.1;
    if (kinds[i] == VTB_JOINT_TYPE_POINT_ON_CURVE) {
      FAILS(VTB_E_ARG, vtb_joint_create(world, &def, &made));
      def.curve.points = points;
      def.curve.point_count = 3;
      def.curve.flags = 8;
      FAILS(VTB_E_ARG, vtb_joint_create(world, &def, &made));
      def.curve.flags = VTB_CURVE_FLAG_SPLINE;
    }
    OK(vtb_joint_create(world, &def, &made));
    OK(vtb_joint_get_state(world, made, q, NULL));
    OK(vtb_world_step(world, 3));
  }
}

void test_constraint(void) {
  vtb_world *world = NULL, *other = NULL;
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  test_rotors(world, other);
  test_written(world, other);
  test_breaking(world, other);
  test_points(world, other);
  test_kinds(world);
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
