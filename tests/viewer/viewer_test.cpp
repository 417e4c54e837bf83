// The viewer through its header: a box covers the pixels of its projection, moves and turns with its body, casts a shadow; the camera finds
// it; visuals of figures show; wrong arguments are refused; a strip puts its pictures in the right places.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <osgDB/ReadFile>

#include <vertebra_view.h>

#include "tests/support.hpp"

namespace {

constexpr int kSize = 300;
constexpr double kFov = 0.6;

vtb_view* opened(std::uint32_t shown) {
  vtb_view_def def;
  REQUIRE(vtb_view_def_init(&def, sizeof def) == VTB_OK);
  def.width = def.height = kSize;
  def.shown = shown;
  vtb_view* view = nullptr;
  const vtb_status status = vtb_view_create(&def, &view);
  INFO(vtb_view_last_error());
  REQUIRE(status == VTB_OK);
  return view;
}

vtb_world* withBox(double half, double height) {
  vtb_world_def settings;
  vtb_body_def body;
  vtb_shape_def shape;
  vtb_world* world = nullptr;
  vtb_body made{};
  vtb_shape box{};
  REQUIRE(vtb_world_def_init(&settings, sizeof settings) == VTB_OK);
  REQUIRE(vtb_world_create(&settings, &world) == VTB_OK);
  REQUIRE(vtb_body_def_init(&body, sizeof body) == VTB_OK);
  body.pose[2] = height;
  REQUIRE(vtb_body_create(world, &body, &made) == VTB_OK);
  REQUIRE(vtb_shape_def_init(&shape, sizeof shape) == VTB_OK);
  shape.type = VTB_SHAPE_TYPE_BOX;
  const float red[4] = {0.9f, 0.02f, 0.02f, 1};
  for (int k = 0; k < 3; k++) shape.size[k] = half;
  for (int k = 0; k < 4; k++) shape.rgba[k] = red[k];
  REQUIRE(vtb_shape_create(world, made, &shape, &box) == VTB_OK);
  return world;
}

vtb_camera lookingAlongY(double distance, double height) {
  vtb_camera camera{};
  camera.struct_size = sizeof camera;
  camera.position[1] = -distance;
  camera.position[2] = camera.target[2] = height;
  camera.up[2] = 1;
  camera.fov = kFov;
  return camera;
}

int redPixels(const std::vector<std::uint8_t>& pixels) {
  int count = 0;
  for (std::size_t i = 0; i < pixels.size(); i += 3) count += pixels[i] > 2 * pixels[i + 1] && pixels[i] > 2 * pixels[i + 2];
  return count;
}

using Pixels = std::vector<std::uint8_t>;

Pixels drawn(vtb_view* view, vtb_world* world, const vtb_camera& camera) {
  Pixels pixels(3 * kSize * kSize);
  REQUIRE(vtb_view_push(view, world) == VTB_OK);
  REQUIRE(vtb_view_set_camera(view, &camera) == VTB_OK);
  REQUIRE(vtb_view_draw(view, pixels.data(), pixels.size()) == VTB_OK);
  return pixels;
}

// Red pixels in columns from a to b (shares of the width).
int redBetween(const Pixels& pixels, double a, double b) {
  int count = 0;
  for (int y = 0; y < kSize; y++)
    for (int x = static_cast<int>(a * kSize); x < static_cast<int>(b * kSize); x++) {
      const std::uint8_t* p = &pixels[static_cast<std::size_t>(3 * (y * kSize + x))];
      count += p[0] > 2 * p[1] && p[0] > 2 * p[2];
    }
  return count;
}

vtb_camera fromAbove(double height) {
  vtb_camera camera{};
  camera.struct_size = sizeof camera;
  camera.position[2] = height;
  camera.up[1] = 1;  // x to the right
  camera.fov = kFov;
  return camera;
}

vtb_body onlyBody(vtb_world* world) {
  vtb_body body{};
  size_t total = 0;
  REQUIRE(vtb_world_get_bodies(world, &body, 1, &total) == VTB_OK);
  REQUIRE(total == 1);
  return body;
}

void place(vtb_world* world, double x, double z, double turn) {
  const double pose[7] = {x, 0, z, 0, 0, std::sin(0.5 * turn), std::cos(0.5 * turn)};
  REQUIRE(vtb_body_set_pose(world, onlyBody(world), pose, nullptr) == VTB_OK);
}

}  // namespace

