/* Hinge: a rod swings about a hinge. It keeps the period of the exact pendulum, and the hinge opens by nothing but round-off. */
#include <math.h>
#include <stdio.h>

#include "show.h"

int main(int argc, char** argv) {
  const double upright[7] = {0, 0, 1, 0, 0, 0, 1}, half[3] = {0.03, 0.03, 0.5}; /* 1 m long; its upper end is at 1.5 m */
  const double top[3] = {0, 0, 1.5}, y[3] = {0, 1, 0}, start = acos(-1) / 3;
  const vtb_body ground = {0}; /* the zero handle is the world */
  vtb_world_def settings;
  vtb_world* world;
  vtb_body rod;
  vtb_joint hinge;
  vtb_world_stats stats = {.struct_size = sizeof stats};
  vtb_energy energy = {.struct_size = sizeof energy};
  show_in(argc, argv);

  ok(vtb_world_def_init(&settings, sizeof settings));
  settings.flags = VTB_WORLD_FLAG_ENERGY_ACCOUNT; /* so that the statistics tell how far joints are open */
  ok(vtb_world_create(&settings, &world));
  ok(vtb_make_box(world, upright, half, 1, &rod));
  ok(vtb_make_hinge(world, ground, rod, top, y, &hinge)); /* its angle is 0 where the rod is now */
  ok(vtb_joint_set_state(world, hinge, &start, NULL));    /* a joint's coordinates are the state: the rod goes along */
  ok(vtb_world_get_energy(world, &energy));

  double angle, before = start, first = 0, last = 0, opened = 0, time, begun = energy.potential;
  int passes = 0;
  strip_begin(4, 320, 260, (double[3]){0, -2.7, 1.3}, (double[3]){0, 0, 0.95}, 1);
  for (int step = 1; step <= 2400; ++step) {
    ok(vtb_world_step(world, 1));
    ok(vtb_joint_get_state(world, hinge, &angle, NULL));
    ok(vtb_world_get_time(world, &time));
    if (before < 0 && angle >= 0) { /* through the lowest point, once a period; between two steps the angle is nearly a straight line */
      last = time - settings.time_step * angle / (angle - before);
      if (!passes++) first = last;
    }
    before = angle;
    ok(vtb_world_get_stats(world, &stats));
    opened = fmax(opened, stats.max_joint_error);
    if (step % 60 == 1 && step < 240) {
      char caption[64];
      snprintf(caption, sizeof caption, "%.2f s: %+.2f rad", time, angle);
      strip_add(world, caption);
    }
  }
  strip_end("hinge.png");

  ok(vtb_world_get_energy(world, &energy));
  printf("period %.6f s\n", (last - first) / (passes - 1));
  printf("hinge open by %.1e m\n", opened);
  printf("energy changed by %.1e J of %.3f J\n", fabs(energy.kinetic + energy.potential - begun), begun);
  ok(vtb_world_destroy(world));
  return 0;
}
