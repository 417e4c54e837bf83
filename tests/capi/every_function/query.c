/* Contacts, events and ray casts. */
#include "tests/capi/every_function/check.h"

void test_query(void) {
  vtb_world* world = NULL;
  vtb_contact contacts[4];
  vtb_contact_event events[4];
  vtb_ray_hit hit, hits[4];
  vtb_closest closest;
  vtb_shape_def cube;
  vtb_shape shapes[4], none = {0};
  const double path[3] = {0, 0, -5}, box[3] = {1, 1, 1};
  vtb_world_def settings;
  vtb_body ball;
  vtb_shape ground;
  const double from[3] = {0, 0, 5}, down[3] = {0, 0, -2}, up[3] = {0, 0, 1}, nowhere[3] = {0, 0, 0}, nan3[3] = {0, 0, NAN};
  double weight = 0;
  size_t total = 7, k;
  settings.struct_size = sizeof settings;
  OK(vtb_world_create(NULL, &world));
  ground = add_ground(world);
  ball = add_ball(world, 0.1);
  OK(vtb_world_get_contacts(world, contacts, 4, 0, &total));
  CHECK(total == 0); /* no step yet */
  OK(vtb_world_step(world, 60));
  OK(vtb_world_get_contact_events(world, events, 4, 0, &total));
  CHECK(total == 1 && events[0].phase == VTB_CONTACT_PHASE_BEGIN &&
        (events[0].shape_a.bits == ground.bits || events[0].shape_b.bits == ground.bits));
  OK(vtb_world_get_settings(world, &settings));
  settings.flags |= VTB_WORLD_FLAG_PERSIST_EVENTS;
  OK(vtb_world_set_settings(world, &settings));
  OK(vtb_world_step(world, 2));
  OK(vtb_world_get_contact_events(world, events, 4, 0, &total));
  CHECK(total == 2 && events[0].phase == VTB_CONTACT_PHASE_PERSIST && events[1].phase == VTB_CONTACT_PHASE_PERSIST);
  OK(vtb_world_get_contacts(world, contacts, 4, sizeof contacts[0], &total));
  CHECK(total == 1);
  CHECK(contacts[0].body_a.bits + contacts[0].body_b.bits == ball.bits); /* the other is none */
  for (k = 0; k < total && k < 4; k++) weight += contacts[k].force[2] * (contacts[k].body_b.bits == ball.bits ? 1 : -1);
  CHECK(fabs(weight - 9.81) < 0.2);
  OK(vtb_world_get_contacts(world, NULL, 0, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_get_contacts(world, NULL, 4, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_get_contacts(world, contacts, 4, 8, &total));
  FAILS(VTB_E_ARG, vtb_world_get_contacts(world, contacts, 4, 0, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_contacts(NULL, contacts, 4, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_get_contact_events(world, NULL, 4, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_get_contact_events(world, events, 4, 1, &total));
  FAILS(VTB_E_ARG, vtb_world_get_contact_events(NULL, events, 4, 0, &total));

  OK(vtb_world_ray_cast(world, from, down, 100, 0xffffffffu, &hit));
  CHECK(hit.body.bits == ball.bits && fabs(hit.distance - 4.8) < 1e-3 && fabs(hit.normal[2] - 1) < 1e-9);
  OK(vtb_world_ray_cast(world, from, down, 1, 0xffffffffu, &hit));
  CHECK(hit.shape.bits == 0 && hit.body.bits == 0);
  OK(vtb_world_ray_cast(world, from, up, INFINITY, 0xffffffffu, &hit));
  CHECK(hit.shape.bits == 0);
  OK(vtb_world_ray_cast(world, from, down, 100, 2, &hit)); /* no shape of that category */
  CHECK(hit.shape.bits == 0);
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, NULL, down, 1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, nowhere, 1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, nan3, down, 1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, down, -1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, down, NAN, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, down, 1, 1, NULL));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(NULL, from, down, 1, 1, &hit));

  OK(vtb_world_ray_cast_all(world, from, down, INFINITY, 0xffffffffu, hits, 4, 0, &total));
  CHECK(total == 2 && hits[0].body.bits == ball.bits && hits[1].shape.bits == ground.bits && fabs(hits[1].distance - 5) < 1e-9);
  OK(vtb_world_ray_cast_all(world, from, up, INFINITY, 0xffffffffu, NULL, 0, 0, &total));
  CHECK(total == 0);
  FAILS(VTB_E_ARG, vtb_world_ray_cast_all(world, from, nowhere, 1, 1, hits, 4, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_ray_cast_all(world, from, down, -1, 1, hits, 4, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_ray_cast_all(world, from, down, 1, 1, NULL, 4, 0, &total));
  FAILS(VTB_E_ARG, vtb_world_ray_cast_all(world, from, down, 1, 1, hits, 4, 0, NULL));

  /* A cube of half side 0.1 above the ball of radius 0.1 that lies on the ground. */
  OK(vtb_shape_def_init(&cube, sizeof cube));
  cube.type = VTB_SHAPE_TYPE_BOX;
  cube.size[0] = cube.size[1] = cube.size[2] = 0.1;
  cube.pose[2] = 2;
  OK(vtb_world_shape_cast(world, &cube, path, 0xffffffffu, &hit));
  CHECK(hit.body.bits == ball.bits && fabs(hit.distance - 1.7) < 1e-3 && fabs(hit.normal[2] - 1) < 1e-6);
  OK(vtb_world_shape_cast(world, &cube, path, 2, &hit));
  CHECK(hit.shape.bits == 0);
  OK(vtb_world_closest(world, &cube, INFINITY, 0xffffffffu, &closest));
  CHECK(closest.body.bits == ball.bits && fabs(closest.distance - 1.7) < 1e-3 && fabs(closest.normal[2] + 1) < 1e-6);
  OK(vtb_world_closest(world, &cube, 1, 0xffffffffu, &closest));
  CHECK(closest.shape.bits == 0);
  OK(vtb_world_overlap(world, &cube, 0xffffffffu, shapes, 4, &total));
  CHECK(total == 0);
  cube.pose[2] = 0.2;
  OK(vtb_world_overlap(world, &cube, 0xffffffffu, shapes, 4, &total));
  CHECK(total == 1 && shapes[0].bits != ground.bits);
  OK(vtb_world_shape_cast(world, &cube, path, 0xffffffffu, &hit));
  CHECK(hit.body.bits == ball.bits && hit.distance == 0);
  OK(vtb_shape_get_distance(world, shapes[0], ground, INFINITY, &closest));
  CHECK(closest.shape.bits == ground.bits && fabs(closest.distance) < 1e-3 && fabs(closest.normal[2] + 1) < 1e-9);
  OK(vtb_world_overlap_box(world, nowhere, box, 0xffffffffu, shapes, 4, &total));
  CHECK(total == 2);
  OK(vtb_world_overlap_box(world, nowhere, box, 2, NULL, 0, &total));
  CHECK(total == 0);
  FAILS(VTB_E_ARG, vtb_world_overlap_box(world, box, nowhere, 1, shapes, 4, &total));
  FAILS(VTB_E_ARG, vtb_world_overlap_box(world, nowhere, box, 1, NULL, 4, &total));
  FAILS(VTB_E_ARG, vtb_world_overlap_box(world, nowhere, box, 1, shapes, 4, NULL));
  FAILS(VTB_E_ARG, vtb_world_shape_cast(world, NULL, path, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_shape_cast(world, &cube, nan3, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_shape_cast(world, &cube, path, 1, NULL));
  FAILS(VTB_E_ARG, vtb_world_overlap(world, &cube, 1, NULL, 4, &total));
  FAILS(VTB_E_ARG, vtb_world_overlap(world, &cube, 1, shapes, 4, NULL));
  FAILS(VTB_E_ARG, vtb_world_closest(world, &cube, NAN, 1, &closest));
  FAILS(VTB_E_ARG, vtb_world_closest(world, &cube, 1, 1, NULL));
  FAILS(VTB_E_ARG, vtb_shape_get_distance(world, ground, ground, 1, &closest));
  FAILS(VTB_E_ARG, vtb_shape_get_distance(world, ground, none, 1, &closest));
  FAILS(VTB_E_ARG, vtb_shape_get_distance(world, shapes[0], ground, -1, &closest));
  FAILS(VTB_E_ARG, vtb_shape_get_distance(world, shapes[0], ground, 1, NULL));
  cube.type = VTB_SHAPE_TYPE_PLANE;
  FAILS(VTB_E_UNSUPPORTED, vtb_world_shape_cast(world, &cube, path, 1, &hit));
  FAILS(VTB_E_UNSUPPORTED, vtb_world_overlap(world, &cube, 1, shapes, 4, &total));
  FAILS(VTB_E_UNSUPPORTED, vtb_world_closest(world, &cube, 1, 1, &closest));
  cube.type = VTB_SHAPE_TYPE_SPHERE;
  cube.size[0] = 0;
  FAILS(VTB_E_ARG, vtb_world_closest(world, &cube, 1, 1, &closest));
  OK(vtb_world_destroy(world));
}
