/* Force fields. */
#include "tests/capi/every_function/check.h"

typedef struct {
  double push;
  vtb_status inside;
} Fan;

static int32_t fan(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque) {
  Fan* f = user;
  (void)self;
  (void)torque;
  f->inside = vtb_body_wake((vtb_world*)world, body);
  force[0] = f->push;
  return 1;
}

static int32_t wind(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque) {
  double twist[6];
  (void)user;
  (void)self;
  (void)torque;
  if (vtb_body_get_twist(world, body, twist) != VTB_OK) return 0;
  force[0] -= 5000 * (twist[0] - 1);
  return 1;
}
static int32_t of_wind(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* by_pose, double* by_twist) {
  (void)world;
  (void)self;
  (void)body;
  by_twist[0] -= 5000;
  if (*(int*)user) by_pose[0] = NAN;
  return 1;
}

static void test_implicit(void) {
  int bad = 0;
  vtb_field_def def;
  vtb_field made = {7};
  OK(vtb_field_def_init(&def, sizeof def));
  CHECK(def.implicit == 0 && !def.user.gradient);
  for (int analytic = 0; analytic < 2; analytic++) {
    vtb_world* world = NULL;
    vtb_world_def settings;
    vtb_body body;
    double twist[6];
    OK(vtb_world_create(NULL, &world));
    body = add_ball(world, 5);
    def.type = VTB_FIELD_TYPE_USER;
    def.user.evaluate = wind;
    def.user.gradient = analytic ? of_wind : NULL;
    def.user.user = &bad;
    def.implicit = 2;
    FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made));
    def.implicit = 0;
    if (analytic) FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made)); /* a gradient without an implicit field */
    def.implicit = 1;
    def.type = VTB_FIELD_TYPE_DRAG;
    FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made));
    def.type = VTB_FIELD_TYPE_USER;
    def.implicit = 2;
    FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made));
    def.implicit = 1;
    OK(vtb_field_create(world, &def, &made));
    OK(vtb_world_step(world, 24)); /* unstable if explicit */
    OK(vtb_body_get_twist(world, body, twist));
    CHECK(fabs(twist[0] - 1) < 1e-6);
    settings.struct_size = sizeof settings;
    OK(vtb_world_get_settings(world, &settings));
    settings.stepper = VTB_STEPPER_ODE;
    FAILS(VTB_E_UNSUPPORTED, vtb_world_set_settings(world, &settings));
    if (analytic) {
      bad = 1;
      FAILS(VTB_E_ARG, vtb_world_step(world, 1));
    }
    OK(vtb_world_destroy(world));
  }
}

void test_field(void) {
  vtb_world *world = NULL, *other = NULL;
  vtb_field_def def;
  vtb_field made = {7}, zero = {0};
  vtb_body body;
  Fan f = {2, VTB_OK};
  double twist[6];
  test_implicit();
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  body = add_ball(world, 5);
  OK(vtb_field_def_init(&def, sizeof def));
  CHECK(def.type == VTB_FIELD_TYPE_RADIAL && isinf(def.attractor.range) && def.radial.strength == 0);
  FAILS(VTB_E_ARG, vtb_field_def_init(NULL, sizeof def));
  def.type = 7;
  FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made));
  def.type = VTB_FIELD_TYPE_USER;
  FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made)); /* no callback */
  def.user.evaluate = fan;
  def.user.user = &f;
  def.bodies = &body;
  def.body_count = 1;
  FAILS(VTB_E_STALE, vtb_field_create(other, &def, &made));
  FAILS(VTB_E_ARG, vtb_field_create(world, &def, NULL));
  FAILS(VTB_E_ARG, vtb_field_create(NULL, &def, &made));
  FAILS(VTB_E_ARG, vtb_field_create(world, NULL, &made));
  def.type = VTB_FIELD_TYPE_LENNARD_JONES;
  FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made)); /* no length */
  def.type = VTB_FIELD_TYPE_USER;
  def.pairwise.range = NAN;
  FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made));
  def.pairwise.range = 0;
  FAILS(VTB_E_ARG, vtb_field_create(world, &def, &made));
  def.pairwise.range = INFINITY;
  CHECK(made.bits == 7);
  OK(vtb_field_create(world, &def, &made));
  OK(vtb_world_step(world, 24));
  CHECK(f.inside == VTB_E_BUSY);
  OK(vtb_body_get_twist(world, body, twist));
  NEAR(twist[0], 2 * 24 / 240.0);
  f.push = NAN;
  FAILS(VTB_E_ARG, vtb_world_step(world, 1));
  f.push = 0;
  OK(vtb_world_step(world, 1));
  def.type = VTB_FIELD_TYPE_DRAG;
  def.drag.linear = 1;
  OK(vtb_field_set(world, made, &def));
  OK(vtb_world_step(world, 1));
  FAILS(VTB_E_ARG, vtb_field_set(world, made, NULL));
  FAILS(VTB_E_ARG, vtb_field_set(world, zero, &def));
  FAILS(VTB_E_STALE, vtb_field_set(other, made, &def));
  FAILS(VTB_E_ARG, vtb_field_destroy(world, zero));
  FAILS(VTB_E_STALE, vtb_field_destroy(other, made));
  OK(vtb_field_destroy(world, made));
  FAILS(VTB_E_STALE, vtb_field_destroy(world, made));
  OK(vtb_field_create(world, &def, &made));
  OK(vtb_body_destroy(world, body)); /* and the field that acted on it alone */
  FAILS(VTB_E_STALE, vtb_field_destroy(world, made));
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
