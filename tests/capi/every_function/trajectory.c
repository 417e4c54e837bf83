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

static void test_map(vtb_motion* motion, vtb_skeleton* skeleton) {
  static const char file[] =
      "<retarget_map>\n  <role name=\"left_foot\" joint=\"left_foot\"/>\n  <role name=\"head\" joint=\"hed\"/>\n</retarget_map>\n";
  static const char bad[] = "<retarget_map>\n  <role name=\"left_fot\" joint=\"x\"/>\n</retarget_map>\n";
  vtb_retarget_map *map = NULL, *found = NULL;
  vtb_diagnostics* list = NULL;
  vtb_retarget_names names;
  vtb_retarget_def def;
  vtb_trajectory* trajectory = NULL;
  vtb_diagnostic finding;
  char text[4096];
  size_t needed;
  names.struct_size = sizeof names;
  OK(vtb_retarget_map_parse(file, sizeof file - 1, "made.xml", NULL, &map));
  OK(vtb_retarget_map_get(map, VTB_RETARGET_ROLE_LEFT_FOOT, &names));
  CHECK(strcmp(names.joint, "left_foot") == 0 && names.link[0] == 0);
  OK(vtb_retarget_def_init(&def, sizeof def));
  def.map = map;
  FAILS(VTB_E_UNSUPPORTED, vtb_retarget(motion, skeleton, &def, NULL, &trajectory)); /* hed: the text names head, file and line */
  CHECK(strstr(vtb_last_error(), "made.xml:3") != NULL && strstr(vtb_last_error(), "did you mean 'head'") != NULL);
  FAILS(VTB_E_UNSUPPORTED, vtb_retarget_map_guess(motion, skeleton, map, NULL, &found));
  OK(vtb_retarget_map_set(map, VTB_RETARGET_ROLE_HEAD, NULL, NULL));
  OK(vtb_retarget(motion, skeleton, &def, NULL, &trajectory));
  OK(vtb_trajectory_release(trajectory));
  OK(vtb_retarget_map_guess(motion, skeleton, map, &list, &found));
  OK(vtb_diagnostics_release(list));
  OK(vtb_retarget_map_get(found, VTB_RETARGET_ROLE_RIGHT_KNEE, &names));
  CHECK(strcmp(names.joint, "right_shin") == 0 && strcmp(names.link, "right_shin") == 0);
  OK(vtb_retarget_map_write(found, text, sizeof text, &needed));
  CHECK(strstr(text, "name=\"right_knee\" joint=\"right_shin\"") != NULL);
  OK(vtb_retarget_map_destroy(map));
  OK(vtb_retarget_map_save(found, "every_function.xml"));
  OK(vtb_retarget_map_load("every_function.xml", NULL, &map));
  CHECK(remove("every_function.xml") == 0);
  OK(vtb_retarget_map_destroy(map));
  map = NULL;
  OK(vtb_retarget_map_create(&map));
  list = NULL;
  FAILS(VTB_E_PARSE, vtb_retarget_map_parse(bad, sizeof bad - 1, "bad.xml", &list, &map));
  OK(vtb_diagnostics_get(list, 0, &finding));
  CHECK(finding.line == 2 && strstr(finding.message, "left_foot") != NULL);
  OK(vtb_diagnostics_release(list));
  FAILS(VTB_E_ARG, vtb_retarget_map_create(NULL));
  FAILS(VTB_E_IO, vtb_retarget_map_load("no/such/map.xml", NULL, &map));
  FAILS(VTB_E_IO, vtb_retarget_map_save(map, "no/such/folder/map.xml"));
  FAILS(VTB_E_ARG, vtb_retarget_map_write(map, text, sizeof text, NULL));
  FAILS(VTB_E_ARG, vtb_retarget_map_set(map, (vtb_retarget_role)16, "a", "b"));
  FAILS(VTB_E_ARG, vtb_retarget_map_get(map, VTB_RETARGET_ROLE_HEAD, NULL));
  FAILS(VTB_E_ARG, vtb_retarget_map_guess(NULL, skeleton, NULL, NULL, &map));
  OK(vtb_retarget_map_destroy(map));
  OK(vtb_retarget_map_destroy(found));
}

