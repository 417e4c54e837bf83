/* Particle systems. */
#include "tests/capi/every_function/check.h"

static void test_system(vtb_world* world, vtb_world* other) {
  vtb_particles_def def;
  vtb_particles made = {7}, zero = {0};
  vtb_particle two[2], out[3];
  vtb_particles_state state = {0};
  vtb_field_def field;
  vtb_field drag = {0};
  size_t total = 99;
  memset(two, 0, sizeof two);
  two[0].mass = two[1].mass = 0.01;
  two[0].radius = two[1].radius = 0.02;
  two[0].life = two[1].life = INFINITY;
  two[1].position[0] = 1;
  two[1].velocity[2] = 3;
  state.struct_size = sizeof state;
  OK(vtb_particles_def_init(&def, sizeof def));
  CHECK(def.max_count == 1000 && def.iterations == 8 && def.mask == 0xffffffffu && def.gravity_scale == 1);
  FAILS(VTB_E_ARG, vtb_particles_def_init(NULL, sizeof def));
  def.max_count = 0;
  FAILS(VTB_E_ARG, vtb_particles_create(world, &def, &made));
  def.max_count = 2;
  def.flags = 4;
  FAILS(VTB_E_ARG, vtb_particles_create(world, &def, &made));
  def.flags = VTB_PARTICLES_FLAG_NO_PAIRS;
  def.friction = -1;
  FAILS(VTB_E_ARG, vtb_particles_create(world, &def, &made));
  def.friction = 0.5;
  FAILS(VTB_E_ARG, vtb_particles_create(NULL, &def, &made));
  FAILS(VTB_E_ARG, vtb_particles_create(world, NULL, &made));
  FAILS(VTB_E_ARG, vtb_particles_create(world, &def, NULL));
  CHECK(made.bits == 7);
  OK(vtb_particles_create(world, &def, &made));
  OK(vtb_particles_set(world, made, 0, two, 2, 0));
  OK(vtb_world_step(world, 24));
  OK(vtb_particles_get(world, made, out, 3, 0, &total));
  CHECK(total == 2 && out[0].id == 1 && out[1].id == 2 && out[1].mass == 0.01 && isinf(out[0].life));
  NEAR(out[1].velocity[2], 3 - 0.981);
  NEAR(out[0].position[2], -0.5 * 0.0981);
  FAILS(VTB_E_ARG, vtb_particles_get(world, made, NULL, 3, 0, &total));
  FAILS(VTB_E_ARG, vtb_particles_get(world, made, out, 3, 8, &total));
  FAILS(VTB_E_ARG, vtb_particles_get(world, made, out, 3, 0, NULL));
  FAILS(VTB_E_STALE, vtb_particles_get(other, made, out, 3, 0, &total));
  FAILS(VTB_E_ARG, vtb_particles_set(world, made, 1, two, 2, 0)); /* one more than there is room for */
  FAILS(VTB_E_ARG, vtb_particles_set(world, made, 3, two, 0, 0));
  FAILS(VTB_E_ARG, vtb_particles_set(world, made, 0, NULL, 1, 0));
  FAILS(VTB_E_ARG, vtb_particles_set(world, zero, 0, two, 1, 0));
  two[0].position[1] = NAN;
  FAILS(VTB_E_ARG, vtb_particles_set(world, made, 0, two, 1, 0));
  OK(vtb_particles_set(world, made, 1, &two[1], 1, sizeof two[1]));
  OK(vtb_particles_get_state(world, made, &state));
  CHECK(state.count == 2 && state.emitted == 0 && state.contacts == 0);
  FAILS(VTB_E_ARG, vtb_particles_get_state(world, made, NULL));
  FAILS(VTB_E_STALE, vtb_particles_get_state(other, made, &state));
  OK(vtb_field_def_init(&field, sizeof field));
  field.type = VTB_FIELD_TYPE_PAIRWISE;
  field.particles = made;
  FAILS(VTB_E_UNSUPPORTED, vtb_field_create(world, &field, &drag));
  field.type = VTB_FIELD_TYPE_DRAG;
  field.drag.linear = 1;
  FAILS(VTB_E_STALE, vtb_field_create(other, &field, &drag));
  OK(vtb_field_create(world, &field, &drag));
  OK(vtb_world_step(world, 24));
  OK(vtb_particles_get(world, made, out, 3, 0, &total));
  CHECK(fabs(out[1].velocity[2]) < 0.2); /* 0.01 kg loses its speed in 0.01 s */
  FAILS(VTB_E_ARG, vtb_particles_destroy(world, zero));
  FAILS(VTB_E_STALE, vtb_particles_destroy(other, made));
  OK(vtb_particles_destroy(world, made));
  FAILS(VTB_E_STALE, vtb_particles_destroy(world, made));
  FAILS(VTB_E_STALE, vtb_field_destroy(world, drag)); /* it went with them */
}

