/* Calls every function of vertebra.h, with good arguments and with bad ones, knowing nothing but the header: statuses, never a crash. */
#include "tests/capi/every_function/check.h"

int checks = 0, failures = 0;

int check_call(vtb_status expected, vtb_status got, const char* call, const char* file, int line) {
  const size_t name = strcspn(call, "(");
  int good = got == expected;
  checks++;
  if (good && got != VTB_OK) good = strncmp(vtb_last_error(), call, name) == 0 && strlen(vtb_last_error()) > name + 2;
  if (!good) {
    failures++;
    printf("%s:%d: %s: %s instead of %s; last error: %s\n", file, line, call, vtb_status_name(got), vtb_status_name(expected),
           vtb_last_error());
  }
  return good;
}

int main(void) {
  test_errors();
  test_ode();
  test_orientation();
  test_skeleton();
  test_builder();
  test_skeleton_file();
  test_motion();
  test_markers();
  test_marker_fit();
  test_trajectory();
  test_dynamics();
  test_world();
  test_body();
  test_shape();
  test_joint();
  test_constraint();
  test_driveline();
  test_particles();
  test_sensor();
  test_field();
  test_figure();
  test_controller();
  test_query();
  test_scene();
  test_make();
  test_objects();
  test_threads();
  printf("%d checks, %d failures\n", checks, failures);
  return failures ? 1 : 0;
}