TEST_CASE("a box covers the pixels of its projection") {
  vtb_view* view = opened(VTB_VIEW_GROUND | VTB_VIEW_SHADOWS);
  vtb_world* world = withBox(0.4, 1);
  REQUIRE(vtb_view_push(view, world) == VTB_OK);
  const vtb_camera camera = lookingAlongY(5, 1);
  REQUIRE(vtb_view_set_camera(view, &camera) == VTB_OK);
  std::vector<std::uint8_t> pixels(3 * kSize * kSize);
  REQUIRE(vtb_view_draw(view, pixels.data(), pixels.size()) == VTB_OK);
  const double edge = 0.8 / (2 * (5 - 0.4) * std::tan(kFov / 2)) * kSize;  // of the near face, which hides the rest
  CHECK(redPixels(pixels) == Approx(edge * edge).epsilon(0.02));
  double distance = 0;
  const double back[3] = {0, -1, 0}, target[3] = {0, 0, 1};
  REQUIRE(vtb_view_get_distance(view, target, back, kFov, &distance) == VTB_OK);
  CHECK(distance == Approx(0.4 + 0.4 / std::tan(kFov / 2)).epsilon(1e-12));
  CHECK(vtb_view_draw(view, pixels.data(), pixels.size() - 1) == VTB_E_ARG);
  CHECK(vtb_view_push(view, nullptr) == VTB_E_ARG);
  CHECK(vtb_view_set_shown(view, 1u << 20) == VTB_E_ARG);
  CHECK(vtb_view_write_png("/no/such/folder/a.png", pixels.data(), kSize, kSize) == VTB_E_IO);
  vtb_strip* strip = nullptr;
  REQUIRE(vtb_strip_create(kSize, kSize, 2, &strip) == VTB_OK);
  for (int i = 0; i < 3; i++) REQUIRE(vtb_strip_add(strip, pixels.data(), "1.00 s", "") == VTB_OK);
  int32_t pictures = 0, width = 0, height = 0;
  REQUIRE(vtb_strip_get_size(strip, &pictures, &width, &height) == VTB_OK);
  CHECK(pictures == 3);
  CHECK(width == 8 + 2 * (kSize + 8));
  CHECK(height == 8 + 2 * (kSize + 8));
  CHECK(vtb_strip_write(strip, "/no/such/folder/strip.png") == VTB_E_IO);
  vtb_strip_destroy(strip);
  vtb_view_destroy(view);
  vtb_world_destroy(world);
}

TEST_CASE("a body that moved is drawn where it is") {
  vtb_view* view = opened(VTB_VIEW_GROUND);
  vtb_world* world = withBox(0.3, 1);
  const vtb_camera camera = lookingAlongY(6, 1);  // x to the right
  place(world, -1, 1, 0);
  Pixels pixels = drawn(view, world, camera);
  CHECK(redBetween(pixels, 0, 0.5) > 1000);
  CHECK(redBetween(pixels, 0.5, 1) == 0);
  place(world, 1, 1, 0);
  pixels = drawn(view, world, camera);
  CHECK(redBetween(pixels, 0, 0.5) == 0);
  CHECK(redBetween(pixels, 0.5, 1) > 1000);
  vtb_view_destroy(view);
  vtb_world_destroy(world);
}

