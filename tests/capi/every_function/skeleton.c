/* Diagnostics and skeletons: loading, references, contents. */
#include "tests/capi/every_function/check.h"

const char robot_urdf[] =
    "<robot name='robot'>\n"
    "  <link name='base'><inertial><mass value='2'/><inertia ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.02'/></inertial></link>\n"
    "  <link name='upper'>\n"
    "    <inertial><origin xyz='0 0 0.2'/><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial>\n"
    "    <visual><geometry><box size='0.1 0.2 0.4'/></geometry><material name='red'><color rgba='1 0 0 1'/></material></visual>\n"
    "    <collision><geometry><sphere radius='0.1'/></geometry></collision>\n"
    "  </link>\n"
    "  <link name='lower'><inertial><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' "
    "izz='0.01'/></inertial></link>\n"
    "  <joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/>\n"
    "    <limit lower='-1' upper='2' effort='30' velocity='4'/><dynamics damping='0.5' friction='0.1'/></joint>\n"
    "  <joint name='elbow' type='revolute'><origin xyz='0 0 0.4'/><parent link='upper'/><child link='lower'/><axis xyz='0 1 0'/>\n"
    "    <limit lower='-3' upper='3' effort='30' velocity='4'/><mimic joint='shoulder' multiplier='0.5' offset='0.1'/></joint>\n"
    "</robot>\n";
static const char broken_urdf[] = "<robot name='robot'>\n  <link name='base'/>\n  <link name='base'";

vtb_skeleton* make_robot(void) {
  vtb_skeleton* robot = NULL;
  OK(vtb_skeleton_parse_urdf(robot_urdf, sizeof robot_urdf - 1, "robot.urdf", NULL, NULL, &robot));
  return robot;
}

static void test_diagnostics(void) {
  vtb_skeleton* robot = NULL;
  vtb_diagnostics* list = NULL;
  vtb_diagnostic entry;
  size_t n = 0;
  FAILS(VTB_E_PARSE, vtb_skeleton_parse_urdf(broken_urdf, sizeof broken_urdf - 1, "broken.urdf", NULL, &list, &robot));
  CHECK(robot == NULL);
  CHECK(strstr(vtb_last_error(), "broken.urdf") != NULL);
  if (!CHECK(list != NULL)) return;
  OK(vtb_diagnostics_count(list, &n));
  CHECK(n > 0);
  OK(vtb_diagnostics_get(list, n - 1, &entry));
  CHECK(entry.severity >= VTB_SEVERITY_INFO && entry.severity <= VTB_SEVERITY_ERROR);
  CHECK(strcmp(entry.file, "broken.urdf") == 0);
  CHECK(entry.code[0] && entry.message[0] && entry.element != NULL);
  FAILS(VTB_E_ARG, vtb_diagnostics_count(NULL, &n));
  FAILS(VTB_E_ARG, vtb_diagnostics_count(list, NULL));
  FAILS(VTB_E_ARG, vtb_diagnostics_get(NULL, 0, &entry));
  FAILS(VTB_E_ARG, vtb_diagnostics_get(list, n, &entry));
  FAILS(VTB_E_ARG, vtb_diagnostics_get(list, (size_t)-1, &entry));
  FAILS(VTB_E_ARG, vtb_diagnostics_get(list, 0, NULL));
  OK(vtb_diagnostics_release(list));
  OK(vtb_diagnostics_release(NULL));
}

static int32_t never_resolve(void* user, const char* uri, char* path, size_t path_size) {
  (void)uri;
  if (path_size > 0) path[0] = '\0';
  ++*(int*)user;
  return 0;
}

