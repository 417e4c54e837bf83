/* Optical markers: synthesised, read, written. */
#include "tests/capi/every_function/check.h"

static const char set_xml[] =
    "<markers>\n<marker name=\"SACR\" joint=\"hips\" offset=\"0 0 -0.1\"/>\n<marker name=\"C7\" joint=\"spine\"/>\n</markers>\n";

static const char gaps_trc[] =
    "PathFileType\t4\t(X/Y/Z)\tx.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "10\t10\t3\t1\tmm\t10\t1\t3\n"
    "Frame#\tTime\tA\t\t\n"
    "\t\tX1\tY1\tZ1\n\n"
    "1\t0\t0\t0\t0\n"
    "2\t0.1\t\t\t\n"
    "3\t0.2\t2\t0\t0\n";

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

void test_markers(void) {
  vtb_motion *motion = make_motion(), *clip = NULL;
  vtb_markers *markers = NULL, *again = NULL;
  vtb_markers_info info;
  vtb_marker_faults_def def;
  vtb_diagnostics* list = NULL;
  vtb_diagnostic finding;
  double positions[6];
  char text[4096], back[4096], name[16];
  size_t total, needed;
  info.struct_size = sizeof info;
  write_text("every_function.xml", set_xml);
  OK(vtb_marker_faults_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_marker_faults_def_init(NULL, sizeof def));
  OK(vtb_markers_from_motion(motion, "every_function.xml", &def, NULL, &markers));
  if (!CHECK(markers != NULL)) return;
  OK(vtb_markers_get_info(markers, &info));
  CHECK(info.markers == 2 && info.frames == 3);
  NEAR(info.frame_time, 0.1);
  FAILS(VTB_E_ARG, vtb_markers_get_info(NULL, &info));
  OK(vtb_markers_get_name(markers, 1, name, sizeof name, &needed));
  CHECK(strcmp(name, "C7") == 0);
  FAILS(VTB_E_ARG, vtb_markers_get_name(markers, 2, name, sizeof name, &needed));
  OK(vtb_markers_get_frame(markers, 0, positions, 2, 0, &total));
  CHECK(total == 2);
  NEAR(positions[1], 0.1); /* the file's -z is the world's y */
  NEAR(positions[2], 0.9);
  NEAR(positions[5], 1.4);
  FAILS(VTB_E_ARG, vtb_markers_get_frame(markers, 3, positions, 2, 0, &total));
  OK(vtb_motion_from_markers(markers, 0, NULL, &clip));
  OK(vtb_markers_from_motion(clip, NULL, NULL, NULL, &again));
  OK(vtb_markers_get_frame(again, 0, positions, 2, 0, &total));
  NEAR(positions[5], 1.4);
  OK(vtb_markers_release(again));
  OK(vtb_motion_release(clip));
  again = NULL;
  clip = NULL;
  FAILS(VTB_E_ARG, vtb_motion_from_markers(markers, 2, NULL, &clip));
  FAILS(VTB_E_ARG, vtb_motion_from_markers(markers, 1, NULL, NULL));
  OK(vtb_markers_parse_trc(gaps_trc, sizeof gaps_trc - 1, "gaps.trc", VTB_UP_AXIS_GUESS, NULL, &again));
  FAILS(VTB_E_UNSUPPORTED, vtb_motion_from_markers(again, 0, &list, &clip));
  CHECK(strstr(vtb_last_error(), "'A'") != NULL && clip == NULL && list == NULL);
  OK(vtb_motion_from_markers(again, 1, &list, &clip));
  OK(vtb_diagnostics_get(list, 0, &finding));
  CHECK(strcmp(finding.code, "markers.filled") == 0 && strstr(finding.message, "1 of 3") != NULL);
  OK(vtb_diagnostics_release(list));
  OK(vtb_motion_release(clip));
  OK(vtb_markers_release(again));
  again = NULL;
  list = NULL;
  OK(vtb_markers_write_trc(markers, text, sizeof text, &needed));
  OK(vtb_markers_parse_trc(text, needed - 1, "x.trc", VTB_UP_AXIS_GUESS, NULL, &again));
  OK(vtb_markers_write_trc(again, back, sizeof back, &needed));
  CHECK(strcmp(text, back) == 0);
  FAILS(VTB_E_ARG, vtb_markers_write_trc(again, back, sizeof back, NULL));
  OK(vtb_markers_release(again));
  OK(vtb_markers_save_trc(markers, "every_function.trc"));
  FAILS(VTB_E_IO, vtb_markers_save_trc(markers, "no/such/folder/x.trc"));
  OK(vtb_markers_load_trc("every_function.trc", VTB_UP_AXIS_Y, NULL, &again));
  OK(vtb_markers_release(again));
  CHECK(remove("every_function.trc") == 0);
  again = NULL;
  FAILS(VTB_E_IO, vtb_markers_load_trc("every_function.trc", VTB_UP_AXIS_Y, NULL, &again));
  FAILS(VTB_E_ARG, vtb_markers_parse_trc(text, 10, "x.trc", VTB_UP_AXIS_X, NULL, &again));
  FAILS(VTB_E_PARSE, vtb_markers_parse_trc(text, 10, "x.trc", VTB_UP_AXIS_Y, NULL, &again));
  def.dropout = 1;
  FAILS(VTB_E_ARG, vtb_markers_from_motion(motion, "every_function.xml", &def, NULL, &again));
  write_text("every_function.xml", "<markers>\n<marker name=\"C7\" joint=\"spin\"/></markers>");
  FAILS(VTB_E_PARSE, vtb_markers_from_motion(motion, "every_function.xml", NULL, &list, &again));
  OK(vtb_diagnostics_get(list, 0, &finding));
  CHECK(strcmp(finding.code, "markers.joint") == 0 && finding.line == 2 && strstr(finding.message, "spine") != NULL);
  OK(vtb_diagnostics_release(list));
  CHECK(remove("every_function.xml") == 0);
  FAILS(VTB_E_IO, vtb_markers_from_motion(motion, "every_function.xml", NULL, NULL, &again));
  CHECK(again == NULL);
  OK(vtb_markers_retain(markers));
  FAILS(VTB_E_ARG, vtb_markers_retain(NULL));
  OK(vtb_markers_release(markers));
  OK(vtb_markers_release(markers));
  OK(vtb_motion_release(motion));
}
