/* Figures in worlds. */
#include "tests/capi/every_function/check.h"

static const double identity[7] = {0, 0, 0, 0, 0, 0, 1};

/* No function may take this figure; each answers the status. */
static void refuse_handle(vtb_status status, vtb_world* world, vtb_figure figure, vtb_workspace* workspace) {
  double x[7] = {UNTOUCHED, 0, 0, 0, 0, 0, 1}, y[49];
  int32_t links, joints, nq, nv;
  vtb_body body = {7};
  vtb_joint joint = {7};
  vtb_workspace* made = NULL;
  vtb_skeleton* model = NULL;
  size_t total = 7;
  FAILS(status, vtb_figure_destroy(world, figure));
  FAILS(status, vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv));
  FAILS(status, vtb_figure_get_skeleton(world, figure, &model));
  FAILS(status, vtb_figure_get_body(world, figure, 0, &body));
  FAILS(status, vtb_figure_get_joint(world, figure, 0, &joint));
  FAILS(status, vtb_figure_get_q(world, figure, x, 1, &total));
  FAILS(status, vtb_figure_get_v(world, figure, x, 1, &total));
  FAILS(status, vtb_figure_set_state(world, figure, NULL, NULL));
  FAILS(status, vtb_figure_get_poses(world, figure, x, 1, 0, &total));
  FAILS(status, vtb_figure_get_twists(world, figure, x, 1, 0, &total));
  FAILS(status, vtb_figure_set_motors(world, figure, x, NULL, NULL, NULL, NULL));
  FAILS(status, vtb_figure_set_torques(world, figure, x));
  FAILS(status, vtb_figure_get_motor_forces(world, figure, x, 1, &total));
  FAILS(status, vtb_figure_create_workspace(world, figure, &made));
  FAILS(status, vtb_figure_mass_matrix(world, figure, workspace, y));
  FAILS(status, vtb_figure_bias(world, figure, workspace, y));
  FAILS(status, vtb_figure_jacobian(world, figure, workspace, 0, NULL, y));
  FAILS(status, vtb_figure_com(world, figure, x, y));
  FAILS(status, vtb_figure_get_energy(world, figure, x, y));
  FAILS(status, vtb_figure_get_momentum(world, figure, NULL, x, y));
  CHECK(x[0] == UNTOUCHED && body.bits == 7 && joint.bits == 7 && made == NULL && total == 7);
}

static void test_creation(vtb_world* world, vtb_skeleton* robot) {
  vtb_figure_def def;
  vtb_figure figure = {0};
  OK(vtb_figure_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_figure_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_figure_def_init(&def, 0));
  CHECK(def.step == 0 && def.integrator == -1);
  CHECK(def.skeleton == NULL && def.base == VTB_BASE_DEFAULT && def.pose[6] == 1);
  FAILS(VTB_E_ARG, vtb_figure_create(world, &def, &figure)); /* no skeleton */
#define REFUSED(change)                      \
  OK(vtb_figure_def_init(&def, sizeof def)); \
  def.skeleton = robot;                      \
  change;                                    \
  FAILS(VTB_E_ARG, vtb_figure_create(world, &def, &figure))
  REFUSED(def.struct_size = 3);
  REFUSED(def.base = 3);
  REFUSED(def.step = NAN);
  REFUSED(def.integrator = -2);
  REFUSED(def.integrator = VTB_INTEGRATOR_DORMAND_PRINCE + 1);
  REFUSED(def.flags = 4);
  REFUSED(def.base = (vtb_base)-1);
  REFUSED(def.pose[1] = NAN);
  REFUSED(def.pose[6] = 0.5);
#undef REFUSED
  OK(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = robot;
  FAILS(VTB_E_ARG, vtb_figure_create(world, &def, NULL));
  FAILS(VTB_E_ARG, vtb_figure_create(NULL, &def, &figure));
  FAILS(VTB_E_ARG, vtb_figure_create(world, NULL, &figure));
  CHECK(figure.bits == 0);
}

static void test_parts(vtb_world* world, vtb_figure figure) {
  int32_t links, joints, nq, nv;
  vtb_body upper;
  vtb_joint shoulder;
  vtb_axis_def axis;
  vtb_skeleton* model;
  vtb_skeleton_info info;
  info.struct_size = sizeof info;
  axis.struct_size = sizeof axis;
  OK(vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv));
  CHECK(links == 3 && joints == 2 && nq == 8 && nv == 7);
  FAILS(VTB_E_ARG, vtb_figure_get_size(world, figure, &links, &joints, &nq, NULL));
  OK(vtb_figure_get_skeleton(world, figure, &model));
  OK(vtb_skeleton_get_info(model, &info));
  CHECK(info.links == 3);
  OK(vtb_skeleton_release(model));
  FAILS(VTB_E_ARG, vtb_figure_get_skeleton(world, figure, NULL));
  OK(vtb_figure_get_body(world, figure, 1, &upper));
  FAILS(VTB_E_ARG, vtb_figure_get_body(world, figure, 3, &upper));
  FAILS(VTB_E_ARG, vtb_figure_get_body(world, figure, 0, NULL));
  FAILS(VTB_E_ARG, vtb_body_destroy(world, upper)); /* part of the figure */
  OK(vtb_figure_get_joint(world, figure, 0, &shoulder));
  FAILS(VTB_E_ARG, vtb_figure_get_joint(world, figure, -1, &shoulder));
  FAILS(VTB_E_ARG, vtb_figure_get_joint(world, figure, 0, NULL));
  FAILS(VTB_E_ARG, vtb_joint_destroy(world, shoulder));
  OK(vtb_joint_get_axis(world, shoulder, 0, &axis));
  NEAR(axis.upper, 2);
}