/* The figure of legs_bvh, which stands still for six frames. */
static void test_standing(const vtb_skeleton* skeleton) {
  static const char row[] = "0 86 0 0 0 0  0 -20 0 0 20 0 0 0 0  0 -20 0 0 20 0 0 0 0  0 0 0\n";
  char text[4096];
  size_t head = (size_t)(strstr(legs_bvh, "MOTION") - legs_bvh);
  vtb_motion* motion = NULL;
  vtb_trajectory* trajectory = NULL;
  vtb_retarget_report* report = NULL;
  vtb_retarget_report_contact contact;
  vtb_bvh_def bvh;
  int i;
  contact.struct_size = sizeof contact;
  if (!CHECK(head + 1024 < sizeof text)) return;
  memcpy(text, legs_bvh, head);
  strcpy(text + head, "MOTION\nFrames: 6\nFrame Time: 0.05\n");
  for (i = 0; i < 6; i++) strcat(text, row);
  OK(vtb_bvh_def_init(&bvh, sizeof bvh));
  bvh.unit = 0.01;
  OK(vtb_motion_parse_bvh(text, strlen(text), "standing.bvh", &bvh, NULL, &motion));
  OK(vtb_retarget(motion, skeleton, NULL, NULL, &trajectory));
  OK(vtb_retarget_report_create(motion, skeleton, trajectory, NULL, &report));
  OK(vtb_retarget_report_get_contact(report, 0, &contact));
  CHECK(contact.first == 0 && contact.last == 5 && contact.slide >= 0 && contact.slide < 1e-3);
  OK(vtb_retarget_report_destroy(report));
  OK(vtb_trajectory_release(trajectory));
  OK(vtb_motion_release(motion));
}

static void test_report(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_trajectory* trajectory) {
  vtb_retarget_report* report = NULL;
  vtb_retarget_report_info info;
  vtb_retarget_report_axis axis;
  vtb_retarget_report_contact contact;
  vtb_retarget_report_role role;
  vtb_retarget_report_frame frame;
  info.struct_size = sizeof info;
  axis.struct_size = sizeof axis;
  contact.struct_size = sizeof contact;
  role.struct_size = sizeof role;
  frame.struct_size = sizeof frame;
  OK(vtb_retarget_report_create(motion, skeleton, trajectory, NULL, &report));
  if (!CHECK(report != NULL)) return;
  OK(vtb_retarget_report_get_info(report, &info));
  CHECK(info.frames == 5 && info.limit_frames == 0);
  CHECK(info.error_relative >= 0 && info.error_relative < 0.1);
  OK(vtb_retarget_report_get_role(report, VTB_RETARGET_ROLE_LEFT_KNEE, &role));
  CHECK(role.known == 1 && role.turn_mean == -1);
  OK(vtb_retarget_report_get_frame(report, 4, &frame));
  CHECK(frame.figure_points[2] > 0.3 && frame.motion_points[2] > 0.3);
  if (info.axes > 0) OK(vtb_retarget_report_get_axis(report, 0, &axis));
  FAILS(VTB_E_ARG, vtb_retarget_report_create(motion, skeleton, NULL, NULL, &report));
  FAILS(VTB_E_ARG, vtb_retarget_report_get_info(NULL, &info));
  FAILS(VTB_E_ARG, vtb_retarget_report_get_axis(report, info.axes, &axis));
  FAILS(VTB_E_ARG, vtb_retarget_report_get_contact(report, -1, &contact));
  FAILS(VTB_E_ARG, vtb_retarget_report_get_role(report, (vtb_retarget_role)16, &role));
  FAILS(VTB_E_ARG, vtb_retarget_report_get_frame(report, 5, &frame));
  OK(vtb_retarget_report_destroy(report));
}

static void test_retargeter(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_def* def, vtb_trajectory* whole) {
  vtb_retargeter* r = NULL;
  vtb_retargeter_info info;
  vtb_motion* resampled = NULL;
  double poses[8 * 7], q[256];
  size_t total;
  int32_t ready, frame, given = 0;
  OK(vtb_retargeter_create(motion, skeleton, def, 0.1, &r));
  info.struct_size = sizeof info;
  OK(vtb_retargeter_get_info(r, &info));
  CHECK(info.joints == 8 && info.latency == 2);
  NEAR(info.frame_time, 0.05);
  OK(vtb_trajectory_get_frames(whole, q, 256, &total));
  CHECK((size_t)info.nq * 5 == total);
  OK(vtb_motion_resampled(motion, 20, &resampled));
  for (frame = 0; frame < 5; frame++) {
    OK(vtb_motion_get_poses(resampled, frame, 0, poses, 8, 0, &total));
    OK(vtb_retargeter_push(r, poses, q, 256, &total, &ready));
    CHECK(ready == (frame >= 2) && total == (size_t)(ready ? info.nq : 0));
    given += ready;
  }
  do {
    OK(vtb_retargeter_finish(r, q, 256, &total, &ready));
    given += ready;
  } while (ready);
  CHECK(given == 5);
  OK(vtb_retargeter_restart(r));
  OK(vtb_retargeter_finish(r, q, 256, &total, &ready));
  CHECK(!ready && total == 0);
  FAILS(VTB_E_ARG, vtb_retargeter_push(r, poses, q, 3, &total, &ready));
  FAILS(VTB_E_ARG, vtb_retargeter_push(r, poses, NULL, 256, &total, &ready));
  poses[6] = 7;
  FAILS(VTB_E_ARG, vtb_retargeter_push(r, poses, q, 256, &total, &ready));
  FAILS(VTB_E_ARG, vtb_retargeter_finish(r, q, 256, &total, NULL));
  FAILS(VTB_E_ARG, vtb_retargeter_get_info(NULL, &info));
  FAILS(VTB_E_ARG, vtb_retargeter_restart(NULL));
  OK(vtb_retargeter_destroy(r));
  OK(vtb_retargeter_destroy(NULL));
  FAILS(VTB_E_ARG, vtb_retargeter_create(motion, skeleton, def, -1, &r));
  OK(vtb_motion_release(resampled));
}

