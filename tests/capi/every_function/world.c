/* Worlds as a whole: settings, stepping, callbacks, statistics, snapshots. */
#include <stdlib.h>

#include "tests/capi/every_function/check.h"

vtb_body add_ball(vtb_world* world, double height) { /* 1 kg, radius 0.1 m, above the origin */
  vtb_body body = {0};
  vtb_body_def def;
  vtb_shape shape;
  vtb_shape_def ball;
  OK(vtb_body_def_init(&def, sizeof def));
  def.pose[2] = height;
  def.inertia[0] = def.inertia[3] = def.inertia[5] = 0.004;
  OK(vtb_body_create(world, &def, &body));
  OK(vtb_shape_def_init(&ball, sizeof ball));
  ball.size[0] = 0.1;
  OK(vtb_shape_create(world, body, &ball, &shape));
  return body;
}

vtb_shape add_ground(vtb_world* world) { /* the world's own plane, z = 0 */
  vtb_shape shape = {0};
  vtb_shape_def plane;
  const vtb_body none = {0};
  OK(vtb_shape_def_init(&plane, sizeof plane));
  plane.type = VTB_SHAPE_TYPE_PLANE;
  OK(vtb_shape_create(world, none, &plane, &shape));
  return shape;
}

static void test_creation(void) {
  vtb_world* world = NULL;
  vtb_world_def def, back;
  OK(vtb_world_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_world_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_world_def_init(&def, 0));
  CHECK(def.gravity[2] == -9.81 && def.time_step == 1.0 / 240 && def.substeps == 1 && def.joint.tree_solver == VTB_TREE_SOLVER_ARTICULATED);
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(NULL));
  world = NULL;
  FAILS(VTB_E_ARG, vtb_world_create(&def, NULL));
#define REFUSED(change)                     \
  OK(vtb_world_def_init(&def, sizeof def)); \
  change;                                   \
  FAILS(VTB_E_ARG, vtb_world_create(&def, &world))
  REFUSED(def.struct_size = 0);
  REFUSED(def.struct_size = 7);
  REFUSED(def.struct_size = 0xcdcdcdcd);
  REFUSED(def.flags = 0x80000000u);
  REFUSED(def.gravity[1] = NAN);
  REFUSED(def.time_step = 0);
  REFUSED(def.time_step = -1);
  REFUSED(def.time_step = NAN);
  REFUSED(def.substeps = 0);
  REFUSED(def.joint.tree_solver = 3);
  REFUSED(def.solver.type = -1);
  REFUSED(def.solver.type = 5);
  REFUSED(def.contact.friction_law = 6);
  REFUSED(def.ode.integrator = 6);
  REFUSED(def.ode.control = VTB_STEP_CONTROL_TAYLOR);
  REFUSED(def.ode.control = VTB_STEP_CONTROL_EMBEDDED);
  REFUSED(def.ode.tolerance = 0);
  REFUSED(def.ode.smallest_step = -1);
  REFUSED(def.ode.rollback_depth = -1);
  REFUSED(def.contact.restitution_law = 2);
  REFUSED(def.adaptive.substeps = 0);
  REFUSED(def.adaptive.depth = -1);
  REFUSED(def.adaptive.time_budget = NAN);
  REFUSED(def.displacement.regularisation = -1);
  REFUSED(def.displacement.warm_start = 1.5);
  REFUSED(def.ode.integrator = VTB_INTEGRATOR_WORLD);
  REFUSED(def.stepper = 5);
  REFUSED(def.joint.stabilisation = 3);
  REFUSED(def.joint.baumgarte = -1);
  REFUSED(def.spook.relaxation = NAN);
  REFUSED(def.solver.relaxation = 2);
  REFUSED(def.solver.relaxation = 0);
  REFUSED(def.solver.order = 4);
  REFUSED(def.solver.whole_contacts = 2);
  REFUSED(def.solver.accelerate = -1);
  REFUSED(def.solver.friction_directions = 2);
  REFUSED(def.solver.iterations = 0);
  REFUSED(def.contact.margin = -1);
  REFUSED(def.contact.correction = 2);
  REFUSED(def.max.speed = 0);
  REFUSED(def.sleep.time = NAN);
  REFUSED(def.adaptive.halvings = -1);
