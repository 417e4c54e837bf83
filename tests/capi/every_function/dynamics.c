/* Dynamics of a skeleton in generalised coordinates, without a world. */
#include "tests/capi/every_function/check.h"

static const double down[3] = {0, 0, -10}, nan3[3] = {0, 0, NAN};

static void test_workspace(vtb_skeleton* robot) {
  vtb_workspace* workspace = NULL;
  int32_t nq = 0, nv = 0, qi = -7, vi = -7;
  double q[16], q2[16], v[16];
  char name[32];
  size_t needed;
  int i;
  OK(vtb_workspace_create(robot, VTB_BASE_DEFAULT, 0, &workspace)); /* floating base */
  OK(vtb_workspace_get_size(workspace, &nq, &nv));
  CHECK(nq == 8 && nv == 7);
  OK(vtb_workspace_destroy(workspace));
  OK(vtb_workspace_create(robot, VTB_BASE_FIXED, VTB_MODEL_FLAG_NO_MIMIC, &workspace));
  OK(vtb_workspace_get_size(workspace, &nq, &nv));
  CHECK(nq == 2 && nv == 2);
  OK(vtb_workspace_destroy(workspace));
  OK(vtb_workspace_destroy(NULL));
  workspace = NULL;
  FAILS(VTB_E_ARG, vtb_workspace_create(NULL, 0, 0, &workspace));
  FAILS(VTB_E_ARG, vtb_workspace_create(robot, 3, 0, &workspace));
  FAILS(VTB_E_ARG, vtb_workspace_create(robot, 0, 2, &workspace));
  FAILS(VTB_E_ARG, vtb_workspace_create(robot, 0, 0, NULL));
  CHECK(workspace == NULL);

  OK(vtb_workspace_create(robot, VTB_BASE_FLOATING, 0, &workspace));
  OK(vtb_workspace_get_q_name(workspace, 7, name, sizeof name, &needed));
  CHECK(strcmp(name, "shoulder") == 0);
  OK(vtb_workspace_get_v_name(workspace, 6, name, sizeof name, &needed));
  CHECK(strcmp(name, "shoulder") == 0);
  FAILS(VTB_E_ARG, vtb_workspace_get_q_name(workspace, 8, name, sizeof name, &needed));
  FAILS(VTB_E_ARG, vtb_workspace_get_v_name(workspace, -1, name, sizeof name, &needed));
  FAILS(VTB_E_ARG, vtb_workspace_get_q_name(workspace, 0, NULL, sizeof name, &needed));
  FAILS(VTB_E_ARG, vtb_workspace_get_size(NULL, &nq, &nv));
  FAILS(VTB_E_ARG, vtb_workspace_get_size(workspace, NULL, &nv));
  OK(vtb_workspace_get_joint(workspace, 0, &qi, &vi));
  CHECK(qi == 7 && vi == 6);
  OK(vtb_workspace_get_joint(workspace, 1, &qi, &vi)); /* a mimic joint */
  CHECK(qi == -1 && vi == -1);
  FAILS(VTB_E_ARG, vtb_workspace_get_joint(workspace, 2, &qi, &vi));
  FAILS(VTB_E_ARG, vtb_workspace_get_joint(workspace, 0, &qi, NULL));

  OK(vtb_workspace_neutral(workspace, q));
  CHECK(q[6] == 1 && q[7] == 0);
  FAILS(VTB_E_ARG, vtb_workspace_neutral(workspace, NULL));
  for (i = 0; i < 7; i++) v[i] = 0.1 * (i + 1);
  OK(vtb_workspace_integrate(workspace, q, v, 0.5, q2));
  OK(vtb_workspace_difference(workspace, q, q2, v));
  for (i = 0; i < 7; i++) NEAR(v[i], 0.05 * (i + 1));
  FAILS(VTB_E_ARG, vtb_workspace_integrate(workspace, q, v, NAN, q2));
  FAILS(VTB_E_ARG, vtb_workspace_integrate(workspace, q, NULL, 1, q2));
  FAILS(VTB_E_ARG, vtb_workspace_integrate(workspace, q, v, 1, NULL));
  q[6] = 2; /* not a unit quaternion */
  FAILS(VTB_E_ARG, vtb_workspace_integrate(workspace, q, v, 1, q2));
  FAILS(VTB_E_ARG, vtb_workspace_difference(workspace, q, q2, v));
  FAILS(VTB_E_ARG, vtb_workspace_difference(workspace, q2, q2, NULL));
  OK(vtb_workspace_destroy(workspace));
}

