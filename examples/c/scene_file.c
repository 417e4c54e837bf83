/* Scene file: a world read from XML, changed by its names, run, saved - and what was saved goes on from there to the last bit. */
#include <stdio.h>
#include <stdlib.h>

#include "show.h"

static vtb_body find(const vtb_world* world, const char* name) {
  vtb_body body;
  ok(vtb_world_find(world, VTB_NAMED_BODY, name, &body.bits));
  return body;
}

int main(int argc, char** argv) {
  const double down[6] = {0, 0, -1, 0, 0, 0};
  vtb_scene *scene, *saved;
  vtb_world *world, *again;
  vtb_world_stats stats = {.struct_size = sizeof stats};
  uint64_t hash, hash_again;
  double time, pose[7];
  size_t size, lines = 0;
  char caption[64];
  show_in(argc, argv);

  ok(vtb_scene_load(example_file("swing.xml"), NULL, &scene));    /* a ball on a rope beside a tower of bricks */
  ok(vtb_scene_create_world(scene, NULL, &world));                /* as many worlds of one scene as one likes */
  ok(vtb_body_set_twist(world, find(world, "ball"), down, NULL)); /* what the file names, calls find */
  strip_begin(3, 320, 260, (double[3]){0.5, -4.5, 1.6}, (double[3]){0, 0, 1}, 1);
  strip_add(world, "from the file");
  ok(vtb_world_step(world, 150));

  ok(vtb_world_write_scene(world, NULL, 0, &size)); /* the scene in its own words, with the present state; into a file: save_scene */
  char* text = malloc(size);
  if (!text) return 1;
  ok(vtb_world_write_scene(world, text, size, &size));
  for (const char* at = text; *at; ++at) lines += *at == '\n';
  ok(vtb_scene_parse(text, size - 1, example_file("later.xml"), NULL, &saved)); /* without the NUL at its end; a name for messages */
  ok(vtb_scene_create_world(saved, NULL, &again));
  ok(vtb_world_get_time(again, &time));
  snprintf(caption, sizeof caption, "saved and loaded at %.3f s", time);
  strip_add(again, caption);
  ok(vtb_world_step(world, 240));
  ok(vtb_world_step(again, 240));
  strip_add(again, "a second later");
  strip_end("scene_file.png");

  ok(vtb_world_get_stats(world, &stats));
  printf("%d bodies, %d joints; the saved file has %zu lines\n", stats.bodies, stats.joints, lines);
  ok(vtb_body_get_pose(again, find(again, "brick5"), pose));
  printf("brick5 moved to x = %.3f m\n", pose[0]);
  ok(vtb_world_get_hash(world, &hash));
  ok(vtb_world_get_hash(again, &hash_again));
  printf("the loaded world goes on %s\n", hash == hash_again ? "the same to the last bit" : "another way");
  free(text);
  ok(vtb_world_destroy(again));
  ok(vtb_world_destroy(world));
  ok(vtb_scene_release(saved));
  ok(vtb_scene_release(scene));
  return 0;
}