static void test_files(vtb_trajectory* trajectory, vtb_skeleton* skeleton, vtb_skeleton* other) {
  static const char odd[] = "# fps=10\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,a\n0,0,0,0,0,0,1,2\n0,0,0,0,0,0,1\n";
  vtb_trajectory* again = NULL;
  vtb_diagnostics* list = NULL;
  vtb_diagnostic finding;
  double v[256], q[256], p[256];
  size_t total, needed, nq;
  char text[16384], back[16384];
  OK(vtb_trajectory_write_csv(trajectory, text, sizeof text, &needed));
  OK(vtb_trajectory_parse_csv(text, needed - 1, "x.csv", NULL, &again));
  OK(vtb_trajectory_write_csv(again, back, sizeof back, &needed));
  CHECK(strcmp(text, back) == 0);
  OK(vtb_trajectory_get_frames(trajectory, q, 256, &total));
  OK(vtb_trajectory_get_frames(again, p, 256, &total));
  nq = total / 5;
  CHECK(memcmp(p, q, total * sizeof(double)) == 0);
  OK(vtb_trajectory_get_velocities(again, skeleton, 2, v, 256, &total));
  CHECK(total > 6);
  NEAR(v[0], (q[3 * nq] - q[nq]) / 0.1);
  OK(vtb_trajectory_release(again));
  again = NULL;
  OK(vtb_trajectory_save_csv(trajectory, "every_function.csv"));
  OK(vtb_trajectory_load_csv("every_function.csv", &list, &again));
  OK(vtb_diagnostics_release(list));
  OK(vtb_trajectory_release(again));
  CHECK(remove("every_function.csv") == 0);
  again = NULL;
  list = NULL;
  FAILS(VTB_E_PARSE, vtb_trajectory_parse_csv(odd, sizeof odd - 1, "odd.csv", &list, &again));
  OK(vtb_diagnostics_get(list, 0, &finding));
  CHECK(strcmp(finding.code, "csv.row") == 0 && finding.line == 4 && again == NULL);
  OK(vtb_diagnostics_release(list));
  FAILS(VTB_E_PARSE, vtb_trajectory_parse_csv(NULL, 0, "empty.csv", NULL, &again));
  FAILS(VTB_E_ARG, vtb_trajectory_parse_csv(odd, 5, NULL, NULL, &again));
  FAILS(VTB_E_IO, vtb_trajectory_load_csv("no/such/file.csv", NULL, &again));
  FAILS(VTB_E_ARG, vtb_trajectory_get_velocities(trajectory, skeleton, 5, v, 256, &total));
  FAILS(VTB_E_ARG, vtb_trajectory_get_velocities(trajectory, other, 0, v, 256, &total));
  CHECK(strstr(vtb_last_error(), "left_thigh") != NULL);
  OK(vtb_trajectory_write_json(trajectory, text, sizeof text, &needed));
  CHECK(strstr(text, "{\"fps\":20,") == text);
  OK(vtb_trajectory_save_json(trajectory, "every_function.json"));
  CHECK(remove("every_function.json") == 0);
  FAILS(VTB_E_ARG, vtb_trajectory_write_json(NULL, text, sizeof text, &needed));
  FAILS(VTB_E_IO, vtb_trajectory_save_json(trajectory, "no/such/folder/x.json"));
  OK(vtb_trajectory_save_npz(trajectory, skeleton, "every_function.npz"));
  CHECK(remove("every_function.npz") == 0);
  FAILS(VTB_E_ARG, vtb_trajectory_save_npz(trajectory, other, "x.npz"));
  FAILS(VTB_E_IO, vtb_trajectory_save_npz(trajectory, skeleton, "no/such/folder/x.npz"));
}

