/* Checks for the C program that calls every function: each counts, prints what failed, and lets the program go on. */
#ifndef VERTEBRA_TESTS_CAPI_CHECK_H
#define VERTEBRA_TESTS_CAPI_CHECK_H
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vertebra/vertebra.h>

extern int checks, failures;
int check_call(vtb_status expected, vtb_status got, const char* call, const char* file, int line);

#define CHECK(condition) (checks++, (condition) ? 1 : (failures++, printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition), 0))
#define NEAR(a, b) CHECK(fabs((a) - (b)) <= 1e-9)
/* The call succeeds; or answers the status and leaves a text that names the function. */
#define OK(call) check_call(VTB_OK, (call), #call, __FILE__, __LINE__)
#define FAILS(status, call) check_call(status, (call), #call, __FILE__, __LINE__)

/* Doubles that must still be there after a failed call. */
#define UNTOUCHED 12345.5

extern const char robot_urdf[], wave_bvh[];
vtb_skeleton* make_robot(void); /* base - hinge "shoulder" -> upper - mimic "elbow" -> lower */
vtb_motion* make_motion(void);  /* two joints, three frames */

vtb_body add_ball(vtb_world* world, double height); /* 1 kg, radius 0.1 m, above the origin */
vtb_shape add_ground(vtb_world* world);             /* the world's own plane, z = 0 */

void test_errors(void);
void test_field(void);
void test_ode(void);
void test_orientation(void);
void test_skeleton(void);
void test_builder(void);
void test_skeleton_file(void);
void test_motion(void);
void test_markers(void);
void test_marker_fit(void);
void test_trajectory(void);
void test_dynamics(void);
void test_world(void);
void test_body(void);
void test_shape(void);
void test_joint(void);
void test_constraint(void);
void test_driveline(void);
void test_particles(void);
void test_sensor(void);
void test_figure(void);
void test_controller(void);
void test_query(void);
void test_scene(void);
void test_make(void);
void test_objects(void);
void test_threads(void);
#endif
