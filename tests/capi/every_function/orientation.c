/* Conversions of orientation. */
#include "tests/capi/every_function/check.h"

void test_orientation(void) {
  const double turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}; /* 90 degrees about z */
  const double mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1}, bad[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
  const double axis[3] = {0, 0, 2}, none[3] = {0, 0, 0}, nan3[3] = {0, NAN, 0};
  const double angles[3] = {0.3, -0.4, 0.5}, identity[4] = {0, 0, 0, 1}, long_q[4] = {0, 0, 0, 1.1}, near_q[4] = {0, 0, 0, 1.0005};
  double q[4], m[9], a[3], angle, back[3];
  int i;

  OK(vtb_quat_from_matrix(turned, q));
  NEAR(q[2], sqrt(0.5));
  NEAR(q[3], sqrt(0.5));
  OK(vtb_quat_to_matrix(q, m));
  for (i = 0; i < 9; i++) NEAR(m[i], turned[i]);
  OK(vtb_quat_to_matrix(near_q, m)); /* normalised */
  NEAR(m[0], 1);
  OK(vtb_quat_from_axis_angle(axis, -0.7, q));
  OK(vtb_quat_to_axis_angle(q, a, &angle));
  NEAR(a[2] * angle, -0.7);
  OK(vtb_quat_to_axis_angle(identity, a, &angle));
  NEAR(angle, 0);
  NEAR(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], 1);
  OK(vtb_quat_from_axis_angle(axis, 1e300, q)); /* large angles lose their meaning, not their form */
  NEAR(q[2] * q[2] + q[3] * q[3], 1);
  OK(vtb_quat_from_euler("ZXY", angles, q));
  OK(vtb_quat_to_euler(q, "ZXY", back));
  for (i = 0; i < 3; i++) NEAR(back[i], angles[i]);

  q[0] = UNTOUCHED;
  FAILS(VTB_E_ARG, vtb_quat_from_matrix(NULL, q));
  FAILS(VTB_E_ARG, vtb_quat_from_matrix(turned, NULL));
  FAILS(VTB_E_ARG, vtb_quat_from_matrix(mirror, q));
  FAILS(VTB_E_ARG, vtb_quat_from_matrix(bad, q));
  FAILS(VTB_E_ARG, vtb_quat_to_matrix(NULL, m));
  FAILS(VTB_E_ARG, vtb_quat_to_matrix(identity, NULL));
  FAILS(VTB_E_ARG, vtb_quat_to_matrix(long_q, m));
  FAILS(VTB_E_ARG, vtb_quat_from_axis_angle(NULL, 1, q));
  FAILS(VTB_E_ARG, vtb_quat_from_axis_angle(axis, INFINITY, q));
  FAILS(VTB_E_ARG, vtb_quat_from_axis_angle(none, 1, q));
  FAILS(VTB_E_ARG, vtb_quat_from_axis_angle(nan3, 1, q));
  FAILS(VTB_E_ARG, vtb_quat_from_axis_angle(axis, 1, NULL));
  FAILS(VTB_E_ARG, vtb_quat_to_axis_angle(long_q, a, &angle));
  FAILS(VTB_E_ARG, vtb_quat_to_axis_angle(identity, NULL, &angle));
  FAILS(VTB_E_ARG, vtb_quat_to_axis_angle(identity, a, NULL));
  FAILS(VTB_E_ARG, vtb_quat_from_euler("ZZY", angles, q));
  FAILS(VTB_E_ARG, vtb_quat_from_euler("ZX", angles, q));
  FAILS(VTB_E_ARG, vtb_quat_from_euler("ZXYZ", angles, q));
  FAILS(VTB_E_ARG, vtb_quat_from_euler("zxy", angles, q));
  FAILS(VTB_E_ARG, vtb_quat_from_euler(NULL, angles, q));
  FAILS(VTB_E_ARG, vtb_quat_from_euler("ZXY", nan3, q));
  FAILS(VTB_E_ARG, vtb_quat_from_euler("ZXY", angles, NULL));
  FAILS(VTB_E_ARG, vtb_quat_to_euler(NULL, "ZXY", back));
  FAILS(VTB_E_ARG, vtb_quat_to_euler(identity, "", back));
  FAILS(VTB_E_ARG, vtb_quat_to_euler(identity, "XYX", NULL));
  CHECK(q[0] == UNTOUCHED);
}
