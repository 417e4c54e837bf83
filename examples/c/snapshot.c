/* Snapshot and rewind: a world goes back to a saved state and on from there, to the last bit the same - or, with a push, another way. */
#include <stdio.h>
#include <stdlib.h>

#include "show.h"

/* A tower of bricks and a ball that flies at it. */
static vtb_world* tower(vtb_body* ball) {
  const double at[7] = {-3, 0, 1.2, 0, 0, 0, 1}, thrown[6] = {8, 0, 1.5, 0, 0, 0};
  vtb_world* world;
  ok(vtb_world_create(NULL, &world));
  ok(vtb_make_ground(world, 0.8, NULL));
  for (int layer = 0; layer < 8; ++layer)
    for (int side = -1; side <= 1; side += 2) {
      const int across = layer % 2;
      const double half[3] = {across ? 0.1 : 0.3, across ? 0.3 : 0.1, 0.1};
      const double pose[7] = {across ? 0.2 * side : 0, across ? 0 : 0.2 * side, 0.1 + 0.2 * layer, 0, 0, 0, 1};
      vtb_body brick;
      ok(vtb_make_box(world, pose, half, 2, &brick));
    }
  ok(vtb_make_sphere(world, at, 0.15, 6, ball));
  ok(vtb_body_set_twist(world, *ball, thrown, NULL));
  return world;
}

static uint64_t hash_of(const vtb_world* world) {
  uint64_t hash; /* one number of the whole state */
  ok(vtb_world_get_hash(world, &hash));
  return hash;
}

int main(int argc, char** argv) {
  const double push[3] = {0, 30, 0};
  vtb_body ball, other_ball;
  size_t size;
  show_in(argc, argv);

  strip_begin(4, 320, 260, (double[3]){1.5, -4.5, 2.2}, (double[3]){0.3, 0, 0.7}, 1);
  vtb_world* world = tower(&ball);
  ok(vtb_world_step(world, 60));
  ok(vtb_world_save(world, NULL, 0, &size)); /* asks for the size */
  void* saved = malloc(size);                /* all that changes: coordinates, velocities, what solvers remember */
  if (!saved) return 1;
  ok(vtb_world_save(world, saved, size, &size));
  strip_add(world, "saved at 0.25 s");
  ok(vtb_world_step(world, 240));
  const uint64_t first = hash_of(world);
  strip_add(world, "a second later");

  ok(vtb_world_restore(world, saved, size));
  ok(vtb_world_step(world, 240));
  strip_add(world, "rewound, again");
  printf("%zu bytes; run again: %s\n", size, hash_of(world) == first ? "the same to the last bit" : "not the same");

  vtb_world* other = tower(&other_ball); /* another world, built by the same calls, takes the state too */
  ok(vtb_world_restore(other, saved, size));
  ok(vtb_world_step(other, 240));
  printf("in another world: %s\n", hash_of(other) == first ? "the same to the last bit" : "not the same");

  ok(vtb_world_restore(world, saved, size));
  ok(vtb_body_add_impulse(world, ball, push, NULL)); /* what if the ball had been pushed aside? */
  ok(vtb_world_step(world, 240));
  strip_add(world, "rewound, pushed");
  printf("with a push: %s\n", hash_of(world) == first ? "the same to the last bit" : "another future");
  strip_end("snapshot.png");
  free(saved);
  ok(vtb_world_destroy(other));
  ok(vtb_world_destroy(world));
  return 0;
}
