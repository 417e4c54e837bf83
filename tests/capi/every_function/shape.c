/* Shapes of bodies and of the world. */
#include "tests/capi/every_function/check.h"

static void refuse_handle(vtb_status status, vtb_world* world, vtb_shape shape) {
  const double identity[7] = {0, 0, 0, 0, 0, 0, 1};
  double pose[7] = {UNTOUCHED};
  vtb_body body = {7};
  vtb_shape_def def;
  vtb_surface surface;
  float rgba[4];
  size_t vertices = 7, triangles = 7;
  OK(vtb_shape_def_init(&def, sizeof def));
  FAILS(status, vtb_shape_destroy(world, shape));
  FAILS(status, vtb_shape_get_body(world, shape, &body));
  FAILS(status, vtb_shape_get_pose(world, shape, pose));
  FAILS(status, vtb_shape_set_pose(world, shape, identity));
  FAILS(status, vtb_shape_set_filter(world, shape, 1, 1));
  FAILS(status, vtb_shape_get_surface(world, shape, &surface));
  FAILS(status, vtb_shape_get_colour(world, shape, rgba));
  FAILS(status, vtb_shape_set_surface(world, shape, &def.surface));
  FAILS(status, vtb_shape_get_mesh(world, shape, NULL, 0, &vertices, NULL, 0, &triangles));
  CHECK(pose[0] == UNTOUCHED && body.bits == 7 && vertices == 7 && triangles == 7);
}

