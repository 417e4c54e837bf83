/* Controllers of figures. */
#include "tests/capi/every_function/check.h"

static vtb_figure add_figure(vtb_world* world, vtb_skeleton* model, vtb_base base) {
  vtb_figure_def def;
  vtb_figure figure = {0};
  OK(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = model;
  def.base = base;
  def.pose[2] = 2;
  OK(vtb_figure_create(world, &def, &figure));
  return figure;
}

static void test_inits(void) {
  vtb_drive_def drive;
  vtb_animation_def animation;
  vtb_play_def play;
  vtb_root_drive_def root;
  vtb_marker_drive_def marker;
  vtb_inverse_dynamics_def dynamics;
  vtb_balance_def balance;
  vtb_goal_def goal;
  OK(vtb_drive_def_init(&drive, sizeof drive));
  FAILS(VTB_E_ARG, vtb_drive_def_init(NULL, sizeof drive));
  OK(vtb_animation_def_init(&animation, sizeof animation));
  FAILS(VTB_E_ARG, vtb_animation_def_init(NULL, sizeof animation));
  OK(vtb_play_def_init(&play, sizeof play));
  FAILS(VTB_E_ARG, vtb_play_def_init(NULL, sizeof play));
  OK(vtb_root_drive_def_init(&root, sizeof root));
  FAILS(VTB_E_ARG, vtb_root_drive_def_init(NULL, sizeof root));
  OK(vtb_marker_drive_def_init(&marker, sizeof marker));
  FAILS(VTB_E_ARG, vtb_marker_drive_def_init(NULL, sizeof marker));
  OK(vtb_inverse_dynamics_def_init(&dynamics, sizeof dynamics));
  FAILS(VTB_E_ARG, vtb_inverse_dynamics_def_init(NULL, sizeof dynamics));
  OK(vtb_balance_def_init(&balance, sizeof balance));
  FAILS(VTB_E_ARG, vtb_balance_def_init(NULL, sizeof balance));
  OK(vtb_goal_def_init(&goal, sizeof goal));
  FAILS(VTB_E_ARG, vtb_goal_def_init(NULL, sizeof goal));
  CHECK(drive.omega == 15 && animation.omega == 25 && isinf(animation.largest_error) && root.omega[5] == 25 && root.rate[3] == 0);
  CHECK(isinf(root.limit[0]) && dynamics.feedback == VTB_FEEDBACK_DRIVES && balance.legs == 0.2 && goal.direction[0] == 1 &&
        goal.from == -1);
}

static void test_drives(vtb_world* world, vtb_figure figure, vtb_figure fixed) {
  vtb_drive_def def;
  vtb_controller drive = {7}, point = {0}, zero = {0}, list[4];
  vtb_controller_info info;
  double q[16] = {0}, v[16] = {0}, k[16], bad[16] = {NAN}, told[32], alone[16];
  size_t total = 0;
  int i;
  for (i = 0; i < 16; i++) k[i] = 50, alone[i] = -1;
  memset(&info, 0, sizeof info);
  OK(vtb_drive_def_init(&def, sizeof def));
  def.omega = -1;
  FAILS(VTB_E_ARG, vtb_figure_add_drive(world, fixed, &def, &drive));
  def.omega = 20;
  FAILS(VTB_E_ARG, vtb_figure_add_drive(NULL, fixed, &def, &drive));
  FAILS(VTB_E_ARG, vtb_figure_add_drive(world, fixed, &def, NULL));
  CHECK(drive.bits == 7);
  OK(vtb_figure_add_drive(world, fixed, &def, &drive));
  OK(vtb_figure_add_point(world, fixed, &point));
  FAILS(VTB_E_ARG, vtb_figure_add_point(world, fixed, NULL));
  OK(vtb_figure_get_controllers(world, fixed, list, 4, &total));
  CHECK(total == 2 && list[0].bits == drive.bits && list[1].bits == point.bits);
  OK(vtb_figure_get_controllers(world, figure, list, 4, &total));
  CHECK(total == 0);
  FAILS(VTB_E_ARG, vtb_figure_get_controllers(world, fixed, list, 4, NULL));
  info.struct_size = sizeof info;
  OK(vtb_controller_get_info(world, drive, &info));
  CHECK(info.type == VTB_CONTROLLER_TYPE_DRIVE && info.figure.bits == fixed.bits);
  FAILS(VTB_E_ARG, vtb_controller_get_info(world, drive, NULL));
  FAILS(VTB_E_ARG, vtb_controller_get_info(world, zero, &info));
  q[0] = 0.4;
  OK(vtb_drive_set_pose(world, drive, q, NULL));
  OK(vtb_drive_set_pose(world, drive, q, v));
  FAILS(VTB_E_ARG, vtb_drive_set_pose(world, drive, NULL, v));
  FAILS(VTB_E_ARG, vtb_drive_set_pose(world, drive, bad, v));
  FAILS(VTB_E_ARG, vtb_drive_set_pose(world, point, q, v));
  OK(vtb_drive_set_gains(world, drive, k, k, NULL));
  OK(vtb_drive_set_gains(world, drive, NULL, NULL, k));
  FAILS(VTB_E_ARG, vtb_drive_set_gains(world, drive, bad, k, NULL));
  FAILS(VTB_E_ARG, vtb_drive_set_gains(world, drive, k, k, bad));
  FAILS(VTB_E_ARG, vtb_drive_set_gains(world, point, k, k, NULL));
  OK(vtb_drive_get_gains(world, drive, told, NULL, NULL));
  CHECK(told[0] == k[0]);
  OK(vtb_drive_get_gains(world, drive, NULL, told, told + 16));
  CHECK(told[0] == k[0] && told[16] == k[0]);
  OK(vtb_drive_set_gains(world, drive, alone, alone, NULL));
  OK(vtb_drive_get_gains(world, drive, told, told + 16, NULL));
  CHECK(told[0] == -1 && told[16] == -1);
  OK(vtb_drive_set_gains(world, drive, k, k, NULL));
  FAILS(VTB_E_ARG, vtb_drive_get_gains(world, point, told, NULL, NULL));
  OK(vtb_drive_get_pose(world, drive, told, NULL));
  CHECK(told[0] == 0.4);
  OK(vtb_drive_get_pose(world, drive, NULL, told));
  CHECK(told[0] == v[0]);
  FAILS(VTB_E_ARG, vtb_drive_get_pose(world, point, told, NULL));
  FAILS(VTB_E_ARG, vtb_drive_get_pose(world, zero, told, NULL));
  OK(vtb_world_step(world, 1000));
  OK(vtb_figure_get_q(world, fixed, q, 16, &total));
  CHECK(fabs(q[0] - 0.4) < 0.35);
  OK(vtb_controller_destroy(world, drive));
  FAILS(VTB_E_STALE, vtb_controller_destroy(world, drive));
  FAILS(VTB_E_STALE, vtb_drive_set_pose(world, drive, q, NULL));
  FAILS(VTB_E_ARG, vtb_controller_destroy(world, zero));
  OK(vtb_controller_destroy(world, point));
}

static void test_animation(vtb_world* world) {
  vtb_controller animation = {0}, root = {0};
  vtb_play_def play;
  vtb_root_drive_def drive;
  vtb_motion* motion = make_motion();
  vtb_skeleton* model = NULL;
  vtb_figure figure;
  OK(vtb_skeleton_from_motion(motion, NULL, NULL, &model));
  figure = add_figure(world, model, VTB_BASE_FLOATING);
  OK(vtb_figure_add_animation(world, figure, NULL, &animation));
  FAILS(VTB_E_ARG, vtb_figure_add_animation(world, figure, NULL, NULL));
  OK(vtb_root_drive_def_init(&drive, sizeof drive));
  drive.weight = 1;
  OK(vtb_figure_add_root_drive(world, figure, &drive, &root));
  drive.limit[2] = -1;
  FAILS(VTB_E_ARG, vtb_figure_add_root_drive(world, figure, &drive, &root));
  OK(vtb_play_def_init(&play, sizeof play));
  FAILS(VTB_E_ARG, vtb_animation_play(world, animation, &play)); /* neither a motion nor a trajectory */
  play.motion = motion;
  FAILS(VTB_E_ARG, vtb_animation_play(world, root, &play));
  FAILS(VTB_E_ARG, vtb_animation_play(world, animation, NULL));
  play.repeat = VTB_REPEAT_STAY;
  play.seam = 100;
  FAILS(VTB_E_ARG, vtb_animation_play(world, animation, &play)); /* longer than the clip */
  play.repeat = VTB_REPEAT_NO;
  play.from = 100;
  FAILS(VTB_E_ARG, vtb_animation_play(world, animation, &play));
  play.from = 0;
  play.speed = 0;
  FAILS(VTB_E_ARG, vtb_animation_play(world, animation, &play));
  play.speed = 1;
  OK(vtb_animation_play(world, animation, &play));
  FAILS(VTB_E_ARG, vtb_figure_play(world, figure, motion, 0, 1, 0)); /* it has controllers */
  OK(vtb_world_step(world, 10));
  OK(vtb_controller_destroy(world, animation));
  OK(vtb_controller_destroy(world, root));
  OK(vtb_figure_destroy(world, figure));
  OK(vtb_skeleton_release(model));
  OK(vtb_motion_release(motion));
}

static void play_markers(vtb_world* world, vtb_controller markers, vtb_controller none) {
  static const char trc[] =
      "PathFileType\t4\t(X/Y/Z)\tx.trc\n"
      "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
      "10\t10\t2\t1\tmm\t10\t1\t2\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n1\t0\t0\t900\t0\n2\t0.1\t\t\t\n";
  const int32_t columns[2] = {-1, 0}, others[2] = {0, 1};
  vtb_markers* record = NULL;
  vtb_marker_play_def def;
  OK(vtb_markers_parse_trc(trc, sizeof trc - 1, "x.trc", VTB_UP_AXIS_GUESS, NULL, &record));
  OK(vtb_marker_play_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_marker_play_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, markers, &def)); /* nothing */
  def.count = 2;
  def.columns = columns;
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, markers, &def)); /* no record */
  def.markers = record;
  OK(vtb_marker_drive_play(world, markers, &def));
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, none, &def));
  def.columns = others;
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, markers, &def)); /* the record has one marker */
  def.columns = columns;
  def.begin = -1;
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, markers, &def));
  def.begin = 0;
  def.count = 1;
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, markers, &def));
  FAILS(VTB_E_ARG, vtb_marker_drive_play(world, markers, NULL));
  OK(vtb_markers_release(record));
}

