/* Usual things in one call, and the algebra of poses. */
#include "tests/capi/every_function/check.h"

static const double half[3] = {0.1, 0.2, 0.3}, axis[3] = {0, 2, 0}, up[7] = {0, 0, 1, 0, 0, 0, 1}, aside[7] = {1, 0, 1, 0, 0, 0, 1};

static void test_bodies(vtb_world* world) {
  vtb_body body = {0}, none = {77};
  vtb_shape ground = {0};
  double mass, com[3], inertia[6], bad[7] = {0, 0, 0, 0, 0, 0, 3};
  size_t before, after;
  OK(vtb_make_ground(world, 0.5, &ground));
  OK(vtb_make_ground(world, 0.5, NULL));
  CHECK(ground.bits != 0);
  FAILS(VTB_E_ARG, vtb_make_ground(world, -1, &ground));
  FAILS(VTB_E_ARG, vtb_make_ground(NULL, 1, &ground));
  OK(vtb_make_box(world, up, half, 3, &body));
  OK(vtb_body_get_mass(world, body, &mass, com, inertia));
  NEAR(mass, 3);
  NEAR(inertia[0], 3.0 / 3 * (0.2 * 0.2 + 0.3 * 0.3)); /* m (b^2 + c^2) / 3 of half edges */
  OK(vtb_make_sphere(world, up, 0.1, 2, &body));
  OK(vtb_body_get_mass(world, body, &mass, com, inertia));
  NEAR(inertia[3], 0.4 * 2 * 0.01);
  OK(vtb_make_capsule(world, up, 0.1, 0.2, 1, &body));
  OK(vtb_make_cylinder(world, up, 0.1, 0.2, 1, &body));
  OK(vtb_world_get_bodies(world, NULL, 0, &before));
  FAILS(VTB_E_ARG, vtb_make_box(world, up, NULL, 3, &none));
  FAILS(VTB_E_ARG, vtb_make_box(world, bad, half, 3, &none));
  FAILS(VTB_E_ARG, vtb_make_box(world, up, half, 0, &none));
  FAILS(VTB_E_ARG, vtb_make_box(world, up, half, 1, NULL));
  FAILS(VTB_E_ARG, vtb_make_sphere(world, up, -1, 1, &none));
  FAILS(VTB_E_ARG, vtb_make_capsule(world, up, 0, 1, 1, &none));
  FAILS(VTB_E_ARG, vtb_make_cylinder(world, up, 1, 0, 1, &none));
  FAILS(VTB_E_ARG, vtb_make_cylinder(NULL, up, 1, 1, 1, &none));
  OK(vtb_world_get_bodies(world, NULL, 0, &after));
  CHECK(before == after && none.bits == 77); /* the failed call left nothing */
}

static void test_joints(vtb_world* world) {
  vtb_body a, b, gone;
  vtb_joint joint = {0};
  vtb_axis_def spring;
  double q[7] = {9}, frame_a[7], frame_b[7], directions[9];
  const double point[3] = {0.5, 0, 1}, zero[3] = {0, 0, 0}, far[3] = {1, 0, 1}, near[3] = {0, 0, 1};
  size_t total;
  OK(vtb_make_box(world, up, half, 1, &a));
  OK(vtb_make_box(world, aside, half, 1, &b));
  OK(vtb_make_sphere(world, up, 0.1, 1, &gone));
  OK(vtb_body_destroy(world, gone));
  OK(vtb_make_hinge(world, a, b, point, axis, &joint));
  OK(vtb_joint_get_state(world, joint, q, NULL));
  NEAR(q[0], 0);
  OK(vtb_joint_get_world_frames(world, joint, frame_a, frame_b));
  NEAR(frame_a[0], 0.5);
  NEAR(frame_b[2], 1);
  OK(vtb_joint_get_world_axes(world, joint, directions, 3, &total));
  CHECK(total == 1);
  NEAR(directions[0], 0);
  NEAR(directions[1], 1);
  OK(vtb_joint_destroy(world, joint));
  OK(vtb_make_slider(world, (vtb_body){0}, b, point, axis, &joint));
  OK(vtb_joint_get_world_axes(world, joint, directions, 3, &total));
  NEAR(directions[1], 1);
  OK(vtb_joint_destroy(world, joint));
  OK(vtb_make_ball(world, a, b, point, &joint));
  OK(vtb_joint_get_world_axes(world, joint, directions, 3, &total));
  CHECK(total == 3);
  OK(vtb_joint_destroy(world, joint));
  OK(vtb_make_weld(world, a, b, &joint));
  OK(vtb_joint_destroy(world, joint));
  OK(vtb_make_spring(world, a, b, near, far, 100, 1, &joint));
  OK(vtb_axis_def_init(&spring, sizeof spring));
  OK(vtb_joint_get_axis(world, joint, 0, &spring));
  NEAR(spring.rest, 1);
  NEAR(spring.stiffness, 100);
  FAILS(VTB_E_ARG, vtb_make_hinge(world, a, b, NULL, axis, &joint));
  FAILS(VTB_E_ARG, vtb_make_hinge(world, a, b, point, zero, &joint));
  FAILS(VTB_E_ARG, vtb_make_hinge(world, a, a, point, axis, &joint));
  FAILS(VTB_E_STALE, vtb_make_hinge(world, a, gone, point, axis, &joint));
  FAILS(VTB_E_ARG, vtb_make_slider(world, a, b, point, NULL, &joint));
  FAILS(VTB_E_ARG, vtb_make_ball(world, a, b, NULL, &joint));
  FAILS(VTB_E_ARG, vtb_make_weld(world, a, b, NULL));
  FAILS(VTB_E_ARG, vtb_make_spring(world, a, b, near, far, -1, 1, &joint));
  FAILS(VTB_E_ARG, vtb_make_spring(NULL, a, b, near, far, 1, 1, &joint));
}

static void test_poses(void) {
  const double turned[7] = {1, 2, 3, 0, 0, 0.70710678118654752, 0.70710678118654752}, x[3] = {1, 0, 0};
  double back[7], unit[7], point[3];
  int k;
  OK(vtb_pose_inverse(turned, back));
  OK(vtb_pose_multiply(turned, back, unit));
  for (k = 0; k < 7; k++) NEAR(unit[k], k == 6);
  OK(vtb_pose_apply(turned, x, point));
  NEAR(point[0], 1);
  NEAR(point[1], 3);
  NEAR(point[2], 3);
  OK(vtb_pose_rotate(turned, x, point));
  NEAR(point[1], 1);
  OK(vtb_pose_multiply(turned, turned, unit));
  NEAR(unit[0], -1);
  FAILS(VTB_E_ARG, vtb_pose_multiply(turned, NULL, unit));
  FAILS(VTB_E_ARG, vtb_pose_inverse(turned, NULL));
  FAILS(VTB_E_ARG, vtb_pose_apply(NULL, x, point));
  FAILS(VTB_E_ARG, vtb_pose_rotate(turned, NULL, point));
}

void test_make(void) {
  vtb_world* world = NULL;
  OK(vtb_world_create(NULL, &world));
  test_bodies(world);
  test_joints(world);
  test_poses();
  OK(vtb_world_step(world, 10));
  OK(vtb_world_destroy(world));
}
