/* Optical markers to a figure's motion. */
#include <math.h>

#include "tests/capi/every_function/check.h"

static const char set_xml[] =
    "<markers>\n<marker name=\"A\" joint=\"hips\" offset=\"0.1 0 0\"/>\n<marker name=\"B\" joint=\"hips\" offset=\"-0.1 0 0.1\"/>\n"
    "<marker name=\"C\" joint=\"spine\" offset=\"0 0.2 0\"/>\n<marker name=\"D\" joint=\"spine\" offset=\"0.1 0.1 0.1\"/>\n</markers>\n";

static void write_set(const char* text) {
  FILE* file = fopen("every_function_fit.xml", "wb");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

static void frames(vtb_marker_fitter* fitter, const vtb_markers* markers, int32_t nq) {
  double positions[12], q[64], offset[3];
  size_t total = 0, needed = 0;
  int32_t ready = 0, i;
  char name[8];
  FAILS(VTB_E_UNSUPPORTED, vtb_marker_fitter_predict(fitter, positions, 4, 0, &total));
  for (i = 0; i < 3; i++) {
    OK(vtb_markers_get_frame(markers, i, positions, 4, 0, &total));
    FAILS(VTB_E_ARG, vtb_marker_fitter_push(fitter, positions, q, 1, &total, &ready));
    OK(vtb_marker_fitter_push(fitter, positions, q, 64, &total, &ready));
    CHECK(ready == (i > 0) && total == (ready ? (size_t)nq : 0));
  }
  FAILS(VTB_E_ARG, vtb_marker_fitter_push(fitter, NULL, q, 64, &total, &ready));
  OK(vtb_marker_fitter_predict(fitter, positions, 4, 0, &total));
  CHECK(total == 4 && isfinite(positions[11]));
  OK(vtb_marker_fitter_finish(fitter, q, 64, &total, &ready));
  CHECK(ready == 1);
  OK(vtb_marker_fitter_finish(fitter, q, 64, &total, &ready));
  CHECK(ready == 0 && total == 0);
  FAILS(VTB_E_ARG, vtb_marker_fitter_finish(fitter, NULL, 64, &total, &ready));
  OK(vtb_marker_fitter_get_name(fitter, 2, name, sizeof name, &needed));
  CHECK(strcmp(name, "C") == 0);
  FAILS(VTB_E_ARG, vtb_marker_fitter_get_name(fitter, 4, name, sizeof name, &needed));
  OK(vtb_marker_fitter_get_offset(fitter, 2, offset));
  NEAR(offset[1], 0.2);
  FAILS(VTB_E_ARG, vtb_marker_fitter_get_offset(fitter, -1, offset));
  OK(vtb_marker_fitter_calibrate(fitter, markers));
  FAILS(VTB_E_ARG, vtb_marker_fitter_calibrate(fitter, NULL));
  OK(vtb_marker_fitter_get_offset(fitter, 2, offset));
  CHECK(fabs(offset[1] - 0.2) < 1e-3); /* it was right before */
  OK(vtb_marker_fitter_restart(fitter));
  FAILS(VTB_E_ARG, vtb_marker_fitter_restart(NULL));
}

static void test_bones(const vtb_markers* markers, const vtb_skeleton* skeleton) {
  vtb_skeleton* made = NULL;
  vtb_diagnostics* list = NULL;
  vtb_skeleton_info was, now;
  was.struct_size = sizeof was;
  now.struct_size = sizeof now;
  OK(vtb_markers_calibrate_bones(markers, skeleton, "every_function_fit.xml", NULL, &list, &made));
  OK(vtb_skeleton_get_info(skeleton, &was));
  OK(vtb_skeleton_get_info(made, &now));
  CHECK(was.links == now.links && fabs(now.mass / was.mass - 1) < 0.01); /* they were right */
  OK(vtb_diagnostics_release(list));
  OK(vtb_skeleton_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_markers_calibrate_bones(NULL, skeleton, "every_function_fit.xml", NULL, NULL, &made));
  FAILS(VTB_E_ARG, vtb_markers_calibrate_bones(markers, NULL, "every_function_fit.xml", NULL, NULL, &made));
  FAILS(VTB_E_ARG, vtb_markers_calibrate_bones(markers, skeleton, NULL, NULL, NULL, &made));
  FAILS(VTB_E_ARG, vtb_markers_calibrate_bones(markers, skeleton, "every_function_fit.xml", NULL, NULL, NULL));
  FAILS(VTB_E_IO, vtb_markers_calibrate_bones(markers, skeleton, "no/such/set.xml", NULL, NULL, &made));
}

void test_marker_fit(void) {
  vtb_motion* motion = make_motion();
  vtb_skeleton* skeleton = NULL;
  vtb_markers* markers = NULL;
  vtb_marker_fitter* fitter = NULL;
  vtb_trajectory* trajectory = NULL;
  vtb_diagnostics* list = NULL;
  vtb_marker_fit_def def;
  vtb_marker_fit_info info;
  vtb_markers_info record;
  vtb_trajectory_info made;
  info.struct_size = sizeof info;
  record.struct_size = sizeof record;
  made.struct_size = sizeof made;
  OK(vtb_skeleton_from_motion(motion, NULL, NULL, &skeleton));
  write_set(set_xml);
  OK(vtb_markers_from_motion(motion, "every_function_fit.xml", NULL, NULL, &markers));
  test_bones(markers, skeleton);
  if (!CHECK(markers != NULL && skeleton != NULL)) return;
  OK(vtb_markers_get_info(markers, &record));
  OK(vtb_marker_fit_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_marker_fit_def_init(NULL, sizeof def));
  def.latency = record.frame_time;
  OK(vtb_marker_fitter_create(skeleton, "every_function_fit.xml", record.frame_time, &def, NULL, &fitter));
  if (!CHECK(fitter != NULL)) return;
  OK(vtb_marker_fitter_get_info(fitter, &info));
  CHECK(info.markers == 4 && info.latency == 1 && info.nq > 6);
  FAILS(VTB_E_ARG, vtb_marker_fitter_get_info(NULL, &info));
  frames(fitter, markers, info.nq);
  OK(vtb_marker_fitter_destroy(fitter));
  fitter = NULL;
  FAILS(VTB_E_ARG, vtb_marker_fitter_create(skeleton, "every_function_fit.xml", 0, &def, NULL, &fitter));
  FAILS(VTB_E_IO, vtb_marker_fitter_create(skeleton, "no_such_file.xml", 0.01, &def, NULL, &fitter));
  def.noise = 0;
  FAILS(VTB_E_ARG, vtb_marker_fitter_create(skeleton, "every_function_fit.xml", 0.01, &def, NULL, &fitter));
  CHECK(fitter == NULL);

  OK(vtb_markers_fit(markers, skeleton, "every_function_fit.xml", NULL, &info, &list, &trajectory));
  OK(vtb_diagnostics_release(list));
  OK(vtb_trajectory_get_info(trajectory, &made));
  CHECK(made.frames == 3 && made.nq == info.nq && info.first == 0 && info.residual < 0.01);
  OK(vtb_trajectory_release(trajectory));
  trajectory = NULL;
  FAILS(VTB_E_ARG, vtb_markers_fit(NULL, skeleton, "every_function_fit.xml", NULL, &info, NULL, &trajectory));
  write_set("<markers>\n<marker name=\"A\" joint=\"spin\"/></markers>");
  FAILS(VTB_E_PARSE, vtb_markers_fit(markers, skeleton, "every_function_fit.xml", NULL, NULL, NULL, &trajectory));
  write_set("<markers>\n<marker name=\"A\" joint=\"spine\"/></markers>");
  FAILS(VTB_E_UNSUPPORTED, vtb_markers_fit(markers, skeleton, "every_function_fit.xml", NULL, NULL, NULL, &trajectory));
  write_set(
      "<markers>\n<marker name=\"X\" joint=\"spine\"/><marker name=\"Y\" joint=\"spine\"/><marker name=\"Z\" joint=\"spine\"/></markers>");
  FAILS(VTB_E_UNSUPPORTED, vtb_markers_fit(markers, skeleton, "every_function_fit.xml", NULL, NULL, NULL, &trajectory));
  CHECK(trajectory == NULL);
  CHECK(remove("every_function_fit.xml") == 0);
  OK(vtb_markers_release(markers));
  OK(vtb_skeleton_release(skeleton));
  OK(vtb_motion_release(motion));
}