static void test_others(vtb_world* world, vtb_figure figure, vtb_figure fixed) {
  vtb_controller made = {0}, markers = {0}, point = {0}, balance = {0};
  vtb_marker_drive_def def;
  vtb_balance_def stand;
  vtb_inverse_dynamics_def dynamics;
  vtb_goal_def goal, now = {0};
  const int32_t links[2] = {0, 1}, none[1] = {99};
  const double points[6] = {0, 0, 0, 0, 0, 0.1}, away[3] = {1e200, 0, 0};
  double places[6] = {NAN, NAN, NAN, 0, 0, 2}, target[3] = {0, 0, 0}, error = UNTOUCHED, told[6];
  size_t total = 0;
  int32_t index = 7;
  FAILS(VTB_E_ARG, vtb_figure_add_root_drive(world, fixed, NULL, &made));
  OK(vtb_marker_drive_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_figure_add_marker_drive(world, figure, &def, &markers)); /* no points */
  def.count = 2;
  FAILS(VTB_E_ARG, vtb_figure_add_marker_drive(world, figure, &def, &markers));
  def.links = links;
  def.points = points;
  OK(vtb_figure_add_marker_drive(world, figure, &def, &markers));
  def.count = 1;
  def.links = none;
  FAILS(VTB_E_ARG, vtb_figure_add_marker_drive(world, figure, &def, &made));
  OK(vtb_marker_drive_set_places(world, markers, places, NULL, 2));
  OK(vtb_marker_drive_get_places(world, markers, NULL, 0, &total));
  CHECK(total == 2);
  OK(vtb_marker_drive_get_places(world, markers, told, 2, &total));
  CHECK(memcmp(told, places, sizeof told) == 0);
  FAILS(VTB_E_ARG, vtb_marker_drive_get_places(world, markers, NULL, 2, &total));
  FAILS(VTB_E_ARG, vtb_marker_drive_get_places(world, markers, told, 2, NULL));
  FAILS(VTB_E_ARG, vtb_marker_drive_set_places(world, markers, places, NULL, 1));
  FAILS(VTB_E_ARG, vtb_marker_drive_set_places(world, markers, NULL, NULL, 2));
  places[0] = away[0];
  FAILS(VTB_E_ARG, vtb_marker_drive_set_places(world, markers, places, NULL, 2));
  OK(vtb_inverse_dynamics_def_init(&dynamics, sizeof dynamics));
  OK(vtb_figure_add_inverse_dynamics(world, figure, &dynamics, &made));
  dynamics.feedback = (vtb_feedback)9;
  FAILS(VTB_E_ARG, vtb_figure_add_inverse_dynamics(world, figure, &dynamics, &made));
  OK(vtb_figure_add_point(world, figure, &point));
  play_markers(world, markers, point);
  OK(vtb_goal_def_init(&goal, sizeof goal));
  goal.link = 99;
  FAILS(VTB_E_ARG, vtb_point_add_goal(world, point, &goal, &index));
  goal.link = 1;
  goal.type = VTB_GOAL_TYPE_DIRECTION;
  FAILS(VTB_E_ARG, vtb_point_add_goal(world, point, &goal, &index)); /* a direction without length */
  goal.type = VTB_GOAL_TYPE_PLACE;
  FAILS(VTB_E_ARG, vtb_point_add_goal(world, point, &goal, NULL));
  FAILS(VTB_E_ARG, vtb_point_add_goal(world, point, NULL, &index));
  FAILS(VTB_E_ARG, vtb_point_add_goal(world, markers, &goal, &index));
  CHECK(index == 7);
  OK(vtb_point_add_goal(world, point, &goal, &index));
  CHECK(index == 0);
  OK(vtb_point_set_target(world, point, 0, target));
  now.struct_size = sizeof now;
  OK(vtb_point_get_goal(world, point, 0, &now));
  CHECK(now.type == goal.type && now.link == 1 && now.from == -1 && now.blend == goal.blend && isinf(now.end));
  CHECK(now.target[0] == target[0] && now.target[1] == target[1] && now.target[2] == target[2]);
  FAILS(VTB_E_ARG, vtb_point_get_goal(world, point, 1, &now));
  FAILS(VTB_E_ARG, vtb_point_get_goal(world, point, 0, NULL));
  FAILS(VTB_E_ARG, vtb_point_get_goal(world, markers, 0, &now));
  FAILS(VTB_E_ARG, vtb_point_set_target(world, point, 1, target));
  FAILS(VTB_E_ARG, vtb_point_set_target(world, point, 0, NULL));
  FAILS(VTB_E_ARG, vtb_point_get_error(world, point, 1, &error));
  FAILS(VTB_E_ARG, vtb_point_get_error(world, point, 0, NULL));
  CHECK(error == UNTOUCHED);
  OK(vtb_point_get_error(world, point, 0, &error));
  CHECK(error > 0 && isfinite(error));
  OK(vtb_world_step(world, 10));
  OK(vtb_balance_def_init(&stand, sizeof stand));
  stand.centred = 2;
  FAILS(VTB_E_ARG, vtb_figure_add_balance(world, figure, &stand, &balance));
  stand.centred = 0.5;
  OK(vtb_figure_add_balance(world, figure, &stand, &balance));
  FAILS(VTB_E_ARG, vtb_world_step(world, 1)); /* it hangs in the air */
  OK(vtb_controller_destroy(world, balance));
  OK(vtb_world_step(world, 1));
}

