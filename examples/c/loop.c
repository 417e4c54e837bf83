/* Loop: a four-bar linkage. Three hinges make a tree, the fourth closes it; a motor turns the crank, and the rocker stands where geometry
 * says. */
#include <math.h>
#include <stdio.h>

#include "show.h"

static const double PI = 3.14159265358979323846, GROUND = 1.0, CRANK = 0.3, COUPLER = 1.0, ROCKER = 0.7; /* lengths, m */

/* Where the rocker stands, by the triangle of the crank's end, the coupler and the rocker. */
static double rocker_angle(double crank) {
  const double x = CRANK * cos(crank) - GROUND, z = CRANK * sin(crank); /* the crank's end, seen from the rocker's pivot */
  const double distance = hypot(x, z);
  return atan2(z, x) - acos((distance * distance + ROCKER * ROCKER - COUPLER * COUPLER) / (2 * distance * ROCKER));
}

/* A bar between two points of the plane x, z. */
static vtb_body bar(vtb_world* world, const double start[3], const double end[3], double y) {
  const double dx = end[0] - start[0], dz = end[2] - start[2], angle = -atan2(dz, dx); /* about y, which turns from z to x */
  const double half[3] = {hypot(dx, dz) / 2, 0.02, 0.03};
  const double pose[7] = {start[0] + dx / 2, y, start[2] + dz / 2, 0, sin(angle / 2), 0, cos(angle / 2)};
  vtb_body body;
  ok(vtb_make_box(world, pose, half, 2 * half[0], &body));
  return body;
}

int main(int argc, char** argv) {
  const double start = PI / 2, begun = rocker_angle(start), axis[3] = {0, -1, 0}; /* axis -y: angles grow from x to z */
  const double a[3] = {0, 0, 1}, d[3] = {GROUND, 0, 1};                           /* pivots on the ground */
  const double b[3] = {CRANK * cos(start), 0, 1 + CRANK * sin(start)}, c[3] = {GROUND + ROCKER * cos(begun), 0, 1 + ROCKER * sin(begun)};
  const vtb_body ground = {0};
  vtb_world* world;
  vtb_joint turn, pin, swing, closing;
  vtb_motor_def motor;
  vtb_world_stats stats = {.struct_size = sizeof stats};
  show_in(argc, argv);

  ok(vtb_world_create(NULL, &world));
  const vtb_body crank = bar(world, a, b, 0), coupler = bar(world, b, c, 0.06), rocker = bar(world, d, c, 0);
  ok(vtb_make_hinge(world, ground, crank, a, axis, &turn));
  ok(vtb_make_hinge(world, crank, coupler, b, axis, &pin));
  ok(vtb_make_hinge(world, ground, rocker, d, axis, &swing));
  ok(vtb_make_hinge(world, coupler, rocker, c, axis, &closing)); /* closes the loop; no call says so, the world finds it */
  ok(vtb_motor_def_init(&motor, sizeof motor));
  motor.mode = VTB_MOTOR_MODE_VELOCITY, motor.velocity = 2 * PI, motor.damping = 1e4; /* a turn a second */
  ok(vtb_joint_set_motor(world, turn, 0, &motor));

  double turned, swung, worst = 0, opened = 0;
  strip_begin(4, 320, 260, (double[3]){0.5, -3.6, 1.2}, (double[3]){0.5, 0, 1}, 1);
  for (int step = 1; step <= 480; ++step) {
    ok(vtb_world_step(world, 1));
    ok(vtb_joint_get_state(world, turn, &turned, NULL));
    ok(vtb_joint_get_state(world, swing, &swung, NULL));
    ok(vtb_world_get_stats(world, &stats));
    worst = fmax(worst, fabs(remainder(begun + swung - rocker_angle(start + turned), 2 * PI)));
    opened = fmax(opened, stats.max_joint_error);
    if (step % 60 == 0 && step <= 240) {
      char caption[64];
      snprintf(caption, sizeof caption, "crank %.2f, rocker %.2f rad", start + turned, begun + swung);
      strip_add(world, caption);
    }
  }
  strip_end("loop.png");
  printf("crank turned by %.4f rad\n", turned);
  printf("rocker off the geometry by %.1e rad at most\n", worst);
  printf("loop open by %.1e m at most\n", opened);
  ok(vtb_world_destroy(world));
  return 0;
}