static void test_state(vtb_world* world, vtb_figure figure) {
  double q[8] = {1, 2, 3, 0, 0, 0, 1, 0.4}, v[7] = {0.1, 0.2, 0.3, 0, 0, 0, 0.5}, back[8], poses[3 * 8], twists[3 * 6];
  size_t total = 0;
  int i;
  OK(vtb_figure_set_state(world, figure, q, v));
  OK(vtb_figure_get_q(world, figure, back, 8, &total));
  CHECK(total == 8);
  for (i = 0; i < 8; i++) NEAR(back[i], q[i]);
  OK(vtb_figure_get_v(world, figure, back, 7, &total));
  CHECK(total == 7);
  for (i = 0; i < 7; i++) NEAR(back[i], v[i]);
  back[1] = UNTOUCHED;
  OK(vtb_figure_get_q(world, figure, back, 1, &total));
  CHECK(total == 8 && back[1] == UNTOUCHED);
  OK(vtb_figure_set_state(world, figure, NULL, v));
  OK(vtb_figure_set_state(world, figure, q, NULL));
  FAILS(VTB_E_ARG, vtb_figure_get_q(world, figure, NULL, 8, &total));
  FAILS(VTB_E_ARG, vtb_figure_get_v(world, figure, back, 7, NULL));
  q[6] = 0;
  FAILS(VTB_E_ARG, vtb_figure_set_state(world, figure, q, NULL));
  q[6] = 1;
  v[3] = NAN;
  FAILS(VTB_E_ARG, vtb_figure_set_state(world, figure, q, v));

  OK(vtb_figure_get_poses(world, figure, poses, 3, 8 * sizeof(double), &total));
  CHECK(total == 3);
  NEAR(poses[0], 1);
  NEAR(poses[16 + 2], 3 + 0.4 * cos(0.4)); /* the elbow */
  OK(vtb_figure_get_twists(world, figure, twists, 3, 0, &total));
  NEAR(twists[6 + 4], 0.5);
  NEAR(twists[12 + 4], 0.75); /* the elbow follows the shoulder */
  FAILS(VTB_E_ARG, vtb_figure_get_poses(world, figure, poses, 3, 7, &total));
  FAILS(VTB_E_ARG, vtb_figure_get_twists(world, figure, NULL, 3, 0, &total));
}

