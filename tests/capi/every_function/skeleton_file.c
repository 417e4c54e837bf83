/* Skeleton files, sites, roles, and skeletons made of skeletons. */
#include "tests/capi/every_function/check.h"

static void test_files(vtb_skeleton* robot) {
  static char text[20000];
  static const char broken[] = "<skeleton name='robot'><link/></skeleton>";
  vtb_urdf_def def;
  vtb_skeleton* again = NULL;
  vtb_diagnostics* list = NULL;
  size_t needed = 0, length;

  OK(vtb_urdf_def_init(&def, sizeof def));
  OK(vtb_skeleton_write(robot, NULL, 0, &needed));
  if (!CHECK(needed > 200 && needed < sizeof text)) return;
  OK(vtb_skeleton_write(robot, text, sizeof text, &needed));
  length = strlen(text);
  FAILS(VTB_E_ARG, vtb_skeleton_write(NULL, text, sizeof text, &needed));
  FAILS(VTB_E_ARG, vtb_skeleton_write(robot, text, sizeof text, NULL));
  OK(vtb_skeleton_parse(text, length, "robot.xml", NULL, NULL, &again));
  OK(vtb_skeleton_release(again));
  again = NULL;
  OK(vtb_skeleton_parse(robot_urdf, strlen(robot_urdf), "robot.urdf", &def, &list, &again));
  OK(vtb_diagnostics_release(list));
  OK(vtb_skeleton_release(again));
  list = NULL;
  again = NULL;
  FAILS(VTB_E_PARSE, vtb_skeleton_parse(broken, sizeof broken - 1, "broken.xml", NULL, &list, &again));
  CHECK(strstr(vtb_last_error(), "name") != NULL && list != NULL && again == NULL);
  OK(vtb_diagnostics_release(list));
  FAILS(VTB_E_PARSE, vtb_skeleton_parse(NULL, 0, "none", NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_skeleton_parse(NULL, 4, "none", NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_skeleton_parse(text, length, NULL, NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_skeleton_parse(text, length, "robot.xml", NULL, NULL, NULL));

  OK(vtb_skeleton_save(robot, "every_function_skeleton.xml"));
  OK(vtb_skeleton_load("every_function_skeleton.xml", NULL, NULL, &again));
  OK(vtb_skeleton_release(again));
  again = NULL;
  remove("every_function_skeleton.xml");
  FAILS(VTB_E_IO, vtb_skeleton_load("every_function_skeleton.xml", NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_skeleton_load(NULL, NULL, NULL, &again));
  FAILS(VTB_E_ARG, vtb_skeleton_load("x.xml", NULL, NULL, NULL));
  FAILS(VTB_E_IO, vtb_skeleton_save(robot, "no/such/folder/x.xml"));
  FAILS(VTB_E_ARG, vtb_skeleton_save(robot, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_save(NULL, "x.xml"));
  CHECK(again == NULL);

  OK(vtb_skeleton_get_reference(NULL, 0, &needed));
  CHECK(needed > 1000);
  FAILS(VTB_E_ARG, vtb_skeleton_get_reference(NULL, 0, NULL));
}

static void test_sites_and_roles(void) {
  const double pose[7] = {0, 0, 0.1, 0, 0, 0, 1}, bent[7] = {0, 0, 0, 0, 0, 0, 2};
  vtb_skeleton_builder* builder = NULL;
  vtb_skeleton* made = NULL;
  vtb_link_def link;
  vtb_site_info site;
  vtb_role_info role;
  vtb_skeleton_info info;
  int32_t index = 0;

  OK(vtb_skeleton_builder_create("hand", &builder));
  OK(vtb_link_def_init(&link, sizeof link));
  link.name = "palm";
  OK(vtb_skeleton_builder_add_link(builder, &link, &index));
  OK(vtb_skeleton_builder_add_site(builder, 0, "grip", pose));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_site(builder, 0, "grip", pose)); /* the name is taken */
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_site(builder, 1, "other", pose));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_site(builder, 0, NULL, pose));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_site(builder, 0, "other", NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_site(builder, 0, "other", bent));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_site(NULL, 0, "other", pose));
  OK(vtb_skeleton_builder_set_role(builder, "left_hand", 0));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_role(builder, "left_hand", 0));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_role(builder, NULL, 0));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_role(builder, "head", -1));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_role(NULL, "head", 0));
  OK(vtb_skeleton_builder_finish(builder, 0, &made));
  OK(vtb_skeleton_builder_destroy(builder));
  if (!CHECK(made != NULL)) return;

  info.struct_size = sizeof info;
  OK(vtb_skeleton_get_info(made, &info));
  CHECK(info.sites == 1 && info.roles == 1);
  site.struct_size = sizeof site;
  OK(vtb_skeleton_find_site(made, "grip", &index));
  OK(vtb_skeleton_get_site(made, index, &site));
  CHECK(site.link == 0 && strcmp(site.name, "grip") == 0);
  NEAR(site.pose[2], 0.1);
  FAILS(VTB_E_ARG, vtb_skeleton_find_site(made, "tip", &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_site(made, NULL, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_site(made, "grip", NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_find_site(NULL, "grip", &index));
  FAILS(VTB_E_ARG, vtb_skeleton_get_site(made, 1, &site));
  FAILS(VTB_E_ARG, vtb_skeleton_get_site(made, 0, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_get_site(NULL, 0, &site));
  role.struct_size = sizeof role;
  OK(vtb_skeleton_get_role(made, 0, &role));
  CHECK(role.link == 0 && strcmp(role.name, "left_hand") == 0);
  FAILS(VTB_E_ARG, vtb_skeleton_get_role(made, -1, &role));
  FAILS(VTB_E_ARG, vtb_skeleton_get_role(made, 0, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_get_role(NULL, 0, &role));
  OK(vtb_skeleton_find_role(made, "left_hand", &index));
  CHECK(index == 0);
  FAILS(VTB_E_ARG, vtb_skeleton_find_role(made, "head", &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_role(made, NULL, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_role(made, "left_hand", NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_find_role(NULL, "left_hand", &index));
  OK(vtb_skeleton_release(made));
}

static void test_edits(vtb_skeleton* robot) {
  const double axis[3] = {0, 0, 1}, none[3] = {0, 0, 0};
  vtb_skeleton* made = NULL;
  vtb_skeleton_info info;
  vtb_joint_info joint;

  info.struct_size = sizeof info;
  joint.struct_size = sizeof joint;
  OK(vtb_skeleton_scaled(robot, 2, &made));
  OK(vtb_skeleton_get_info(made, &info));
  NEAR(info.mass, 32);
  OK(vtb_skeleton_release(made));
  FAILS(VTB_E_ARG, vtb_skeleton_scaled(robot, 0, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_scaled(robot, NAN, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_scaled(robot, 2, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_scaled(NULL, 2, &made));

  OK(vtb_skeleton_link_scaled(robot, 1, 1.5, 1, &made));
  OK(vtb_skeleton_get_joint(made, 1, &joint));
  NEAR(joint.parent_frame[2], 0.6);
  OK(vtb_skeleton_release(made));
  OK(vtb_skeleton_link_scaled(robot, -1, 1, 2, &made));
  OK(vtb_skeleton_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_link_scaled(robot, 2, 2, 1, &made)); /* no bone */
  FAILS(VTB_E_ARG, vtb_skeleton_link_scaled(robot, 3, 1, 1, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_link_scaled(robot, 1, -1, 1, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_link_scaled(robot, 1, 1, INFINITY, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_link_scaled(robot, 1, 1, 1, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_link_scaled(NULL, 1, 1, 1, &made));

  OK(vtb_skeleton_joint_retyped(robot, 1, VTB_JOINT_TYPE_SPHERICAL, axis, &made));
  OK(vtb_skeleton_get_joint(made, 1, &joint));
  CHECK(joint.type == VTB_JOINT_TYPE_SPHERICAL && joint.mimic == -1);
  OK(vtb_skeleton_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 0, VTB_JOINT_TYPE_SPHERICAL, axis, &made)); /* the elbow follows it */
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 1, VTB_JOINT_TYPE_MOTOR, axis, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 1, (vtb_joint_type)99, axis, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 1, VTB_JOINT_TYPE_REVOLUTE, none, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 1, VTB_JOINT_TYPE_REVOLUTE, NULL, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 2, VTB_JOINT_TYPE_REVOLUTE, axis, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(robot, 1, VTB_JOINT_TYPE_REVOLUTE, axis, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_retyped(NULL, 1, VTB_JOINT_TYPE_REVOLUTE, axis, &made));

  OK(vtb_skeleton_joint_merged(robot, 1, &made));
  OK(vtb_skeleton_get_info(made, &info));
  CHECK(info.links == 2 && info.joints == 1);
  NEAR(info.mass, 4);
  OK(vtb_skeleton_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_joint_merged(robot, 0, &made)); /* the elbow follows it */
  FAILS(VTB_E_ARG, vtb_skeleton_joint_merged(robot, -1, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_merged(robot, 1, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_merged(NULL, 1, &made));

  OK(vtb_skeleton_joint_dropped(robot, 0, &made)); /* the elbow goes too */
  OK(vtb_skeleton_get_info(made, &info));
  CHECK(info.links == 1 && info.joints == 0);
  OK(vtb_skeleton_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_joint_dropped(robot, 2, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_dropped(robot, 0, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_dropped(NULL, 0, &made));

  OK(vtb_skeleton_mirrored(robot, 1, &made));
  OK(vtb_skeleton_get_joint(made, 0, &joint));
  NEAR(joint.axis[1], 1); /* a hinge about y, seen in a mirror of normal y, turns the same way */
  OK(vtb_skeleton_release(made));
  made = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_mirrored(robot, 3, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_mirrored(robot, -1, &made));
  FAILS(VTB_E_ARG, vtb_skeleton_mirrored(robot, 1, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_mirrored(NULL, 1, &made));
  CHECK(made == NULL);
}

void test_skeleton_file(void) {
  vtb_skeleton* robot = make_robot();
  if (!CHECK(robot != NULL)) return;
  test_files(robot);
  test_sites_and_roles();
  test_edits(robot);
  OK(vtb_skeleton_release(robot));
}