void test_controller(void) {
  vtb_world* world = NULL;
  vtb_world_def def;
  vtb_skeleton* robot = make_robot();
  vtb_figure figure, fixed;
  unsigned char state[20000];
  size_t size = 0, total = 0;
  double q[16], again[16];
  vtb_controller drive = {0};
  test_inits();
  OK(vtb_world_def_init(&def, sizeof def));
  OK(vtb_world_create(&def, &world));
  figure = add_figure(world, robot, VTB_BASE_FLOATING);
  fixed = add_figure(world, robot, VTB_BASE_FIXED);
  test_drives(world, figure, fixed);
  test_animation(world);
  test_others(world, figure, fixed);
  /* Snapshots hold what controllers keep. */
  OK(vtb_world_save(world, NULL, 0, &size));
  CHECK(size > 0 && size <= sizeof state);
  OK(vtb_world_save(world, state, sizeof state, &size));
  OK(vtb_world_step(world, 50));
  OK(vtb_figure_get_q(world, figure, q, 16, &total));
  OK(vtb_world_restore(world, state, size));
  OK(vtb_world_step(world, 50));
  OK(vtb_figure_get_q(world, figure, again, 16, &total));
  CHECK(memcmp(q, again, total * sizeof(double)) == 0);
  FAILS(VTB_E_ARG, vtb_world_restore(world, state, size - 8));
  OK(vtb_figure_add_drive(world, figure, NULL, &drive));
  FAILS(VTB_E_ARG, vtb_world_restore(world, state, size)); /* of other controllers */
  FAILS(VTB_E_UNSUPPORTED, vtb_world_save_scene(world, "never_written.xml"));
  OK(vtb_figure_destroy(world, figure));
  FAILS(VTB_E_STALE, vtb_controller_destroy(world, drive));
  OK(vtb_world_step(world, 5));
  OK(vtb_world_destroy(world));
  OK(vtb_skeleton_release(robot));
}