static void test_from_motion(void) {
  vtb_motion* motion = make_motion();
  vtb_skeleton* figure = NULL;
  vtb_workspace* workspace = NULL;
  double q[16], v[16];
  int32_t nq, nv, found = 0;
  OK(vtb_skeleton_from_motion(motion, NULL, NULL, &figure));
  OK(vtb_workspace_create(figure, VTB_BASE_FLOATING, 0, &workspace));
  OK(vtb_workspace_get_size(workspace, &nq, &nv));
  CHECK(nq == 11 && nv == 9); /* a spherical joint on a floating base */
  OK(vtb_workspace_from_motion(workspace, motion, 0.05, q, v, &found));
  CHECK(found == 1);
  NEAR(q[2], 0.905);
  NEAR(v[2], 0.1);
  OK(vtb_workspace_from_motion(workspace, motion, 0.05, NULL, NULL, NULL));
  FAILS(VTB_E_ARG, vtb_workspace_from_motion(workspace, motion, NAN, q, v, &found));
  FAILS(VTB_E_ARG, vtb_workspace_from_motion(workspace, NULL, 0, q, v, &found));
  FAILS(VTB_E_ARG, vtb_workspace_from_motion(NULL, motion, 0, q, v, &found));
  OK(vtb_motion_release(motion)); /* the workspace keeps its own copy */
  OK(vtb_workspace_destroy(workspace));
  OK(vtb_skeleton_release(figure));
}

static void test_functions(vtb_workspace* workspace) { /* fixed base, one coordinate: the elbow follows the shoulder */
  const double q[1] = {0.3}, v[1] = {0.7}, a[1] = {1.5}, bad[1] = {NAN}, tip[3] = {0, 0, 0.1};
  double poses[3 * 7], twists[3 * 6], jacobian[6], M[1], bias[1], gravity[1], tau[1], back[1], position[3], velocity[3], momentum[6];
  double kinetic, potential, again;
  size_t total;

  OK(vtb_dynamics_poses(workspace, q, poses, 3, 0, &total));
  CHECK(total == 3);
  NEAR(poses[14 + 2], 0.4 * cos(0.3)); /* elbow */
  OK(vtb_dynamics_twists(workspace, q, v, twists, 3, 6 * sizeof(double), &total));
  CHECK(total == 3);
  NEAR(twists[6 + 4], 0.7);
  NEAR(twists[12 + 4], 1.5 * 0.7);
  OK(vtb_dynamics_jacobian(workspace, q, 2, NULL, jacobian));
  NEAR(jacobian[4] * 0.7, twists[12 + 4]);
  NEAR(jacobian[0] * 0.7, twists[12 + 0]);
  OK(vtb_dynamics_jacobian(workspace, q, 2, tip, jacobian));
  OK(vtb_dynamics_mass_matrix(workspace, q, M));
  OK(vtb_dynamics_bias(workspace, q, v, down, bias));
  OK(vtb_dynamics_gravity(workspace, q, down, gravity));
  OK(vtb_dynamics_inverse(workspace, q, v, a, down, tau));
  NEAR(tau[0], M[0] * a[0] + bias[0]);
  OK(vtb_dynamics_forward(workspace, q, v, tau, down, back));
  NEAR(back[0], a[0]);
  OK(vtb_dynamics_com(workspace, q, v, position, velocity));
  OK(vtb_dynamics_momentum(workspace, q, v, momentum));
  NEAR(momentum[0], 4 * velocity[0]);
  OK(vtb_dynamics_energy(workspace, q, v, down, &kinetic, &potential));
  NEAR(kinetic, 0.5 * M[0] * 0.7 * 0.7);
  NEAR(potential, 4 * 10 * position[2]);

  kinetic = again = UNTOUCHED;
  M[0] = tau[0] = UNTOUCHED;
  FAILS(VTB_E_ARG, vtb_dynamics_poses(workspace, bad, poses, 3, 0, &total));
  FAILS(VTB_E_ARG, vtb_dynamics_poses(workspace, q, poses, 3, 55, &total));
  FAILS(VTB_E_ARG, vtb_dynamics_twists(workspace, q, bad, twists, 3, 0, &total));
  FAILS(VTB_E_ARG, vtb_dynamics_twists(workspace, q, v, NULL, 3, 0, &total));
  FAILS(VTB_E_ARG, vtb_dynamics_jacobian(workspace, q, 3, NULL, jacobian));
  FAILS(VTB_E_ARG, vtb_dynamics_jacobian(workspace, q, 0, nan3, jacobian));
  FAILS(VTB_E_ARG, vtb_dynamics_mass_matrix(workspace, NULL, M));
  FAILS(VTB_E_ARG, vtb_dynamics_mass_matrix(workspace, bad, M));
  FAILS(VTB_E_ARG, vtb_dynamics_mass_matrix(NULL, q, M));
  FAILS(VTB_E_ARG, vtb_dynamics_mass_matrix(workspace, q, NULL));
  FAILS(VTB_E_ARG, vtb_dynamics_bias(workspace, q, v, nan3, tau));
  FAILS(VTB_E_ARG, vtb_dynamics_gravity(workspace, q, NULL, tau));
  FAILS(VTB_E_ARG, vtb_dynamics_inverse(workspace, q, v, bad, down, tau));
  FAILS(VTB_E_ARG, vtb_dynamics_forward(workspace, q, v, bad, down, tau));
  FAILS(VTB_E_ARG, vtb_dynamics_com(workspace, q, v, position, NULL));
  FAILS(VTB_E_ARG, vtb_dynamics_momentum(workspace, q, v, NULL));
  FAILS(VTB_E_ARG, vtb_dynamics_energy(workspace, q, v, down, &kinetic, NULL));
  CHECK(kinetic == again && M[0] == UNTOUCHED && tau[0] == UNTOUCHED);
}

