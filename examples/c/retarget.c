/* Retarget: a walk that was captured on a person, put onto a robot of other proportions. Feet that stand do not slide, joints keep
 * limits. */
#include <stdio.h>

#include "show.h"

enum { MOST = 256 }; /* coordinates */

int main(int argc, char** argv) {
  vtb_motion* walk;
  vtb_motion_info motion = {.struct_size = sizeof motion};
  vtb_skeleton *robot, *person;
  vtb_trajectory* trajectory;
  vtb_trajectory_info info = {.struct_size = sizeof info};
  vtb_diagnostics* findings;
  vtb_retarget_report* report;
  vtb_retarget_report_info measured = {.struct_size = sizeof measured};
  vtb_workspace* model;
  vtb_figure_def def;
  vtb_world* world;
  size_t count, total;
  show_in(argc, argv);

  ok(vtb_motion_load_bvh(example_file("../models/motions/walk.bvh"), NULL, NULL, &walk));
  ok(vtb_motion_get_info(walk, &motion));
  ok(vtb_skeleton_load_urdf(example_file("../models/urdf/humanoid.urdf"), NULL, NULL, &robot));
  ok(vtb_retarget(walk, robot, NULL, &findings, &trajectory)); /* no map: arms, legs and head are found */
  ok(vtb_trajectory_get_info(trajectory, &info));
  ok(vtb_retarget_report_create(walk, robot, trajectory, NULL, &report));
  ok(vtb_retarget_report_get_info(report, &measured));
  ok(vtb_diagnostics_count(findings, &count));
  printf("%d frames of %d coordinates; %zu findings tell which joint has which role\n", info.frames, info.nq, count);
  printf("feet slide by %.2f mm on the mean, %.2f mm at most, in %d contacts\n", 1000 * measured.slide_mean, 1000 * measured.slide_max,
         measured.contacts);
  printf("limits passed by %.1e rad at most, rates up to %.0f %% of the largest\n", measured.limit_excess, 100 * measured.speed_ratio);

  /* One picture of seven moments: the robot, and beside it the person, a figure made from the bones of the motion. */
  ok(vtb_world_create(NULL, &world));
  ok(vtb_make_ground(world, 0.8, NULL));
  ok(vtb_figure_def_init(&def, sizeof def));
  ok(vtb_skeleton_from_motion(walk, NULL, NULL, &person));
  ok(vtb_workspace_create(person, VTB_BASE_DEFAULT, 0, &model));
  for (int32_t frame = 0; frame < info.frames; frame += info.frames / 6) {
    vtb_figure figure;
    double q[MOST];
    def.skeleton = robot;
    ok(vtb_figure_create(world, &def, &figure));
    ok(vtb_trajectory_get_frame(trajectory, frame, q, MOST, &total));
    ok(vtb_figure_set_state(world, figure, q, NULL));
    def.skeleton = person;
    ok(vtb_figure_create(world, &def, &figure));
    ok(vtb_workspace_from_motion(model, walk, frame * motion.frame_time, q, NULL, NULL));
    q[0] += 1.5; /* beside the robot */
    ok(vtb_figure_set_state(world, figure, q, NULL));
  }
  strip_begin(1, 1200, 400, (double[3]){7, -3.6, 3}, (double[3]){0, -3.1, 0.6}, 1);
  strip_add(world, "a walk: the person, and the robot that goes like it");
  strip_end("retarget.png");

  ok(vtb_world_destroy(world));
  ok(vtb_workspace_destroy(model));
  ok(vtb_retarget_report_destroy(report));
  ok(vtb_diagnostics_release(findings));
  ok(vtb_trajectory_release(trajectory));
  ok(vtb_skeleton_release(person));
  ok(vtb_skeleton_release(robot));
  ok(vtb_motion_release(walk));
  return 0;
}
