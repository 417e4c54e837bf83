/* Scene files and names. */
#include "tests/capi/every_function/check.h"

static const char text[] =
    "<scene><!-- two --><settings gravity='0 0 -10' sleep='no'/>\n"
    "<body name='ball' position='0 0 2' mass='1'><sphere name='skin' radius='0.1'/></body>\n"
    "<joint name='hinge' type='revolute' b='ball' position='0 0 3' axis='0 1 0'/>\n"
    "<camera name='front' position='0 -5 1'/></scene>";
static const char wrong[] = "<scene>\n<bodi name='x'/>\n<body name='y' mas='1'/></scene>";

static void test_reading(void) {
  vtb_scene* scene = NULL;
  vtb_diagnostics* list = NULL;
  vtb_diagnostic d;
  size_t count = 0;
  FILE* file;
  FAILS(VTB_E_PARSE, vtb_scene_parse(wrong, sizeof wrong - 1, "wrong.xml", &list, &scene));
  CHECK(scene == NULL && list != NULL);
  OK(vtb_diagnostics_count(list, &count));
  CHECK(count == 2);
  OK(vtb_diagnostics_get(list, 0, &d));
  CHECK(d.severity == VTB_SEVERITY_ERROR && d.line == 2 && strcmp(d.file, "wrong.xml") == 0 &&
        strcmp(d.code, "scene.element.unknown") == 0);
  CHECK(strstr(d.message, "did you mean 'body'?") != NULL);
  OK(vtb_diagnostics_get(list, 1, &d));
  CHECK(d.line == 3 && strstr(d.message, "did you mean 'mass'?") != NULL);
  OK(vtb_diagnostics_release(list));
  FAILS(VTB_E_ARG, vtb_scene_parse(NULL, 3, "x", NULL, &scene));
  FAILS(VTB_E_IO, vtb_scene_load("no-such-scene.xml", NULL, &scene));
  file = fopen("scene_of_test.xml", "wb");
  CHECK(file != NULL);
  fwrite(text, 1, sizeof text - 1, file);
  fclose(file);
  OK(vtb_scene_load("scene_of_test.xml", NULL, &scene));
  OK(vtb_scene_retain(scene));
  OK(vtb_scene_release(scene));
  OK(vtb_scene_release(scene));
  OK(vtb_scene_release(NULL));
  FAILS(VTB_E_ARG, vtb_scene_retain(NULL));
}

static void test_saving(vtb_world* world, vtb_world* plain) {
  char buffer[4096];
  size_t needed = 0;
  vtb_scene* again = NULL;
  vtb_world* other = NULL;
  uint64_t a = 1, b = 2;
  OK(vtb_world_step(world, 3));
  OK(vtb_world_write_scene(world, NULL, 0, &needed));
  CHECK(needed > sizeof text);
  OK(vtb_world_write_scene(world, buffer, sizeof buffer, &needed));
  CHECK(strstr(buffer, "<!-- two -->") != NULL && strstr(buffer, "<state") != NULL);
  OK(vtb_world_save_scene(world, "scene_of_test.xml"));
  OK(vtb_scene_load("scene_of_test.xml", NULL, &again));
  OK(vtb_scene_create_world(again, NULL, &other));
  OK(vtb_world_step(world, 5));
  OK(vtb_world_step(other, 5));
  OK(vtb_world_get_hash(world, &a));
  OK(vtb_world_get_hash(other, &b));
  CHECK(a == b);
  FAILS(VTB_E_IO, vtb_world_save_scene(world, "no/such/folder/scene.xml"));
  OK(vtb_world_write_scene(plain, NULL, 0, &needed)); /* an empty scene */
  FAILS(VTB_E_ARG, vtb_world_write_scene(plain, NULL, 0, NULL));
  OK(vtb_world_destroy(other));
  OK(vtb_scene_release(again));
  remove("scene_of_test.xml");
}

static void test_names(vtb_scene* scene, vtb_world* world, vtb_world* plain) {
  vtb_body ball = {0};
  char name[32];
  size_t needed = 0;
  uint64_t bits = 7;
  double pose[7], place[7] = {10, 0, 0, 0, 0, 0, 1};
  OK(vtb_world_find(world, VTB_NAMED_BODY, "ball", &ball.bits));
  OK(vtb_body_get_pose(world, ball, pose));
  NEAR(pose[2], 2);
  FAILS(VTB_E_ARG, vtb_world_find(world, VTB_NAMED_JOINT, "ball", &bits));
  FAILS(VTB_E_ARG, vtb_world_find(world, 8, "ball", &bits));
  CHECK(bits == 7);
  OK(vtb_world_get_name(world, VTB_NAMED_SHAPE, 0, &bits, name, sizeof name, &needed));
  CHECK(strcmp(name, "skin") == 0 && needed == 5 && bits != 0);
  FAILS(VTB_E_ARG, vtb_world_get_name(world, VTB_NAMED_SHAPE, 1, &bits, name, sizeof name, &needed));
  FAILS(VTB_E_ARG, vtb_scene_add(scene, world, NULL, NULL)); /* the names are taken */
  OK(vtb_scene_add(scene, plain, "left/", place));
  OK(vtb_world_find(plain, VTB_NAMED_BODY, "left/ball", &ball.bits));
  OK(vtb_body_get_pose(plain, ball, pose));
  NEAR(pose[0], 10);
  OK(vtb_body_destroy(plain, ball));
  FAILS(VTB_E_STALE, vtb_world_find(plain, VTB_NAMED_BODY, "left/ball", &bits));
}

void test_scene(void) {
  vtb_scene* scene = NULL;
  vtb_world *world = NULL, *plain = NULL;
  vtb_world_def settings;
  vtb_camera camera;
  size_t needed = 0;
  test_reading();
  OK(vtb_scene_parse(text, sizeof text - 1, "text.xml", NULL, &scene));
  settings.struct_size = sizeof settings;
  OK(vtb_scene_get_settings(scene, &settings));
  CHECK(settings.gravity[2] == -10 && settings.flags == VTB_WORLD_FLAG_NO_SLEEP);
  FAILS(VTB_E_ARG, vtb_scene_get_settings(NULL, &settings));
  camera.struct_size = sizeof camera;
  OK(vtb_scene_get_camera(scene, 0, &camera));
  CHECK(strcmp(camera.name, "front") == 0 && camera.position[1] == -5);
  FAILS(VTB_E_ARG, vtb_scene_get_camera(scene, 1, &camera));
  OK(vtb_scene_create_world(scene, NULL, &world));
  FAILS(VTB_E_ARG, vtb_scene_create_world(NULL, NULL, &world));
  OK(vtb_world_create(NULL, &plain));
  test_saving(world, plain);
  OK(vtb_world_destroy(world));
  OK(vtb_scene_create_world(scene, &settings, &world));
  test_names(scene, world, plain);
  OK(vtb_scene_get_reference(NULL, 0, &needed));
  CHECK(needed > 1000);
  FAILS(VTB_E_ARG, vtb_scene_get_reference(NULL, 0, NULL));
  OK(vtb_world_destroy(world));
  OK(vtb_world_destroy(plain));
  OK(vtb_scene_release(scene));
}
