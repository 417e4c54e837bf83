/* Sensors: a box falls, lands and stands. Its accelerometer reads 0 in free fall and g at rest, a touch sensor its weight. */
#include <math.h>
#include <stdio.h>

#include "show.h"

enum { STEPS = 1000 };

static vtb_sensor sensor(vtb_world* world, vtb_sensor_type type, vtb_body body, vtb_joint joint) {
  vtb_sensor_def def;
  vtb_sensor made;
  ok(vtb_sensor_def_init(&def, sizeof def));
  def.type = type, def.body = body, def.joint = joint; /* at a site of the body or joint: here its own frame */
  ok(vtb_sensor_create(world, &def, &made));
  return made;
}

/* One of the values that a sensor keeps from the last physics step. */
static double reading(const vtb_world* world, vtb_sensor from, int index) {
  double values[7];
  size_t total;
  ok(vtb_sensor_get_values(world, from, values, 7, &total));
  return values[index];
}

int main(int argc, char** argv) {
  const double lower[7] = {0, 0, 1.1, 0, 0, 0, 1}, upper[7] = {0, 0, 1.25, 0, 0, 0, 1}, half[3] = {0.1, 0.1, 0.1},
               flat[3] = {0.1, 0.1, 0.05};
  static double time[STEPS], acceleration[STEPS], force[STEPS], joint[STEPS];
  const vtb_joint no_joint = {0};
  const vtb_body no_body = {0};
  vtb_world_def settings;
  vtb_world* world;
  vtb_body box, lid;
  vtb_joint glue;
  show_in(argc, argv);

  ok(vtb_world_def_init(&settings, sizeof settings));
  settings.time_step = 1e-3;
  ok(vtb_world_create(&settings, &world));
  ok(vtb_make_ground(world, 0.8, NULL));
  ok(vtb_make_box(world, lower, half, 3, &box));
  ok(vtb_make_box(world, upper, flat, 2, &lid));
  ok(vtb_make_weld(world, box, lid, &glue));
  const vtb_sensor imu = sensor(world, VTB_SENSOR_TYPE_IMU, box, no_joint);
  const vtb_sensor touch = sensor(world, VTB_SENSOR_TYPE_TOUCH, box, no_joint);         /* the sum of the normal forces on the body */
  const vtb_sensor strain = sensor(world, VTB_SENSOR_TYPE_FORCE_TORQUE, no_body, glue); /* of box on lid, through the joint */

  double falling = 0, touched = 0, rest[3] = {0}, landed = 0, hardest = 0;
  int resting = 0;
  for (int k = 0; k < STEPS; ++k) {
    ok(vtb_world_step(world, 1));
    ok(vtb_world_get_time(world, &time[k]));
    acceleration[k] = reading(world, imu, 2), force[k] = reading(world, touch, 0), joint[k] = reading(world, strain, 2);
    if (time[k] < 0.4) falling = fmax(falling, fabs(acceleration[k])), touched = fmax(touched, force[k]);
    if (time[k] > 0.9) rest[0] += acceleration[k], rest[1] += force[k], rest[2] += joint[k], ++resting;
    if (force[k] > 0 && landed == 0) landed = time[k];
    hardest = fmax(hardest, force[k]);
  }
  printf("in free fall: accelerometer %.1e m/s^2, touch %.1e N\n", falling, touched);
  printf("at rest: accelerometer %.4f m/s^2, touch %.3f N, lid on box %.3f N\n", rest[0] / resting, rest[1] / resting, rest[2] / resting);
  printf("landed at %.3f s with %.0f N\n", landed, hardest);

  for (int k = 0; k < STEPS; ++k) acceleration[k] = fmin(acceleration[k], 70), force[k] = fmin(force[k], 70), joint[k] = fmin(joint[k], 70);
  plot("sensors.svg", "A box falls, lands and stands (what is above 70 is cut)", "time, s", "m/s^2 and N", time, STEPS,
       (const plot_line[]){{"accelerometer, m/s^2", acceleration}, {"touch, N", force}, {"lid on box, N", joint}}, 3);
  ok(vtb_world_destroy(world));
  return 0;
}
