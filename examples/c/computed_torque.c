/* Computed torque: an arm follows a moving target. Torques from inverse dynamics cancel gravity and inertia, so that the error stays far
 * below that of the same gains alone. */
#include <math.h>
#include <stdio.h>

#include "show.h"

enum { AXES = 8, STEPS = 4000 };
static const double STEP = 1e-3, OMEGA = 2;
static const double amplitude[AXES] = {0.5, 0.4, 0.5, 0.6, 0.5, 0.4, 0.5, 0.01}; /* rad; of the last, the fingers of the hand, m */

/* Angle, rate and acceleration of the target: each joint goes to and fro, beginning at rest. */
static void wanted(double time, int k, double target[3]) {
  target[0] = amplitude[k] * (1 - cos(OMEGA * time));
  target[1] = amplitude[k] * OMEGA * sin(OMEGA * time);
  target[2] = amplitude[k] * OMEGA * OMEGA * cos(OMEGA * time);
}

/* Writes the largest difference between arm and target after each step, decimal logarithm; returns the largest of all. */
static double run(vtb_skeleton* arm, int computed, double errors[STEPS]) {
  const double gravity[3] = {0, 0, -9.81}, zero[AXES] = {0};
  vtb_world_def settings;
  vtb_world* world;
  vtb_figure_def def;
  vtb_figure figure;
  vtb_workspace* model;
  int32_t links, joints, nq, nv;
  double matrix[AXES * AXES], q[AXES], v[AXES], tau[AXES], a[AXES], target[3], largest = 0;
  size_t total;
  ok(vtb_world_def_init(&settings, sizeof settings));
  settings.time_step = STEP;
  ok(vtb_world_create(&settings, &world));
  ok(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = arm;
  ok(vtb_figure_create(world, &def, &figure));
  ok(vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv));
  for (int32_t k = 0; k < joints; ++k) {
    vtb_joint joint;
    vtb_axis_def axis = {.struct_size = sizeof axis};
    ok(vtb_figure_get_joint(world, figure, k, &joint));
    if (vtb_joint_get_axis(world, joint, 0, &axis)) continue; /* some are fixed */
    axis.damping = axis.friction = 0;                         /* losses of which inverse dynamics does not know */
    ok(vtb_joint_set_axis(world, joint, 0, &axis));
  }
  ok(vtb_figure_create_workspace(world, figure, &model)); /* the equations of motion, apart from the world */
  ok(vtb_dynamics_mass_matrix(model, zero, matrix));

  for (int step = 0; step < STEPS; ++step) {
    ok(vtb_figure_get_q(world, figure, q, AXES, &total));
    ok(vtb_figure_get_v(world, figure, v, AXES, &total));
    for (int k = 0; k < AXES; ++k) {
      wanted(step * STEP, k, target);
      const double correction = 100 * (target[0] - q[k]) + 20 * (target[1] - v[k]); /* the error fades like exp(-10 t) */
      a[k] = target[2] + correction;
      tau[k] = matrix[k * AXES + k] * correction;
    }
    if (computed) ok(vtb_dynamics_inverse(model, q, v, a, gravity, tau)); /* tau = M a + bias */
    ok(vtb_figure_set_torques(world, figure, tau));
    ok(vtb_world_step(world, 1));
    ok(vtb_figure_get_q(world, figure, q, AXES, &total));
    double error = 0;
    for (int k = 0; k < AXES; ++k) wanted((step + 1) * STEP, k, target), error = fmax(error, fabs(q[k] - target[0]));
    errors[step] = log10(error);
    largest = fmax(largest, error);
  }
  ok(vtb_workspace_destroy(model));
  ok(vtb_world_destroy(world));
  return largest;
}

int main(int argc, char** argv) {
  static double times[STEPS], computed[STEPS], alone[STEPS];
  vtb_skeleton* arm;
  show_in(argc, argv);
  ok(vtb_skeleton_load_urdf(example_file("../models/urdf/arm7.urdf"), NULL, NULL, &arm));
  for (int k = 0; k < STEPS; ++k) times[k] = (k + 1) * STEP;
  printf("computed torque: largest error %.2e\n", run(arm, 1, computed));
  printf("gains alone: largest error %.2e\n", run(arm, 0, alone));
  plot("computed_torque.svg", "An arm of eight axes follows a target", "time, s", "log10 of the largest error of an axis, rad or m", times,
       STEPS, (const plot_line[]){{"computed torque", computed}, {"gains alone", alone}}, 2);
  ok(vtb_skeleton_release(arm));
  return 0;
}