TEST_CASE("a body that turned is drawn turned") {
  vtb_view* view = opened(0);
  vtb_world* world = withBox(0.3, 1);
  vtb_shape_def shape;
  vtb_shape arm{};
  REQUIRE(vtb_shape_def_init(&shape, sizeof shape) == VTB_OK);
  shape.type = VTB_SHAPE_TYPE_BOX;  // from the box along x
  shape.size[0] = 0.5, shape.size[1] = shape.size[2] = 0.1;
  shape.pose[0] = 0.7;
  const float red[4] = {0.9f, 0.02f, 0.02f, 1};
  for (int k = 0; k < 4; k++) shape.rgba[k] = red[k];
  REQUIRE(vtb_shape_create(world, onlyBody(world), &shape, &arm) == VTB_OK);
  for (const double turn : {0.0, M_PI}) {
    place(world, 0, 1, turn);
    const Pixels pixels = drawn(view, world, fromAbove(8));
    const int right = redBetween(pixels, 0.6, 1), left = redBetween(pixels, 0, 0.4);
    CHECK((turn == 0 ? right : left) > 100);
    CHECK((turn == 0 ? left : right) == 0);
  }
  vtb_view_destroy(view);
  vtb_world_destroy(world);
}

TEST_CASE("the ground is darker in a body's shadow") {
  vtb_view* view = opened(VTB_VIEW_GROUND | VTB_VIEW_SHADOWS);
  vtb_world* world = withBox(0.3, 1);
  place(world, -0.9, 1, 0);
  const Pixels shaded = drawn(view, world, fromAbove(8));
  place(world, 1.2, 1, 0);
  const Pixels bare = drawn(view, world, fromAbove(8));
  int darker = 0;
  for (int y = 0; y < kSize; y++)
    for (int x = 0; x < kSize / 2; x++) {
      const std::uint8_t *a = &shaded[static_cast<std::size_t>(3 * (y * kSize + x))],
                         *b = &bare[static_cast<std::size_t>(3 * (y * kSize + x))];
      const bool box = a[0] > 2 * a[1] && a[0] > 2 * a[2];
      darker += !box && a[0] + a[1] + a[2] < 0.8 * (b[0] + b[1] + b[2]);
    }
  CHECK(darker > 100);
  CHECK(darker < kSize * kSize / 8);
  REQUIRE(vtb_view_set_shown(view, VTB_VIEW_GROUND) == VTB_OK);
  place(world, -0.9, 1, 0);
  const Pixels plain = drawn(view, world, fromAbove(8));
  int still = 0;
  for (std::size_t i = 0; i < plain.size(); i += 3)
    still += plain[i] + plain[i + 1] + plain[i + 2] < 0.8 * (bare[i] + bare[i + 1] + bare[i + 2]) && plain[i] < 2 * plain[i + 1];
  CHECK(still < darker / 4);
  vtb_view_destroy(view);
  vtb_world_destroy(world);
}

TEST_CASE("visuals of a figure show, in their colour and size") {
  const std::string text =
      "<robot name='r'><link name='a'><visual><geometry><sphere radius='0.3'/></geometry>"
      "<material name='m'><color rgba='0.9 0.02 0.02 1'/></material></visual>"
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
  vtb_figure_def def;
  REQUIRE(vtb_figure_def_init(&def, sizeof def) == VTB_OK);
  REQUIRE(vtb_skeleton_parse_urdf(text.data(), text.size(), "text", nullptr, nullptr, &def.skeleton) == VTB_OK);
  def.pose[2] = 1;
  vtb_world* world = nullptr;
  vtb_figure figure{};
  REQUIRE(vtb_world_create(nullptr, &world) == VTB_OK);
  REQUIRE(vtb_figure_create(world, &def, &figure) == VTB_OK);
  vtb_view* view = opened(0);
  const Pixels pixels = drawn(view, world, lookingAlongY(6, 1));
  const double radius = 0.3 / (6 * std::tan(kFov / 2)) * kSize / 2;
  CHECK(redPixels(pixels) == Approx(M_PI * radius * radius).epsilon(0.1));
  vtb_view_destroy(view);
  vtb_world_destroy(world);
  vtb_skeleton_release(def.skeleton);
}

