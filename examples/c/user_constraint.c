/* User constraint: beads slide in a bowl z = r^2 / 2a that is no shape, but a row of our own. In this bowl all circles take the same time.
 */
#include <math.h>
#include <stdio.h>

#include "show.h"

static const double PI = 3.14159265358979323846, A = 0.5; /* of the bowl, m */

/* A row that keeps the bead's centre on the bowl: what is to be 0, and how it changes with the bead's velocity. */
static int32_t bowl(void* user, const vtb_world* world, vtb_constraint self, int32_t index, vtb_row* row) {
  const vtb_body* bead = user;
  double p[7];
  (void)self;
  if (index > 0 || vtb_body_get_pose(world, *bead, p)) return 0;
  row->error = p[2] - (p[0] * p[0] + p[1] * p[1]) / (2 * A);
  row->bodies[0] = -p[0] / A, row->bodies[1] = -p[1] / A, row->bodies[2] = 1; /* on its linear velocity; the angular part stays 0 */
  return 1;
}

/* For the picture a bowl of triangles, lower by the beads' radius; with mask 0 nothing touches it. */
static void show_bowl(vtb_world* world) {
  double points[5 * 24 * 3];
  uint32_t triangles[4 * 24 * 6];
  vtb_shape_def def;
  vtb_shape shape;
  for (uint32_t i = 0; i < 5 * 24; ++i) {
    const double r = 0.25 * (i / 24), angle = PI * (i % 24) / 12;
    points[3 * i] = r * cos(angle), points[3 * i + 1] = r * sin(angle), points[3 * i + 2] = r * r / (2 * A) - 0.06;
  }
  for (uint32_t i = 0; i < 4 * 24; ++i) {
    const uint32_t b = i / 24 * 24 + (i + 1) % 24, corners[6] = {i, i + 24, b + 24, i, b + 24, b};
    for (int k = 0; k < 6; ++k) triangles[6 * i + k] = corners[k];
  }
  ok(vtb_shape_def_init(&def, sizeof def));
  def.type = VTB_SHAPE_TYPE_MESH, def.mask = 0;
  def.rgba[0] = 0.55f, def.rgba[2] = 0.9f;
  def.geometry.points = points, def.geometry.point_count = 5 * 24;
  def.geometry.triangles = triangles, def.geometry.triangle_count = 4 * 24 * 2;
  ok(vtb_shape_create(world, (vtb_body){0}, &def, &shape));
}

int main(int argc, char** argv) {
  const double radii[3] = {0.3, 0.6, 0.9}, period = 2 * PI * sqrt(A / 9.81);
  double turned[3] = {0}, last[3] = {0}, off = 0, time = 0;
  vtb_world_def settings;
  vtb_world* world;
  vtb_body beads[3];
  show_in(argc, argv);

  ok(vtb_world_def_init(&settings, sizeof settings));
  settings.time_step = 1e-3;
  ok(vtb_world_create(&settings, &world));
  for (int k = 0; k < 3; ++k) {
    const double r = radii[k], pose[7] = {r, 0, r * r / (2 * A), 0, 0, 0, 1};
    const double twist[6] = {0, r * sqrt(9.81 / A), 0, 0, 0, 0}; /* at this speed gravity and the bowl keep it on its height */
    vtb_constraint_def def;
    vtb_constraint constraint;
    ok(vtb_make_sphere(world, pose, 0.05, 1, &beads[k]));
    ok(vtb_body_set_twist(world, beads[k], twist, NULL));
    ok(vtb_constraint_def_init(&def, sizeof def));
    def.evaluate = bowl, def.user = &beads[k], def.bodies = &beads[k], def.body_count = 1;
    ok(vtb_constraint_create(world, &def, &constraint));
  }
  show_bowl(world);

  strip_begin(4, 320, 260, (double[3]){0.6, -2.1, 2.8}, (double[3]){0, 0, 0.3}, 0);
  for (int step = 0; step < (int)lround(period / 1e-3); ++step) {
    char caption[32];
    snprintf(caption, sizeof caption, "%.2f s", time);
    if (step % 240 == 0 && step < 960) strip_add(world, caption);
    ok(vtb_world_step(world, 1));
    ok(vtb_world_get_time(world, &time));
    for (int k = 0; k < 3; ++k) {
      double p[7];
      ok(vtb_body_get_pose(world, beads[k], p));
      const double angle = atan2(p[1], p[0]), change = angle - last[k];
      turned[k] += change < 0 ? change + 2 * PI : change;
      last[k] = angle;
      off = fmax(off, fabs(p[2] - (p[0] * p[0] + p[1] * p[1]) / (2 * A)));
    }
  }
  strip_end("user_constraint.png");
  for (int k = 0; k < 3; ++k) printf("radius %.1f m: turned by %.4f rad in %.3f s\n", radii[k], turned[k], time);
  printf("off the bowl by %.1e m at most\n", off);
  ok(vtb_world_destroy(world));
  return 0;
}