/* A massless link on a hinge: positions are fine, accelerations do not exist. */
static void test_massless(void) {
  vtb_skeleton_builder* builder = NULL;
  vtb_skeleton* skeleton = NULL;
  vtb_workspace* workspace = NULL;
  vtb_link_def link;
  vtb_skeleton_joint_def joint;
  int32_t index;
  const double zero[1] = {0};
  double a[1] = {UNTOUCHED}, position[3], velocity[3];
  OK(vtb_skeleton_builder_create("ghost", &builder));
  OK(vtb_link_def_init(&link, sizeof link));
  link.name = "ground";
  OK(vtb_skeleton_builder_add_link(builder, &link, &index));
  link.name = "ghost";
  OK(vtb_skeleton_builder_add_link(builder, &link, &index));
  OK(vtb_skeleton_joint_def_init(&joint, sizeof joint));
  joint.name = "hinge";
  joint.parent = 0;
  joint.child = 1;
  OK(vtb_skeleton_builder_add_joint(builder, &joint, &index));
  OK(vtb_skeleton_builder_finish(builder, 0, &skeleton));
  OK(vtb_skeleton_builder_destroy(builder));
  OK(vtb_workspace_create(skeleton, VTB_BASE_FIXED, 0, &workspace));
  OK(vtb_skeleton_release(skeleton)); /* the workspace keeps the model alive */
  FAILS(VTB_E_UNSUPPORTED, vtb_dynamics_forward(workspace, zero, zero, zero, down, a));
  CHECK(strstr(vtb_last_error(), "ghost") != NULL);
  FAILS(VTB_E_UNSUPPORTED, vtb_dynamics_com(workspace, zero, zero, position, velocity));
  CHECK(a[0] == UNTOUCHED);
  OK(vtb_workspace_destroy(workspace));
}