void test_shape(void) {
  vtb_world *world = NULL, *other = NULL;
  vtb_body ball, second, body, none = {0}, gone, a[2], b[2];
  size_t total = 0;
  vtb_shape ground, group, member, foreign, zero = {0}, shape = {0};
  vtb_shape_def def;
  vtb_surface surface;
  double pose[7] = {0, 0, 0.5, 0, 0, 0, 1}, bad[7] = {0, 0, 0, 0, 0, 0, 2}, vertices[3 * 24];
  float rgba[4];
  uint32_t triangles[3 * 12];
  const double heights[6] = {1, 2, 3, 4, 5, 6}, corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  size_t vertex_total = 0, triangle_total = 0, i;
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  ground = add_ground(world);
  ball = add_ball(world, 1);
  second = add_ball(world, 2);
  gone = add_ball(world, 3);
  OK(vtb_body_destroy(world, gone));

  OK(vtb_shape_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_shape_create(world, ball, &def, &shape)); /* radius 0 */
  def.type = VTB_SHAPE_TYPE_PLANE;
  FAILS(VTB_E_UNSUPPORTED, vtb_shape_create(world, ball, &def, &shape)); /* on a dynamic body */
  def.type = VTB_SHAPE_TYPE_COMPOUND;
  def.pose[0] = 1;
  OK(vtb_shape_create(world, ball, &def, &group));
  FAILS(VTB_E_ARG, vtb_shape_create(world, ball, NULL, &shape));
  FAILS(VTB_E_ARG, vtb_shape_create(world, ball, &def, NULL));
  FAILS(VTB_E_ARG, vtb_shape_create(NULL, ball, &def, &shape));
  FAILS(VTB_E_STALE, vtb_shape_create(world, gone, &def, &shape));
  FAILS(VTB_E_STALE, vtb_shape_create(other, ball, &def, &shape));
  def.type = VTB_SHAPE_TYPE_BOX;
  def.size[0] = def.size[1] = def.size[2] = 0.1;
  def.parent = group;
  OK(vtb_shape_create(world, ball, &def, &member));
  FAILS(VTB_E_ARG, vtb_shape_create(world, second, &def, &shape)); /* compound of another body */
  def.parent = ground;
  FAILS(VTB_E_ARG, vtb_shape_create(world, none, &def, &shape)); /* no compound */
  def.parent.bits = 0;
  def.size[1] = NAN;
  FAILS(VTB_E_ARG, vtb_shape_create(world, ball, &def, &shape));
  CHECK(shape.bits == 0);

  /* Terrain, and a mesh in convex parts on a body that moves. */
  def.type = VTB_SHAPE_TYPE_HEIGHTFIELD;
  def.size[0] = 1;
  def.size[1] = 2;
  def.geometry.heights = heights;
  def.geometry.height_rows = 2;
  def.geometry.height_columns = 3;
  FAILS(VTB_E_UNSUPPORTED, vtb_shape_create(world, ball, &def, &shape));
  OK(vtb_shape_create(world, none, &def, &shape));
  OK(vtb_shape_get_mesh(world, shape, vertices, 24, &vertex_total, triangles, 12, &triangle_total));
  CHECK(vertex_total == 6 && triangle_total == 4 && vertices[3 * 5] == 3 && vertices[3 * 5 + 1] == 2 && vertices[3 * 5 + 2] == 6);
  def.geometry.height_rows = 1;
  FAILS(VTB_E_ARG, vtb_shape_create(world, none, &def, &shape));
  def.geometry.height_rows = 2;
  def.geometry.heights = NULL;
  FAILS(VTB_E_ARG, vtb_shape_create(world, none, &def, &shape));
  OK(vtb_shape_destroy(world, shape));
  OK(vtb_shape_def_init(&def, sizeof def));
  def.type = VTB_SHAPE_TYPE_MESH;
  def.geometry.points = corners;
  def.geometry.point_count = 4;
  def.geometry.triangles = faces;
  def.geometry.triangle_count = 4;
  def.geometry.convex_parts = 3;
  OK(vtb_shape_create(world, second, &def, &shape));
  OK(vtb_shape_destroy(world, shape));
  def.geometry.convex_tolerance = NAN;
  FAILS(VTB_E_ARG, vtb_shape_create(world, second, &def, &shape));
  def.geometry.convex_tolerance = 0.1;
  def.geometry.triangle_count = 3; /* open */
  FAILS(VTB_E_ARG, vtb_shape_create(world, second, &def, &shape));

  OK(vtb_shape_get_body(world, member, &body));
  CHECK(body.bits == ball.bits);
  OK(vtb_shape_get_body(world, ground, &body));
  CHECK(body.bits == 0);
  OK(vtb_shape_set_pose(world, member, pose));
  OK(vtb_shape_get_pose(world, member, vertices));
  CHECK(vertices[2] == 0.5);
  OK(vtb_shape_get_surface(world, member, &surface));
  CHECK(surface.friction == 0.8 && surface.restitution == 0 && surface.rolling_friction == 0 && surface.hertz == 0);
  surface.friction = 0.25;
  surface.rolling_friction = 0.01;
  surface.friction_combine = VTB_COMBINE_MINIMUM;
  surface.hertz = 1;
  surface.contact_stiffness = 1e6;
  surface.contact_damping = 0.5;
  OK(vtb_shape_set_surface(world, member, &surface));
  memset(&surface, 0, sizeof surface);
  OK(vtb_shape_get_surface(world, member, &surface));
  CHECK(surface.friction == 0.25 && surface.rolling_friction == 0.01 && surface.friction_combine == VTB_COMBINE_MINIMUM);
  CHECK(surface.hertz == 1 && surface.contact_stiffness == 1e6 && surface.contact_damping == 0.5 && surface.stabilised == 0);
  surface.friction_combine = 6;
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, &surface));
  surface.friction_combine = 0;
  surface.torsional_friction = -1;
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, &surface));
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, NULL));
  FAILS(VTB_E_ARG, vtb_shape_get_surface(world, member, NULL));
  surface.torsional_friction = 0;
  surface.hertz = 2;
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, &surface));
  surface.hertz = 0;
  OK(vtb_shape_get_colour(world, member, rgba));
  CHECK(rgba[0] == 0.7f && rgba[3] == 1);
  FAILS(VTB_E_ARG, vtb_shape_get_colour(world, member, NULL));
  OK(vtb_shape_set_filter(world, member, 2, 4));
  OK(vtb_shape_get_mesh(world, member, vertices, 24, &vertex_total, triangles, 12, &triangle_total));
  CHECK(vertex_total <= 24 && triangle_total == 12);
  for (i = 0; i < vertex_total; i++) NEAR(fabs(vertices[3 * i] - 1), 0.1); /* link frame: includes the offset of the compound */
  OK(vtb_shape_get_mesh(world, group, NULL, 0, &vertex_total, NULL, 0, &triangle_total));
  CHECK(vertex_total == 0 && triangle_total == 0);
  FAILS(VTB_E_ARG, vtb_shape_get_body(world, member, NULL));
  FAILS(VTB_E_ARG, vtb_shape_get_pose(world, member, NULL));
  FAILS(VTB_E_ARG, vtb_shape_set_pose(world, member, bad));
  FAILS(VTB_E_ARG, vtb_shape_set_pose(world, member, NULL));
  surface.friction = -1;
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, &surface));
  surface.friction = NAN;
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, &surface));
  surface.friction = 1;
  surface.restitution = 1.1;
  FAILS(VTB_E_ARG, vtb_shape_set_surface(world, member, &surface));
  FAILS(VTB_E_ARG, vtb_shape_get_mesh(world, member, NULL, 24, &vertex_total, triangles, 12, &triangle_total));
  FAILS(VTB_E_ARG, vtb_shape_get_mesh(world, member, vertices, 24, NULL, triangles, 12, &triangle_total));

  OK(vtb_world_set_pair_collides(world, ball, second, 0));
  OK(vtb_world_set_pair_collides(world, ball, none, 0));
  OK(vtb_world_get_ignored_pairs(world, NULL, NULL, 0, &total));
  CHECK(total == 2);
  OK(vtb_world_get_ignored_pairs(world, a, b, 2, &total));
  CHECK(total == 2 && a[0].bits == 0 && b[0].bits == ball.bits && a[1].bits == ball.bits && b[1].bits == second.bits);
  FAILS(VTB_E_ARG, vtb_world_get_ignored_pairs(world, a, NULL, 2, &total));
  FAILS(VTB_E_ARG, vtb_world_get_ignored_pairs(world, a, b, 2, NULL));
  FAILS(VTB_E_ARG, vtb_world_get_ignored_pairs(NULL, a, b, 2, &total));
  OK(vtb_world_set_pair_collides(world, ball, second, 1));
  OK(vtb_world_get_ignored_pairs(world, a, b, 1, &total));
  CHECK(total == 1 && b[0].bits == ball.bits);
  FAILS(VTB_E_ARG, vtb_world_set_pair_collides(world, ball, ball, 1));
  FAILS(VTB_E_ARG, vtb_world_set_pair_collides(world, ball, second, 2));
  FAILS(VTB_E_STALE, vtb_world_set_pair_collides(world, ball, gone, 1));
  FAILS(VTB_E_ARG, vtb_world_set_pair_collides(NULL, ball, second, 1));

  foreign = add_ground(other);
  refuse_handle(VTB_E_STALE, world, foreign);
  refuse_handle(VTB_E_ARG, world, zero);
  refuse_handle(VTB_E_ARG, NULL, member);
  OK(vtb_shape_destroy(world, group)); /* with the shapes in it */
  refuse_handle(VTB_E_STALE, world, group);
  refuse_handle(VTB_E_STALE, world, member);
  OK(vtb_body_destroy(world, ball));
  OK(vtb_world_step(world, 1));
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
