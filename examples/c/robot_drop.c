/* Robot drop: a robot from a URDF falls on the ground. When it lies still, the ground bears its weight. */
#include <math.h>
#include <stdio.h>

#include "show.h"

int main(int argc, char** argv) {
  const double times[] = {0, 0.5, 1, 4};
  static vtb_contact contacts[256];
  vtb_diagnostics* findings = NULL;
  vtb_diagnostic finding;
  vtb_skeleton_info info = {.struct_size = sizeof info};
  vtb_figure_def def;
  vtb_figure figure;
  vtb_world* world;
  size_t count;
  double time = 0, borne = 0, deepest = 0;
  int on_ground = 0;
  show_in(argc, argv);

  ok(vtb_figure_def_init(&def, sizeof def));
  ok(vtb_skeleton_load_urdf(example_file("../models/urdf/humanoid.urdf"), NULL, &findings, &def.skeleton));
  ok(vtb_diagnostics_count(findings, &count)); /* what the loader repaired or left out; of a clean file nothing */
  for (size_t i = 0; i < count; ++i) {
    ok(vtb_diagnostics_get(findings, i, &finding));
    printf("%s:%d: %s\n", finding.file, finding.line, finding.message);
  }
  ok(vtb_diagnostics_release(findings));
  ok(vtb_skeleton_get_info(def.skeleton, &info));

  ok(vtb_world_create(NULL, &world));
  ok(vtb_make_ground(world, 0.8, NULL));
  def.pose[2] = 1.3; /* where its root link starts; joints begin at 0 */
  ok(vtb_figure_create(world, &def, &figure));
  ok(vtb_skeleton_release(def.skeleton)); /* the figure keeps it alive */

  strip_begin(4, 320, 260, (double[3]){2.9, -2.9, 1.5}, (double[3]){0.2, 0, 0.95}, 1);
  for (int k = 0; k < 4; ++k) {
    char caption[32];
    while (time < times[k] - 1e-9) {
      ok(vtb_world_step(world, 1));
      ok(vtb_world_get_time(world, &time));
    }
    snprintf(caption, sizeof caption, "%g s", times[k]);
    strip_add(world, caption);
  }
  strip_end("robot_drop.png");

  /* Contact points of the last step with their forces on body_b. The zero handle in body_a is the world. */
  ok(vtb_world_get_contacts(world, contacts, 256, 0, &count));
  for (size_t i = 0; i < count; ++i) {
    deepest = fmax(deepest, -contacts[i].gap);
    if (contacts[i].body_a.bits == 0) borne += contacts[i].force[2], ++on_ground;
  }
  printf("%d links, %.3f kg, lying on %d points\n", info.links, info.mass, on_ground);
  printf("weight %.3f N, borne by the ground %.3f N\n", info.mass * 9.81, borne);
  printf("deepest point %.3f mm below the surface\n", deepest * 1000);
  ok(vtb_world_destroy(world));
  return 0;
}