TEST_CASE("a strip puts its pictures in rows") {
  vtb_strip* strip = nullptr;
  REQUIRE(vtb_strip_create(200, 120, 2, &strip) == VTB_OK);
  for (int k = 0; k < 3; k++) {
    Pixels plain(3 * 200 * 120, 0);
    for (std::size_t i = static_cast<std::size_t>(k); i < plain.size(); i += 3) plain[i] = 255;
    REQUIRE(vtb_strip_add(strip, plain.data(), k == 2 ? "1.00 s" : "", "") == VTB_OK);
  }
  const std::string path = (std::filesystem::temp_directory_path() / ("vertebra_strip_" + std::to_string(::getpid()) + ".png")).string();
  REQUIRE(vtb_strip_write(strip, path.c_str()) == VTB_OK);
  vtb_strip_destroy(strip);
  const osg::ref_ptr<osg::Image> read = osgDB::readRefImageFile(path);
  std::filesystem::remove(path);
  REQUIRE(read);
  CHECK(read->getColor(108, 196).r() > 0.9f);  // rows count from below
  CHECK(read->getColor(316, 196).g() > 0.9f);
  CHECK(read->getColor(108, 68).b() > 0.9f);
  const osg::Vec4 empty = read->getColor(316, 68);
  CHECK(empty.r() + empty.g() + empty.b() < 0.6f);  // no fourth picture
  int letters = 0;
  for (int x = 8; x < 208; x++)
    for (int y = 100; y < 128; y++) letters += read->getColor(x, y).b() < 0.6f;
  CHECK(letters > 5);
}

TEST_CASE("a view tells the parts that it shows") {
  vtb_world* world = withBox(0.5, 2);
  vtb_view* view = opened(VTB_VIEW_GROUND);
  size_t total = 9;
  REQUIRE(vtb_view_get_parts(view, nullptr, 0, &total) == VTB_OK);
  CHECK(total == 0);  // nothing was pushed
  place(world, 0.25, 2, 0.5);
  REQUIRE(vtb_view_push(view, world) == VTB_OK);
  vtb_view_part part{};
  CHECK(vtb_view_get_parts(view, &part, 1, &total) == VTB_E_ARG);  // struct_size
  part.struct_size = sizeof part;
  REQUIRE(vtb_view_get_parts(view, &part, 1, &total) == VTB_OK);
  REQUIRE(total == 1);
  CHECK(part.shown == 1);
  CHECK(part.body.bits == onlyBody(world).bits);
  CHECK(part.pose[0] == 0.25);
  CHECK(part.pose[5] == Approx(std::sin(0.25)));
  CHECK(part.rgba[0] == Approx(0.9f));
  REQUIRE(part.triangles == 12);
  std::vector<float> vertices(3 * part.vertices), normals(3 * part.vertices);
  std::vector<std::uint32_t> triangles(3 * part.triangles);
  REQUIRE(vtb_view_get_part_mesh(view, part.part, vertices.data(), normals.data(), triangles.data()) == VTB_OK);
  double area = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    double way[2][3], across[3], along = 0;
    for (std::size_t k = 0; k < 3; k++)
      for (std::size_t side = 0; side < 2; side++)
        way[side][k] = double{vertices[3 * triangles[t + side + 1] + k]} - double{vertices[3 * triangles[t] + k]};
    for (std::size_t k = 0; k < 3; k++) {
      across[k] = way[0][(k + 1) % 3] * way[1][(k + 2) % 3] - way[0][(k + 2) % 3] * way[1][(k + 1) % 3];
      along += across[k] * double{normals[3 * triangles[t] + k]};
    }
    area += 0.5 * along;  // edges of a box are sharp: normals stand on the triangles, outwards
  }
  CHECK(area == Approx(6).epsilon(1e-6));
  CHECK(vtb_view_get_part_mesh(view, part.part + 1, nullptr, nullptr, nullptr) == VTB_E_STALE);

  int32_t shown = 0;
  double height = 9;
  REQUIRE(vtb_view_get_ground(view, &shown, &height) == VTB_OK);
  CHECK(shown == 1);
  CHECK(height == 0);
  REQUIRE(vtb_view_get_marks(view, nullptr, nullptr, 0, &total) == VTB_OK);
  CHECK(total == 0);
  REQUIRE(vtb_view_set_shown(view, VTB_VIEW_COM) == VTB_OK);
  REQUIRE(vtb_view_push(view, world) == VTB_OK);
  REQUIRE(vtb_view_get_marks(view, nullptr, nullptr, 0, &total) == VTB_OK);
  REQUIRE(total > 0);
  std::vector<float> points(3 * total);
  std::vector<std::uint8_t> colours(4 * total);
  REQUIRE(vtb_view_get_marks(view, points.data(), colours.data(), total, nullptr) == VTB_OK);
  double mean[3] = {};
  for (std::size_t i = 0; i < points.size(); i++) mean[i % 3] += double{points[i]} / static_cast<double>(total);
  CHECK(mean[0] == Approx(0.25).margin(1e-3));
  CHECK(mean[2] == Approx(2).margin(1e-3));
  vtb_view_destroy(view);
  vtb_world_destroy(world);
}