static void test_loading(void) {
  static const char with_mesh[] =
      "<robot name='r'><link name='l'><visual><geometry><mesh filename='package://nowhere/m.stl'/></geometry></visual></link></robot>";
  vtb_urdf_def def;
  vtb_skeleton* robot = NULL;
  vtb_diagnostics* list = NULL;
  const char* roots[1] = {NULL};
  int asked = 0;
  FILE* file;

  OK(vtb_urdf_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_urdf_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_urdf_def_init(&def, 0));
  CHECK(def.struct_size == sizeof def && def.inertia == VTB_INERTIA_LENIENT && def.resolve == NULL);

  FAILS(VTB_E_IO, vtb_skeleton_load_urdf("there/is/no/such.urdf", &def, &list, &robot));
  CHECK(strstr(vtb_last_error(), "no such file") != NULL);
  FAILS(VTB_E_IO, vtb_skeleton_load_urdf(".", &def, &list, &robot)); /* a folder */
  CHECK(list == NULL && robot == NULL);
  file = fopen("every_function.urdf", "wb");
  if (CHECK(file != NULL)) {
    fputs(robot_urdf, file);
    fclose(file);
    OK(vtb_skeleton_load_urdf("every_function.urdf", &def, &list, &robot));
    CHECK(list != NULL && robot != NULL);
    OK(vtb_skeleton_release(robot));
    OK(vtb_diagnostics_release(list));
  }
  robot = NULL;
  list = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_load_urdf(NULL, NULL, NULL, &robot));
  FAILS(VTB_E_ARG, vtb_skeleton_load_urdf("every_function.urdf", NULL, NULL, NULL));
  CHECK(remove("every_function.urdf") == 0);
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(NULL, 10, "x", NULL, NULL, &robot));
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, 10, NULL, NULL, NULL, &robot));
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, 10, "x", NULL, NULL, NULL));
  FAILS(VTB_E_PARSE, vtb_skeleton_parse_urdf(NULL, 0, "x", NULL, NULL, &robot));
  FAILS(VTB_E_PARSE, vtb_skeleton_parse_urdf(robot_urdf, 0, "x", NULL, NULL, &robot));
  FAILS(VTB_E_PARSE, vtb_skeleton_parse_urdf(robot_urdf, 100, "x", NULL, NULL, &robot));

  def.struct_size = 0;
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, sizeof robot_urdf - 1, "x", &def, NULL, &robot));
  OK(vtb_urdf_def_init(&def, sizeof def));
  def.flags = 1u << 30;
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, sizeof robot_urdf - 1, "x", &def, NULL, &robot));
  OK(vtb_urdf_def_init(&def, sizeof def));
  def.inertia = 3;
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, sizeof robot_urdf - 1, "x", &def, NULL, &robot));
  OK(vtb_urdf_def_init(&def, sizeof def));
  def.mesh_root_count = 1;
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, sizeof robot_urdf - 1, "x", &def, NULL, &robot));
  def.mesh_roots = roots;
  FAILS(VTB_E_ARG, vtb_skeleton_parse_urdf(robot_urdf, sizeof robot_urdf - 1, "x", &def, NULL, &robot));
  CHECK(robot == NULL);
  roots[0] = ".";
  def.resolve = never_resolve;
  def.user = &asked;
  OK(vtb_skeleton_parse_urdf(with_mesh, sizeof with_mesh - 1, "x", &def, &list, &robot));
  CHECK(asked > 0);
  OK(vtb_skeleton_release(robot));
  OK(vtb_diagnostics_release(list));
}

static void test_from_motion(void) {
  vtb_motion* motion = make_motion();
  vtb_motion_figure_def def;
  vtb_diagnostics* list = NULL;
  vtb_skeleton* figure = NULL;
  OK(vtb_motion_figure_def_init(&def, sizeof def));
  FAILS(VTB_E_ARG, vtb_motion_figure_def_init(NULL, sizeof def));
  FAILS(VTB_E_ARG, vtb_motion_figure_def_init(&def, 4));
  OK(vtb_skeleton_from_motion(motion, &def, &list, &figure));
  OK(vtb_skeleton_release(figure));
  OK(vtb_diagnostics_release(list));
  figure = NULL;
  FAILS(VTB_E_ARG, vtb_skeleton_from_motion(NULL, &def, NULL, &figure));
  FAILS(VTB_E_ARG, vtb_skeleton_from_motion(motion, &def, NULL, NULL));
  def.mass = -1;
  FAILS(VTB_E_ARG, vtb_skeleton_from_motion(motion, &def, NULL, &figure));
  def.mass = NAN;
  FAILS(VTB_E_ARG, vtb_skeleton_from_motion(motion, &def, NULL, &figure));
  OK(vtb_motion_figure_def_init(&def, sizeof def));
  def.root = 7;
  FAILS(VTB_E_ARG, vtb_skeleton_from_motion(motion, &def, NULL, &figure));
  CHECK(figure == NULL);
  OK(vtb_motion_release(motion));
}