static void test_sources(vtb_world* world) {
  vtb_particles_def def;
  vtb_particles made = {0}, zero = {0};
  vtb_emitter_def emitter;
  vtb_sink_def sink;
  vtb_particles_state state = {0};
  vtb_particles_def told = {0};
  vtb_emitter_def source = {0};
  vtb_sink_def drain = {0};
  state.struct_size = sizeof state;
  told.struct_size = sizeof told;
  source.struct_size = sizeof source;
  drain.struct_size = sizeof drain;
  OK(vtb_particles_def_init(&def, sizeof def));
  def.max_count = 700;
  def.friction = 0.25;
  def.flags = VTB_PARTICLES_FLAG_NO_PAIRS;
  OK(vtb_particles_create(world, &def, &made));
  OK(vtb_particles_get_def(world, made, &told));
  CHECK(told.max_count == 700 && told.friction == 0.25 && told.flags == VTB_PARTICLES_FLAG_NO_PAIRS && told.restitution == def.restitution);
  CHECK(told.category == def.category && told.mask == def.mask && told.iterations == def.iterations && told.gravity_scale == 1);
  FAILS(VTB_E_ARG, vtb_particles_get_def(world, made, NULL));
  FAILS(VTB_E_ARG, vtb_particles_get_def(world, zero, &told));
  FAILS(VTB_E_ARG, vtb_particles_get_emitter(world, made, 0, &source)); /* none yet */
  OK(vtb_emitter_def_init(&emitter, sizeof emitter));
  CHECK(emitter.direction[2] == 1 && emitter.rate == 0 && emitter.speed == 1 && isinf(emitter.life));
  FAILS(VTB_E_ARG, vtb_emitter_def_init(NULL, sizeof emitter));
  emitter.rate = 240;
  emitter.speed = 2;
  emitter.life = 0.5;
  emitter.position[0] = 3;
  OK(vtb_particles_set_emitters(world, made, &emitter, 1, 0));
  OK(vtb_particles_get_emitter(world, made, 0, &source));
  CHECK(memcmp(&source, &emitter, sizeof source) == 0);
  FAILS(VTB_E_ARG, vtb_particles_get_emitter(world, made, 1, &source));
  FAILS(VTB_E_ARG, vtb_particles_get_emitter(world, made, 0, NULL));
  FAILS(VTB_E_ARG, vtb_particles_get_emitter(world, zero, 0, &source));
  emitter.cone_angle = -1;
  FAILS(VTB_E_ARG, vtb_particles_set_emitters(world, made, &emitter, 1, 0));
  FAILS(VTB_E_ARG, vtb_particles_set_emitters(world, made, NULL, 1, 0));
  FAILS(VTB_E_ARG, vtb_particles_set_emitters(world, zero, NULL, 0, 0));
  OK(vtb_world_step(world, 60));
  OK(vtb_particles_get_state(world, made, &state));
  CHECK(state.count == 60 && state.emitted == 60 && state.emitters == 1 && state.sinks == 0);
  OK(vtb_sink_def_init(&sink, sizeof sink));
  CHECK(sink.type == VTB_SINK_TYPE_HALF_SPACE && sink.pose[6] == 1);
  FAILS(VTB_E_ARG, vtb_sink_def_init(NULL, sizeof sink));
  sink.type = VTB_SINK_TYPE_SPHERE;
  FAILS(VTB_E_ARG, vtb_particles_set_sinks(world, made, &sink, 1, 0)); /* no size */
  sink.size[0] = 10;
  OK(vtb_particles_set_sinks(world, made, &sink, 1, 0));
  OK(vtb_particles_get_sink(world, made, 0, &drain));
  CHECK(memcmp(&drain, &sink, sizeof drain) == 0);
  FAILS(VTB_E_ARG, vtb_particles_get_sink(world, made, -1, &drain));
  FAILS(VTB_E_ARG, vtb_particles_get_sink(world, made, 0, NULL));
  FAILS(VTB_E_ARG, vtb_particles_get_sink(world, zero, 0, &drain));
  FAILS(VTB_E_ARG, vtb_particles_set_sinks(world, made, NULL, 1, 0));
  FAILS(VTB_E_ARG, vtb_particles_set_sinks(world, zero, &sink, 1, 0));
  OK(vtb_particles_set_emitters(world, made, NULL, 0, 0));
  OK(vtb_world_step(world, 1));
  OK(vtb_particles_get_state(world, made, &state));
  CHECK(state.count == 0 && state.absorbed == 60);
}

void test_particles(void) {
  vtb_world *world = NULL, *other = NULL;
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  test_system(world, other);
  test_sources(world);
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