static void test_clips(vtb_trajectory* trajectory, vtb_skeleton* skeleton, vtb_skeleton* other, vtb_motion* walk) {
  vtb_motion* clip = NULL;
  vtb_trajectory* again = NULL;
  vtb_motion_info info;
  double q[256], p[256];
  size_t total, i;
  int32_t found = -1;
  info.struct_size = sizeof info;
  OK(vtb_motion_from_trajectory(trajectory, skeleton, &clip));
  OK(vtb_motion_get_info(clip, &info));
  CHECK(info.frames == 5 && info.roots == 1 && info.unit == 1);
  OK(vtb_trajectory_from_motion(clip, skeleton, &found, &again));
  CHECK(found > 5);
  OK(vtb_trajectory_get_frames(trajectory, q, 256, &total));
  OK(vtb_trajectory_get_frames(again, p, 256, &total));
  for (i = 0; i < 3; i++) NEAR(p[i], q[i]);
  OK(vtb_trajectory_release(again));
  again = NULL;
  OK(vtb_trajectory_from_motion(walk, other, NULL, &again));
  OK(vtb_trajectory_release(again));
  again = NULL;
  FAILS(VTB_E_ARG, vtb_motion_from_trajectory(trajectory, other, &clip));
  FAILS(VTB_E_ARG, vtb_motion_from_trajectory(trajectory, skeleton, NULL));
  FAILS(VTB_E_ARG, vtb_motion_from_trajectory(NULL, skeleton, &clip));
  FAILS(VTB_E_ARG, vtb_trajectory_from_motion(clip, NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_trajectory_from_motion(NULL, skeleton, NULL, &again));
  FAILS(VTB_E_ARG, vtb_trajectory_from_motion(clip, skeleton, NULL, NULL));
  OK(vtb_motion_release(clip));
}

/* As many coordinates, one of another name: another figure's. */
static void test_other_names(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton) {
  static char text[1 << 16];
  vtb_motion* motion = NULL;
  vtb_retarget_report* report = NULL;
  vtb_trajectory* other = NULL;
  size_t needed = 0;
  char* name;
  OK(vtb_trajectory_write_csv(trajectory, text, sizeof text, &needed));
  name = strstr(text, "root_qw,");
  if (!CHECK(name != NULL)) return;
  name[8] = name[8] == 'x' ? 'y' : 'x';
  OK(vtb_trajectory_parse_csv(text, strlen(text), "other.csv", NULL, &other));
  FAILS(VTB_E_ARG, vtb_track(other, skeleton, NULL, NULL, NULL));
  motion = make_motion();
  FAILS(VTB_E_ARG, vtb_retarget_report_create(motion, skeleton, other, NULL, &report));
  OK(vtb_motion_release(motion));
  OK(vtb_trajectory_release(other));
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
  def.start = 0.2; /* the last of five frames */
  FAILS(VTB_E_ARG, vtb_track(trajectory, skeleton, &def, &info, NULL));
  def.start = 1e300;
  FAILS(VTB_E_ARG, vtb_track(trajectory, skeleton, &def, &info, NULL));
  def.start = 0;
  info.struct_size = 0;
  FAILS(VTB_E_ARG, vtb_track(trajectory, skeleton, &def, &info, NULL));
  info.struct_size = sizeof info;
  test_other_names(trajectory, skeleton);
  def.step = 0;
  FAILS(VTB_E_ARG, vtb_track(trajectory, skeleton, &def, &info, NULL));
  FAILS(VTB_E_ARG, vtb_track_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_track(NULL, skeleton, NULL, NULL, NULL));
  FAILS(VTB_E_ARG, vtb_track(trajectory, NULL, NULL, NULL, NULL));
}

void test_trajectory(void) {
  vtb_motion *motion = NULL, *still = make_motion();
  vtb_skeleton *skeleton = NULL, *other = NULL;
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
  test_retargeter(motion, skeleton, &def, trajectory);
  test_map(motion, skeleton);
  test_report(motion, skeleton, trajectory);
  test_standing(skeleton);
  OK(vtb_skeleton_from_motion(still, NULL, NULL, &other));
  test_files(trajectory, skeleton, other);
  test_clips(trajectory, skeleton, other, still);
  OK(vtb_skeleton_release(other));
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
