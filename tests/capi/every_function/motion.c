/* Motions: reading, writing, sampling, editing. */
#include "tests/capi/every_function/check.h"

const char wave_bvh[] =
    "HIERARCHY\n"
    "ROOT hips\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT spine\n  {\n    OFFSET 0 50 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n    {\n      OFFSET 0 60 0\n    }\n  }\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.1\n"
    "0 90 0 0 0 0 0 0 0\n"
    "0 91 0 10 0 0 0 20 0\n"
    "1 92 2 20 0 0 0 40 5\n";

vtb_motion* make_motion(void) {
  vtb_motion* motion = NULL;
  vtb_bvh_def def;
  OK(vtb_bvh_def_init(&def, sizeof def));
  def.unit = 0.01;
  def.up_axis = 1;
  OK(vtb_motion_parse_bvh(wave_bvh, sizeof wave_bvh - 1, "wave.bvh", &def, NULL, &motion));
  return motion;
}

static void test_reading(void) {
  vtb_bvh_def def;
  vtb_motion *motion = make_motion(), *again = NULL;
  vtb_diagnostics* list = NULL;
  char text[8192];
  size_t needed = 0;

  FAILS(VTB_E_ARG, vtb_bvh_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_bvh_def_init(&def, 2));
  OK(vtb_motion_save_bvh(motion, "every_function.bvh"));
  FAILS(VTB_E_IO, vtb_motion_save_bvh(motion, "there/is/no/folder/x.bvh"));
  FAILS(VTB_E_ARG, vtb_motion_save_bvh(motion, NULL));
  FAILS(VTB_E_ARG, vtb_motion_save_bvh(NULL, "every_function.bvh"));
  OK(vtb_motion_load_bvh("every_function.bvh", NULL, &list, &again));
  OK(vtb_diagnostics_release(list));
  OK(vtb_motion_release(again));
  list = NULL;
  again = NULL;
  FAILS(VTB_E_IO, vtb_motion_load_bvh("there/is/no/such.bvh", NULL, &list, &again));
  FAILS(VTB_E_IO, vtb_motion_load_bvh(".", NULL, &list, &again));
  FAILS(VTB_E_ARG, vtb_motion_load_bvh(NULL, NULL, &list, &again));
  FAILS(VTB_E_ARG, vtb_motion_load_bvh("every_function.bvh", NULL, &list, NULL));
  CHECK(remove("every_function.bvh") == 0);
  CHECK(list == NULL && again == NULL);

  OK(vtb_motion_write_bvh(motion, text, sizeof text, &needed));
  CHECK(needed == strlen(text) + 1);
  OK(vtb_motion_parse_bvh(text, needed - 1, "again.bvh", NULL, NULL, &again));
  OK(vtb_motion_release(again));
  OK(vtb_motion_write_bvh(motion, text, 10, &needed));
  CHECK(strlen(text) == 9);
  OK(vtb_motion_write_bvh(motion, NULL, 0, &needed));
  FAILS(VTB_E_ARG, vtb_motion_write_bvh(motion, NULL, 10, &needed));
  FAILS(VTB_E_ARG, vtb_motion_write_bvh(motion, text, 10, NULL));
  FAILS(VTB_E_ARG, vtb_motion_write_bvh(NULL, text, 10, &needed));

  again = NULL;
  FAILS(VTB_E_PARSE, vtb_motion_parse_bvh(wave_bvh, 20, "cut.bvh", NULL, &list, &again));
  CHECK(list != NULL && strstr(vtb_last_error(), "cut.bvh") != NULL);
  OK(vtb_diagnostics_release(list));
  FAILS(VTB_E_PARSE, vtb_motion_parse_bvh(wave_bvh, 0, "empty.bvh", NULL, NULL, &again));
  FAILS(VTB_E_PARSE, vtb_motion_parse_bvh(NULL, 0, "empty.bvh", NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_motion_parse_bvh(NULL, 20, "x", NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_motion_parse_bvh(wave_bvh, 20, NULL, NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_motion_parse_bvh(wave_bvh, 20, "x", NULL, NULL, NULL));
  OK(vtb_bvh_def_init(&def, sizeof def));
  def.unit = NAN;
  FAILS(VTB_E_ARG, vtb_motion_parse_bvh(wave_bvh, sizeof wave_bvh - 1, "x", &def, NULL, &again));
  def.unit = 0;
  def.up_axis = 3;
  FAILS(VTB_E_ARG, vtb_motion_parse_bvh(wave_bvh, sizeof wave_bvh - 1, "x", &def, NULL, &again));
  CHECK(again == NULL);

  OK(vtb_motion_retain(motion));
  OK(vtb_motion_release(motion));
  OK(vtb_motion_release(motion));
  OK(vtb_motion_release(NULL));
  FAILS(VTB_E_ARG, vtb_motion_retain(NULL));
}

static void test_sampling(vtb_motion* motion) {
  vtb_motion_info info;
  vtb_motion_joint joint;
  double values[9], poses[2 * 8], untouched = UNTOUCHED;
  size_t total = 0;
  int32_t index = -7;
  info.struct_size = sizeof info;
  joint.struct_size = sizeof joint;

  OK(vtb_motion_get_info(motion, &info));
  CHECK(info.joints == 2 && info.roots == 1 && info.channels == 9 && info.frames == 3);
  NEAR(info.frame_time, 0.1);
  NEAR(info.unit, 0.01);
  FAILS(VTB_E_ARG, vtb_motion_get_info(NULL, &info));
  FAILS(VTB_E_ARG, vtb_motion_get_info(motion, NULL));
  OK(vtb_motion_get_joint(motion, 1, &joint));
  CHECK(joint.parent == 0 && strcmp(joint.name, "spine") == 0 && joint.channel_count == 3 && joint.first_channel == 6 &&
        joint.end_sites == 1);
  CHECK(joint.channels[0] == 5 && joint.channels[1] == 3 && joint.channels[2] == 4 && joint.offset[1] == 50);
  FAILS(VTB_E_ARG, vtb_motion_get_joint(motion, 2, &joint));
  FAILS(VTB_E_ARG, vtb_motion_get_joint(motion, 0, NULL));
  OK(vtb_motion_find_joint(motion, "spine", &index));
  CHECK(index == 1);
  FAILS(VTB_E_ARG, vtb_motion_find_joint(motion, "tail", &index));
  FAILS(VTB_E_ARG, vtb_motion_find_joint(motion, NULL, &index));
  FAILS(VTB_E_ARG, vtb_motion_find_joint(motion, "spine", NULL));

  OK(vtb_motion_get_frame(motion, 2, values, 9, &total));
  CHECK(total == 9 && values[1] == 92 && values[8] == 5);
  values[1] = untouched;
  OK(vtb_motion_get_frame(motion, 2, values, 1, &total));
  CHECK(total == 9 && values[1] == untouched);
  OK(vtb_motion_get_frame(motion, 2, NULL, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_frame(motion, 3, values, 9, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_frame(motion, 0, NULL, 9, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_frame(motion, 0, values, 9, NULL));

  OK(vtb_motion_get_poses(motion, 0, 0, poses, 2, 0, &total));
  CHECK(total == 2);
  NEAR(poses[2], 0.9); /* up is z now, in metres */
  NEAR(poses[9], 1.4);
  OK(vtb_motion_get_poses(motion, 0, 1, poses, 2, 8 * sizeof(double), &total));
  NEAR(poses[1], 90);
  NEAR(poses[8 + 1], 140);
  OK(vtb_motion_get_poses(motion, 0, 1, NULL, 0, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_poses(motion, -1, 0, poses, 2, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_poses(motion, 0, 2, poses, 2, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_poses(motion, 0, 0, poses, 2, 8, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_poses(motion, 0, 0, NULL, 2, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_poses(motion, 0, 0, poses, 2, 0, NULL));
  OK(vtb_motion_sample_poses(motion, 0.05, 1, poses, 2, 0, &total));
  NEAR(poses[1], 90.5);
  OK(vtb_motion_sample_poses(motion, 1e300, 1, poses, 2, 0, &total));
  NEAR(poses[1], 92);
  OK(vtb_motion_sample_poses(motion, -5, 1, poses, 2, 0, &total));
  NEAR(poses[1], 90);
  FAILS(VTB_E_ARG, vtb_motion_sample_poses(motion, NAN, 1, poses, 2, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_sample_poses(motion, 0, 1, NULL, 2, 0, &total));
  FAILS(VTB_E_ARG, vtb_motion_sample_poses(NULL, 0, 1, poses, 2, 0, &total));
}

static void test_editing(vtb_motion* motion) {
  vtb_motion* made = NULL;
  vtb_motion_info info;
  double poses[7];
  size_t total;
  info.struct_size = sizeof info;
  OK(vtb_motion_scaled(motion, 2, &made));
  OK(vtb_motion_get_poses(made, 0, 0, poses, 1, 0, &total));
  NEAR(poses[2], 1.8);
  OK(vtb_motion_release(made));
  OK(vtb_motion_resampled(motion, 20, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.frames == 5);
  OK(vtb_motion_release(made));
  OK(vtb_motion_trimmed(motion, 1, 2, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.frames == 2);
  OK(vtb_motion_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_motion_scaled(motion, 0, &made));
  FAILS(VTB_E_ARG, vtb_motion_scaled(motion, NAN, &made));
  FAILS(VTB_E_ARG, vtb_motion_scaled(motion, 1, NULL));
  FAILS(VTB_E_ARG, vtb_motion_resampled(motion, -1, &made));
  FAILS(VTB_E_ARG, vtb_motion_resampled(motion, INFINITY, &made));
  FAILS(VTB_E_ARG, vtb_motion_resampled(motion, 1e-310, &made));
  FAILS(VTB_E_ARG, vtb_motion_resampled(NULL, 30, &made));
  FAILS(VTB_E_ARG, vtb_motion_trimmed(motion, 2, 1, &made));
  FAILS(VTB_E_ARG, vtb_motion_trimmed(motion, 0, 3, &made));
  FAILS(VTB_E_ARG, vtb_motion_trimmed(motion, 0, 2, NULL));
  CHECK(made == NULL);
}

static void test_joints_and_path(const vtb_motion* motion) {
  vtb_motion* made = NULL;
  vtb_motion* again = NULL;
  vtb_motion_info info;
  vtb_motion_joint joint;
  double was[14], now[14], path[9];
  size_t total;
  info.struct_size = sizeof info;
  joint.struct_size = sizeof joint;
  OK(vtb_motion_get_poses(motion, 2, 0, was, 2, 0, &total));
  OK(vtb_motion_reparented(motion, 1, -1, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.joints == 2 && info.roots == 2 && info.frames == 3);
  OK(vtb_motion_get_poses(made, 2, 0, now, 2, 0, &total));
  for (int i = 0; i < 14; i++) NEAR(now[i], was[i]);
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_reparented(motion, 0, 1, &again));
  CHECK(strstr(vtb_last_error(), "spine") != NULL);
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_reparented(motion, 1, 1, &again));
  FAILS(VTB_E_ARG, vtb_motion_reparented(motion, 2, 0, &again));
  FAILS(VTB_E_ARG, vtb_motion_reparented(motion, 1, -2, &again));
  FAILS(VTB_E_ARG, vtb_motion_reparented(motion, 1, 0, NULL));
  OK(vtb_motion_dropped(made, 0, &again));
  OK(vtb_motion_get_poses(again, 2, 0, now, 2, 0, &total));
  CHECK(total == 1);
  for (int i = 0; i < 7; i++) NEAR(now[i], was[7 + i]);
  OK(vtb_motion_release(made));
  made = NULL;
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_dropped(again, 0, &made));
  OK(vtb_motion_release(again));
  OK(vtb_motion_dropped(motion, 1, &made));
  OK(vtb_motion_get_joint(made, 0, &joint));
  CHECK(joint.end_sites == 1); /* where the spine was */
  OK(vtb_motion_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_motion_dropped(motion, -1, &made));
  FAILS(VTB_E_ARG, vtb_motion_dropped(motion, 0, NULL));
  OK(vtb_motion_in_place(motion, path, 3, 0, &total, &made));
  CHECK(total == 3);
  NEAR(path[3 * 2], was[0]); /* x and y of the hips */
  NEAR(path[3 * 2 + 1], was[1]);
  OK(vtb_motion_get_poses(made, 2, 0, now, 1, 0, &total));
  NEAR(now[0], 0);
  NEAR(now[1], 0);
  NEAR(now[2], was[2]);
  OK(vtb_motion_release(made));
  OK(vtb_motion_in_place(motion, NULL, 0, 0, &total, &made));
  OK(vtb_motion_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_motion_in_place(motion, NULL, 3, 0, &total, &made));
  FAILS(VTB_E_ARG, vtb_motion_in_place(motion, path, 3, 0, NULL, &made));
  FAILS(VTB_E_ARG, vtb_motion_in_place(motion, path, 3, 0, &total, NULL));
  OK(vtb_motion_looped(motion, 0, 2, 0.1, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.frames == 3);
  OK(vtb_motion_get_poses(motion, 2, 0, was, 1, 0, &total));
  OK(vtb_motion_get_poses(made, 0, 0, now, 1, 0, &total));
  NEAR(now[2], was[2]); /* the first frame is as high as the last */
  OK(vtb_motion_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_motion_looped(motion, 0, 1, 0.1, &made));
  FAILS(VTB_E_ARG, vtb_motion_looped(motion, 0, 3, 0.1, &made));
  FAILS(VTB_E_ARG, vtb_motion_looped(motion, -1, 2, 0.1, &made));
  FAILS(VTB_E_ARG, vtb_motion_looped(motion, 0, 2, -1, &made));
  FAILS(VTB_E_ARG, vtb_motion_looped(motion, 0, 2, NAN, &made));
  FAILS(VTB_E_ARG, vtb_motion_looped(motion, 0, 2, 0.1, NULL));
  CHECK(made == NULL);
}

static void test_made_clips(vtb_motion* motion) {
  vtb_motion* made = NULL;
  vtb_motion_info info;
  info.struct_size = sizeof info;
  OK(vtb_motion_filtered(motion, VTB_FILTER_LOW_PASS, 2, &made));
  OK(vtb_motion_release(made));
  OK(vtb_motion_filtered(motion, VTB_FILTER_SPLINE, 2, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.frames == 3);
  OK(vtb_motion_release(made));
  OK(vtb_motion_faster(motion, 0.5, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.frames == 5);
  NEAR(info.frame_time, 0.1);
  OK(vtb_motion_release(made));
  OK(vtb_motion_appended(motion, motion, 0.1, &made));
  OK(vtb_motion_get_info(made, &info));
  CHECK(info.frames == 5);
  OK(vtb_motion_release(made));
  OK(vtb_motion_mirrored(motion, 0, &made)); /* each joint is its own partner */
  OK(vtb_motion_release(made));
  test_joints_and_path(motion);
  made = NULL;
  FAILS(VTB_E_ARG, vtb_motion_filtered(motion, (vtb_filter)7, 2, &made));
  FAILS(VTB_E_ARG, vtb_motion_filtered(motion, VTB_FILTER_SPLINE, 5, &made));
  FAILS(VTB_E_ARG, vtb_motion_filtered(motion, VTB_FILTER_SPLINE, 1e-9, &made));
  FAILS(VTB_E_ARG, vtb_motion_filtered(motion, VTB_FILTER_SPLINE, 2, NULL));
  FAILS(VTB_E_ARG, vtb_motion_faster(motion, 0, &made));
  FAILS(VTB_E_ARG, vtb_motion_appended(motion, NULL, 0.1, &made));
  FAILS(VTB_E_ARG, vtb_motion_appended(motion, motion, -1, &made));
  FAILS(VTB_E_ARG, vtb_motion_mirrored(motion, 3, &made));
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_mirrored(motion, -1, &made));
  CHECK(made == NULL && strstr(vtb_last_error(), "left") != NULL);
  FAILS(VTB_E_ARG, vtb_motion_faster(motion, 1e308, &made));
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_faster(motion, 1e-9, &made));
  CHECK(strstr(vtb_last_error(), "2e+09 frames") != NULL);
  FAILS(VTB_E_ARG, vtb_motion_filtered(motion, VTB_FILTER_SPLINE, 1e-4, &made)); /* below a thousandth of the rate */
}

static void test_analysis(vtb_motion* motion) {
  vtb_motion* made = NULL;
  vtb_diagnostics* list = NULL;
  vtb_resting_def def;
  double rows[12], error = UNTOUCHED;
  uint32_t frames[3];
  int32_t first = -7, last = -7;
  size_t total = 0, count = 0;
  OK(vtb_motion_get_velocities(motion, 1, rows, 2, 0, &total));
  CHECK(total == 2);
  NEAR(rows[0], 0.05); /* the hips move by 1 cm in 0.2 s along x */
  FAILS(VTB_E_ARG, vtb_motion_get_velocities(motion, 3, rows, 2, 0, &total));
  OK(vtb_motion_get_accelerations(motion, 1, rows, 2, 0, &total));
  NEAR(rows[0], 1);
  FAILS(VTB_E_ARG, vtb_motion_get_accelerations(motion, 1, NULL, 2, 0, &total));
  OK(vtb_resting_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_resting_def_init(NULL, sizeof def));
  OK(vtb_motion_get_resting(motion, 0, NULL, frames, 3, &total));
  CHECK(total == 3);
  def.find_floor = 0;
  def.floor = 0.9;
  def.speed_on = def.speed_off = 10;
  OK(vtb_motion_get_resting(motion, 0, &def, frames, 3, &total));
  CHECK(frames[0] == 1 && frames[1] == 1 && frames[2] == 1);
  def.speed_off = 1;
  FAILS(VTB_E_ARG, vtb_motion_get_resting(motion, 0, &def, frames, 3, &total));
  FAILS(VTB_E_ARG, vtb_motion_get_resting(motion, 2, NULL, frames, 3, &total));
  OK(vtb_motion_find_outliers(motion, &list, frames, 3, &total));
  OK(vtb_diagnostics_count(list, &count));
  CHECK(total == 0 && count == 0);
  OK(vtb_diagnostics_release(list));
  FAILS(VTB_E_ARG, vtb_motion_find_outliers(motion, NULL, NULL, 3, &total));
  OK(vtb_motion_mended(motion, VTB_MEND_CUT, &list, &made));
  OK(vtb_diagnostics_count(list, &count));
  CHECK(count == 0);
  OK(vtb_diagnostics_release(list));
  OK(vtb_motion_release(made));
  OK(vtb_motion_mended(motion, VTB_MEND_INTERPOLATE, NULL, &made));
  OK(vtb_motion_release(made));
  FAILS(VTB_E_ARG, vtb_motion_mended(motion, (vtb_mend)2, NULL, &made));
  FAILS(VTB_E_ARG, vtb_motion_mended(motion, VTB_MEND_CUT, NULL, NULL));
  FAILS(VTB_E_ARG, vtb_motion_mended(NULL, VTB_MEND_CUT, NULL, &made));
  OK(vtb_motion_find_loop(motion, 0.2, &first, &last, &error));
  CHECK(first == 0 && last == 2 && error > 0);
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_find_loop(motion, 5, &first, &last, &error));
  FAILS(VTB_E_ARG, vtb_motion_find_loop(motion, 0.2, &first, &last, NULL));
}

void test_motion(void) {
  vtb_motion* motion = make_motion();
  test_reading();
  if (!CHECK(motion != NULL)) return;
  test_sampling(motion);
  test_editing(motion);
  test_made_clips(motion);
  test_analysis(motion);
  OK(vtb_motion_release(motion));
}
