/* Contacts, events and ray casts. */
#include "tests/capi/every_function/check.h"

void test_query(void) {
  vtb_world* world = NULL;
  vtb_contact contacts[4];
  vtb_contact_event events[4];
  vtb_ray_hit hit;
  vtb_body ball;
  vtb_shape ground;
  const double from[3] = {0, 0, 5}, down[3] = {0, 0, -2}, up[3] = {0, 0, 1}, nowhere[3] = {0, 0, 0}, nan3[3] = {0, 0, NAN};
  double weight = 0;
  size_t total = 7, k;
  OK(vtb_world_create(NULL, &world));
  ground = add_ground(world);
  ball = add_ball(world, 0.1);
  OK(vtb_world_get_contacts(world, contacts, 4, 0, &total));
  CHECK(total == 0); /* no step yet */
  OK(vtb_world_step(world, 60));
  OK(vtb_world_get_contact_events(world, events, 4, 0, &total));
  CHECK(total == 1 && events[0].kind == VTB_CONTACT_BEGIN &&
        (events[0].shape_a.bits == ground.bits || events[0].shape_b.bits == ground.bits));
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
  OK(vtb_world_ray_cast(world, from, down, 100, 2, &hit)); /* no shape of that group */
  CHECK(hit.shape.bits == 0);
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, NULL, down, 1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, nowhere, 1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, nan3, down, 1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, down, -1, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, down, NAN, 1, &hit));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(world, from, down, 1, 1, NULL));
  FAILS(VTB_E_ARG, vtb_world_ray_cast(NULL, from, down, 1, 1, &hit));
  OK(vtb_world_destroy(world));
}
