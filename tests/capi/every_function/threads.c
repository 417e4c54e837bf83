/* Threads of steps, and many worlds at once. */
#include "tests/capi/every_function/check.h"

typedef struct {
  int enqueued, finished;
  vtb_world* world;
  vtb_status inside;
} Host;

static void* enqueue(void* user, void (*task)(void* context), void* context) {
  Host* host = user;
  host->enqueued++;
  host->inside = vtb_world_wake_all(host->world);
  task(context);
  return &host->enqueued;
}
static void finish(void* user, void* enqueued) {
  Host* host = user;
  CHECK(enqueued == &host->enqueued);
  host->finished++;
}

static vtb_world* make_heap(void) {
  vtb_world* world = NULL;
  int i;
  OK(vtb_world_create(NULL, &world));
  add_ground(world);
  for (i = 0; i < 40; i++) add_ball(world, 0.2 + 0.3 * i);
  return world;
}

void test_threads(void) {
  vtb_threads_def def;
  vtb_world *world = make_heap(), *same = make_heap(), *list[3];
  vtb_status statuses[3] = {1, 1, 1};
  Host host = {0, 0, NULL, VTB_OK};
  int32_t count = 0;
  uint64_t one, many;
  OK(vtb_threads_def_init(&def, sizeof def));
  CHECK(def.count == 1 && !def.enqueue && !def.finish);
  FAILS(VTB_E_ARG, vtb_threads_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_world_set_threads(NULL, &def));
  def.count = 0;
  FAILS(VTB_E_ARG, vtb_world_set_threads(world, &def));
  def.count = 257;
  FAILS(VTB_E_ARG, vtb_world_set_threads(world, &def));
  def.count = 3;
  def.enqueue = enqueue;
  FAILS(VTB_E_ARG, vtb_world_set_threads(world, &def));
  OK(vtb_world_get_threads(world, &count));
  CHECK(count == 1);
  FAILS(VTB_E_ARG, vtb_world_get_threads(world, NULL));

  def.finish = finish;
  def.user = &host;
  host.world = world;
  OK(vtb_world_set_threads(world, &def));
  OK(vtb_world_get_threads(world, &count));
  CHECK(count == 3);
  OK(vtb_world_step(world, 50));
  CHECK(host.enqueued > 0 && host.finished == host.enqueued && host.inside == VTB_E_BUSY);
  OK(vtb_world_step(same, 50));
  OK(vtb_world_get_hash(world, &many));
  OK(vtb_world_get_hash(same, &one));
  CHECK(one == many);

  OK(vtb_threads_def_init(&def, sizeof def));
  def.count = 2;
  OK(vtb_world_set_threads(world, &def));
  list[0] = world;
  list[1] = same;
  list[2] = make_heap();
  OK(vtb_worlds_step(list, 3, 20, statuses));
  CHECK(statuses[0] == VTB_OK && statuses[1] == VTB_OK && statuses[2] == VTB_OK);
  OK(vtb_world_get_hash(world, &many));
  OK(vtb_world_get_hash(same, &one));
  CHECK(one == many);
  OK(vtb_worlds_step(list, 3, 1, NULL));
  OK(vtb_worlds_step(NULL, 0, 1, NULL));
  FAILS(VTB_E_ARG, vtb_worlds_step(NULL, 3, 1, statuses));
  OK(vtb_world_destroy(list[2]));
  list[2] = same;
  FAILS(VTB_E_ARG, vtb_worlds_step(list, 3, 1, statuses));
  list[2] = NULL;
  FAILS(VTB_E_ARG, vtb_worlds_step(list, 3, 1, statuses));
  OK(vtb_world_set_threads(world, NULL));
  OK(vtb_world_get_threads(world, &count));
  CHECK(count == 1);
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(same));
}
