/* Threads: a world of many islands is stepped by one thread and by several. The time differs; the result does not, in any bit. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

/* 64 piles of nine boxes, each an island of its own: islands are what threads share out. */
static vtb_world* piles(int32_t threads) {
  vtb_world_def settings;
  vtb_threads_def def;
  vtb_world* world;
  ok(vtb_world_def_init(&settings, sizeof settings));
  settings.flags = VTB_WORLD_FLAG_NO_SLEEP;
  ok(vtb_world_create(&settings, &world));
  ok(vtb_threads_def_init(&def, sizeof def));
  def.count = threads;
  ok(vtb_world_set_threads(world, &def));
  ok(vtb_make_ground(world, 0.8, NULL));
  for (int k = 0; k < 64; ++k)
    for (int layer = 0; layer < 9; ++layer) {
      const double pose[7] = {1.2 * (k % 8) + 0.02 * (layer % 3), 1.2 * (k / 8), 0.11 + 0.22 * layer, 0, 0, 0, 1};
      const double half[3] = {0.15 - 0.01 * layer, 0.15, 0.1};
      vtb_body box;
      ok(vtb_make_box(world, pose, half, 1, &box));
    }
  return world;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  const int32_t processors = (int32_t)sysconf(_SC_NPROCESSORS_ONLN), counts[2] = {1, processors < 2 ? 2 : processors};
  vtb_world_stats stats = {.struct_size = sizeof stats};
  uint64_t hashes[2];
  char caption[64];
  show_in(argc, argv);

  strip_begin(1, 800, 420, (double[3]){13, -5, 5.5}, (double[3]){4.4, 4.2, 0.6}, 1);
  for (int k = 0; k < 2; ++k) {
    vtb_world* world = piles(counts[k]);
    const double begun = seconds();
    ok(vtb_world_step(world, 240));
    const double taken = seconds() - begun;
    ok(vtb_world_get_stats(world, &stats));
    printf("%d threads: %.0f us a step, %d islands\n", counts[k], 1e6 * taken / 240, stats.islands);
    ok(vtb_world_get_hash(world, &hashes[k]));
    snprintf(caption, sizeof caption, "%d bodies, %d islands", stats.bodies, stats.islands);
    if (k == 1) strip_add(world, caption);
    ok(vtb_world_destroy(world));
  }
  strip_end("threads.png");
  printf("results: %s\n", hashes[0] == hashes[1] ? "the same to the last bit" : "they differ");
  return 0;
}
