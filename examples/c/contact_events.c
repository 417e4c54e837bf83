/* Contact events: a ball bounces. Each touch is told with its moment and its impulse; both agree with the textbook. */
#include <math.h>
#include <stdio.h>

#include "show.h"

int main(int argc, char** argv) {
  enum { CALLS = 600 };
  const double HEIGHT = 1.0, RESTITUTION = 0.8, RADIUS = 0.1, MASS = 2.0, start[7] = {0, 0, HEIGHT + RADIUS, 0, 0, 0, 1};
  static double times[CALLS], heights[CALLS], marks[CALLS];
  vtb_world_def settings;
  vtb_world* world;
  vtb_shape_def plane;
  vtb_shape ground;
  vtb_body ball;
  show_in(argc, argv);

  ok(vtb_world_def_init(&settings, sizeof settings));
  settings.time_step = 1e-3;
  ok(vtb_world_create(&settings, &world));
  ok(vtb_shape_def_init(&plane, sizeof plane));
  plane.type = VTB_SHAPE_TYPE_PLANE;
  plane.surface.restitution = RESTITUTION; /* a pair takes the larger of its two coefficients */
  ok(vtb_shape_create(world, (vtb_body){0}, &plane, &ground));
  ok(vtb_make_sphere(world, start, RADIUS, MASS, &ball));

  /* It meets the ground with v, leaves it with e v, and is back after 2 e v / g; the impulse is m v (1 + e). */
  double speed = sqrt(2 * 9.81 * HEIGHT), time = sqrt(2 * HEIGHT / 9.81), pose[7];
  int touches = 0;
  for (int call = 0; call < CALLS; ++call) {
    vtb_contact_event events[8];
    size_t count;
    ok(vtb_world_step(world, 5));
    ok(vtb_world_get_time(world, &times[call]));
    ok(vtb_body_get_pose(world, ball, pose));
    heights[call] = pose[2] - RADIUS;
    marks[call] = call ? marks[call - 1] : 0;
    ok(vtb_world_get_contact_events(world, events, 8, 0, &count)); /* those of the last call: of five steps */
    for (size_t i = 0; i < count; ++i) {
      if (events[i].phase != VTB_CONTACT_PHASE_BEGIN) continue;
      const double impulse = fabs(events[i].impulse[2]); /* on shape_b; which of the two is first does not matter here */
      marks[call] = impulse / 10;
      if (++touches > 5) continue;
      printf("touch at %.3f s, impulse %.3f N s; textbook %.4f s, %.4f N s\n", events[i].time, impulse, time,
             MASS * speed * (1 + RESTITUTION));
      speed *= RESTITUTION;
      time += 2 * speed / 9.81;
    }
  }
  plot("contact_events.svg", "A ball that bounces, and its contact events", "time, s", "height, m", times, CALLS,
       (const plot_line[]){{"height", heights}, {"impulse of the last begin of contact / 10 N s", marks}}, 2);
  ok(vtb_world_destroy(world));
  return 0;
}