#undef REFUSED
  CHECK(world == NULL);

  OK(vtb_world_def_init(&def, sizeof def));
  OK(vtb_world_create(&def, &world));
  back.struct_size = sizeof back;
  OK(vtb_world_get_settings(world, &back));
  FAILS(VTB_E_ARG, vtb_world_get_settings(NULL, &back));
  back.struct_size = 1;
  FAILS(VTB_E_ARG, vtb_world_get_settings(world, &back));
  def.gravity[2] = -1;
  def.substeps = 3;
  OK(vtb_world_set_settings(world, &def));
  back.struct_size = sizeof back;
  OK(vtb_world_get_settings(world, &back));
  CHECK(back.gravity[2] == -1 && back.substeps == 3);
  def.time_step = NAN;
  FAILS(VTB_E_ARG, vtb_world_set_settings(world, &def));
  FAILS(VTB_E_ARG, vtb_world_set_settings(world, NULL));
  FAILS(VTB_E_ARG, vtb_world_set_settings(NULL, &def));
  OK(vtb_world_destroy(world));
}

static void test_stepping(void) {
  vtb_world* world = NULL;
  vtb_world_stats stats;
  vtb_energy energy;
  double seconds, linear[3], angular[3];
  uint64_t hash, later;
  vtb_world_def def;
  OK(vtb_world_def_init(&def, sizeof def));
  def.flags = VTB_WORLD_FLAG_ENERGY_ACCOUNT | VTB_WORLD_FLAG_STAGE_TIMES | VTB_WORLD_FLAG_CONTACT_POSITIONS;
  OK(vtb_world_create(&def, &world));
  OK(vtb_world_get_settings(world, &def));
  CHECK(def.flags == (VTB_WORLD_FLAG_ENERGY_ACCOUNT | VTB_WORLD_FLAG_STAGE_TIMES | VTB_WORLD_FLAG_CONTACT_POSITIONS));
  add_ground(world);
  add_ball(world, 1);
  stats.struct_size = sizeof stats;
  energy.struct_size = sizeof energy;

  OK(vtb_world_reserve(world, 100));
  FAILS(VTB_E_ARG, vtb_world_reserve(world, -1));
  FAILS(VTB_E_ARG, vtb_world_reserve(NULL, 100));
  OK(vtb_world_get_hash(world, &hash));
  OK(vtb_world_step(world, 24));
  OK(vtb_world_step(world, 0));
  FAILS(VTB_E_ARG, vtb_world_step(NULL, 1));
  OK(vtb_world_get_time(world, &seconds));
  CHECK(fabs(seconds - 0.1) < 1e-12);
  FAILS(VTB_E_ARG, vtb_world_get_time(world, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_time(NULL, &seconds));
  OK(vtb_world_get_hash(world, &later));
  CHECK(later != hash);
  FAILS(VTB_E_ARG, vtb_world_get_hash(world, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_hash(NULL, &hash));

  OK(vtb_world_get_stats(world, &stats));
  CHECK(stats.bodies == 1);
  CHECK(stats.stage_seconds[VTB_STAGE_MOVE] >= 0 && stats.stage_seconds[VTB_STAGE_PARTICLES] >= 0);
  OK(vtb_world_get_energy(world, &energy));
  CHECK(fabs(energy.kinetic + energy.potential - 9.81) < 1e-6);
  OK(vtb_world_get_momentum(world, linear, angular));
  CHECK(fabs(linear[2] + 0.981) < 1e-9);
  OK(vtb_world_wake_all(world));
  FAILS(VTB_E_ARG, vtb_world_wake_all(NULL));
  FAILS(VTB_E_ARG, vtb_world_get_stats(world, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_stats(NULL, &stats));
  FAILS(VTB_E_ARG, vtb_world_get_momentum(world, linear, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_momentum(NULL, linear, angular));
  energy.struct_size = 0;
  FAILS(VTB_E_ARG, vtb_world_get_energy(world, &energy));
  FAILS(VTB_E_ARG, vtb_world_get_energy(NULL, &energy));
  OK(vtb_world_destroy(world));
}

static void test_bulk(void) {
  vtb_world* world = NULL;
  vtb_body handles[3], first;
  double rows[3 * 9];
  size_t total = 0;
  int i;
  OK(vtb_world_create(NULL, &world));
  first = add_ball(world, 1);
  add_ball(world, 2);
  add_ball(world, 3);
  OK(vtb_world_get_bodies(world, handles, 3, &total));
  CHECK(total == 3 && handles[0].bits == first.bits);
  OK(vtb_world_get_bodies(world, NULL, 0, &total));
  CHECK(total == 3);
  OK(vtb_world_get_poses(world, rows, 3, 0, &total));
  for (i = 0; i < 3; i++) CHECK(rows[7 * i + 2] == i + 1.0 && rows[7 * i + 6] == 1);
  for (i = 0; i < 27; i++) rows[i] = UNTOUCHED;
  OK(vtb_world_get_poses(world, rows, 2, 9 * sizeof(double), &total));
  CHECK(total == 3 && rows[9 + 2] == 2 && rows[7] == UNTOUCHED && rows[8] == UNTOUCHED && rows[18] == UNTOUCHED);
  OK(vtb_world_step(world, 1));
  OK(vtb_world_get_twists(world, rows, 3, 0, &total));
  CHECK(total == 3 && rows[2] < 0 && rows[8] < 0 && rows[3] == 0);
  FAILS(VTB_E_ARG, vtb_world_get_bodies(world, NULL, 1, &total));
  FAILS(VTB_E_ARG, vtb_world_get_bodies(world, handles, 1, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_bodies(NULL, handles, 1, &total));
  FAILS(VTB_E_ARG, vtb_world_get_poses(world, rows, 3, 55, &total));
  FAILS(VTB_E_ARG, vtb_world_get_poses(world, NULL, 3, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_get_twists(world, rows, 3, 8, &total));
  FAILS(VTB_E_ARG, vtb_world_get_twists(world, rows, 3, 0, NULL));
  OK(vtb_world_destroy(world));
}

/* ---- callbacks: everything that changes this world answers BUSY, the rest works */

struct seen {
  vtb_world* world;
  vtb_body ball;
  int before, after, filtered, logged, wrong;
  vtb_status status;
};

static void try_to_change(struct seen* seen) {
  const double zero[7] = {0, 0, 0, 0, 0, 0, 1};
  double pose[7];
  uint64_t hash;
  vtb_world* other = NULL;
  seen->wrong += vtb_world_step(seen->world, 1) != VTB_E_BUSY;
  seen->wrong += vtb_world_destroy(seen->world) != VTB_E_BUSY;
  seen->wrong += vtb_body_set_pose(seen->world, seen->ball, zero, NULL) != VTB_E_BUSY;
  seen->wrong += vtb_body_destroy(seen->world, seen->ball) != VTB_E_BUSY;
  seen->wrong += vtb_world_restore(seen->world, zero, 8) != VTB_E_BUSY;
  seen->wrong += vtb_body_get_pose(seen->world, seen->ball, pose) != VTB_OK;
  seen->wrong += vtb_world_get_hash(seen->world, &hash) != VTB_OK;
  seen->wrong += vtb_world_create(NULL, &other) != VTB_OK; /* other worlds are free */
  seen->wrong += vtb_world_step(other, 1) != VTB_OK;
  seen->wrong += vtb_world_destroy(other) != VTB_OK;
}

static void before_step(void* user, const vtb_world* world) {
  struct seen* seen = user;
  seen->before++;
  seen->wrong += world != seen->world;
  try_to_change(seen);
}
static void after_step(void* user, const vtb_world* world) {
  struct seen* seen = user;
  seen->after++;
  seen->wrong += world != seen->world || seen->after != seen->before;
  try_to_change(seen);
}
static int32_t filter(void* user, const vtb_world* world, vtb_body a, vtb_body b) {
  struct seen* seen = user;
  seen->filtered++;
  seen->wrong += world != seen->world || (a.bits != seen->ball.bits && b.bits != seen->ball.bits);
  try_to_change(seen);
  return 0;
}
static void log_text(void* user, vtb_status code, const char* text) {
  struct seen* seen = user;
  seen->logged++;
  seen->status = code;
  try_to_change(seen);
  seen->wrong += strstr(text, "vtb_body_set_kind") == NULL;
}

static void test_callbacks(void) {
  struct seen seen;
  vtb_world_def def;
  double pose[7];
  memset(&seen, 0, sizeof seen);
  OK(vtb_world_def_init(&def, sizeof def));
  def.substeps = 2;
  def.callbacks.before_step = before_step;
  def.callbacks.after_step = after_step;
  def.callbacks.filter = filter;
  def.callbacks.log = log_text;
  def.callbacks.user = &seen;
  OK(vtb_world_create(&def, &seen.world));
  add_ground(seen.world);
  seen.ball = add_ball(seen.world, 0.11);
  CHECK(seen.before == 0 && seen.logged == 0);
  OK(vtb_world_step(seen.world, 60));
  CHECK(seen.before == 120 && seen.after == 120);
  CHECK(seen.filtered > 0);
  OK(vtb_body_get_pose(seen.world, seen.ball, pose));
  CHECK(pose[2] < -0.1); /* let through the ground by the filter */
  FAILS(VTB_E_ARG, vtb_body_set_kind(seen.world, seen.ball, 77));
  CHECK(seen.logged == 1 && seen.status == VTB_E_ARG && strstr(vtb_last_error(), "kind") != NULL);
  CHECK(seen.wrong == 0);
  OK(vtb_world_destroy(seen.world));
}

static void test_snapshots(void) {
  vtb_world *world = NULL, *twin = NULL, *other = NULL;
  unsigned char* state;
  uint64_t a = 0, b = 1;
  size_t needed = 0, again = 0;
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &twin));
  OK(vtb_world_create(NULL, &other));
  add_ground(world), add_ground(twin);
  add_ball(world, 0.5), add_ball(twin, 0.5);
  OK(vtb_world_step(world, 100));
  OK(vtb_world_save(world, NULL, 0, &needed));
  state = malloc(needed);
  if (!CHECK(needed > 0 && state != NULL)) return;
  FAILS(VTB_E_ARG, vtb_world_save(world, state, needed - 1, &again));
  FAILS(VTB_E_ARG, vtb_world_save(world, NULL, needed, &again));
  FAILS(VTB_E_ARG, vtb_world_save(world, state, needed, NULL));
  FAILS(VTB_E_ARG, vtb_world_save(NULL, state, needed, &again));
  CHECK(again == 0);
  OK(vtb_world_save(world, state, needed, &again));
  CHECK(again == needed);
  OK(vtb_world_step(world, 50));
  OK(vtb_world_restore(twin, state, needed));
  OK(vtb_world_step(twin, 50));
  OK(vtb_world_get_hash(world, &a));
  OK(vtb_world_get_hash(twin, &b));
  CHECK(a == b);
  FAILS(VTB_E_ARG, vtb_world_restore(other, state, needed)); /* another topology */
  FAILS(VTB_E_ARG, vtb_world_restore(twin, state, needed - 1));
  FAILS(VTB_E_ARG, vtb_world_restore(twin, state, 0));
  FAILS(VTB_E_ARG, vtb_world_restore(twin, NULL, needed));
  FAILS(VTB_E_ARG, vtb_world_restore(NULL, state, needed));
  state[0] ^= 0xff;
  FAILS(VTB_E_ARG, vtb_world_restore(twin, state, needed));
  OK(vtb_world_get_hash(twin, &b));
  CHECK(a == b);
  free(state);
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(twin));
  OK(vtb_world_destroy(other));
}

void test_world(void) {
  test_creation();
  test_stepping();
  test_bulk();
  test_callbacks();
  test_snapshots();
}