static void test_contents(void) {
  vtb_skeleton* robot = make_robot();
  vtb_skeleton_info info;
  vtb_link_info link;
  vtb_joint_info joint;
  vtb_axis_def axis;
  vtb_visual_info visual;
  double vertices[3 * 24];
  uint32_t triangles[3 * 12];
  char text[32];
  size_t needed = 0;
  int32_t index = -7, k;
  if (!CHECK(robot != NULL)) return;
  info.struct_size = sizeof info;
  link.struct_size = sizeof link;
  joint.struct_size = sizeof joint;
  axis.struct_size = sizeof axis;
  visual.struct_size = sizeof visual;

  OK(vtb_skeleton_retain(robot));
  OK(vtb_skeleton_release(robot));
  OK(vtb_skeleton_release(NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_retain(NULL));

  OK(vtb_skeleton_get_info(robot, &info));
  CHECK(info.links == 3 && info.joints == 2 && info.root == 0 && info.floating_by_default == 1 && info.visuals == 1 && info.shapes == 1);
  NEAR(info.mass, 4);
  FAILS(VTB_E_ARG, vtb_skeleton_get_info(NULL, &info));
  FAILS(VTB_E_ARG, vtb_skeleton_get_info(robot, NULL));
  info.struct_size = 0;
  FAILS(VTB_E_ARG, vtb_skeleton_get_info(robot, &info));

  OK(vtb_skeleton_get_name(robot, text, sizeof text, &needed));
  CHECK(strcmp(text, "robot") == 0 && needed == 6);
  OK(vtb_skeleton_get_name(robot, text, 4, &needed));
  CHECK(strcmp(text, "rob") == 0 && needed == 6);
  OK(vtb_skeleton_get_name(robot, NULL, 0, &needed));
  FAILS(VTB_E_ARG, vtb_skeleton_get_name(robot, NULL, 4, &needed));
  FAILS(VTB_E_ARG, vtb_skeleton_get_name(robot, text, 4, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_get_name(NULL, text, 4, &needed));

  OK(vtb_skeleton_get_link(robot, 1, &link));
  CHECK(strcmp(link.name, "upper") == 0 && link.parent_joint == 0);
  NEAR(link.com[2], 0.2);
  NEAR(link.inertia[3], 0.01);
  FAILS(VTB_E_ARG, vtb_skeleton_get_link(robot, 3, &link));
  FAILS(VTB_E_ARG, vtb_skeleton_get_link(robot, -1, &link));
  FAILS(VTB_E_ARG, vtb_skeleton_get_link(robot, 0, NULL));

  OK(vtb_skeleton_get_joint(robot, 1, &joint));
  CHECK(strcmp(joint.name, "elbow") == 0 && joint.type == VTB_JOINT_TYPE_REVOLUTE && strcmp(joint.type_name, "revolute") == 0);
  CHECK(joint.parent == 1 && joint.child == 2 && joint.axes == 1 && joint.mimic == 0 && joint.loop == 0 && joint.has_safety == 0);
  NEAR(joint.mimic_multiplier, 0.5);
  NEAR(joint.parent_frame[2], 0.4);
  NEAR(joint.axis[1], 1);
  FAILS(VTB_E_ARG, vtb_skeleton_get_joint(robot, 2, &joint));
  FAILS(VTB_E_ARG, vtb_skeleton_get_joint(robot, 0, NULL));

  OK(vtb_skeleton_get_axis(robot, 0, 0, &axis));
  NEAR(axis.lower, -1);
  NEAR(axis.effort, 30);
  NEAR(axis.damping, 0.5);
  FAILS(VTB_E_ARG, vtb_skeleton_get_axis(robot, 0, 1, &axis));
  FAILS(VTB_E_ARG, vtb_skeleton_get_axis(robot, 9, 0, &axis));
  FAILS(VTB_E_ARG, vtb_skeleton_get_axis(robot, 0, 0, NULL));

  OK(vtb_skeleton_find_link(robot, "lower", &index));
  CHECK(index == 2);
  OK(vtb_skeleton_find_joint(robot, "shoulder", &index));
  CHECK(index == 0);
  FAILS(VTB_E_ARG, vtb_skeleton_find_link(robot, "nose", &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_link(robot, NULL, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_joint(robot, "nose", &index));
  FAILS(VTB_E_ARG, vtb_skeleton_find_joint(robot, "elbow", NULL));
  CHECK(index == 0);

  OK(vtb_skeleton_get_visual(robot, 0, 0, &visual));
  CHECK(visual.link == 1 && visual.vertices <= 24 && visual.triangles == 12 && visual.rgba[0] == 1 && visual.rgba[1] == 0);
  OK(vtb_skeleton_get_visual_mesh(robot, 0, 0, vertices, 24, triangles, 12));
  for (k = 0; k < (int32_t)visual.vertices; k++) NEAR(fabs(vertices[3 * k + 2]), 0.2);
  for (k = 0; k < 36; k++) CHECK(triangles[k] < visual.vertices);
  OK(vtb_skeleton_get_visual(robot, 1, 0, &visual));
  CHECK(visual.link == 1 && visual.triangles > 12);
  OK(vtb_skeleton_get_visual_mesh(robot, 1, 0, NULL, 0, NULL, 0));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual(robot, 0, 1, &visual));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual(robot, 0, -1, &visual));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual(robot, 2, 0, &visual));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual(robot, 0, 0, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual_mesh(robot, 0, 0, NULL, 1, triangles, 12));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual_mesh(robot, 0, 0, vertices, 24, NULL, 12));
  FAILS(VTB_E_ARG, vtb_skeleton_get_visual_mesh(NULL, 0, 0, vertices, 24, triangles, 12));
  OK(vtb_skeleton_release(robot));
}

void test_skeleton(void) {
  test_diagnostics();
  test_loading();
  test_from_motion();
  test_contents();
}