TEST_CASE("a viewer's sliders set coordinates and targets") {
  const std::string text =
      "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial>"
      "</link><joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='2' effort='5' "
      "velocity='1'/></joint></robot>";
  vtb_figure_def def;
  REQUIRE(vtb_figure_def_init(&def, sizeof def) == VTB_OK);
  REQUIRE(vtb_skeleton_parse_urdf(text.data(), text.size(), "text", nullptr, nullptr, &def.skeleton) == VTB_OK);
  def.base = VTB_BASE_FIXED;
  vtb_world* world = nullptr;
  vtb_figure figure{};
  REQUIRE(vtb_world_create(nullptr, &world) == VTB_OK);
  REQUIRE(vtb_figure_create(world, &def, &figure) == VTB_OK);
  vtb_viewer_def settings;
  REQUIRE(vtb_viewer_def_init(&settings, sizeof settings) == VTB_OK);
  settings.flags = VTB_VIEWER_OFFSCREEN | VTB_VIEWER_PAUSED;
  vtb_viewer* viewer = nullptr;
  REQUIRE(vtb_viewer_create(&settings, world, &viewer) == VTB_OK);
  vtb_viewer_slider slider{};
  size_t total = 0;
  CHECK(vtb_viewer_get_sliders(viewer, &slider, 1, &total) == VTB_E_ARG);  // struct_size
  slider.struct_size = sizeof slider;
  REQUIRE(vtb_viewer_get_sliders(viewer, &slider, 1, &total) == VTB_OK);
  REQUIRE(total == 1);
  CHECK((slider.lower == -1 && slider.upper == 2 && slider.coordinate == 0 && slider.slides == 0));
  REQUIRE(vtb_viewer_set_slider(viewer, slider.joint, 0, 0, 0.75) == VTB_OK);
  double q = 0;
  REQUIRE(vtb_joint_get_state(world, slider.joint, &q, nullptr) == VTB_OK);
  CHECK(q == 0.75);
  REQUIRE(vtb_viewer_set_slider(viewer, slider.joint, 0, 1, 1.5) == VTB_OK);
  vtb_motor_def motor{};
  motor.struct_size = sizeof motor;
  REQUIRE(vtb_joint_get_motor(world, slider.joint, 0, &motor) == VTB_OK);
  CHECK((motor.mode == VTB_MOTOR_MODE_POSITION && motor.position == 1.5));
  REQUIRE(vtb_viewer_get_sliders(viewer, &slider, 1, nullptr) == VTB_OK);
  CHECK((slider.coordinate == 0.75 && slider.target == 1.5));
  CHECK(vtb_viewer_set_slider(viewer, slider.joint, 1, 0, 0) == VTB_E_ARG);
  CHECK(vtb_viewer_set_slider(viewer, slider.joint, 0, 0, std::nan("")) == VTB_E_ARG);
  const char* said = nullptr;
  REQUIRE(vtb_viewer_get_message(viewer, &said) == VTB_OK);
  CHECK(std::string(said).empty());
  vtb_viewer_destroy(viewer);
  vtb_world_destroy(world);
  vtb_skeleton_release(def.skeleton);
}
