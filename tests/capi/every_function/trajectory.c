/* Retargeting, and the trajectories that it makes. */
#include "tests/capi/every_function/check.h"

static const char legs_bvh[] =
    "HIERARCHY\n"
    "ROOT hips\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT left_thigh\n  {\n    OFFSET 10 0 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    JOINT left_shin\n    {\n      OFFSET 0 -40 0\n      CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "      JOINT left_foot\n      {\n        OFFSET 0 -40 0\n        CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "        End Site\n        {\n          OFFSET 0 -5 15\n        }\n      }\n    }\n  }\n"
    "  JOINT right_thigh\n  {\n    OFFSET -10 0 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    JOINT right_shin\n    {\n      OFFSET 0 -40 0\n      CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "      JOINT right_foot\n      {\n        OFFSET 0 -40 0\n        CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "        End Site\n        {\n          OFFSET 0 -5 15\n        }\n      }\n    }\n  }\n"
    "  JOINT head\n  {\n    OFFSET 0 70 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n    {\n      OFFSET 0 20 0\n    }\n  }\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.1\n"
    "0 86 0 0 0 0  0 -20 0 0 20 0 0 0 0  0 -20 0 0 20 0 0 0 0  0 0 0\n"
    "0 85 0 0 0 0  0 -25 0 0 40 0 0 -15 0  0 -25 0 0 40 0 0 -15 0  0 0 0\n"
    "0 84 0 0 0 0  0 -30 0 0 60 0 0 -30 0  0 -30 0 0 60 0 0 -30 0  0 0 0\n";

static void test_reading(vtb_trajectory* trajectory) {
  vtb_trajectory_info info;
  double q[256];
  size_t total, needed;
  char name[64], text[16384];
  info.struct_size = sizeof info;
  OK(vtb_trajectory_get_info(trajectory, &info));
  CHECK(info.frames == 5);
  CHECK(info.nq > 7 && info.nq * 5 < 256);
  NEAR(info.frame_time, 0.05);
  OK(vtb_trajectory_get_name(trajectory, 7, name, sizeof name, &needed));
  CHECK(strstr(name, "left_thigh") == name);
  OK(vtb_trajectory_get_frame(trajectory, 4, q, 256, &total));
  CHECK(total == (size_t)info.nq);
  NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1);
  OK(vtb_trajectory_get_frames(trajectory, q, 256, &total));
  CHECK(total == (size_t)info.nq * 5);
  OK(vtb_trajectory_write_csv(trajectory, text, sizeof text, &needed));
  CHECK(strstr(text, "# fps=20") == text && strstr(text, "root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,left_thigh") != NULL);
  OK(vtb_trajectory_save_csv(trajectory, "every_function.csv"));
  CHECK(remove("every_function.csv") == 0);
  FAILS(VTB_E_ARG, vtb_trajectory_get_info(trajectory, NULL));
  FAILS(VTB_E_ARG, vtb_trajectory_get_name(trajectory, info.nq, name, sizeof name, &needed));
  FAILS(VTB_E_ARG, vtb_trajectory_get_frame(trajectory, 5, q, 256, &total));
  FAILS(VTB_E_ARG, vtb_trajectory_get_frames(NULL, q, 256, &total));
  FAILS(VTB_E_ARG, vtb_trajectory_write_csv(trajectory, text, sizeof text, NULL));
  FAILS(VTB_E_IO, vtb_trajectory_save_csv(trajectory, "no/such/folder/x.csv"));
}

static void test_tracking(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton) {
  vtb_track_def def;
  vtb_track_info info;
  vtb_trajectory_info frames, given;
  vtb_trajectory* tracked = NULL;
  OK(vtb_track_def_init(&def, sizeof def));
  info.struct_size = sizeof info;
  frames.struct_size = given.struct_size = sizeof frames;
  OK(vtb_track(trajectory, skeleton, &def, &info, &tracked));
  if (!CHECK(tracked != NULL)) return;
  OK(vtb_trajectory_get_info(trajectory, &given));
  OK(vtb_trajectory_get_info(tracked, &frames));
  CHECK(frames.nq == given.nq && frames.frames >= 1 && frames.frames <= given.frames);
  CHECK(info.fell || frames.frames == given.frames);
  CHECK(info.time > 0 && info.assist_peak <= def.assist_force + 1e-9 && info.assist_mean <= info.assist_peak + 1e-9);
  OK(vtb_trajectory_release(tracked));
  def.flags = VTB_TRACK_FLAG_NO_ASSIST;
  OK(vtb_track(trajectory, skeleton, &def, &info, NULL));
  CHECK(info.assist_peak == 0);
  def.step = 0;
  FAILS(VTB_E_ARG, vtb_track(trajectory, skeleton, &def, &info, NULL));
  FAILS(VTB_E_ARG, vtb_track_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_track(NULL, skeleton, NULL, NULL, NULL));
  FAILS(VTB_E_ARG, vtb_track(trajectory, NULL, NULL, NULL, NULL));
}

void test_trajectory(void) {
  vtb_motion *motion = NULL, *still = make_motion();
  vtb_skeleton* skeleton = NULL;
  vtb_diagnostics* list = NULL;
  vtb_trajectory* trajectory = NULL;
  vtb_bvh_def bvh;
  vtb_retarget_def def;
  vtb_diagnostic finding;
  OK(vtb_bvh_def_init(&bvh, sizeof bvh));
  bvh.unit = 0.01;
  OK(vtb_motion_parse_bvh(legs_bvh, sizeof legs_bvh - 1, "legs.bvh", &bvh, NULL, &motion));
  OK(vtb_skeleton_from_motion(motion, NULL, NULL, &skeleton));
  OK(vtb_retarget_def_init(&def, sizeof def));
  def.rate = 20;
  OK(vtb_retarget(motion, skeleton, &def, &list, &trajectory));
  if (!CHECK(trajectory != NULL)) return;
  OK(vtb_diagnostics_get(list, 0, &finding));
  CHECK(strcmp(finding.code, "retarget.role") == 0);
  OK(vtb_diagnostics_release(list));
  test_reading(trajectory);
  test_tracking(trajectory, skeleton);
  OK(vtb_trajectory_retain(trajectory));
  OK(vtb_trajectory_release(trajectory));
  OK(vtb_trajectory_release(trajectory));
  trajectory = NULL;
  def.rate = -1;
  FAILS(VTB_E_ARG, vtb_retarget_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_retarget(motion, skeleton, &def, NULL, &trajectory));
  FAILS(VTB_E_ARG, vtb_retarget(motion, NULL, NULL, NULL, &trajectory));
  FAILS(VTB_E_UNSUPPORTED, vtb_retarget(still, skeleton, NULL, NULL, &trajectory)); /* it has no legs */
  FAILS(VTB_E_ARG, vtb_trajectory_retain(NULL));
  CHECK(trajectory == NULL);
  OK(vtb_skeleton_release(skeleton));
  OK(vtb_motion_release(motion));
  OK(vtb_motion_release(still));
}