static void test_motors(vtb_world* world, vtb_figure figure) {
  double q[8], gains[7], tau[7];
  size_t total = 0;
  int i;
  for (i = 0; i < 7; i++) q[i] = NAN; /* the base's entries are ignored */
  q[7] = 0.5;
  for (i = 0; i < 7; i++) gains[i] = 10;
  OK(vtb_figure_set_motors(world, figure, q, NULL, gains, gains, gains));
  OK(vtb_figure_set_motors(world, figure, q, gains, NULL, NULL, NULL));
  OK(vtb_world_step(world, 2));
  OK(vtb_figure_get_motor_forces(world, figure, tau, 7, &total));
  CHECK(total == 7 && tau[0] == 0 && tau[6] != 0 && fabs(tau[6]) <= 10 + 1e-9);
  FAILS(VTB_E_ARG, vtb_figure_get_motor_forces(world, figure, NULL, 7, &total));
  FAILS(VTB_E_ARG, vtb_figure_set_motors(world, figure, NULL, NULL, NULL, NULL, NULL));
  gains[6] = -1;
  FAILS(VTB_E_ARG, vtb_figure_set_motors(world, figure, q, NULL, gains, NULL, NULL));
  gains[6] = NAN;
  FAILS(VTB_E_ARG, vtb_figure_set_motors(world, figure, q, NULL, NULL, NULL, gains));
  FAILS(VTB_E_ARG, vtb_figure_set_motors(world, figure, q, gains, NULL, NULL, NULL));
  q[7] = NAN;
  FAILS(VTB_E_ARG, vtb_figure_set_motors(world, figure, q, NULL, NULL, NULL, NULL));
  for (i = 0; i < 7; i++) tau[i] = 0;
  tau[6] = 3;
  OK(vtb_figure_set_torques(world, figure, tau));
  OK(vtb_world_step(world, 1));
  OK(vtb_figure_get_motor_forces(world, figure, tau, 7, &total));
  NEAR(tau[6], 3);
  tau[6] = INFINITY;
  FAILS(VTB_E_ARG, vtb_figure_set_torques(world, figure, tau));
  FAILS(VTB_E_ARG, vtb_figure_set_torques(world, figure, NULL));
  {
    vtb_motion* foreign = make_motion();
    FAILS(VTB_E_ARG, vtb_figure_play(world, figure, foreign, 0, NAN, 0));
    FAILS(VTB_E_ARG, vtb_figure_play(world, figure, foreign, 0, 1, 2));
    OK(vtb_figure_play(world, figure, NULL, 0, 1, 0));
    OK(vtb_motion_release(foreign));
  }
}

