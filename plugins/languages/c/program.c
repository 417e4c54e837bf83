/* program.c - what the program of every language does, and the numbers that theirs are compared with: a file that is not there answers its
 * status, a robot falls on the ground in a swirl that a callback makes, another callback counts the steps; the poses of its links are
 * printed as the 16 digits of each double's bits. Argument: a URDF file. */
#include <stdio.h>
#include <string.h>
#include <vertebra/vertebra.h>

static void count(void* user, const vtb_world* world) {
  (void)world;
  ++*(int*)user;
}

static int32_t swirl(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque) {
  double pose[7];
  (void)user, (void)self, (void)torque;
  if (vtb_body_get_pose(world, body, pose)) return 0;
  force[0] += -0.5 * pose[1];
  force[1] += 0.5 * pose[0];
  return 1;
}

static int failed(void) { return fprintf(stderr, "%s\n", vtb_last_error()), 1; }

int main(int argc, char** argv) {
  vtb_world* world;
  vtb_world_def world_def;
  vtb_figure_def figure_def;
  vtb_field_def field_def;
  vtb_figure figure;
  vtb_field field;
  double poses[64 * 7];
  size_t links;
  int steps = 0;
  if (argc != 2) return fprintf(stderr, "usage: program FILE.urdf\n"), 2;
  printf("missing %s\n", vtb_status_name(vtb_skeleton_load_urdf("missing.urdf", NULL, NULL, &figure_def.skeleton)));
  if (vtb_world_def_init(&world_def, sizeof world_def)) return failed();
  world_def.callbacks.after_step = count, world_def.callbacks.user = &steps;
  if (vtb_world_create(&world_def, &world) || vtb_make_ground(world, 0.8, NULL)) return failed();
  if (vtb_figure_def_init(&figure_def, sizeof figure_def)) return failed();
  figure_def.pose[2] = 0.6;
  if (vtb_skeleton_load_urdf(argv[1], NULL, NULL, &figure_def.skeleton) || vtb_figure_create(world, &figure_def, &figure)) return failed();
  if (vtb_field_def_init(&field_def, sizeof field_def)) return failed();
  field_def.type = VTB_FIELD_TYPE_USER, field_def.user.evaluate = swirl;
  if (vtb_field_create(world, &field_def, &field) || vtb_world_step(world, 240)) return failed();
  if (vtb_figure_get_poses(world, figure, poses, 64, 0, &links)) return failed();
  printf("steps %d links %d\n", steps, (int)links);
  for (size_t i = 0; i < 7 * links; ++i) {
    uint64_t bits;
    memcpy(&bits, &poses[i], sizeof bits);
    printf("%016llx%c", (unsigned long long)bits, i % 7 == 6 ? '\n' : ' ');
  }
  return vtb_world_destroy(world) || vtb_skeleton_release(figure_def.skeleton) ? failed() : 0;
}