/* A figure that cannot move: nq = nv = 0, and arrays of coordinates may be NULL. */
static void test_no_coordinates(void) {
  vtb_skeleton_builder* builder = NULL;
  vtb_skeleton* rock = NULL;
  vtb_workspace* workspace = NULL;
  vtb_world* world = NULL;
  vtb_figure_def def;
  vtb_figure figure = {0};
  vtb_link_def link;
  int32_t index, nq = -1, nv = -1;
  size_t total = 9;
  double pose[7], twist[6], position[3], velocity[3], momentum[6], kinetic, potential;
  OK(vtb_skeleton_builder_create("rock", &builder));
  OK(vtb_link_def_init(&link, sizeof link));
  link.name = "rock";
  link.mass = 2;
  OK(vtb_skeleton_builder_add_link(builder, &link, &index));
  OK(vtb_skeleton_builder_finish(builder, 0, &rock));
  OK(vtb_skeleton_builder_destroy(builder));
  OK(vtb_workspace_create(rock, VTB_BASE_FIXED, 0, &workspace));
  OK(vtb_workspace_get_size(workspace, &nq, &nv));
  CHECK(nq == 0 && nv == 0);
  OK(vtb_workspace_neutral(workspace, NULL));
  OK(vtb_workspace_integrate(workspace, NULL, NULL, 1, NULL));
  OK(vtb_workspace_difference(workspace, NULL, NULL, NULL));
  OK(vtb_dynamics_poses(workspace, NULL, pose, 1, 0, &total));
  CHECK(total == 1 && pose[6] == 1);
  OK(vtb_dynamics_twists(workspace, NULL, NULL, twist, 1, 0, &total));
  CHECK(twist[0] == 0 && twist[5] == 0);
  OK(vtb_dynamics_jacobian(workspace, NULL, 0, NULL, NULL));
  OK(vtb_dynamics_mass_matrix(workspace, NULL, NULL));
  OK(vtb_dynamics_bias(workspace, NULL, NULL, down, NULL));
  OK(vtb_dynamics_gravity(workspace, NULL, down, NULL));
  OK(vtb_dynamics_inverse(workspace, NULL, NULL, NULL, down, NULL));
  OK(vtb_dynamics_forward(workspace, NULL, NULL, NULL, down, NULL));
  OK(vtb_dynamics_com(workspace, NULL, NULL, position, velocity));
  OK(vtb_dynamics_momentum(workspace, NULL, NULL, momentum));
  OK(vtb_dynamics_energy(workspace, NULL, NULL, down, &kinetic, &potential));
  CHECK(kinetic == 0 && potential == 0);
  FAILS(VTB_E_ARG, vtb_dynamics_gravity(workspace, NULL, NULL, NULL)); /* gravity must not be NULL */

  OK(vtb_world_create(NULL, &world));
  OK(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = rock;
  def.base = VTB_BASE_FIXED;
  OK(vtb_figure_create(world, &def, &figure));
  OK(vtb_figure_get_q(world, figure, NULL, 0, &total));
  CHECK(total == 0);
  OK(vtb_figure_get_v(world, figure, NULL, 0, &total));
  OK(vtb_figure_set_motors(world, figure, NULL, NULL, NULL, NULL, NULL));
  OK(vtb_figure_set_torques(world, figure, NULL));
  OK(vtb_figure_mass_matrix(world, figure, workspace, NULL));
  OK(vtb_figure_bias(world, figure, workspace, NULL));
  OK(vtb_figure_jacobian(world, figure, workspace, 0, NULL, NULL));
  OK(vtb_world_step(world, 1));
  OK(vtb_world_destroy(world));
  OK(vtb_workspace_destroy(workspace));
  OK(vtb_skeleton_release(rock));
}

void test_dynamics(void) {
  vtb_skeleton* robot = make_robot();
  vtb_workspace* workspace = NULL;
  if (!CHECK(robot != NULL)) return;
  test_workspace(robot);
  OK(vtb_workspace_create(robot, VTB_BASE_FIXED, 0, &workspace));
  OK(vtb_skeleton_release(robot));
  if (workspace) test_functions(workspace);
  OK(vtb_workspace_destroy(workspace));
  test_massless();
  test_no_coordinates();
  test_from_motion();
}