/* A clip moves a figure of its own hierarchy, its root by a joint of type motor. */
static void test_play_root(vtb_world* world) {
  vtb_motion* motion = make_motion();
  vtb_skeleton* skeleton = NULL;
  vtb_figure_def def;
  vtb_figure figure = {0};
  vtb_joint_def joint_def;
  vtb_joint joint = {0}, none = {0}, other = {0};
  OK(vtb_skeleton_from_motion(motion, NULL, NULL, &skeleton));
  OK(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = skeleton;
  def.pose[0] = 20;
  OK(vtb_figure_create(world, &def, &figure));
  OK(vtb_joint_def_init(&joint_def, sizeof joint_def));
  joint_def.type = VTB_JOINT_TYPE_MOTOR;
  OK(vtb_figure_get_body(world, figure, 0, &joint_def.body_b));
  OK(vtb_joint_create(world, &joint_def, &joint));
  OK(vtb_figure_get_joint(world, figure, 0, &other));
  FAILS(VTB_E_ARG, vtb_figure_play_root(world, figure, joint)); /* it follows nothing yet */
  OK(vtb_figure_play(world, figure, motion, 0, 1, 1));
  OK(vtb_figure_play_root(world, figure, joint));
  FAILS(VTB_E_ARG, vtb_figure_play_root(world, figure, other));
  OK(vtb_world_step(world, 1));
  OK(vtb_figure_play_root(world, figure, none));
  OK(vtb_figure_destroy(world, figure));
  FAILS(VTB_E_STALE, vtb_figure_play_root(world, figure, none));
  OK(vtb_skeleton_release(skeleton));
  OK(vtb_motion_release(motion));
}

/* The functions of the present state agree with those of the skeleton; a fixed base may have any pose. */
static void test_dynamics_of(vtb_world* world, vtb_skeleton* robot, vtb_workspace* foreign) {
  vtb_figure figure = {0};
  vtb_figure_def def;
  vtb_workspace* workspace = NULL;
  const double q[1] = {0.3}, v[1] = {0.7}, tip[3] = {0, 0, 0.1};
  const double sideways[3] = {0, 9.81, 0}; /* gravity in the axes of the base, rotated by 90 degrees about x */
  double M[1], bias[1], expected[1], J[6], rate[6 * 3], com[3], speed[3];
  size_t total;
  OK(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = robot;
  def.base = VTB_BASE_FIXED;
  def.pose[0] = 5;
  def.pose[3] = -sqrt(0.5);
  def.pose[6] = sqrt(0.5);
  OK(vtb_figure_create(world, &def, &figure));
  OK(vtb_figure_set_state(world, figure, q, v));
  OK(vtb_figure_create_workspace(world, figure, &workspace));
  OK(vtb_figure_mass_matrix(world, figure, workspace, M));
  OK(vtb_dynamics_mass_matrix(workspace, q, expected));
  NEAR(M[0], expected[0]);
  OK(vtb_figure_bias(world, figure, workspace, bias));
  OK(vtb_dynamics_bias(workspace, q, v, sideways, expected));
  NEAR(bias[0], expected[0]);
  OK(vtb_figure_jacobian(world, figure, workspace, 2, NULL, J));
  OK(vtb_figure_get_twists(world, figure, rate, 3, 0, &total));
  {
    int i;
    for (i = 0; i < 6; i++) NEAR(J[i] * v[0], rate[12 + i]);
  }
  OK(vtb_figure_jacobian(world, figure, workspace, 2, tip, J));
  OK(vtb_figure_com(world, figure, com, speed));
  CHECK(com[0] > 4);
  FAILS(VTB_E_ARG, vtb_figure_create_workspace(world, figure, NULL));
  FAILS(VTB_E_ARG, vtb_figure_mass_matrix(world, figure, NULL, M));
  FAILS(VTB_E_ARG, vtb_figure_mass_matrix(world, figure, foreign, M));
  FAILS(VTB_E_ARG, vtb_figure_mass_matrix(world, figure, workspace, NULL));
  FAILS(VTB_E_ARG, vtb_figure_bias(world, figure, foreign, bias));
  FAILS(VTB_E_ARG, vtb_figure_bias(world, figure, workspace, NULL));
  FAILS(VTB_E_ARG, vtb_figure_jacobian(world, figure, workspace, 3, NULL, J));
  FAILS(VTB_E_ARG, vtb_figure_jacobian(world, figure, workspace, 0, NULL, NULL));
  FAILS(VTB_E_ARG, vtb_figure_com(world, figure, com, NULL));
  OK(vtb_figure_get_energy(world, figure, &com[0], NULL));
  CHECK(com[0] >= 0);
  OK(vtb_figure_get_momentum(world, figure, NULL, com, NULL));
  com[0] = NAN;
  FAILS(VTB_E_ARG, vtb_figure_get_momentum(world, figure, com, speed, NULL));
  OK(vtb_workspace_destroy(workspace));
  OK(vtb_figure_destroy(world, figure));
}

void test_figure(void) {
  vtb_world *world = NULL, *other = NULL;
  vtb_skeleton* robot = make_robot();
  vtb_figure_def def;
  vtb_figure figure = {0}, foreign = {0}, zero = {0};
  vtb_workspace* workspace = NULL;
  vtb_body upper, ball;
  vtb_joint_def joint;
  vtb_joint shoulder, tied;
  double pose[7];
  size_t total;
  if (!CHECK(robot != NULL)) return;
  OK(vtb_world_create(NULL, &world));
  OK(vtb_world_create(NULL, &other));
  test_creation(world, robot);
  OK(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = robot;
  def.flags = VTB_FIGURE_FLAG_NO_SELF_COLLISION;
  memcpy(def.pose, identity, sizeof identity);
  OK(vtb_figure_create(world, &def, &figure));
  OK(vtb_figure_create(other, &def, &foreign));
  test_parts(world, figure);
  test_state(world, figure);
  test_motors(world, figure);
  test_play_root(world);
  OK(vtb_figure_create_workspace(world, figure, &workspace));
  test_dynamics_of(world, robot, workspace);
  OK(vtb_skeleton_release(robot)); /* the figures keep it alive */
  OK(vtb_world_step(world, 10));

  OK(vtb_figure_get_body(world, figure, 1, &upper)); /* a body of the caller, tied to the figure */
  OK(vtb_figure_get_joint(world, figure, 0, &shoulder));
  ball = add_ball(world, 9);
  OK(vtb_joint_def_init(&joint, sizeof joint));
  joint.type = VTB_JOINT_TYPE_SPHERICAL;
  joint.body_a = upper;
  joint.body_b = ball;
  OK(vtb_joint_create(world, &joint, &tied));
  refuse_handle(VTB_E_STALE, world, foreign, workspace);
  refuse_handle(VTB_E_ARG, world, zero, workspace);
  refuse_handle(VTB_E_ARG, NULL, figure, workspace);
  OK(vtb_figure_destroy(world, figure));
  refuse_handle(VTB_E_STALE, world, figure, workspace);
  FAILS(VTB_E_STALE, vtb_body_get_pose(world, upper, pose));
  FAILS(VTB_E_STALE, vtb_joint_get_state(world, shoulder, pose, NULL));
  FAILS(VTB_E_STALE, vtb_joint_destroy(world, tied)); /* went with the body */
  OK(vtb_body_get_pose(world, ball, pose));
  OK(vtb_world_get_bodies(world, NULL, 0, &total));
  CHECK(total == 1);
  OK(vtb_workspace_destroy(workspace));
  OK(vtb_world_step(world, 1));
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(other));
}
